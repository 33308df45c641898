"""The manifest: every tool's definition as data, so that a start lists the tools without loading their modules.

It is derived. `@tool` functions define, `make docs` writes them down, and a test holds that both say the same.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from datetime import date
from functools import partial
from importlib import import_module
from typing import Any, Final

import orjson

from drift.index import Layer
from drift.kernel.arguments import Page
from drift.kernel.wire import to_wire
from drift.registry.categories import CATEGORIES
from drift.registry.definition import Effect, Parameter, Tier, ToolDefinition
from drift.registry.deprecation import Deprecation
from drift.registry.scopes import Scope
from drift.registry.tool_code import ToolCode
from drift.registry.toolbox import Toolbox, collect_tools

Row = dict[str, Any]

_DAYS: Final = frozenset({"since", "hidden_from", "removed_from"})


def write_manifest(toolbox: Toolbox) -> str:
    """A line of JSON for each tool of the modules; what has its default is left out."""
    rows = (orjson.dumps(_row(tool)).decode() for tool in toolbox.every_version)
    return "[\n" + ",\n".join(rows) + "\n]\n"


def read_manifest(text: bytes) -> Toolbox:
    """The toolbox that was written, each tool of which loads its module when it is first called."""
    return Toolbox(map(_definition, orjson.loads(text)))


def _row(tool: ToolDefinition) -> Row:
    return {"module": tool.code.function.__module__, **_written(tool), "category": tool.category.name}


def _written(value: ToolDefinition | Parameter | Page | Deprecation) -> Row:
    """The fields of a definition or of a part of it, by their own names."""
    row = {}
    for each in fields(value):
        item = getattr(value, each.name)
        default = each.default if each.default_factory is MISSING else each.default_factory()
        if each.name != "load" and item != default:
            row[each.name] = [*map(_plain, item)] if each.name == "parameters" else _plain(item)
    return row


def _plain(item: Any) -> Any:
    return _written(item) if isinstance(item, Parameter | Page | Deprecation) else to_wire(item)


def _parameter(row: Row) -> Parameter:
    return Parameter(**{**row, "page": _page(row["page"])}) if "page" in row else Parameter(**row)


def _page(row: Row) -> Page:
    return Page(**{**row, "sorts": tuple(row.get("sorts", ()))})


def _deprecation(row: Row) -> Deprecation:
    days = {key: date.fromisoformat(row[key]) for key in _DAYS & row.keys()}
    return Deprecation(**{**row, **days})


def _scopes(names: list[str]) -> frozenset[Scope]:
    return frozenset(map(Scope, names))


# How what JSON has no type for is read; all else stays as it is.
_READERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "category": CATEGORIES.__getitem__,
    "tokens": tuple,
    "parameters": lambda rows: tuple(map(_parameter, rows)),
    "tier": Tier,
    "effect": Effect,
    "scopes": _scopes,
    "action_scopes": lambda found: {action: _scopes(names) for action, names in found.items()},
    "needs": Layer,
    "languages": frozenset,
    "deprecation": _deprecation,
    "asks": frozenset,
    "examples": tuple,
}


def _definition(row: Row) -> ToolDefinition:
    load = partial(_load, row.pop("module"), row["name"], row.get("version", 1))
    read = {key: _READERS[key](value) if key in _READERS else value for key, value in row.items()}
    return ToolDefinition(load=load, **read)


def _load(module: str, name: str, version: int) -> ToolCode:
    """The code of a tool, from the module it stands in."""
    for tool in collect_tools([import_module(module)]).every_version:
        if (tool.name, tool.version) == (name, version):
            return tool.code
    raise LookupError(f"{module} has no tool {name} of version {version}: run `make docs`")
