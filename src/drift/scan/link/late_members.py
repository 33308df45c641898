"""Members that PHP finds where others have none: in another case, and in the classes that use a trait."""

from __future__ import annotations

from typing import Final

from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import line_of_descent
from drift.scan.link.keys import method_key
from drift.scan.link.tables import FUNCTION_KINDS
from drift.scan.link.values import NOTHING, SYMBOL, SYMBOL_MASK, Values

_MOST_FILES: Final = 40  # that have a method of one name: beyond that the name says nothing


def late_members(analysis: Analysis, line: tuple[int | str, ...], name: str) -> Values:
    """The methods of that name that a line of descent has after all, as functions of their classes."""
    if not line or isinstance(line[0], str):
        return NOTHING
    if analysis.program.table_of(line[0]).facts.language != "php":
        return NOTHING
    found = _folded_members(analysis, line, name)
    if not found and analysis.program.symbol(line[0]).kind == "trait":
        found = _user_members(analysis, line[0], name)
    return tuple(symbol << 2 | SYMBOL for symbol in found)


def _folded_members(analysis: Analysis, line: tuple[int | str, ...], name: str) -> list[int]:
    """The method whose name differs in case alone, of the first class that has one."""
    program = analysis.program
    wanted = name.lower()
    for owner in line:
        if isinstance(owner, str):
            continue
        table, number = program.table_of(owner), owner & SYMBOL_MASK
        program.note_members(table, number)
        for other in table.names[number]:
            if other.lower() != wanted or other == name:
                continue
            for definition in program.definitions(table, number, other) or ():
                symbol = table.first + definition.number
                if definition.kind == "symbol" and program.symbol(symbol).kind in FUNCTION_KINDS:
                    return [symbol]
    return []


def _user_members(analysis: Analysis, trait: int, name: str) -> list[int]:
    """The methods of that name that classes have which use a trait: its code runs as theirs."""
    program = analysis.program
    paths = program.providing(method_key("php", name))
    if len(paths) > _MOST_FILES:
        return []
    return [
        table.first + number
        for table in program.tables_at(paths)
        for number, symbol in enumerate(table.symbols)
        if symbol.kind == "method"
        and symbol.name == name
        and trait in line_of_descent(analysis, table.first + symbol.parent)
    ]
