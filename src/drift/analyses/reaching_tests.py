"""Tests that run a symbol, directly or through others."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from drift.index.ids import SymbolId

if TYPE_CHECKING:
    from drift.index import IndexReader

_MOST_DEPTH: Final = 4


@dataclass(frozen=True, slots=True)
class ReachingTestRow:
    """A test function and how many calls lie between it and the symbol."""

    test: str
    file: str
    line: int
    depth: int


def find_reaching_tests(reader: "IndexReader", symbol: SymbolId) -> tuple[ReachingTestRow, ...]:
    """The tests within four calls of a symbol, nearest first."""
    # Loaded when first asked: the rows above are part of a tool's schema, the signs of tests are not.
    from drift.analyses.testing.reach import collect_users, find_reaching
    from drift.analyses.testing.suites import suites_of

    suites = suites_of(reader)
    users = collect_users(reader, suites, (symbol,), max_depth=_MOST_DEPTH)
    found = find_reaching(users, suites, symbol, max_depth=_MOST_DEPTH)
    cases = [(suites.cases[each.case], each.depth) for each in found.values()]
    rows = [ReachingTestRow(case.title, case.path, case.line, depth) for case, depth in cases]
    return tuple(sorted(rows, key=lambda row: (row.depth, row.file, row.line)))
