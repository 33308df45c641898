"""A tool's arguments as a command line has them: words in order for what is required, flags for the rest."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from drift.kernel.arguments import page_schema
from drift.kernel.wire import snake
from drift.registry import ToolDefinition
from drift.registry.schema import Schema

ACTION: Final = "action"

# What may follow an action without a flag, where people expect it: `drift projects add PATH`.
OPERANDS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "drift_projects": {
        "add": ("path",),
        "info": ("name",),
        "remove": ("name",),
        "rename": ("name", "newName"),
        "switch": ("name",),
    },
    "drift_pack": {
        "run": ("name", "focus"),
        "get": ("name",),
        "delete": ("name",),
    },
}

# Arguments that name a place of the machine, and names of arguments that may name one of the project.
MACHINE_PATHS: Final = frozenset({("drift_projects", "path")})
PROJECT_PATHS: Final = frozenset({"area", "file", "files", "path", "target"})

# What a word means that is no action: `drift recall retries` looks for retries.
SPOKEN: Final[Mapping[str, str]] = {"recall": "query"}

_SHARED_ABOUT: Final[Mapping[str, str]] = {
    "project": "name, id or path of another project",
    "maxTokens": "budget of the answer",
    "cursor": "go on from a page's cursor",
    "limit": "entries per page",
    "sort": "by what the list is sorted",
    "order": "the other way round, where it is not this one anyway",
}
_PAGE_FLAGS: Final = ("sort", "order", "limit", "cursor")


@dataclass(frozen=True, slots=True)
class Slot:
    """One argument: its name on the wire, its flag, its schema and what help says of it."""

    wire: str
    schema: Schema
    is_required: bool
    default: Any = None

    @property
    def flag(self) -> str:
        return f"--{kebab(self.wire)}"

    @property
    def kind(self) -> str:
        """The type in a word; several types are "value"."""
        kind = self.schema.get("type", "value")
        return kind if isinstance(kind, str) else "value"

    @property
    def is_repeatable(self) -> bool:
        return self.kind == "array"

    @property
    def choices(self) -> list[str]:
        return [str(option) for option in self.schema.get("enum", ())]

    @property
    def about(self) -> str:
        """What the argument is, what it takes and what it is otherwise."""
        parts = [self.schema.get("description") or _SHARED_ABOUT.get(self.wire, ""), self._bounds]
        if self.default not in (None, [], ""):
            parts.append(f"default: {_write_default(self.default)}")
        return "; ".join(part for part in parts if part)

    @property
    def _bounds(self) -> str:
        if self.choices:
            return "one of " + ", ".join(self.choices)
        if "minimum" in self.schema:
            return f"{self.schema['minimum']} to {self.schema['maximum']}"
        if self.is_repeatable:
            items = self.schema.get("items", {}).get("type")
            return "JSON" if items in ("object", "array") else "repeat it, or separate by commas"
        return "JSON" if self.kind == "object" else ""


def slots_of(tool: ToolDefinition) -> tuple[Slot, ...]:
    """Every argument of a tool, in the order it declares them, those that all tools share last."""
    properties = tool.input_schema["properties"]
    slots: dict[str, Slot] = {}
    for parameter in tool.parameters:
        if (page := parameter.page) is not None:
            usual = {"limit": page.limit, "sort": page.sorts[0] if page.sorts else None}
            for wire in sorted(page_schema(page), key=_PAGE_FLAGS.index):
                slots[wire] = Slot(wire, properties[wire], is_required=False, default=usual.get(wire))
        else:
            slots[parameter.wire] = Slot(
                parameter.wire,
                properties[parameter.wire],
                is_required=parameter.is_required,
                default=parameter.default,
            )
    for wire, schema in properties.items():
        slots.setdefault(wire, Slot(wire, schema, is_required=False))
    return tuple(slots.values())


def takes_action_word(tool: ToolDefinition) -> bool:
    """Whether the first word may be the action, although the tool has a default for it."""
    return any(slot.wire == ACTION and not slot.is_required and slot.choices for slot in slots_of(tool))


def command_name(tool_name: str) -> str:
    """`cache-clear` for `drift_cache_clear`."""
    return tool_name.removeprefix("drift_").replace("_", "-")


def kebab(wire: str) -> str:
    """`max-tokens` for `maxTokens`."""
    return re.sub(r"_+", "-", snake(wire)).strip("-")


def _write_default(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return json.dumps(value) if isinstance(value, dict) else str(value)
