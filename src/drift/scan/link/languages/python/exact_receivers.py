"""Calls of Python of which the class of the object is certain, so that nothing of a class below may run instead.

An object that is made where it is used (`Box().open()`, `box = Box(); box.open()`) is of that class and no other, and
what `super()` finds is of the parents, whatever the object is.
"""

from __future__ import annotations

from typing import Final

from drift.languages.expressions import Expression
from drift.languages.facts import Call
from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import declared_members
from drift.scan.link.scopes import find_name
from drift.scan.link.values import is_symbol, symbol_of

_MOST_STEPS: Final = 4  # from a name to what it was given, which may be a name again
_MAKER: Final = "__new__"  # it may give an object of any class
_WRITTEN_IN_FULL: Final = frozenset({"import", "symbol"})  # what a name means that no one gives a value
_SPACES: Final = TYPE_KINDS | {"module"}


def has_exact_receiver(analysis: Analysis, call: Call, scope: int) -> bool:
    """Whether a call runs the method that was found and none of a class below that of its object."""
    callee = call.callee
    if callee is None:
        return False
    if callee[0] == "member":
        return callee[1] is not None and (callee[1][0] == "super" or is_exact(analysis, callee[1], scope))
    return is_exact(analysis, callee, scope)  # `Box()()` calls a method of the object itself


def is_exact(analysis: Analysis, expression: Expression, scope: int, steps: int = _MOST_STEPS) -> bool:
    """Whether an expression is an object that a call of a class in plain sight made."""
    if expression is None or not steps:
        return False
    if expression[0] == "result":
        call = analysis.program.table_of(scope).facts.calls[expression[1]]
        return _is_class(analysis, call.callee, scope)
    if expression[0] != "name":
        return False
    found = find_name(analysis, expression[1], scope)
    if found is None or not found.definitions or _is_of_class(analysis, found.scope):
        return False
    return all(
        one.kind == "value" and is_exact(analysis, one.value, found.scope, steps - 1)
        for one in found.definitions
    )


def _is_of_class(analysis: Analysis, scope: int) -> bool:
    return analysis.program.symbol(scope).kind in TYPE_KINDS


def _is_class(analysis: Analysis, callee: Expression, scope: int) -> bool:
    """Whether what is called is a class by its own name: one that was passed in may be any below it."""
    if not _is_written_in_full(analysis, callee, scope):
        return False
    values = analysis.evaluate(callee, scope)
    return bool(values) and all(
        is_symbol(value)
        and _is_of_class(analysis, symbol_of(value))
        and not declared_members(analysis, symbol_of(value), _MAKER)
        for value in values
    )


def _is_written_in_full(analysis: Analysis, callee: Expression, scope: int) -> bool:
    """Whether a path is of names that mean modules and classes, as their definitions and imports say."""
    while callee is not None and callee[0] == "member":
        owners = analysis.evaluate(callee[1], scope)
        if not owners or not all(
            is_symbol(one) and analysis.program.symbol(symbol_of(one)).kind in _SPACES for one in owners
        ):
            return False
        callee = callee[1]
    if callee is None or callee[0] != "name":
        return False
    found = find_name(analysis, callee[1], scope)
    return found is not None and all(one.kind in _WRITTEN_IN_FULL for one in found.definitions)
