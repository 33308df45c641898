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
    """A test function, how many calls lie between it and the symbol, and how surely it runs it."""

    test: str
    file: str
    line: int
    depth: int
    confidence: float
    perhaps: bool | None = None
    """It is known by a name, an import or a parent outside alone."""


def find_reaching_tests(reader: IndexReader, symbol: SymbolId) -> tuple[ReachingTestRow, ...]:
    """The tests that run a symbol, the surest first."""
    suites = suites_of(reader)
    users = collect_users(reader, suites, (symbol,))
    found = find_reaching(users, suites, symbol)
    cases = [(suites.cases[each.case], each) for each in found.values()]
    rows = [
        ReachingTestRow(
            case.title, case.path, case.line, reach.depth, round(reach.confidence, 3), reach.is_faint or None
        )
        for case, reach in cases
    ]
    return tuple(sorted(rows, key=lambda row: (row.depth, -row.confidence, row.file, row.line)))


def say_tests(tests: Sequence[ReachingTestRow], count: int) -> str:
    """How many tests there are, in words that claim nothing of those that are not seen or not sure."""
    if not count:
        return "no test is seen to run it"
    is_faint = all(one.perhaps for one in tests)
    return (
        f"{plural(count, 'test')} may run it, none for sure"
        if is_faint
        else f"{plural(count, 'test')} in all"
    )


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
