"""Components of Vue that are written as one object of options: `this.save()` and `save` in the template are its functions.

All functions of the object share one `this`, the component, whatever option they stand under.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from drift.languages.typescript.modules import EXPORTS

if TYPE_CHECKING:
    from drift.languages.expressions import Expression
    from drift.languages.typescript.walk import Walk

ENDING: Final = ".vue"
_OPTIONS: Final = ("methods", "computed", "filters")
_GETTER: Final = "get"
_MIXINS: Final = "mixins"
_MOST_MIXINS: Final = 8
_THIS: Final = ("this",)
_STEPS: Final = frozenset({"member", "item"})
_MOST_NESTED: Final = 20
_WORD: Final = re.compile(r"[\w$]+")


def settle_options(walk: Walk) -> None:
    """Let calls and reads of the component's members name the functions that its options give them."""
    options = _exported(walk)
    members = _members(walk, options)
    mixins = _mixins(options)
    if not members and not mixins:
        return
    known = _known_names(walk) if mixins else frozenset()
    for index, call in enumerate(walk.calls):
        meant = _meant(call.callee, call.scope, members)
        if meant is not None:
            walk.calls[index] = call._replace(callee=("symbol", meant))
        elif mixins and (name := _mixed_in(call.callee, call.scope, known)) is not None:
            walk.calls[index] = call._replace(callee=_of_mixins(mixins, name, call.callee))
    read_first: list[Any] = [
        (call.scope, walk.text.line_start(call.line) + call.column, ("symbol", meant), "value")
        for call in walk.calls
        if (meant := _begins(walk, call.callee, call.scope, members)) is not None
    ]
    for index, (scope, byte, target, kind) in enumerate(walk.reads):
        meant = _meant(target, scope, members)
        if meant is not None:
            walk.reads[index] = (scope, byte, ("symbol", meant), kind)
        elif (meant := _begins(walk, target, scope, members)) is not None:
            read_first.append((scope, byte, ("symbol", meant), "value"))
    walk.reads += read_first


def _begins(walk: Walk, target: Expression, scope: int, members: dict[str, int]) -> int | None:
    """The function that is read before what the target is reached through: `this.rows[0].sum`, `rows.length`."""
    reached: Any = target
    while reached is not None and reached[0] in _STEPS and reached[1] != _THIS:
        reached = reached[1]
    is_name = reached is not None and reached[0] == "name"
    if is_name and scope and _is_of_template(walk, scope, reached[1]):
        return members.get(reached[1])
    return _meant(reached, scope, members) if reached is not target else None


def _is_of_template(walk: Walk, scope: int, name: str) -> bool:
    """Whether a name is read in a function that the template holds, and is none of its parameters."""
    for _ in range(_MOST_NESTED):
        symbol = walk.symbols[scope]
        if any(name in _WORD.findall(one.name) for one in symbol.parameters) or symbol.kind != "function":
            return False
        if not symbol.parent:
            return symbol.name.startswith("<")
        scope = symbol.parent
    return False


def _meant(target: Expression, scope: int, members: dict[str, int]) -> int | None:
    """The function that `this.name` is, or a bare name in the template, which belongs to the file itself."""
    if target is None:
        return None
    if target[0] == "member" and target[1] == _THIS:
        return members.get(target[2])
    return members.get(target[1]) if target[0] == "name" and not scope else None


def _mixins(options: Expression) -> list[Expression]:
    """The objects whose options the component takes over: `mixins: [common]`."""
    held = dict(_entries(options)).get(_MIXINS)
    listed = held[1:] if held is not None and held[0] == "list" else ()
    return [one for one in listed[:_MOST_MIXINS] if isinstance(one, tuple) and one[0] == "name"]


def _mixed_in(target: Expression, scope: int, known: frozenset[str]) -> str | None:
    """The name of what may be a function of a mixin: of `this`, or a bare one in the template that nothing else has."""
    if target is None:
        return None
    if target[0] == "member" and target[1] == _THIS and not target[2].startswith("$"):
        return target[2]
    return target[1] if target[0] == "name" and not scope and target[1] not in known else None


def _of_mixins(mixins: list[Expression], name: str, otherwise: Expression) -> Expression:
    meant = otherwise
    for mixin in mixins:  # the last of them wins
        meant = ("first", ("member", ("member", mixin, "methods"), name), meant)
    return meant


def _known_names(walk: Walk) -> frozenset[str]:
    declared = {symbol.name for symbol in walk.symbols if not symbol.parent}
    return frozenset(declared | {one.alias for one in walk.imports if one.alias is not None})


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
