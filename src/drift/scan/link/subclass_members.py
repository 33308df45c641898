"""Members that classes below a class have, which it may ask for though it has none of the name."""

from __future__ import annotations

from typing import Final

from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import line_of_descent
from drift.scan.link.keys import method_key

MOST_BELOW: Final = 10
"""Classes below that each have a method of their own: a hook, of which none is named."""

# Files that have a method of one name: beyond that the name says nothing. A trait, and a class that is abstract, says
# itself that it needs others.
MOST_FILES_OF_TRAITS: Final = 40
MOST_FILES: Final = 10

_OF_OBJECTS: Final = frozenset({"method", "property"})


def members_below(analysis: Analysis, owner: int, name: str) -> tuple[int, ...]:
    """The methods that classes below an abstract one have under a name that it has not; none where they are many."""
    program = analysis.program
    if "abstract" not in program.symbol(owner).modifiers:
        return ()
    found: tuple[int, ...] = analysis.cached(("below", owner, name), _members_below, owner, name)
    return found


def _members_below(analysis: Analysis, owner: int, name: str) -> tuple[int, ...]:
    found = user_members(analysis, owner, name, most_files=MOST_FILES_OF_TRAITS)
    return tuple(found) if len(found) <= MOST_BELOW else ()


def user_members(analysis: Analysis, trait: int, name: str, *, most_files: int) -> list[int]:
    """The methods of that name that classes have which use a trait or are below: its code runs as theirs."""
    program = analysis.program
    paths = program.providing(method_key(program.table_of(trait).facts.language, name))
    if len(paths) > most_files:
        return []
    return [
        table.first + number
        for table in program.tables_at(paths)
        for number, symbol in enumerate(table.symbols)
        if symbol.kind in _OF_OBJECTS
        and symbol.name == name
        and trait in line_of_descent(analysis, table.first + symbol.parent)
    ]
