"""What the quality report shows, gathered from the rooms that measure it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from drift import __version__
from drift.context.health import measure_project, trend_of
from drift.conventions.picture import look
from drift.conventions.rows import Wish, list_patterns
from drift.kernel.errors import DriftError
from drift.project import git_head
from drift.quality.churn import read_churn
from drift.quality.complexity import MAX_CYCLOMATIC, measure
from drift.quality.comprehensive import PARTS, Wanted, analyze_all
from drift.quality.debt import measure_debt
from drift.quality.gate import Subject
from drift.quality.page import ConventionLine, FileCell, PageContent, TrendLine
from drift.quality.scope import product_scope
from drift.scan.snapshots import read_snapshots

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date, datetime
    from pathlib import Path

    from drift.index import IndexReader
    from drift.project import Project
    from drift.quality.debt import Debt
    from drift.quality.scope import Scope
    from drift.scan.snapshots import Snapshot

_YEAR: Final = 365
_MOST_LANGUAGES: Final = 5


def gather_page(
    project: Project, reader: IndexReader, now: datetime, *, progress: Callable[[int, int, str], None]
) -> PageContent:
    """All that the report of a project shows, measured now."""
    scope = product_scope(reader)
    subject = Subject(reader, project.root, scope)
    health = measure_project(project, reader, now)
    found = analyze_all(subject, Wanted(frozenset(PARTS)), progress=progress)
    debt = measure_debt(reader, project.root, scope)
    commits, notes = _commits(project.root)
    return PageContent(
        project.name,
        git_head(project.root),
        now.isoformat(timespec="minutes"),
        __version__,
        _figures(scope, debt),
        health,
        _cells(reader, scope, debt, commits),
        trends(project, now),
        found.parts,
        found.findings,
        _conventions(project, reader, now.date()),
        (*scope.notes, *debt.notes, *notes),
    )


def _figures(scope: Scope, debt: Debt) -> tuple[tuple[str, str], ...]:
    languages = Counter(str(one.language) for one in scope.files).most_common(_MOST_LANGUAGES)
    hours = round(sum(one.hours for one in debt.files))
    return (
        ("files of the product", f"{len(scope.files):,}"),
        ("lines of code", f"{scope.code_lines:,}"),
        ("languages", ", ".join(f"{name} {count:,}" for name, count in languages)),
        ("hours of debt", f"{hours:,}"),
    )


def _cells(
    reader: IndexReader, scope: Scope, debt: Debt, commits: dict[str, int] | None
) -> tuple[FileCell, ...]:
    scores = {one.file: one.score for one in debt.files}
    return tuple(
        FileCell(
            one.file,
            one.code_lines,
            one.cognitive,
            scores.get(one.file),
            None if commits is None else commits.get(one.file, 0),
        )
        for one in measure(reader, scope).files
    )


def _commits(root: Path) -> tuple[dict[str, int] | None, tuple[str, ...]]:
    """Commits of a year by file; None and the reason where there is no history."""
    try:
        churn = read_churn(root, days=_YEAR)
    except DriftError as error:
        return None, (f"hotspots were not measured: {error.message}",)
    return {one.file: one.commits for one in churn.files}, churn.notes


def trends(project: Project, now: datetime) -> tuple[TrendLine, ...]:
    """The health each time it was measured, and what was counted on each day with a scan."""
    health = tuple((each.at[:10], each.score) for each in trend_of(project, now))
    days = read_snapshots(project.state)
    return (
        TrendLine("Health", "", health),
        TrendLine("Lines of code, tests among them", "", tuple((str(each.day), _code(each)) for each in days)),
        TrendLine(
            f"Functions with more than {MAX_CYCLOMATIC} paths", "", tuple((str(each.day), _complex(each)) for each in days)
        ),
    )  # fmt: skip


def _code(day: Snapshot) -> float:
    return float(sum(each.code for each in day.lines_by_language.values()))


def _complex(day: Snapshot) -> float:
    return float(sum(count for paths, count in day.functions_by_complexity.items() if paths > MAX_CYCLOMATIC))


def _conventions(project: Project, reader: IndexReader, today: date) -> tuple[ConventionLine, ...]:
    """The conventions by category, the surest of each first."""
    found = list_patterns(look(reader, project, today), Wish())
    rows = sorted(found.rows, key=lambda row: (row.category, -(row.score or 0.0), row.id))
    return tuple(
        ConventionLine(row.category, row.rule, row.status, row.followed or 0, row.outliers or 0)
        for row in rows
        if row.status != "ignored"
    )
