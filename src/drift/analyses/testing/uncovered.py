"""Functions that no known test runs, by risk, with reasons why that may be fine.

Risk: 30, +30 at an entry point, +20 where data is accessed, +15 with more than five callers, +10 with more than ten
calls. Entry points and data access are those of the function itself.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.index_cache import PerState
from drift.analyses.prominence import is_showing
from drift.analyses.testing.coverage import FunctionCoverage
from drift.analyses.unseen_calls import is_harmless
from drift.index.ids import FileId, SymbolId, file_of_symbol

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


_KEPT: Final = ("handed on:", "registered:")
_NAMED: Final = "named in a test:"
_TELLING_NAME: Final = 6  # letters; a shorter name is that of many things
_FEW: Final = 3  # functions of one name, of which a call may mean any
_JOINT: Final = re.compile(r"\.|::|->|\?\.")


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
    replacing: frozenset[SymbolId]
    """Those that may run in the place of another, which calls of that do."""
    kept: Mapping[SymbolId, str]
    """Those that something keeps which may call them, and how it came by them."""
    named: Mapping[str, str]
    """Names that few functions have and that calls in tests say, each with the place of one of these calls."""


_facts: Final = PerState[_RiskFacts]()


def find_uncovered(reader: "IndexReader", rows: Iterable[FunctionCoverage]) -> tuple[Uncovered, ...]:
    """The functions without a test, the riskiest first."""
    every = list(rows)
    covered = {row.function.id: row.function.qualname for row in every if row.is_covered}
    facts = _facts.get(reader, lambda: _risk_facts(reader))
    found = [_uncovered(row, facts, covered) for row in every if not row.is_covered]
    return tuple(sorted(found, key=_order))


def _order(one: Uncovered) -> tuple[bool, bool, float, bool, str, int]:
    """The riskiest first, what something keeps behind others of its risk, what tests may call by its name behind all of them.

    Behind the product: examples and measurements, which seldom have tests, and what tools wrote and run.
    """
    place = one.function
    is_kept = any(why.startswith(_KEPT) for why in one.may_be_fine)
    is_named = any(why.startswith(_NAMED) for why in one.may_be_fine)
    is_apart = is_showing(place.path) or _is_made(place.path)
    return is_apart, is_named, -one.risk, is_kept, place.path, place.line


def _is_made(path: str) -> bool:
    """Whether a path is one of what is generated, or run by a tool as it was written once."""
    return any(word in path.lower() for word in ("generated", "/migrations/", ".pb.", "_pb2"))


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
    replacing = frozenset(one for one, _ in reader.calls.overrides())
    data = _data_access(reader, files)
    kept = dict.fromkeys(reader.testing.handed_on(ids), "handed on: what is given it may call it") | {
        symbol: f"registered: @{name} is handed it, and what keeps it may call it"
        for symbol, name in reader.unused.decorators_of(ids)
        if not is_harmless(name)
    }
    named = _named_in_tests(reader, Counter(one.name for one in functions))
    return _RiskFacts(entries, reader.testing.product_callers(ids), calls, data, replacing, kept, named)


def _named_in_tests(reader: "IndexReader", times: Mapping[str, int]) -> dict[str, str]:
    """The names of few functions that calls in tests end in, each with the place of such a call."""
    paths = reader.pages.test_paths()
    words = {
        word: text
        for word, text in (reader.testing.call_texts(sorted(paths)).items() if paths else ())
        if len(name := _last(text)) >= _TELLING_NAME and 0 < times.get(name, 0) <= _FEW
    }
    found: dict[str, str] = {}
    for call in reader.testing.calls_written(sorted(paths), words) if words else ():
        found.setdefault(_last(call.text), f"{paths[file_of_symbol(call.caller_id)]}:{call.line}")
    return found


def _last(text: str) -> str:
    return _JOINT.split(text.partition("<")[0])[-1]


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
    is_reached = one.id in facts.entries or one.id in facts.replacing
    fine = list(_may_be_fine(one, callers, is_reached=is_reached, kept=facts.kept.get(one.id)))
    if one.name in facts.named:
        fine.append(f"{_NAMED} {facts.named[one.name]} calls something of its name")
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


def _may_be_fine(
    function: "FunctionRecord", callers: int, *, is_reached: bool, kept: str | None
) -> Iterable[str]:
    if not callers and not is_reached:
        yield kept or "dead: no known call outside tests"
    if _GENERATED.search(function.name):
        yield "framework: the language or a framework calls it"
    if (function.code_lines or 0) <= _TRIVIAL_LINES and function.cyclomatic <= 1:
        yield f"trivial: {function.code_lines or 0} lines without a branch"
    if "abstract" in function.modifier_text.split():
        yield "abstract: its overrides run in its place"
    if any(word in function.path.lower() for word in ("/testing/", "testutil", "fixtures", "/mocks/")):
        yield "test helper, by its path"
    if _is_made(function.path):
        yield "generated, by its path"
