"""Other names of arguments: what one tool calls `symbol` another calls `function`, and models mix them up.

Only the documented names stand in the schemas; these are taken without a word.
"""

from collections.abc import Mapping
from typing import Any, Final

from drift.kernel.wire import camel
from drift.registry import ToolDefinition

_SYMBOL: Final = (
    "symbol", "function", "target", "location", "name", "method", "class", "symbolName", "functionName",
)  # fmt: skip
_FILE: Final = ("file", "path", "targetFile", "filePath", "fileName", "filename", "activeFile")
_WORDS: Final = ("query", "q", "search", "question", "focus", "searchTerm", "keywords")

SYNONYMS: Final[Mapping[str, tuple[str, ...]]] = {
    "symbol": _SYMBOL,
    "function": _SYMBOL,
    "target": (*_SYMBOL, "path", "filePath"),
    "location": (*_SYMBOL, "source", "origin"),
    "type": (*_SYMBOL, "typeName", "interface", "struct"),
    "symbols": ("names", "symbol", "name", "imports"),
    "file": _FILE,
    "path": _FILE,
    "targetFile": _FILE,
    "activeFile": ("file", "path", "filePath", "currentFile"),
    "area": (*_FILE, "folder", "directory"),
    "glob": (*_FILE, "pattern", "folder", "directory"),
    "files": ("file", "paths", "path"),
    "paths": ("path", "files", "file"),
    "query": _WORDS,
    "q": _WORDS,
    "search": (*_WORDS, "name"),
    "focus": (*_WORDS, "topic", "task", "target", "symbol"),
    "description": ("query", "text"),
    "limit": ("max", "maxResults", "count", "top", "pageSize", "topK"),
    "sort": ("by", "sortBy", "orderBy"),
    "order": ("direction", "sortOrder", "sortDirection"),
    "maxDepth": ("depth",),
    "depth": ("maxDepth",),
    "id": ("memoryId", "instructionId"),
    "memoryId": ("id",),
    "text": ("content", "memory"),
    "name": ("tool", "toolName", "pack"),
    "section": ("action",),
    "tool": ("name", "toolName"),
    "action": ("name", "method"),
    "args": ("arguments", "params", "parameters"),
    "params": ("args", "arguments", "parameters"),
    "package": ("name",),
    "since": ("from",),
    "until": ("to",),
}
"""What else an argument may be called."""

VALUES: Final[Mapping[str, Mapping[str, str]]] = {
    "section": {"health": "status", "capabilities": "tools"},
}
"""What else a value may be called, by argument."""

# Words of many meanings: taken for one of these only where the tool cannot do without it.
_IF_REQUIRED: Final = frozenset({"type", "target", "focus", "name", "action"})
_OF_ONE_MEANING: Final = frozenset({"pack"})


def rename_synonyms(tool: ToolDefinition, given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments with other names replaced by the tool's own, where exactly one absent argument can be meant."""
    renamed = {name: value for name, value in given.items() if name in tool.input_schema["properties"]}
    for name, said in given.items():
        if name in renamed:
            continue
        meant = _meant(tool, name, renamed)
        schema = tool.input_schema["properties"].get(meant, {})
        value = _own_value(meant, said)
        if meant is None or value not in schema.get("enum", (value,)):
            renamed[name] = said
        else:
            renamed[meant] = [value] if schema.get("type") == "array" and isinstance(value, str) else value
    return renamed


def _own_value(meant: str | None, value: Any) -> Any:
    others = VALUES.get(meant, {}) if meant is not None else {}
    return others.get(value, value) if isinstance(value, str) else value


def _meant(tool: ToolDefinition, name: str, taken: Mapping[str, Any]) -> str | None:
    absent: list[str] = [known for known in tool.input_schema["properties"] if known not in taken]
    written = next((known for known in absent if camel(known) == camel(name)), None)
    if written is not None:
        return written
    required = tool.input_schema.get("required", ())
    likely = {*required, *(known for known in absent if known not in _IF_REQUIRED)}
    fitting = [
        known
        for known in absent
        if camel(name) in SYNONYMS.get(camel(known), ()) and (known in likely or name in _OF_ONE_MEANING)
    ]
    foremost = [known for known in fitting if known in required] or fitting
    return foremost[0] if len(foremost) == 1 else None
