"""Surfaces: which tools a server lists. Every tool of a server answers by its own name in all of them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
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

SurfaceKind = Literal["entry", "consolidated", "full", "simple", "pack"]
SURFACES: Final = ("entry", "consolidated", "full", "simple", "pack:NAME")

ENTRY_TOOLS: Final[Mapping[ServerName, tuple[str, ...]]] = {
    ServerName.ANALYSIS: ("drift_context", "drift_discover", "drift_tool"),
    ServerName.MEMORY: ("drift_memory_context", "drift_memory_manage", "drift_memory_discover"),
    ServerName.CATALOG: ("instructions_dispatch", "feedback_dispatch", "catalog_discover"),
}
SIMPLE_TOOLS: Final[Mapping[ServerName, tuple[str, ...]]] = {ServerName.MEMORY: ("save_memory", "recall")}


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
    if not pack and kind in ("entry", "consolidated", "full", "simple"):
        return Surface(kind)  # type: ignore[arg-type] # the membership test has proved it
    raise invalid(
        "surface", f"got {text[:80]!r}; allowed: {', '.join(SURFACES)}", similar=similar_names(text, SURFACES)
    )


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
    if surface.kind == "simple":
        return [_listed(tool, is_terse=True) for tool in _named(SIMPLE_TOOLS.get(server, ()), toolbox, view)]
    return [_listed(tool, is_terse=True) for tool in _named(ENTRY_TOOLS[server], toolbox, view)]


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
    if surface.kind == "simple" and server not in SIMPLE_TOOLS:
        error = invalid("surface", f"the {server} server has no simple surface")
        raise DriftError(error.code, error.message, Recovery(hint="simple belongs to the memory server."))


def _named(names: tuple[str, ...], toolbox: Toolbox, view: View) -> list[ToolDefinition]:
    # A person who chose a pack or the entry tools chose them for every intent.
    everything = replace(view, intent=None, include_deprecated=False)
    found = (toolbox.find(name) for name in dict.fromkeys(names))
    return [tool for tool in found if tool is not None and is_visible(tool, everything)]


def _relays(toolbox: Toolbox) -> tuple[str, ...]:
    return tuple(tool.name for tool in toolbox if tool.is_relay)


def _listed(tool: ToolDefinition, *, is_terse: bool = False) -> ListedTool:
    return ListedTool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.listed_input_schema,
        # At start a client pays for every token of the list; drift_discover has the whole schema.
        output_schema=ENVELOPE_SCHEMA if is_terse else tool.output_schema,
        annotations=tool.annotations,
    )


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
        output_schema=tool.output_schema(toolbox),
        annotations=hints,
    )
