"""Actions of the dispatchers: each is a registered tool, so the registry is their one table.

`getEnhanced` of `instructions_dispatch` is the tool `instructions_get_enhanced`, `submit` of `feedback_dispatch` is
`feedback_submit`. Other tools of the catalog answer to their own names, `usage_track` or `usage/track`.
"""

import re
from collections.abc import Mapping
from typing import Any, Final, Literal

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.similar import similar_names
from drift.kernel.text import shorten
from drift.kernel.wire import camel, snake
from drift.registry import Call, Outcome, Toolbox, ToolDefinition, failed

Group = Literal["instructions", "feedback"]

_WORDS: Final = re.compile(r"[A-Za-z][A-Za-z_/]{0,60}")


def find_action(toolbox: Toolbox, group: str, action: str) -> ToolDefinition | None:
    """The tool an action means, or None."""
    if not _WORDS.fullmatch(action):
        return None
    found = toolbox.find(f"{group}_{snake(action)}") or toolbox.find(snake(action))
    is_fit = found is not None and not found.is_relay and found.category.name == "catalog"
    return found if is_fit else None


def action_names(toolbox: Toolbox, group: str) -> tuple[str, ...]:
    """The actions of a group, as they are called."""
    prefix = f"{group}_"
    tools = (tool.name for tool in toolbox if tool.name.startswith(prefix) and not tool.is_relay)
    return tuple(camel(name.removeprefix(prefix)) for name in tools)


async def run_action(call: Call, group: Group, action: str, arguments: Mapping[str, Any]) -> Outcome:
    """What an action comes to; an unknown one is answered with those like it."""
    tool = find_action(call.runtime.toolbox, group, action)
    if tool is None:
        return failed(_unknown(call, group, action).as_wire())
    wanted = dict(arguments)
    if tool.name == "instructions_add" and "entry" not in wanted:
        wanted = {}  # the tool says "missing entry" and how to wrap it, which helps more than a list of names
    return await call.dispatch(tool.name, wanted)


def _unknown(call: Call, group: Group, action: str) -> DriftError:
    known = action_names(call.runtime.toolbox, group)
    return DriftError(
        ErrorCode.TOOL_NOT_FOUND,
        f"{group} has no action {shorten(action, 60)!a}",
        Recovery(
            hint="catalog_discover lists the actions; catalog_discover(name=ACTION) explains one.",
            similar=similar_names(action, known),
            details={"action": shorten(action, 60), "actions": list(known)},
        ),
    )
