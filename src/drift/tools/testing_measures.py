"""What the actions of drift_test_topology share: coverage once measured, texts, pages, and words of caution."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, TypeVar

from drift.analyses.source_text import read_lines
from drift.analyses.testing.coverage import ProjectCoverage, cover_project
from drift.analyses.testing.mocks import ReadText
from drift.analyses.testing.outcomes import outcome_counts
from drift.analyses.testing.report_files import FoundReports, find_reports
from drift.analyses.testing.suites import Suites, suites_of
from drift.index import IndexReader, SymbolRecord
from drift.kernel.answer import Pagination
from drift.kernel.ranking import ranked_as_found
from drift.kernel.text import plural
from drift.registry import Call, Page
from drift.registry.listing import cut_page
from drift.tools.testing_rows import CoverageSource

Row = TypeVar("Row")
SORTS: Final = ("rank", "file")
"""What lists of tests and of what they test are sorted by: as the action ranks them, or by place."""

MOST_EVIDENCE = 5
MOST_LEFT = 10
_MOST_LINES = 200_000
_MOST_TEXTS = 256


def measure_project(call: Call, reader: IndexReader) -> tuple[Suites, FoundReports, ProjectCoverage]:
    suites, reports = suites_of(reader), find_reports(call.project.root)
    call.check_cancelled()
    return suites, reports, cover_project(reader, suites, reports.coverage)


def source_row(coverage: ProjectCoverage) -> CoverageSource:
    report = coverage.report
    if report is None:
        return CoverageSource(None, None, 0, 0, "by the call graph; no coverage report at the usual places")
    reason = f"{report.path} for {plural(len(coverage.reported), 'file')}, the call graph for the rest"
    return CoverageSource(report.path, report.format, len(coverage.reported), len(coverage.stale), reason)


def report_warnings(reports: FoundReports, coverage: ProjectCoverage) -> tuple[str, ...]:
    notes = [f"not read: {each}" for each in reports.problems[:MOST_EVIDENCE]]
    if coverage.report is not None and coverage.stale:
        some = ", ".join(sorted(coverage.stale)[:3])
        notes.append(
            f"{plural(len(coverage.stale), 'file')} changed after {coverage.report.path} was written, "
            f"so the call graph tells of them: {some}"
        )
    return tuple(notes)


def unlinked_warnings(suites: Suites) -> tuple[str, ...]:
    if not suites.unlinked:
        return ()
    return (
        f"{plural(suites.unlinked, 'test')} have a function that was not found: what they run is not known",
    )


def blind_warnings(reader: IndexReader) -> tuple[str, ...]:
    """A word where so many calls are unresolved that silence says little."""
    outcomes = outcome_counts(reader)
    unknown, whole = outcomes.get("unknown", 0), sum(outcomes.values())
    if not whole or unknown / whole < 0.1:  # noqa: PLR2004 - a tenth
        return ()
    return (f"{unknown:,} of {whole:,} calls are unresolved: a function may have tests that are not seen",)


def texts_of(call: Call) -> ReadText:
    @lru_cache(maxsize=_MOST_TEXTS)  # mocks and assertions are read from the same files
    def read(path: str) -> str:
        call.check_cancelled()
        return "\n".join(read_lines(call.project.root, path, first=1, count=_MOST_LINES))

    return read


def place_text(symbol: SymbolRecord) -> str:
    return f"{symbol.qualname} {symbol.path}:{symbol.line}"


def mean_of(values: list[int] | list[float]) -> float | None:
    return round(sum(values) / len(values), 2) if values else None


def page_of(
    call: Call, page: Page, rows: Sequence[Row], *, place: Callable[[Row], tuple[str, int]]
) -> tuple[tuple[Row, ...], Pagination]:
    """The part of a list that is asked for, as the action ranks it or by place."""
    return cut_page(call, page, ranked_as_found(rows, place=place))
