"""Classes of one name told apart by how many type arguments they take: C# has `Task` beside `Task<T>`."""

from __future__ import annotations

from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.type_counts import arity_of
from drift.scan.link.values import SYMBOL, Value, Values


def is_other_class(analysis: Analysis, value: Value, count: int) -> bool:
    """Whether a value is a class that takes another number of type arguments."""
    if not isinstance(value, int) or value & 3 != SYMBOL:
        return False
    symbol = analysis.program.symbol(value >> 2)
    return symbol.kind in TYPE_KINDS and arity_of(symbol) != count


def classes_taking(analysis: Analysis, values: Values, count: int) -> Values:
    """The values without the classes that take another number of type arguments, where one takes that many."""
    program = analysis.program
    found = {
        value: arity_of(program.symbol(value >> 2))
        for value in values
        if isinstance(value, int) and value & 3 == SYMBOL and program.symbol(value >> 2).kind in TYPE_KINDS
    }
    if count not in found.values():
        return values
    return tuple(value for value in values if not isinstance(value, int) or found.get(value, count) == count)
