"""Whole pictures of the code, which no single call of a tool gives: map, graph, places by words, lines of a file."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, cast, get_args

from drift.analyses.graph_rows import SymbolRow, symbol_row
from drift.analyses.modules.drawing import GraphDrawing, draw_modules
from drift.analyses.modules.graph import Level
from drift.context.code_map import ColourData, MapData, colour_files, map_files
from drift.context.report_page import trends
from drift.dashboard.questions import Asked
from drift.guards.constraints.asking import ConstraintRow, ConstraintWish, answer
from drift.index import IndexReader
from drift.kernel.errors import DriftError, ErrorCode, Recovery, invalid
from drift.kernel.reading import read_text
from drift.project import Project
from drift.quality.findings import Finding
from drift.quality.keeping import kept_runs

_MOST_BYTES: Final = 5_000_000
_MOST_LINES: Final = 400
_MOST_INVARIANTS: Final = 50
_SURE: Final = 0.8  # as the tool has it
# A layer is a group of folders and no module of its own.
_LEVELS: Final = tuple(each for each in get_args(Level) if each != "layer")


@dataclass(frozen=True, slots=True)
class FoundPlaces:
    """Symbols and files that have the words, best first."""

    places: tuple[SymbolRow, ...]


@dataclass(frozen=True, slots=True)
class Invariants:
    """Invariants of the code, mined or written, and what breaks them."""

    summary: str
    constraints: tuple[ConstraintRow, ...]
    violations: tuple[Finding, ...]
    total_violations: int
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TrendRow:
    """A measure over time: days and values, oldest first."""

    title: str
    points: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class TrendPage:
    """What was kept of each scan and each time the health was measured."""

    trends: tuple[TrendRow, ...]


@dataclass(frozen=True, slots=True)
class GateRun:
    """One run of a policy: what it looked at and how it came out."""

    at: str
    actor: str
    policy: str
    scope: str
    status: str
    score: float | None
    head: str | None


@dataclass(frozen=True, slots=True)
class GateRuns:
    """The last runs of gates, newest first."""

    runs: tuple[GateRun, ...]


@dataclass(frozen=True, slots=True)
class SourceLines:
    """Some lines of a file of the index, as they are now."""

    file: str
    line: int
    lines: tuple[str, ...]
    is_cut: bool


def show_map(project: Project, _asked: Asked) -> MapData:
    with _opened(project) as reader:
        return map_files(reader)


def show_colour(project: Project, asked: Asked) -> ColourData:
    with _opened(project) as reader:
        return colour_files(project, reader, asked.words["by"], now=asked.now)


def show_graph(project: Project, asked: Asked) -> GraphDrawing:
    level = asked.words.get("level", "folder")
    if level not in _LEVELS:
        raise invalid("level", f"got {level[:40]!r}; one of {', '.join(_LEVELS)}")
    with _opened(project) as reader:
        return draw_modules(reader, cast("Level", level), with_tests=bool(asked.numbers["tests"]))


def find_places(project: Project, asked: Asked) -> FoundPlaces:
    with _opened(project) as reader:
        found = reader.symbols.search(asked.words["q"], limit=asked.numbers["limit"])
        return FoundPlaces(tuple(symbol_row(one.symbol) for one in found))


def show_invariants(project: Project, asked: Asked) -> Invariants:
    """The list and the check of `drift_constraints`, which as a whole may write and is not asked itself."""
    sure = ConstraintWish("list", least_confidence=_SURE, most=_MOST_INVARIANTS)
    with _opened(project) as reader:
        listed = answer(reader, project, sure, by="dashboard", now=asked.now)
        checked = answer(reader, project, sure._replace(action="verify"), by="dashboard", now=asked.now)
    found = checked.data.verification
    return Invariants(
        checked.summary,
        listed.data.constraints or (),
        found.violations if found else (),
        checked.data.total or 0,
        (*listed.warnings, *checked.warnings),
    )


def show_trends(project: Project, asked: Asked) -> TrendPage:
    return TrendPage(tuple(TrendRow(one.title, one.points) for one in trends(project, asked.now)))


def show_gate_runs(project: Project, _asked: Asked) -> GateRuns:
    """How `drift check` and the gates came out, newest first."""
    return GateRuns(
        tuple(
            GateRun(
                row.at.isoformat(timespec="seconds"),
                row.actor,
                row.policy,
                row.scope,
                row.status,
                row.score,
                row.head,
            )
            for _number, row in kept_runs(project)
        )
    )


def show_lines(project: Project, asked: Asked) -> SourceLines:
    """Lines of a file that the index has as code; no other file of the disk can be asked for."""
    path, first, last = asked.words["file"], asked.numbers["from"], asked.numbers["to"]
    with _opened(project) as reader:
        record = reader.files.at(path)
    if record is None or record.language is None:
        raise DriftError(ErrorCode.FILE_NOT_FOUND, "The index has no code at this path.")
    try:
        lines = read_text(project.root, path, _MOST_BYTES).split("\n")
    except OSError as error:
        told = f"The file cannot be read: {error.strerror}"
        raise DriftError(ErrorCode.FILE_NOT_FOUND, told, Recovery(hint="Run drift scan.")) from error
    shown = lines[first - 1 : min(last, first + _MOST_LINES - 1)]
    return SourceLines(path, first, tuple(shown), is_cut=last - first >= _MOST_LINES)


@contextmanager
def _opened(project: Project) -> Iterator[IndexReader]:
    with IndexReader(project.state.check(project.state.index_db)) as reader, reader.snapshot():
        yield reader
