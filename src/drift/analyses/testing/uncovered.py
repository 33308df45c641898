"""Functions that no test is seen to run, by risk, with reasons why that may be fine.

Risk: 30, +30 at an entry point, +20 where data is accessed, +15 with more than five callers, +10 with more than ten
calls. Entry points and data access are those of the function itself.
"""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

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
    r"(?:.*\b)?(?:db|database|session|cursor|conn|connection|objects|repo|repository|\w+Repository|model|prisma|knex|em|"
    r"entityManager|\w*[cC]ontext|tx|stmt|collection|orm)[.:>-].*",
    re.IGNORECASE,
)
_GENERATED: Final = re.compile(
    r"^(?:get_|set_|__)|__$|^(?:toString|hashCode|equals|ToString|GetHashCode|Equals|String|fmt)$"
)


class Uncovered(NamedTuple):
    """A function no test is seen to run: its risk as the sum of reasons, and why it may be fine."""

    function: "FunctionRecord"
    source: str
    risk: int
    reasons: tuple[str, ...]
    may_be_fine: tuple[str, ...]


def find_uncovered(reader: "IndexReader", rows: Iterable[FunctionCoverage]) -> tuple[Uncovered, ...]:
    """The functions without a test, the riskiest first."""
    every = list(rows)
    missing = [row for row in every if not row.is_covered]
    covered = {row.function.id: row.function.qualname for row in every if row.is_covered}
    ids = [SymbolId(row.function.id) for row in missing]
    entries: dict[SymbolId, str] = {}
    for entry in reader.graph.product_entries():
        for each in (entry.symbol_id, entry.member_id):
            if each is not None:
                entries.setdefault(each, f"{entry.kind} {entry.detail}".strip())
    callers = reader.testing.product_callers(ids)
    files = sorted({FileId(row.function.file_id) for row in missing})
    calls = reader.testing.call_counts(files)
    data = _data_access(reader, files)
    found = []
    for row in missing:
        symbol = SymbolId(row.function.id)
        parts = [(30, "no test is seen to run it")]
        if symbol in entries:
            parts.append((30, f"entry point: {entries[symbol]}"))
        if symbol in data:
            parts.append((20, f"may access data: {data[symbol]}"))
        if callers.get(symbol, 0) > _MANY_CALLERS:
            parts.append((15, f"{callers[symbol]} callers"))
        if calls.get(symbol, 0) > _MANY_CALLS:
            parts.append((10, f"{calls[symbol]} calls"))
        fine = list(_may_be_fine(row.function, callers.get(symbol, 0), is_entry=symbol in entries))
        if row.function.parent_id in covered:
            fine.append(f"inner: {covered[row.function.parent_id]}, which tests run, may hand it out")
        found.append(
            Uncovered(
                row.function,
                row.source,
                sum(points for points, _ in parts),
                tuple(why for _, why in parts),
                tuple(fine),
            )
        )
    return tuple(sorted(found, key=lambda one: (-one.risk, one.function.path, one.function.line)))


def _data_access(reader: "IndexReader", files: list[FileId]) -> dict[SymbolId, str]:
    """A call in each function that goes to a store, by how it is written."""
    words = {
        word: text
        for word, text in reader.testing.call_texts(files).items()
        if _DATA_CALL.fullmatch(text) and _DATA_RECEIVER.fullmatch(text)
    }
    found: dict[SymbolId, str] = {}
    for call in reader.testing.calls_written(files, words) if words else ():
        found.setdefault(call.caller_id, f"{call.text[:60]} at line {call.line}")
    return found


def _may_be_fine(function: "FunctionRecord", callers: int, *, is_entry: bool) -> Iterable[str]:
    if not callers and not is_entry:
        yield "dead: nothing of the product is seen to call it"
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
