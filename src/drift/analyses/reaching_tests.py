"""Tests that run a symbol, directly or through others."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from drift.analyses.explain import SymbolExplanation, explain_symbol
from drift.analyses.signatures import SignatureRow, Wanted, describe_signatures
from drift.analyses.testing.reach import collect_users, find_reaching
from drift.analyses.testing.suites import suites_of
from drift.index import IndexReader
from drift.index.ids import SymbolId
from drift.index.records import SymbolRecord
from drift.kernel.text import plural

_ROWS: Final = 10  # of each kind of evidence about a function


@dataclass(frozen=True, slots=True)
class ReachCounts:
    """How many symbols reach a function, and how many it reaches, within so many calls."""

    depth: int
    callers: int
    callees: int


@dataclass(frozen=True, slots=True)
class ReachingTestRow:
    """A test function and how many calls lie between it and the symbol."""

    test: str
    file: str
    line: int
    depth: int


def find_reaching_tests(reader: IndexReader, symbol: SymbolId) -> tuple[ReachingTestRow, ...]:
    """The tests that run a symbol, nearest first."""
    suites = suites_of(reader)
    users = collect_users(reader, suites, (symbol,))
    found = find_reaching(users, suites, symbol)
    cases = [(suites.cases[each.case], each.depth) for each in found.values()]
    rows = [ReachingTestRow(case.title, case.path, case.line, depth) for case, depth in cases]
    return tuple(sorted(rows, key=lambda row: (row.depth, row.file, row.line)))


def say_tests(count: int) -> str:
    """How many tests there are, in words that claim nothing of those that are not seen."""
    return f"{plural(count, 'test')} in all" if count else "no test is seen to run it"


@dataclass(frozen=True, slots=True)
class FunctionData:
    """A function from all sides. `testCount` is of all tests that run it, `tests` are the nearest.

    `reach` counts who calls it and what it calls through others, where a depth was asked for. `others` are further
    functions of the name that was asked about.
    """

    signature: SignatureRow
    surroundings: SymbolExplanation
    test_count: int
    tests: tuple[ReachingTestRow, ...]
    reach: ReachCounts | None = None
    others: tuple[SymbolExplanation, ...] | None = None


def analyze_functions(
    reader: IndexReader, symbols: Sequence[SymbolRecord], wanted: Wanted, *, depth: int | None
) -> FunctionData:
    """The first of functions of one name from all sides, and the others with less of each kind of evidence."""
    first, *others = symbols
    (signature,) = describe_signatures(reader, (first,), wanted)
    around = explain_symbol(reader, first, rows=_ROWS)
    tests = find_reaching_tests(reader, first.id)
    reach = count_reach(reader, first.id, depth) if depth else None
    alike = tuple(explain_symbol(reader, one, rows=max(1, _ROWS // len(symbols))) for one in others)
    return FunctionData(signature, around, len(tests), tests[:_ROWS], reach, alike or None)


def count_reach(reader: IndexReader, symbol: SymbolId, depth: int) -> ReachCounts:
    callers = reader.calls.closure([symbol], "callers", max_depth=depth)
    callees = reader.calls.closure([symbol], "callees", max_depth=depth)
    return ReachCounts(depth, len(callers.reached), len(callees.reached))
