"""The action-style tools: sixteen names that stand for all the others, kept as data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

import orjson

from drift.kernel.errors import DriftError, ErrorCode, Recovery, invalid
from drift.kernel.similar import similar_names
from drift.registry.definition import ToolDefinition
from drift.registry.schema import Schema
from drift.registry.toolbox import Toolbox

# A target whose own argument is named like the selector gets that argument under this name.
DISPLACED_ARGUMENT = "operation"


@dataclass(frozen=True, slots=True)
class Option:
    """What one value of the selector stands for."""

    tool: str
    args: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Consolidated:
    """One action-style tool: a selector and what each of its values calls."""

    name: str
    title: str
    options: Mapping[str, Option]
    selector: str | None = None
    default: str | None = None
    purpose: str = ""

    def available(self, toolbox: Toolbox) -> dict[str, ToolDefinition]:
        """The options whose tools are registered."""
        found = {name: toolbox.find(option.tool) for name, option in self.options.items()}
        return {name: tool for name, tool in found.items() if tool is not None}

    def route(self, arguments: Mapping[str, Any], toolbox: Toolbox) -> tuple[str, dict[str, Any]]:
        """The tool and arguments a call means."""
        if self.selector is None:
            return self.options[""].tool, dict(arguments)
        rest = dict(arguments)
        chosen = rest.pop(self.selector, self.default)
        option = self._option(chosen, toolbox)
        if DISPLACED_ARGUMENT in rest and self.selector not in option.args:
            rest[self.selector] = rest.pop(DISPLACED_ARGUMENT)
        return option.tool, {**rest, **option.args}

    def _option(self, chosen: object, toolbox: Toolbox) -> Option:
        assert self.selector is not None
        available = sorted(self.available(toolbox))
        if not available:
            raise DriftError(
                ErrorCode.NOT_REGISTERED, f"This version of Drift has nothing behind {self.name} yet"
            )
        if chosen is None:
            raise DriftError(
                ErrorCode.MISSING_REQUIRED_PARAM,
                f"{self.selector}: required; one of {', '.join(available)}",
                Recovery(details={"argument": self.selector}),
            )
        if not isinstance(chosen, str) or chosen not in self.options:
            raise invalid(
                self.selector,
                f"got {str(chosen)[:80]!r}; allowed: {', '.join(available)}",
                similar=similar_names(str(chosen), available),
            )
        if chosen not in available:
            raise DriftError(
                ErrorCode.NOT_REGISTERED,
                f"{self.name} {self.selector}={chosen} is not in this version of Drift",
            )
        return self.options[chosen]

    def input_schema(self, toolbox: Toolbox) -> Schema:
        """The selector and every argument any of its targets takes; targets check their own."""
        available = self.available(toolbox)
        if not available:
            return {"type": "object"}
        if self.selector is None:
            return available[""].listed_input_schema
        properties: dict[str, Schema] = {self.selector: {"type": "string", "enum": list(available)}}
        for name, tool in available.items():
            for argument, schema in tool.listed_input_schema["properties"].items():
                if argument not in self.options[name].args:
                    shown = DISPLACED_ARGUMENT if argument == self.selector else argument
                    properties[shown] = _merge(properties.get(shown), schema)
        whole: Schema = {"type": "object", "properties": properties}
        return whole if self.default else {**whole, "required": [self.selector]}


def _merge(known: Schema | None, added: Schema) -> Schema:
    """One schema that both meanings of a shared argument name satisfy."""
    if known is None or known == added:
        return added
    if "enum" in known and "enum" in added:
        return {**known, "enum": list(dict.fromkeys([*known["enum"], *added["enum"]]))}
    return {"type": known["type"]} if known.get("type") == added.get("type") and "type" in known else {}


def _option(raw: Mapping[str, Any]) -> Option:
    return Option(raw["tool"], raw.get("args", {}))


@cache
def consolidated_tools() -> Mapping[str, Consolidated]:
    """All sixteen, by name, in their listed order."""
    rows = orjson.loads(files("drift.registry").joinpath("data/consolidated.json").read_bytes())
    tools = (
        Consolidated(**{**row, "options": {name: _option(raw) for name, raw in row["options"].items()}})
        for row in rows
    )
    return {tool.name: tool for tool in tools}
