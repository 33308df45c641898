"""Members that the file of a module, class or function gives it from outside."""

from __future__ import annotations

from drift.scan.link.analysis import MOST_GIVEN, Analysis
from drift.scan.link.values import INSTANCE, NOTHING, SYMBOL, Values, merge, symbol_of, tag_of


def given_values(analysis: Analysis, owner: int, name: str) -> Values:
    """What the file of a module, class or function gives it from outside: `Class.member = …`."""
    table = analysis.program.table_of(owner)
    analysis.program.note_stores(table, name)
    if name not in table.late_stores:
        return NOTHING
    return analysis.memoised(("given", owner, name), _given_values, owner, name)


def _given_values(analysis: Analysis, owner: int, name: str) -> Values:
    stores = analysis.program.table_of(owner).late_stores[name][:MOST_GIVEN]
    return merge(
        analysis.evaluate(store.value, store.scope)
        for store in stores
        if _is_of(analysis.evaluate(store.receiver, store.scope), owner)
    )


def _is_of(values: Values, owner: int) -> bool:
    return any(
        isinstance(value, int) and symbol_of(value) == owner and tag_of(value) in {SYMBOL, INSTANCE}
        for value in values
    )
