"""Members of one family, known by how their names begin: `getattr(self, f"visit_{kind}")`."""

from __future__ import annotations

from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import MOST_VALUES, Analysis
from drift.scan.link.hierarchy import line_of_descent
from drift.scan.link.members import value_member
from drift.scan.link.values import (
    INSTANCE,
    NOTHING,
    SYMBOL,
    SYMBOL_MASK,
    Value,
    Values,
    merge,
    symbol_of,
    tag_of,
)


def family_values(analysis: Analysis, owners: Values, beginning: str) -> Values:
    """The members of objects whose names begin so; nothing where they are many."""
    parts: list[Values] = []
    for owner in owners:
        names = _names_of(analysis, owner, beginning)
        if len(names) > MOST_VALUES:
            return NOTHING
        parts.extend(value_member(analysis, owner, name) for name in names)
    return merge(parts) if parts else NOTHING


def _names_of(analysis: Analysis, owner: Value, beginning: str) -> list[str]:
    program = analysis.program
    if not isinstance(owner, int) or tag_of(owner) not in {INSTANCE, SYMBOL}:
        return []
    if program.symbol(symbol_of(owner)).kind not in TYPE_KINDS:
        return []
    found: dict[str, None] = {}
    for ancestor in line_of_descent(analysis, symbol_of(owner)):
        if isinstance(ancestor, int):
            table, number = program.table_of(ancestor), ancestor & SYMBOL_MASK
            program.note_members(table, number)
            found.update(dict.fromkeys(name for name in table.names[number] if name.startswith(beginning)))
    return list(found)
