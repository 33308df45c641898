"""The verbs of `drift memory` that are tools: what each takes without a flag, and how a call is written with them."""

from collections.abc import Mapping
from typing import Any, Final

from drift.cli.verbs import Spoken, Verb, speak

_PREFIX: Final = "drift_memory_"


VERBS: Final[Mapping[str, Verb]] = {
    "add": Verb("drift_memory_add", "keep a memory of any type, with links", "text", {"type": "insight"}),
    "save": Verb("save_memory", "keep a text", "text"),
    "search": Verb(
        "drift_memory_search", "find memories by words and filters", "query", usual={"detail": "snippets"}
    ),
    "recall": Verb("recall", "find, then view, purge or restore", "query", is_operand_needed=False),
    "show": Verb("drift_memory_get", "all about one memory", "id"),
    "list": Verb("recall", "the newest memories", None, {"limit": 20}),
    "timeline": Verb(
        "recall", "memories in the order of time", "query", {"detail": "timeline"}, is_operand_needed=False
    ),
    "context": Verb("drift_memory_for_context", "what was learned about a task", "focus"),
    "preview": Verb(
        "drift_memory_brief",
        "what hooks would add to a prompt, or tell at a start",
        "prompt",
        is_operand_needed=False,
    ),
    "query": Verb("drift_memory_query", "walk the edges from a memory", "from"),
    "update": Verb("drift_memory_update", "change a memory", "id"),
    "delete": Verb("drift_memory_delete", "hide a memory", "id"),
    "restore": Verb("drift_memory_delete", "bring a hidden memory back", "id", {"restore": True}),
    "ingest": Verb("drift_memory_ingest", "take in Markdown that is there", "paths", is_operand_needed=False),
    "export": Verb("drift_memory_export", "write memories to a file", "path", is_operand_needed=False),
    "import": Verb("drift_memory_import", "take in an export or other records", "path"),
    "graph": Verb(
        "drift_memory_graph", "how memories bear on each other", "memoryId", is_operand_needed=False
    ),
    "explain": Verb("drift_memory_explain", "what led to a memory and what came of it", "memoryId"),
    "why": Verb("drift_why", "why something is as it is", "focus"),
}


def speak_memory(tool: str, arguments: Mapping[str, Any]) -> Spoken | None:
    """How a person would say the call of a memory tool; None for one that no verb stands for."""
    given = {name: value for name, value in arguments.items() if value is not None}
    if tool == "recall" and given.keys() == {"id"}:
        tool = "drift_memory_get"
    return speak(tool, given, VERBS) or _speak_over(tool, given)


def _speak_over(tool: str, given: Mapping[str, Any]) -> Spoken | None:
    """The call by the verb of the tool's name, with flags over what that brings; None where it would add something."""
    name = _by_name(tool)
    verb = VERBS.get(name)
    if verb is None or verb.tool != tool or not given.keys() >= {*verb.brings, *verb.usual}:
        return None
    spoken = speak(tool, given, {name: verb._replace(brings={}, usual={})})
    return spoken if spoken is not None and spoken.operands else None


def short_name(tool: str) -> str | None:
    """The verb that a memory tool has by its name, where no verb of the table has the same one."""
    name = _by_name(tool)
    return name if tool.startswith(_PREFIX) and name not in VERBS else None


def _by_name(tool: str) -> str:
    return tool.removeprefix(_PREFIX).replace("_", "-")
