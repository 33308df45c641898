"""Surfaces: which tools a server lists. Every tool of a server answers by its own name in all of them."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal

from drift.kernel.errors import DriftError, Recovery, invalid
from drift.kernel.similar import similar_names
from drift.registry.categories import ServerName
from drift.registry.consolidated import Consolidated, consolidated_tools
from drift.registry.definition import ENVELOPE_SCHEMA, ToolDefinition
from drift.registry.intents import consolidated_for
from drift.registry.packs import Packs
from drift.registry.schema import Schema
from drift.registry.toolbox import Toolbox
from drift.registry.visibility import View, is_visible, visible_tools

SurfaceKind = Literal["entry", "core", "consolidated", "full", "simple", "pack"]
SURFACES: Final = ("entry", "core", "consolidated", "full", "simple", "pack:NAME")
_UNNAMED_KINDS: Final = ("entry", "core", "consolidated", "full", "simple")


@dataclass(frozen=True, slots=True)
class Surface:
    """A named way of showing a server's tools."""

    kind: SurfaceKind
    pack: str | None = None

    def __str__(self) -> str:
        return f"pack:{self.pack}" if self.kind == "pack" else self.kind


def parse_surface(text: str) -> Surface:
    """The surface a person named."""
    kind, _, pack = text.partition(":")
    if kind == "pack" and pack:
        return Surface("pack", pack)
    if not pack and kind in _UNNAMED_KINDS:
        return Surface(kind)  # type: ignore[arg-type] # the membership test has proved it
    raise invalid(
        "surface", f"got {text[:80]!r}; allowed: {', '.join(SURFACES)}", similar=similar_names(text, SURFACES)
    )


@cache
def _short_lists() -> Mapping[str, Mapping[str, Mapping[str, list[str]]]]:
    return tomllib.loads(files("drift.registry").joinpath("data/short_lists.toml").read_text("utf-8"))


def short_list(kind: str, server: ServerName) -> Mapping[str, list[str]]:
    """The tools of a surface that lists few, with the arguments each shows; empty for any other surface."""
    return _short_lists().get(kind, {}).get(server, {})


@dataclass(frozen=True, slots=True)
class ListedTool:
    """A tool as tools/list shows it."""

    name: str
    title: str
    description: str
    input_schema: Schema
    output_schema: Schema
    annotations: Mapping[str, bool]


def list_surface(
    surface: Surface, toolbox: Toolbox, packs: Packs, *, server: ServerName, view: View
) -> list[ListedTool]:
    """The tools a client sees, always in the same order; the entry tools where a surface has nothing to show."""
    return _list_kind(surface, toolbox, packs, server=server, view=view) or _list_kind(
        Surface("entry"), toolbox, packs, server=server, view=view
    )


def _list_kind(
    surface: Surface, toolbox: Toolbox, packs: Packs, *, server: ServerName, view: View
) -> list[ListedTool]:
    if surface.kind == "consolidated":
        return _list_consolidated(toolbox, view)
    if surface.kind == "full":
        return [_listed(tool) for tool in visible_tools(toolbox, view)]
    if surface.kind == "pack":
        assert surface.pack is not None
        names: tuple[str, ...] = (*packs.get(surface.pack).tools, *_relays(toolbox))
        return [_listed(tool) for tool in _named(names, toolbox, view)]
    shown = short_list(surface.kind, server)
    return [_listed(tool, shown[tool.name]) for tool in _named(tuple(shown), toolbox, view)]


def route(
    surface: Surface, name: str, arguments: Mapping[str, Any], toolbox: Toolbox
) -> tuple[str, Mapping[str, Any]]:
    """The tool and arguments a call means on this surface."""
    if surface.kind == "consolidated" and name in consolidated_tools():
        return consolidated_tools()[name].route(arguments, toolbox)
    if toolbox.find(name) is None and name in consolidated_tools():
        return consolidated_tools()[name].route(arguments, toolbox)
    return name, arguments


def check_surface(surface: Surface, packs: Packs, server: ServerName) -> None:
    """Refuse a surface that would list nothing by construction."""
    if surface.kind == "pack" and surface.pack is not None:
        packs.get(surface.pack)
    if surface.kind == "simple" and not short_list("simple", server):
        error = invalid("surface", f"the {server} server has no simple surface")
        raise DriftError(error.code, error.message, Recovery(hint="simple belongs to the memory server."))


def _named(names: tuple[str, ...], toolbox: Toolbox, view: View) -> list[ToolDefinition]:
    # A person who chose a pack or the entry tools chose them for every intent.
    everything = replace(view, intent=None, include_deprecated=False)
    found = (toolbox.find(name) for name in dict.fromkeys(names))
    return [tool for tool in found if tool is not None and is_visible(tool, everything)]


def _relays(toolbox: Toolbox) -> tuple[str, ...]:
    return tuple(tool.name for tool in toolbox if tool.is_relay)


def _listed(tool: ToolDefinition, arguments: Sequence[str] | None = None) -> ListedTool:
    """The tool as a list shows it: with all its arguments, or with those named."""
    schema = tool.listed_input_schema
    if arguments is not None:
        schema = {**schema, "properties": {name: _brief(schema["properties"][name]) for name in arguments}}
    return ListedTool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=schema,
        # Whole schemas of answers are three quarters of a list; who wants one asks drift_discover for it.
        output_schema=ENVELOPE_SCHEMA,
        annotations=tool.annotations,
    )


def _brief(schema: Schema) -> Schema:
    """The schema without the lengths that no caller comes near."""
    return {key: value for key, value in schema.items() if key not in ("maxLength", "maxItems")}


def _list_consolidated(toolbox: Toolbox, view: View) -> list[ListedTool]:
    wanted = consolidated_for(view.intent) if view.intent else None
    permitted = Toolbox(visible_tools(toolbox, replace(view, intent=None, include_deprecated=False)))
    return [
        _listed_consolidated(tool, permitted)
        for tool in consolidated_tools().values()
        if tool.available(permitted)
        and (wanted is None or tool.name in wanted or tool.name == "drift_discover")
    ]


def _listed_consolidated(tool: Consolidated, toolbox: Toolbox) -> ListedTool:
    targets = list(tool.available(toolbox).values())
    only_reads = all(target.annotations["readOnlyHint"] for target in targets)
    hints = {"readOnlyHint": only_reads, "openWorldHint": False}
    if not only_reads:
        hints["destructiveHint"] = any(target.annotations.get("destructiveHint", False) for target in targets)
    return ListedTool(
        name=tool.name,
        title=tool.title,
        description=tool.purpose or targets[0].description,
        input_schema=tool.input_schema(toolbox),
        output_schema=ENVELOPE_SCHEMA,
        annotations=hints,
    )
