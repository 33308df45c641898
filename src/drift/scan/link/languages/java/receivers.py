"""The classes whose methods a Java call may be of, by its object."""

from __future__ import annotations

from collections.abc import Sequence

from drift.languages import Call
from drift.scan.link.analysis import MOST_OVERLOADS, Analysis
from drift.scan.link.hierarchy import class_around, class_of, line_of_descent, own_members
from drift.scan.link.languages.java.assignability import have_same_parameters
from drift.scan.link.values import SYMBOL_MASK, Value, Values, bound_value, is_bound, symbol_of


def is_declared_above(analysis: Analysis, value: Value, name: str) -> bool:
    """Whether a value is a method of which an ancestor of its class has one of that name too."""
    if not is_bound(value):
        return False
    owner = class_of(analysis, symbol_of(value))
    if owner is None:
        return False
    above = line_of_descent(analysis, owner)[1:]
    return any(own_members(analysis, one, name) for one in above if isinstance(one, int))


def methods_in_line(analysis: Analysis, owner: int, name: str) -> Values:
    """The methods of that name that the first class in a line of descent has which has any; none if beyond number."""
    found: Values = analysis.cached(("methods", owner, name), _methods_in_line, owner, name)
    return found if len(found) <= MOST_OVERLOADS else ()


def _methods_in_line(analysis: Analysis, owner: int, name: str) -> Values:
    for ancestor in line_of_descent(analysis, owner):
        members = own_members(analysis, ancestor, name) if isinstance(ancestor, int) else []
        methods = [one for one in members if analysis.program.symbol(one).kind == "method"]
        if methods:
            return tuple(bound_value(one) for one in methods)
    return ()


def known_overriders(
    analysis: Analysis, call: Call, scope: int, *, methods: Sequence[int]
) -> tuple[int, ...]:
    """The methods that run in the place of those of the declared class, by what the object is known to be."""
    values = analysis.evaluate(call.callee, scope)
    bound = [symbol_of(value) for value in values if is_bound(value)]
    # `f(Object)` and `f(Object...)` of one class are overloads, though their parameters look the same.
    owners = {class_of(analysis, method) for method in methods}
    return tuple(
        one
        for one in bound
        if one not in methods
        and class_of(analysis, one) not in owners
        and any(have_same_parameters(analysis, method, one) for method in methods)
    )


def crowded_methods(analysis: Analysis, call: Call, scope: int) -> Values:
    """The methods of a name of which a class has more than a set of values may hold."""
    callee = call.callee
    if callee is None or callee[0] not in {"member", "name"} or call.kind == "new":
        return ()
    if callee[0] == "member":
        owners = [symbol_of(one) for one in analysis.evaluate(callee[1], scope) if isinstance(one, int)]
    else:
        around = class_around(analysis, scope)
        owners = [] if around is None else [around]
    for owner in owners:
        methods = methods_in_line(analysis, owner, callee[-1])
        if methods:
            return methods
    return ()


def receiving_classes(analysis: Analysis, call: Call, scope: int) -> frozenset[int]:
    """The classes whose methods a call may be of; none where the object is not one of the project."""
    callee = call.callee
    if callee is None or callee[0] != "member":
        return frozenset()
    owners = analysis.evaluate(callee[1], scope)
    lines = [line_of_descent(analysis, symbol_of(one)) for one in owners if isinstance(one, int)]
    return frozenset(one for line in lines for one in line if isinstance(one, int))


def accessible_methods(analysis: Analysis, scope: int, functions: tuple[int, ...]) -> tuple[int, ...]:
    """Without the private methods of other files; all where nothing else is left, as in code that is wrong."""
    here = scope & ~SYMBOL_MASK
    seen = (
        one
        for one in functions
        if one & ~SYMBOL_MASK == here or analysis.program.symbol(one).visibility != "private"
    )
    return tuple(seen) or functions


def inherited_methods(analysis: Analysis, owner: int, name: str, *, own: tuple[int, ...]) -> tuple[int, ...]:
    """The methods of that name that ancestors declare, without those that are overridden."""
    # Each is compared with all that are below it, which is done once for all calls.
    found: tuple[int, ...] = analysis.cached(("above", owner, name, own), _inherited, owner, name, own)
    return found


def _inherited(analysis: Analysis, owner: int, name: str, own: tuple[int, ...]) -> tuple[int, ...]:
    found = list(own)
    for ancestor in line_of_descent(analysis, owner)[1:]:
        for member in own_members(analysis, ancestor, name) if isinstance(ancestor, int) else ():
            if _is_inherited(analysis, member) and not any(
                have_same_parameters(analysis, other, member) for other in found
            ):
                found.append(member)
    return tuple(found[len(own) :])


def _is_inherited(analysis: Analysis, member: int) -> bool:
    """Whether classes below have a member as a method of their own: static ones of interfaces they have not."""
    symbol = analysis.program.symbol(member)
    if symbol.kind != "method" or "static" not in symbol.modifiers:
        return symbol.kind == "method"
    return analysis.program.symbol(analysis.program.parent(member)).kind != "interface"
