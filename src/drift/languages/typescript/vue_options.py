"""Components of Vue that are written as one object of options: `this.save()` and `save` in the template are its functions.

All functions of the object share one `this`, the component, whatever option they stand under.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from drift.languages.typescript.modules import EXPORTS

if TYPE_CHECKING:
    from drift.languages.expressions import Expression
    from drift.languages.typescript.walk import Walk

ENDING: Final = ".vue"
_OPTIONS: Final = ("methods", "computed", "filters")
_GETTER: Final = "get"
_THIS: Final = ("this",)


def settle_options(walk: Walk) -> None:
    """Let calls and reads of the component's members name the functions that its options give them."""
    members = _members(walk, _exported(walk))
    if not members:
        return
    for index, call in enumerate(walk.calls):
        meant = _meant(call.callee, call.scope, members)
        if meant is not None:
            walk.calls[index] = call._replace(callee=("symbol", meant))
    for index, (scope, byte, target, kind) in enumerate(walk.reads):
        meant = _meant(target, scope, members)
        if meant is not None:
            walk.reads[index] = (scope, byte, ("symbol", meant), kind)


def _meant(target: Expression, scope: int, members: dict[str, int]) -> int | None:
    """The function that `this.name` is, or a bare name in the template, which belongs to the file itself."""
    if target is None:
        return None
    if target[0] == "member" and target[1] == _THIS:
        return members.get(target[2])
    return members.get(target[1]) if target[0] == "name" and not scope else None


def _exported(walk: Walk) -> Expression:
    """The object that the file gives as its default, itself, by a variable, or through a call that takes it."""
    value = next(
        (one.value for one in walk.stores if one.receiver == EXPORTS and one.name == "default"), None
    )
    if value is not None and value[0] == "name":
        value = walk.values_by_name.get(value[1])
    if value is not None and value[0] == "result":
        arguments = walk.calls[value[1]].arguments
        value = arguments[0][1] if arguments else None
    return value


def _members(walk: Walk, options: Expression) -> dict[str, int]:
    declared = {symbol.name for symbol in walk.symbols if not symbol.parent and symbol.kind == "function"}
    named = {one.alias for one in walk.imports}
    found: dict[str, int] = {}
    for option, held in _entries(options):
        for name, value in _entries(held) if option in _OPTIONS else ():
            given: Any = dict(_entries(value)).get(_GETTER, value)
            if given is not None and given[0] == "symbol" and name not in declared and name not in named:
                found[name] = given[1]
    return found


def _entries(value: Expression) -> list[tuple[Any, Expression]]:
    return list(value[1:]) if value is not None and value[0] == "dict" else []
