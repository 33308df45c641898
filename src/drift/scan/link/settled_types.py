"""Declared types that settle what a thing is, whatever it is given."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from drift.scan.link.analysis import Analysis
from drift.scan.link.tables import VALUE_KINDS, Definition, FileTable
from drift.scan.link.values import INSTANCE, NOTHING, Values

_SETTLING_KINDS: Final = frozenset({"interface", "struct"})  # another type may be that of a function


def has_settled_types(table: FileTable) -> bool:
    """Whether a call in the language of a file is one of what the declared type has: in Go the interface's method."""
    return table.facts.language == "go"


def is_settled(analysis: Analysis, declared: Values) -> bool:
    """Whether what is declared is objects of the project whose methods are called whatever is given."""
    return bool(declared) and all(
        isinstance(value, int)
        and value & 3 == INSTANCE
        and analysis.program.symbol(value >> 2).kind in _SETTLING_KINDS
        for value in declared
    )


def settled_values(analysis: Analysis, table: FileTable, definitions: Iterable[Definition]) -> Values:
    """What the declared type of a package's variable, or of a field, settles that it is."""
    for definition in definitions:
        if definition.kind == "symbol" and table.symbols[definition.number].kind in VALUE_KINDS:
            symbol = analysis.program.symbol(table.first + definition.number)
            declared = analysis.evaluate(symbol.value_type, table.first + symbol.parent)
            if is_settled(analysis, declared):
                return declared
    return NOTHING
