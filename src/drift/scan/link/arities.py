"""Classes of one name told apart by how many type arguments they take: C# has `Task` beside `Task<T>`."""

from __future__ import annotations

from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.type_counts import arity_of
from drift.scan.link.values import Value, Values, is_symbol, symbol_of


def is_other_class(analysis: Analysis, value: Value, count: int) -> bool:
    """Whether a value is a class that takes another number of type arguments."""
    if not is_symbol(value):
        return False
    symbol = analysis.program.symbol(symbol_of(value))
    return symbol.kind in TYPE_KINDS and arity_of(symbol) != count


def classes_taking(analysis: Analysis, values: Values, count: int) -> Values:
    """The values without the classes that take another number of type arguments, where one takes that many."""
    program = analysis.program
    found = {
        value: arity_of(program.symbol(symbol_of(value)))
        for value in values
        if is_symbol(value) and program.symbol(symbol_of(value)).kind in TYPE_KINDS
    }
    if count not in found.values():
        return values
    return tuple(value for value in values if not isinstance(value, int) or found.get(value, count) == count)
