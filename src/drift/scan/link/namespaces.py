"""Namespaces that many files open: one namespace by its path, wherever it is written."""

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
    parts = path.split(SEPARATOR) if path else []
    rests = [SEPARATOR.join(parts[count:]) for count in range(1, len(parts) + 1)]
    for table in tables:
        spaces = _spaces_of(analysis, table)
        exact += _defining_among(analysis, table, spaces.get(path, ()), name)
        hidden += _defining_among(
            analysis, table, sorted(number for rest in rests for number in spaces.get(rest, ())), name
        )
    if exact or not hidden:
        return exact
    return hidden if _is_opened_by_macro(analysis, hidden[0], path.partition(SEPARATOR)[0]) else []


def spaces_around(analysis: Analysis, table: FileTable) -> list[str]:
    """The namespaces of a file that is there to be included: it sees what its includers have in them."""
    if not table.path.endswith(analysis.program.semantics(table).included_suffixes):
        return []
    spaces = {namespace_of(analysis, table.first + number) for number in table.spaces[1:]}
    innermost = max(spaces, key=len, default="")
    if not all(f"{innermost}{SEPARATOR}".startswith(f"{space}{SEPARATOR}") for space in spaces):
        return []  # of which of them a name would be is not told
    return sorted(spaces)


def defining_scopes(analysis: Analysis, table: FileTable, name: str) -> list[int]:
    """The outermost scopes of a file, itself and its namespaces, that define a name."""
    analysis.program.note_members(table, 0)
    return _defining_among(analysis, table, table.spaces, name)


def _spaces_of(analysis: Analysis, table: FileTable) -> dict[str, list[int]]:
    """The namespaces of a file by their paths: most are asked for one by one, and a file may have very many."""
    found: dict[str, list[int]] | tuple[()] = analysis.cached(("spaces", table.file), _find_spaces, table)
    return found or {}  # nothing is known of them where one has asked too deep


def _find_spaces(analysis: Analysis, table: FileTable) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    analysis.program.note_members(table, 0)
    for number in table.spaces:
        found.setdefault(namespace_of(analysis, table.first + number), []).append(number)
    return found


def _defining_among(analysis: Analysis, table: FileTable, spaces: Iterable[int], name: str) -> list[int]:
    return [
        table.first + number for number in spaces if definitions_in(analysis, table, number, name) is not None
    ]


def _is_opened_by_macro(analysis: Analysis, scope: int, name: str) -> bool:
    program = analysis.program
    language = program.table_of(scope).facts.language
    return any(
        definition.kind == "symbol" and "macro" in program.symbol(table.first + definition.number).modifiers
        for table in program.tables_at(program.providing(space_key(language, "", name)))
        for definition in program.definitions(table, 0, name) or ()
    )
