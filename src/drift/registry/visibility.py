"""Which tools a caller gets to see: by language, by what the index holds, by intent, by rights, by age."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from drift.index import Layer
from drift.registry.definition import ToolDefinition
from drift.registry.deprecation import Phase
from drift.registry.intents import Intent, tools_for
from drift.registry.scopes import Scope
from drift.registry.toolbox import Toolbox


@dataclass(frozen=True, slots=True)
class View:
    """A caller's situation. None means: not known, so nothing is held back for it."""

    today: date
    languages: frozenset[str] | None = None
    layers: frozenset[Layer] | None = None
    intent: Intent | None = None
    scopes: frozenset[Scope] | None = None
    include_deprecated: bool = False
    has_memories: bool | None = None
    """Whether bridge tools have something to reach; None on the memory server, where they are at home."""


def phase_of(tool: ToolDefinition, today: date) -> Phase:
    return tool.deprecation.phase(today) if tool.deprecation else Phase.ACTIVE


def is_visible(tool: ToolDefinition, view: View) -> bool:
    """Whether lists show the tool. Hidden tools still answer when called by name."""
    return hidden_because(tool, view) is None


def hidden_because(tool: ToolDefinition, view: View) -> str | None:
    """Why lists leave the tool out, or None when they show it."""
    phase = phase_of(tool, view.today)
    if phase is Phase.REMOVED or (phase is Phase.HIDDEN and not view.include_deprecated):
        return "retired"
    if view.scopes is not None and not tool.scopes <= view.scopes:
        return "needs " + " ".join(sorted(tool.scopes - view.scopes))
    if view.languages is not None and tool.languages and not tool.languages & view.languages:
        return "no " + "/".join(sorted(tool.languages)) + " in this project"
    if view.layers is not None and tool.needs is not None and tool.needs not in view.layers:
        return f"the index has no {tool.needs} layer"
    if tool.is_bridge and view.has_memories is False:
        return "this project has no memories yet"
    if view.intent is not None and not tool.is_relay and tool.name not in tools_for(view.intent):
        return f"not for {view.intent}"
    return None


def visible_tools(toolbox: Toolbox, view: View) -> list[ToolDefinition]:
    """The tools lists show, in the toolbox's order; older versions only on request."""
    tools: Iterable[ToolDefinition] = toolbox.every_version if view.include_deprecated else toolbox
    return [tool for tool in tools if is_visible(tool, view)]
