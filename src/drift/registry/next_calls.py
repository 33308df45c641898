"""Next calls as a client can make them: by names its surface lists, through a door, or as an action."""

from collections.abc import Collection, Mapping
from typing import Any, Final

from drift.kernel.answer import NextAction
from drift.kernel.wire import camel
from drift.registry.consolidated import DISPLACED_ARGUMENT, Consolidated, consolidated_tools
from drift.registry.surfaces import Surface
from drift.registry.toolbox import Toolbox

_DISPATCH: Final = "_dispatch"


def callable_on(
    action: NextAction, surface: Surface, toolbox: Toolbox, listed: Collection[str]
) -> NextAction | None:
    """The same call as the surface lets it be made, which lists these tools by name; None where it does not.

    A call to a tool of another server stays as it is.
    """
    if surface.kind == "full" or toolbox.find(action.tool) is None:
        return action
    if surface.kind == "consolidated" and (found := _as_option(action)):
        return found
    if action.tool in listed:
        return action
    return _through_door(action, toolbox) if surface.kind != "simple" else None


def _as_option(action: NextAction) -> NextAction | None:
    """The action-style call that stands for it."""
    for group in consolidated_tools().values():
        for name, option in group.options.items():
            if option.tool == action.tool and option.args.items() <= action.args.items():
                return NextAction(
                    group.name, _option_arguments(group, name, action.args), action.reason, action.priority
                )
    return None


def _option_arguments(group: Consolidated, name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    if group.selector is None:
        return dict(given)
    fixed = group.options[name].args
    rest = {key: value for key, value in given.items() if key not in fixed}
    if group.selector in rest:
        rest[DISPLACED_ARGUMENT] = rest.pop(group.selector)
    return rest if name == group.default else {group.selector: name, **rest}


def _through_door(action: NextAction, toolbox: Toolbox) -> NextAction | None:
    """The call of a relay that passes it on."""
    doors = {tool.name: tool for tool in toolbox if tool.is_relay}
    group = action.tool.partition("_")[0]
    door = doors.get(group + _DISPATCH) or next(iter(doors.values()), None)
    if door is None:
        return None
    name = action.tool
    if door.name == group + _DISPATCH:
        name = camel(name.removeprefix(f"{group}_"))
    wanted, inner = (parameter.wire for parameter in door.parameters)
    arguments = {wanted: name, inner: dict(action.args)} if action.args else {wanted: name}
    return NextAction(door.name, arguments, action.reason, action.priority)
