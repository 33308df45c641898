"""Declared types that settle what a thing is, whatever it is given, in languages that have such."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from drift.languages.kinds import VALUE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.own_types import own_values
from drift.scan.link.tables import Definition, FileTable
from drift.scan.link.values import NOTHING, Value, Values, is_instance, merge, symbol_of, symbol_value

_SETTLING_KINDS: Final = frozenset({"interface", "struct", "trait"})  # another type may be that of a function
_MOST_HELD: Final = 4  # types between the brackets of one


def is_settled(analysis: Analysis, declared: Values) -> bool:
    """Whether what is declared is objects of the project whose methods are called whatever is given.

    A method beside them, as Rust lets a field and what reads it share a name, is given nothing.
    """
    objects: list[int] = []
    for value in declared:
        held = _held(analysis, value) if isinstance(value, tuple) else (value,)
        objects += [one for one in held if is_instance(one)]
    beside = [value for value in declared if value not in objects and not isinstance(value, tuple)]
    symbol = analysis.program.symbol
    return (
        bool(objects)
        and all(symbol(symbol_of(value)).kind in _SETTLING_KINDS for value in objects)
        and all(isinstance(value, int) and symbol(symbol_of(value)).kind == "method" for value in beside)
    )


def _held(analysis: Analysis, value: Value) -> Values:
    """What a list or map is declared to hold."""
    if not isinstance(value, tuple) or value[0] != "container":
        return NOTHING
    entries = analysis.containers[value[1]].entries
    return merge(analysis.evaluate(one, scope) for _, one, scope in entries[:_MOST_HELD])


def settled_values(analysis: Analysis, table: FileTable, definitions: Iterable[Definition]) -> Values:
    """What the declared type of a package's variable, or of a field, settles that it is."""
    settled: Values = NOTHING
    methods: list[Value] = []
    for definition in definitions:
        if definition.kind != "symbol":
            continue
        if table.symbols[definition.number].kind in VALUE_KINDS:
            symbol = analysis.program.symbol(table.first + definition.number)
            declared = analysis.evaluate(symbol.value_type, table.first + symbol.parent)
            if not settled and is_settled(analysis, declared):
                settled = declared
        elif table.symbols[definition.number].kind == "method":
            methods.append(symbol_value(table.first + definition.number))
    return (*settled, *methods) if settled else NOTHING


def own_object(analysis: Analysis, definitions: Iterable[Definition], scope: int) -> Values:
    """What a variable is that is an object itself, no pointer to one: of its class, whatever it is given later."""
    for definition in definitions:
        value = definition.value
        if value is not None and value[0] == "own" and (found := own_values(analysis, value[1], scope)):
            return found
    return NOTHING
