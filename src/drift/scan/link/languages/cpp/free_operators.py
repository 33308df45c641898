"""Operators of C++ that are functions outside of the classes they are for."""

from __future__ import annotations

from typing import Final

from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import declared_members, line_of_descent
from drift.scan.link.keys import space_key
from drift.scan.link.overloads import takes_count
from drift.scan.link.values import Values, is_instance, symbol_of

_LANGUAGE: Final = "cpp"
_BOTH: Final = 2  # operands


def operators_of_left(analysis: Analysis, name: str, owners: list[int], *, count: int) -> list[int]:
    """The functions that an operator may run whose left operand, of so many, is an object of one of the classes."""
    return [
        one
        for one in analysis.cached(("operators", name), _operators_named, name)
        if takes_count(analysis.program.symbol(one).parameters, count) and _takes(analysis, one, 0, owners)
    ]


def operators_of_right(analysis: Analysis, name: str, owners: list[int], *, first: Values) -> list[int]:
    """Those whose right operand is one; `first` begins the chain, whose class may have the operator itself.

    Of a base and a class below it, the function that takes the class itself is meant.
    """
    program = analysis.program
    before = [symbol_of(value) for value in first if isinstance(value, int) and is_instance(value)]
    if any(declared_members(analysis, one, name) for one in before if program.symbol(one).kind != "enum"):
        return []
    functions = [
        one
        for one in analysis.cached(("operators", name), _operators_named, name)
        if takes_count(program.symbol(one).parameters, _BOTH)
        and _takes(analysis, one, 1, owners)
        and not _classes_taken(analysis, one, 0)  # which the object on the left leads to
    ]
    exact = [one for one in functions if _classes_taken(analysis, one, 1).intersection(owners)]
    return exact or functions


def _operators_named(analysis: Analysis, name: str) -> tuple[int, ...]:
    program = analysis.program
    return tuple(
        table.first + one.number
        for table in program.tables_at(program.providing(space_key(_LANGUAGE, "", name)))
        for number in table.spaces
        for one in program.definitions(table, number, name) or ()
        if one.kind == "symbol" and table.symbols[one.number].kind == "function"
    )


def _takes(analysis: Analysis, function: int, place: int, owners: list[int]) -> bool:
    taken = _classes_taken(analysis, function, place)
    return any(taken.intersection(line_of_descent(analysis, owner)) for owner in owners)


def _classes_taken(analysis: Analysis, function: int, place: int) -> set[int]:
    """The classes of the project that a parameter may be an object of."""
    taken = analysis.program.symbol(function).parameters[place]
    values = analysis.evaluate(taken.type, analysis.program.parent(function))
    return {symbol_of(value) for value in values if isinstance(value, int)}
