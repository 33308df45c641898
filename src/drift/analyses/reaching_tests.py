"""Tests that run a symbol, directly or through others."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from drift.index.ids import SymbolId

if TYPE_CHECKING:
    from drift.index import IndexReader

_MOST_SYMBOLS: Final = 3_000
_MOST_DEPTH: Final = 4
_MOST_CHECKED: Final = 300


@dataclass(frozen=True, slots=True)
class ReachingTestRow:
    """A test function and how many calls lie between it and the symbol."""

    test: str
    file: str
    line: int
    depth: int


def find_reaching_tests(reader: "IndexReader", symbol: SymbolId) -> tuple[ReachingTestRow, ...]:
    """The tests within four calls of a symbol, nearest first."""
    closure = reader.calls.closure((symbol,), "callers", max_depth=_MOST_DEPTH, max_symbols=_MOST_SYMBOLS)
    depths = {each.symbol_id: each.depth for each in closure.reached}
    near = sorted(depths, key=lambda each: depths[each])
    beside = [one for one in reader.symbols.many(near) if one.role == "test"][:_MOST_CHECKED]
    # Files of tests also hold what tests are made of: fixtures, sample code, base classes.
    found = [
        one for one in beside if any(each.kind == "test" for each in reader.facts.entry_points_at(one.id))
    ]
    rows = [ReachingTestRow(one.qualname, one.path, one.line, depths[one.id]) for one in found]
    return tuple(sorted(rows, key=lambda row: (row.depth, row.file, row.line)))
