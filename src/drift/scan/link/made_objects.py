"""Objects that are made in plain sight: they are of the class that is named, and nothing of a class below runs for them."""

from __future__ import annotations

from typing import Final

from drift.languages.expressions import Expression
from drift.languages.facts import Call
from drift.languages.kinds import TYPE_KINDS, VALUE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.scopes import find_name
from drift.scan.link.values import is_symbol, symbol_of

_MOST_STEPS: Final = 4  # from a name to what it was given, which may be a name again
_IN_FULL: Final = frozenset({"import", "symbol"})  # what a name means that no one gives a value


def is_of_made_object(analysis: Analysis, call: Call, scope: int) -> bool:
    """Whether a method is called of an object that a class in plain sight made: `new Box().open()`, `box = Box.new`."""
    callee = call.callee
    return callee is not None and callee[0] == "member" and _is_made(analysis, callee[1], scope)


def _is_made(analysis: Analysis, expression: Expression, scope: int, steps: int = _MOST_STEPS) -> bool:
    if expression is None or not steps:
        return False
    if expression[0] == "result":
        call = analysis.program.table_of(scope).facts.calls[expression[1]]
        return call.kind == "new" and _is_class(analysis, call.callee, scope)
    if expression[0] != "name":
        return False
    found = find_name(analysis, expression[1], scope)
    if found is None or not found.definitions or _is_type(analysis, found.scope):
        return False
    table = analysis.program.table_of(found.scope)
    # The symbol of a constant is beside what it is given.
    given = [
        one
        for one in found.definitions
        if one.kind != "symbol" or table.symbols[one.number].kind not in VALUE_KINDS
    ]
    return bool(given) and all(
        one.kind == "value" and _is_made(analysis, one.value, found.scope, steps - 1) for one in given
    )


def _is_class(analysis: Analysis, named: Expression, scope: int) -> bool:
    """Whether a path names a class; a variable may hold one below it."""
    values = analysis.evaluate(named, scope)
    while named is not None and named[0] == "member":
        named = named[1]
    if not values or named is None or named[0] != "name":
        return False
    found = find_name(analysis, named[1], scope)
    is_in_full = found is None or all(one.kind in _IN_FULL for one in found.definitions)
    return is_in_full and all(is_symbol(one) and _is_type(analysis, symbol_of(one)) for one in values)


def _is_type(analysis: Analysis, number: int) -> bool:
    return analysis.program.symbol(number).kind in TYPE_KINDS
