"""Types whose names members of the class around have too: `Layout Layout { get; }`, `new Value(text)` in `Value()`.

Where a language that keeps them apart wants a type, members do not count, nor do methods where it wants something
that has members.
"""

from __future__ import annotations

from drift.languages.expressions import Expression
from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import class_around
from drift.scan.link.values import NOTHING, Value, Values, is_instance, is_symbol, symbol_of


def hidden_types(analysis: Analysis, named: Expression, scope: int) -> Values:
    """The classes that a name means outside of the classes around, the nearest first; none in other languages."""
    program = analysis.program
    bare = named[1] if named is not None and named[0] == "generic" else named
    is_name = bare is not None and bare[0] == "name"
    if not is_name or not program.semantics_at(scope).has_types_apart:
        return NOTHING
    around = class_around(analysis, scope)
    while around is not None:
        outer = program.parent(around)
        found = analysis.evaluate(named, outer)
        if any(is_type(analysis, one) for one in found):
            return found
        around = class_around(analysis, outer)
    return NOTHING


def named_types(analysis: Analysis, named: Expression, scope: int) -> Values:
    """What a name means where a type is wanted."""
    values = analysis.evaluate(named, scope)
    if not values or any(is_type(analysis, one) for one in values):
        return values
    return hidden_types(analysis, named, scope) or values


def receiver_values(analysis: Analysis, named: Expression, scope: int) -> Values:
    """What stands before a dot: never the method of that name, for which a class may have to give way."""
    values = analysis.evaluate(named, scope)
    if not values or named is None or named[0] != "name" or not _is_method(analysis, values[0]):
        return values
    return hidden_types(analysis, named, scope) or values


def _is_method(analysis: Analysis, value: Value) -> bool:
    return (
        isinstance(value, int)
        and not is_instance(value)
        and analysis.program.symbol(symbol_of(value)).kind == "method"
    )


def is_type(analysis: Analysis, value: Value) -> bool:
    """Whether a value is a class rather than an object; what is outside the project may be one."""
    if not isinstance(value, int):
        return True
    return is_symbol(value) and analysis.program.symbol(symbol_of(value)).kind in TYPE_KINDS
