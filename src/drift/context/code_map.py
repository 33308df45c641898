"""A code base as a map: its files with their lines, and one measure of each at a time to colour it by."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.testing.coverage import match_report, percent
from drift.analyses.testing.report_files import find_reports
from drift.conventions.glance import glance_of
from drift.conventions.picture import look
from drift.history import Wanted, follow_renames, opened_history
from drift.index.path_text import path_to_text
from drift.kernel.errors import DriftError, invalid
from drift.quality.churn import read_churn
from drift.quality.complexity import measure
from drift.quality.debt import measure_debt
from drift.quality.scope import choose_scope

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from drift.history import Commit
    from drift.index import IndexReader
    from drift.project import Project

_YEAR: Final = 365
_PAST_DAYS: Final = 5 * _YEAR  # who wrote a file, and when it last changed, is asked of so much history
_SECONDS_A_DAY: Final = 86_400

Value = float | str | None


@dataclass(frozen=True, slots=True)
class MeasureRow:
    """A measure: what it says, where its colours begin, whether low values are the hot ones, and the command that gives the figures."""

    name: str
    title: str
    unit: str
    command: str
    steps: tuple[float, ...]
    is_low_hot: bool = False


@dataclass(frozen=True, slots=True)
class MapData:
    """The files of a project, tests among them, in columns; `measures` are what they can be coloured by."""

    generation: int
    paths: tuple[str, ...]
    lines: tuple[int, ...]
    languages: tuple[str, ...]
    tests: tuple[int, ...]
    measures: tuple[MeasureRow, ...]


@dataclass(frozen=True, slots=True)
class ColourData:
    """A measure of every file, in the order of the map; null where it is not known, and `notes` say why."""

    generation: int
    measure: MeasureRow
    values: tuple[Value, ...]
    notes: tuple[str, ...]


class _Measured(NamedTuple):
    values: Mapping[str, Value]
    notes: tuple[str, ...] = ()


class _Asked(NamedTuple):
    project: Project
    reader: IndexReader
    now: datetime


def map_files(reader: IndexReader) -> MapData:
    """The files with code, by path."""
    files = choose_scope(reader).files
    return MapData(
        reader.generation(),
        tuple(one.path for one in files),
        tuple(one.code_lines or 0 for one in files),
        tuple(str(one.language) for one in files),
        tuple(at for at, one in enumerate(files) if one.role == "test"),
        map_measures(),
    )


def map_measures() -> tuple[MeasureRow, ...]:
    """What the files of a map can be coloured by."""
    return tuple(row for row, _ in _MEASURES.values())


def colour_files(project: Project, reader: IndexReader, by: str, *, now: datetime) -> ColourData:
    """One measure of every file of the map. Raises INVALID_ARGUMENT for one that is not known."""
    if by not in _MEASURES:
        raise invalid("by", f"got {by[:40]!r}; one of {', '.join(_MEASURES)}")
    row, measured = _MEASURES[by]
    found = measured(_Asked(project, reader, now))
    values = tuple(found.values.get(one.path) for one in choose_scope(reader).files)
    return ColourData(reader.generation(), row, values, found.notes)


def _complexity(asked: _Asked) -> _Measured:
    found = measure(asked.reader, choose_scope(asked.reader))
    return _Measured({one.file: one.max_cognitive for one in found.files})


def _churn(asked: _Asked) -> _Measured:
    try:
        churn = read_churn(asked.project.root, days=_YEAR)
    except DriftError as error:
        return _without_history(error)
    # A file that no commit of the year touched was looked at, and changed in none.
    changed = dict.fromkeys((one.path for one in choose_scope(asked.reader).files), 0)
    values = changed | {one.file: one.commits for one in churn.files}
    return _Measured(values if churn.until else {}, churn.notes)


def _age(asked: _Asked) -> _Measured:
    try:
        commits, notes = _past(asked.project)
    except DriftError as error:
        return _without_history(error)
    values: dict[str, Value] = {}
    for commit, changes in follow_renames(commits):
        days = max(0, (commits[0].time - commit.time) // _SECONDS_A_DAY)
        for name, _ in changes:
            values.setdefault(path_to_text(name), days)
    return _Measured(values, (*notes, "Without a colour: files that did not change in the commits read."))


def _owner(asked: _Asked) -> _Measured:
    try:
        commits, notes = _past(asked.project)
    except DriftError as error:
        return _without_history(error)
    authors: dict[str, Counter[str]] = defaultdict(Counter)
    for commit, changes in follow_renames(commits):
        for name, _ in changes:
            authors[path_to_text(name)][commit.author] += 1
    values = {path: min(found, key=lambda one: (-found[one], one)) for path, found in authors.items()}
    return _Measured(values, notes)


def _past(project: Project) -> tuple[list[Commit], tuple[str, ...]]:
    """The commits of some years, newest first, and what has to be said of how far they go."""
    with opened_history(project.root, Wanted(days=_PAST_DAYS)) as history:
        reach = history.reach
        if reach.head_time is None:
            return [], ("The repository has no commit yet.",)
        since = reach.head_time - _PAST_DAYS * _SECONDS_A_DAY
        is_short = reach.oldest_time is not None and reach.oldest_time >= since
        return history.since(since), reach.notes() if is_short else ()


def _without_history(error: DriftError) -> _Measured:
    return _Measured({}, (f"Not known: {error.message}",))


def _coverage(asked: _Asked) -> _Measured:
    reports = find_reports(asked.project.root)
    if reports.coverage is None:
        told = "Not known: there is no report of coverage (coverage.xml, lcov.info, coverage.json, jacoco.xml, coverage.out). Run the tests with coverage."
        return _Measured({}, (told, *reports.problems))
    lines, stale = match_report(asked.reader, reports.coverage)
    values = {path: percent(len(one.hit & one.known), len(one.known)) for path, one in lines.items()}
    notes = [f"From {reports.coverage.path}."]
    if stale:
        notes.append(f"Not known for {len(stale):,} files that changed after the report was written.")
    return _Measured(values, (*notes, *reports.problems))


def _compliance(asked: _Asked) -> _Measured:
    glance = glance_of(look(asked.reader, asked.project, asked.now.date()))
    values = {path: round(100 * (1 - glance.deviating(path)), 1) for path in glance.files}
    return _Measured(values, ("Without a colour: files that decide nothing a convention speaks of.",))


def _debt(asked: _Asked) -> _Measured:
    scope = choose_scope(asked.reader, with_tests=False)
    debt = measure_debt(asked.reader, asked.project.root, scope)
    return _Measured({one.file: one.score for one in debt.files}, (*debt.notes, "Tests have no grade."))


# Where the first of seven colours ends, the second, …: limits that the tools themselves warn at are among them.
_MEASURES: Final[Mapping[str, tuple[MeasureRow, Callable[[_Asked], _Measured]]]] = {
    row.name: (row, measured)
    for row, measured in (
        (MeasureRow("complexity", "Complexity", "cognitive complexity of the hardest function",
                    "drift call analyze_complexity --args '{\"top_files\": 50}'", (1, 6, 11, 16, 26, 51)), _complexity),
        (MeasureRow("churn", "Churn", "commits in the last year",
                    "drift call analyze_code_churn --args '{\"period_days\": 365}'", (1, 3, 6, 12, 25, 50)), _churn),
        (MeasureRow("age", "Age", "days since the last change",
                    "drift call drift_recent --args '{\"days\": 365}'", (30, 90, 180, 365, 730, 1460), is_low_hot=True), _age),
        (MeasureRow("owner", "Owner", "author of most commits in five years", "git shortlog -sn -- PATH", ()), _owner),
        (MeasureRow("coverage", "Coverage", "percent of lines that tests run",
                    "drift call drift_test_topology --args '{\"action\": \"coverage\"}'", (20, 40, 60, 75, 90, 100), is_low_hot=True), _coverage),
        (MeasureRow("compliance", "Conventions", "percent of its conventions a file keeps everywhere",
                    "drift call drift_patterns_list", (40, 60, 70, 80, 90, 100), is_low_hot=True), _compliance),
        (MeasureRow("debt", "Technical debt", "debt gradient from 0 to 5",
                    "drift call analyze_tdg", (1, 1.75, 2.5, 3, 3.5, 4)), _debt),
    )
}  # fmt: skip
