"""Members that classes of PHP have after all: in another case, and those of classes that use a trait."""

from __future__ import annotations

from drift.languages.kinds import CODE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.subclass_members import MOST_FILES_OF_TRAITS, user_members
from drift.scan.link.values import NOTHING, SYMBOL_MASK, Values, symbol_value


def late_members(analysis: Analysis, line: tuple[int | str, ...], name: str) -> Values:
    """The methods of that name that a line of descent has after all, as functions of their classes."""
    if not line or isinstance(line[0], str):
        return NOTHING
    found = _folded_members(analysis, line, name)
    if not found and analysis.program.symbol(line[0]).kind == "trait":
        found = user_members(analysis, line[0], name, most_files=MOST_FILES_OF_TRAITS)
    return tuple(symbol_value(symbol) for symbol in found)


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
                if definition.kind == "symbol" and program.symbol(symbol).kind in CODE_KINDS:
                    return [symbol]
    return []
