"""Functions that no known test runs, by risk, with reasons why that may be fine.

Risk: 30, +30 at an entry point, +20 where data is accessed, +15 with more than five callers, +10 with more than ten
calls. Entry points and data access are those of the function itself.
"""

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.index_cache import PerState
from drift.analyses.prominence import is_showing
from drift.analyses.testing.coverage import FunctionCoverage
from drift.index.ids import FileId, SymbolId

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.test_queries import FunctionRecord

_MANY_CALLERS: Final = 5
_MANY_CALLS: Final = 10
_TRIVIAL_LINES: Final = 3
_DATA_CALL: Final = re.compile(
    r"(?:.*[.:>])?(?:execute|executemany|query|querySelector|raw|save|insert\w*|update\w*|delete\w*|find(?:One|All|By\w+|First|Many|Unique)"
    r"|select|commit|rollback|persist|flush|bulk_create|filter|SaveChanges\w*|QueryRow\w*|Exec\w*|transaction|fetchall|fetchone)"
)
_DATA_RECEIVER: Final = re.compile(
    r"\b(?:db|database|session|cursor|conn|connection|objects|repo|repository|\w+Repository|model|prisma|knex|em|"
    r"entityManager|\w*[cC]ontext|tx|stmt|collection|orm)[.:>-]",
    re.IGNORECASE,
)
_GENERATED: Final = re.compile(
    r"^(?:get_|set_|__)|__$|^(?:toString|hashCode|equals|ToString|GetHashCode|Equals|String|fmt)$"
)


class Uncovered(NamedTuple):
    """A function that no known test runs: its risk as the sum of reasons, and why it may be fine."""

    function: "FunctionRecord"
    source: str
    risk: int
    reasons: tuple[str, ...]
    may_be_fine: tuple[str, ...]


class _RiskFacts(NamedTuple):
    """What makes a function of the product risky, of all functions."""

    entries: Mapping[SymbolId, str]
    callers: Mapping[SymbolId, int]
    calls: Mapping[SymbolId, int]
    data: Mapping[SymbolId, str]


_facts: Final = PerState[_RiskFacts]()


def find_uncovered(reader: "IndexReader", rows: Iterable[FunctionCoverage]) -> tuple[Uncovered, ...]:
    """The functions without a test, the riskiest first."""
    every = list(rows)
    covered = {row.function.id: row.function.qualname for row in every if row.is_covered}
    facts = _facts.get(reader, lambda: _risk_facts(reader))
    found = [_uncovered(row, facts, covered) for row in every if not row.is_covered]
    return tuple(sorted(found, key=_order))


def _order(one: Uncovered) -> tuple[bool, float, str, int]:
    """The riskiest first; examples and measurements, which seldom have tests, behind the product."""
    place = one.function
    return is_showing(place.path), -one.risk, place.path, place.line


def _risk_facts(reader: "IndexReader") -> _RiskFacts:
    functions = reader.testing.functions()
    ids = [one.id for one in functions]
    files = sorted({one.file_id for one in functions})
    entries: dict[SymbolId, str] = {}
    for entry in reader.graph.product_entries():
        for each in (entry.symbol_id, entry.member_id):
            if each is not None:
                entries.setdefault(each, f"{entry.kind} {entry.detail}".strip())
    calls = reader.testing.call_counts(files)
    return _RiskFacts(entries, reader.testing.product_callers(ids), calls, _data_access(reader, files))


def _uncovered(row: FunctionCoverage, facts: _RiskFacts, covered: Mapping[SymbolId, str]) -> Uncovered:
    one = row.function
    callers, calls = facts.callers.get(one.id, 0), facts.calls.get(one.id, 0)
    parts = [(30, "no known test runs it")]
    if one.id in facts.entries:
        parts.append((30, f"entry point: {facts.entries[one.id]}"))
    if one.id in facts.data:
        parts.append((20, f"may access data: {facts.data[one.id]}"))
    if callers > _MANY_CALLERS:
        parts.append((15, f"{callers} callers"))
    if calls > _MANY_CALLS:
        parts.append((10, f"{calls} calls"))
    fine = list(_may_be_fine(one, callers, is_entry=one.id in facts.entries))
    if one.parent_id is not None and one.parent_id in covered:
        fine.append(f"inner: {covered[one.parent_id]}, which tests run, may hand it out")
    risk = sum(points for points, _ in parts)
    return Uncovered(one, row.source, risk, tuple(why for _, why in parts), tuple(fine))


def _data_access(reader: "IndexReader", files: list[FileId]) -> dict[SymbolId, str]:
    """A call in each function that goes to a store, by how it is written."""
    words = {
        word: text
        for word, text in reader.testing.call_texts(files).items()
        if _DATA_CALL.fullmatch(text) and _DATA_RECEIVER.search(text)
    }
    found: dict[SymbolId, str] = {}
    for call in reader.testing.calls_written(files, words) if words else ():
        found.setdefault(call.caller_id, f"{call.text[:60]} at line {call.line}")
    return found


def _may_be_fine(function: "FunctionRecord", callers: int, *, is_entry: bool) -> Iterable[str]:
    if not callers and not is_entry:
        yield "dead: no known call outside tests"
    if _GENERATED.search(function.name):
        yield "framework: the language or a framework calls it"
    if (function.code_lines or 0) <= _TRIVIAL_LINES and function.cyclomatic <= 1:
        yield f"trivial: {function.code_lines or 0} lines without a branch"
    if "abstract" in function.modifier_text.split():
        yield "abstract: its overrides run in its place"
    if any(word in function.path.lower() for word in ("/testing/", "testutil", "fixtures", "/mocks/")):
        yield "test helper, by its path"
    if any(word in function.path.lower() for word in ("generated", "/migrations/", ".pb.", "_pb2")):
        yield "generated, by its path"
