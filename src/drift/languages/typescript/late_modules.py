"""Components that are loaded when they are first shown: `lazy(() => import('./Cart'))` is what the module gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.frameworks import load_frameworks

if TYPE_CHECKING:
    from drift.languages.expressions import Expression
    from drift.languages.typescript.walk import Walk

_LOADERS: Final = load_frameworks("typescript").names("pages", "loaders")
_LATE: Final = "import("
_DEFAULT: Final = "default"
_LATER: Final = "then"
_LOADER: Final = "loader"  # of the options that Vue may be given instead of the function


def loaded_component(walk: Walk, value: Expression) -> Expression:
    """What a variable holds that is made by a loader of components; the value itself where it is none."""
    if value is None or value[0] != "result" or walk.calls[value[1]].text not in _LOADERS:
        return value
    call = walk.calls[value[1]]
    given = call.arguments[0][1] if call.arguments else None
    if given is not None and given[0] == "dict":
        given = dict(given[1:]).get(_LOADER)
    found = given_late(walk, given)
    return value if found is None else found


def given_late(walk: Walk, function: Expression) -> Expression:
    """What a function loads that only imports: the default of the module, or the part of it that is taken then."""
    taken = taken_late(walk, function)
    if taken is None:
        return None
    scope, part = taken
    returned = _returned(walk, scope)
    whole: Expression = ("called", ("symbol", scope))
    return whole if part == returned else ("member", whole, _DEFAULT)


def taken_late(walk: Walk, function: Expression) -> tuple[int, Expression] | None:
    """The same as a path, with the function in whose scope it holds."""
    if function is None or function[0] != "symbol":
        return None
    returned = _returned(walk, function[1])
    if returned is not None and returned[0] == "name" and returned[1].startswith(_LATE):
        return function[1], ("member", returned, _DEFAULT)
    if returned is None or returned[0] != "result":
        return None
    call = walk.calls[returned[1]]
    taking = call.arguments[0][1] if call.arguments else None
    is_late = call.text.startswith(_LATE) and call.callee is not None and call.callee[-1] == _LATER
    if not is_late or taking is None or taking[0] != "symbol":
        return None
    taken = _returned(walk, taking[1])
    if taken is not None and taken[0] == "dict":  # ({ default: module.Cart })
        taken = dict(taken[1:]).get(_DEFAULT)
    return taking[1], taken


def _returned(walk: Walk, function: int) -> Expression:
    return next((one.value for one in reversed(walk.returns) if one.scope == function), None)
