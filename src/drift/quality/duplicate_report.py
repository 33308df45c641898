"""What an answer and a report tell of duplicated code."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.kernel.text import plural
from drift.quality.clones import Cluster
from drift.quality.duplicates import ClonedFileRow, ClonePlace, CloneRow, Duplicates, Options, find_duplicates
from drift.quality.findings import Finding, finding, in_order
from drift.quality.reporters import Format, Report, Table, is_document, write_within

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.quality.scope import Scope

_MOST_FINDINGS: Final = 1_000
_TEST: Final = "test"
_MOST_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class SearchCosts:
    """What the search looked at, and how long it took: next to nothing where the same contents were asked about before."""

    files: int
    statements: int
    tokens: int
    elapsed_ms: float


@dataclass(frozen=True, slots=True)
class DuplicatesData:
    """Clusters of clones, and the files with most of them. `percentage` is of all lines with statements."""

    total_clusters: int
    by_type: dict[str, int]
    duplicated_lines: int
    total_lines: int
    percentage: float
    top_files: tuple[ClonedFileRow, ...]
    clusters: tuple[CloneRow, ...] | None = None
    document: str | None = None
    performance: SearchCosts | None = None


class Shown(NamedTuple):
    """In which form, with how many files, and whether with costs, duplicates are told."""

    form: Format
    top_files: int
    performance: SearchCosts | None = None
    max_tokens: int = 10_000


def measured_duplicates(
    reader: "IndexReader", root: Path, scope: "Scope", options: Options, *, check: Callable[[], None]
) -> tuple[Duplicates, SearchCosts]:
    """The clones of a scope, and what finding them cost."""
    began = time.perf_counter()
    found = find_duplicates(reader, root, scope, options, check=check)
    elapsed = round(1000 * (time.perf_counter() - began), 1)
    sizes = found.corpus.sizes
    costs = SearchCosts(len(found.corpus.files), len(sizes) - len(found.corpus.files), sum(sizes), elapsed)
    return found, costs


def duplicates_data(
    reader: "IndexReader", found: Duplicates, shown: Shown, clusters: Sequence[Cluster] = ()
) -> DuplicatesData:
    """The answer: figures in every form, rows in those that have them, else the whole report as a text."""
    data = DuplicatesData(
        len(found.clusters),
        found.counts,
        sum(found.cloned.values()),
        sum(found.lines.values()),
        found.percentage,
        tuple(found.files()[: shown.top_files]),
        performance=shown.performance,
    )
    if is_document(shown.form):
        report = duplicates_report(reader, found)
        text = write_within(report, shown.form, shown.max_tokens)
        return replace(data, document=text)
    return data if shown.form == "summary" else replace(data, clusters=found.rows(reader, clusters))


def duplicates_report(reader: "IndexReader", found: Duplicates, *, subject: str = ".") -> Report:
    """All clusters and files, for every form of report."""
    heaviest = sorted(found.clusters, key=found.ranked().usual().key)[:_MOST_FINDINGS]
    # File by file, so that each is read once.
    rows = found.rows(reader, sorted(heaviest, key=lambda one: one.fragments))
    figures = {
        "clusters": len(found.clusters),
        "duplicated_lines": sum(found.cloned.values()),
        "total_lines": sum(found.lines.values()),
        "percentage": found.percentage,
    }
    clusters = tuple(
        (row.id, row.kind, row.similarity, row.lines, row.copies, _places(row), row.extract.function)
        for row in rows
    )
    files = tuple((row.file, row.duplicated_lines, row.share, row.clusters) for row in found.files())
    return Report(
        "analyze_duplicates",
        subject,
        found.summary,
        tuple(figures.items()),
        (
            Table(
                "clusters", ("id", "type", "similarity", "lines", "copies", "places", "function"), clusters
            ),
            Table("files", ("file", "duplicated_lines", "share", "clusters"), files),
        ),
        in_order(_findings(found, rows)),
        notes=(*found.notes, *_left_out(found)),
    )


def _left_out(found: Duplicates) -> tuple[str, ...]:
    more = len(found.clusters) - _MOST_FINDINGS
    return (
        (f"the {_MOST_FINDINGS:,} clusters that would save most are told; {more:,} more are not",)
        if more > 0
        else ()
    )


def _findings(found: Duplicates, rows: Iterable[CloneRow]) -> Iterable[Finding]:
    roles = {one.path: one.role for one in found.corpus.files}
    for row in rows:
        first, *others = row.places
        is_test = all(roles.get(one.file) == _TEST for one in row.places)
        way = "Keep" if row.extract.way == "keep" else "Extract"
        given = f" with {_given(row.extract.parameters)} as parameters" if row.extract.parameters else ""
        yield finding(
            "duplication/clone",
            f"{row.lines} lines, {row.kind}, stand in {plural(row.copies, 'place')}: also {_place(others[0])}",
            file=first.file,
            lines=(first.line, first.end_line),
            symbol=first.symbol,
            snippet=row.id,
            severity="info" if is_test or row.kind == "semantic" else None,
            evidence={"similarity": row.similarity, "copies": row.copies, "tokens": row.tokens},
            suggestion=f"{way} {row.extract.function}{given}.",
        )


def _given(parameters: tuple[str, ...]) -> str:
    more = len(parameters) - _MOST_NAMED
    return ", ".join(parameters[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _places(row: CloneRow) -> str:
    return "; ".join(map(_place, row.places))


def _place(one: ClonePlace) -> str:
    return f"{one.file}:{one.line}-{one.end_line}"
