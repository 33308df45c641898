"""Namespaces that many files open, such as those of C++: one namespace by its path, wherever it is written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import definitions_in
from drift.scan.link.keys import space_key
from drift.scan.link.tables import FileTable
from drift.scan.link.values import SYMBOL_MASK

SEPARATOR: Final = "::"


def namespace_of(analysis: Analysis, number: int) -> str:
    """The path of the namespace that a symbol is or is in: `a::b`, empty outside of any.

    An inline namespace adds nothing: what is in it is used as if it stood around it.
    """
    program = analysis.program
    names: list[str] = []
    while number & SYMBOL_MASK:
        symbol = program.symbol(number)
        if symbol.kind == "namespace" and "inline" not in symbol.modifiers:
            names.append(symbol.name)
        number = (number & ~SYMBOL_MASK) | symbol.parent
    return SEPARATOR.join(reversed(names))


def namespace_scopes(analysis: Analysis, tables: Iterable[FileTable], path: str, *, name: str) -> list[int]:
    """The scopes that define a name in a namespace.

    Where a macro opens the namespace, its users do not show it: there the rest of the path has to do.
    """
    exact: list[int] = []
    hidden: list[int] = []
    for table in tables:
        for number in table.spaces:
            if definitions_in(analysis, table, number, name) is None:
                continue
            own = namespace_of(analysis, table.first + number)
            if own == path:
                exact.append(table.first + number)
            elif not own or path.endswith(SEPARATOR + own):
                hidden.append(table.first + number)
    if exact or not hidden:
        return exact
    return hidden if _is_opened_by_macro(analysis, hidden[0], path.partition(SEPARATOR)[0]) else []


def _is_opened_by_macro(analysis: Analysis, scope: int, name: str) -> bool:
    program = analysis.program
    language = program.table_of(scope).facts.language
    return any(
        definition.kind == "symbol" and "macro" in program.symbol(table.first + definition.number).modifiers
        for table in program.tables_at(program.providing(space_key(language, "", name)))
        for definition in program.definitions(table, 0, name) or ()
    )
