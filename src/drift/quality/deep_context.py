"""A project at a glance: scorecard, tree with measures, what each analysis found, hotspots and what to do first.

What it does: puts the figures of the other analyses side by side, each computed where it always is.
Why it matters: a first look at an unknown project, or a page for those who keep it.
Example: health 78, 41 hours of debt, most of it in three files that changed every week.
Known limits: the health is handed in, since other rooms measure parts of it; what nobody measured is null and says so.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from drift.analyses.modules.cycles import find_groups
from drift.analyses.modules.graph import module_graph
from drift.kernel.errors import DriftError, invalid
from drift.quality.churn import read_churn
from drift.quality.churn_report import ChurnData, churn_data
from drift.quality.complexity import Limits, measure
from drift.quality.complexity_report import ComplexitySummary, summarize, view_of
from drift.quality.debt import FileDebt, measure_debt
from drift.quality.findings import Finding
from drift.quality.health import ProjectHealth
from drift.quality.reporters import Report, Table
from drift.quality.satd import debt_findings, find_debt
from drift.quality.unused import find_unused, unused_findings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from drift.quality.gate import Subject

DagType = Literal["call-graph", "import-graph", "full-dependency", "inheritance"]
Analysis = Literal["ast", "complexity", "churn", "dag", "dead-code", "satd", "tdg", "defect-probability"]
ALL: Final[tuple[Analysis, ...]] = ("ast", "complexity", "churn", "dag", "dead-code", "satd", "tdg")
_MOST_HOTSPOTS: Final = 10
_MOST_FOLDERS: Final = 200


@dataclass(frozen=True, slots=True)
class FolderRow:
    """A folder of the tree: its code, and how much of it is hard to follow."""

    folder: str
    files: int
    code_lines: int
    cognitive: int


@dataclass(frozen=True, slots=True)
class DagCounts:
    """How files depend on each other; `analyze_dag` draws it."""

    type: DagType
    nodes: int
    edges: int
    cycles: int


@dataclass(frozen=True, slots=True)
class Scorecard:
    """The figures that are looked at first."""

    overall_health: float | None
    maintainability_index: float | None
    technical_debt_hours: float | None
    health: ProjectHealth


@dataclass(frozen=True, slots=True)
class Recommendation:
    """What to do first, why, and about how long it takes."""

    title: str
    file: str
    reason: str
    hours: float


@dataclass(frozen=True, slots=True)
class DeepContextData:
    """The project at a glance. What was left out on request is absent."""

    scorecard: Scorecard
    languages: dict[str, int]
    tree: tuple[FolderRow, ...]
    symbols: dict[str, int] | None = None
    complexity: ComplexitySummary | None = None
    churn: ChurnData | None = None
    dag: DagCounts | None = None
    dead_code: int | None = None
    satd: dict[str, int] | None = None
    hotspots: tuple[FileDebt, ...] | None = None
    recommendations: tuple[Recommendation, ...] | None = None
    document: str | None = None


class Asked(NamedTuple):
    """What is to be looked at."""

    analyses: frozenset[str]
    period_days: int = 30
    dag_type: DagType = "full-dependency"
    max_depth: int | None = None


def chosen_analyses(include: Sequence[str], exclude: Sequence[str]) -> frozenset[str]:
    """The analyses to run. Raises INVALID_ARGUMENT for one that this version has not."""
    if "defect-probability" in include:
        raise invalid(
            "include_analyses", "how likely defects are is told by analyze_defect_probability, not here"
        )
    return frozenset(include or ALL) - frozenset(exclude)


class _Deep(NamedTuple):
    data: DeepContextData
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]


def look_deep(subject: Subject, asked: Asked, health: ProjectHealth) -> _Deep:
    """Run what is asked for, each from its own module."""
    reader, root, scope = subject.reader, subject.root, subject.scope
    wanted, notes = asked.analyses, list(scope.notes)
    measures = measure(reader, scope)
    view = view_of(measures, Limits(), scope=scope)
    summary = summarize(view)
    debt = measure_debt(reader, root, scope, check=subject.check_cancelled) if "tdg" in wanted else None
    satd = find_debt(reader, root, scope) if "satd" in wanted else ()
    dead = (
        find_unused(reader, root, scope, min_level="medium", check=subject.check_cancelled)
        if "dead-code" in wanted
        else ()
    )
    findings: list[Finding] = [
        *(view.findings if "complexity" in wanted else ()),
        *debt_findings(satd),
        *unused_findings(dead),
    ]
    hours = round(sum(one.hours for one in debt.files), 1) if debt else None
    data = DeepContextData(
        Scorecard(health.score, summary.average_maintainability, hours, health),
        dict(Counter(str(one.language) for one in scope.files).most_common()),
        _tree(subject, {one.file: one.cognitive for one in measures.files}, asked.max_depth),
        _symbols(subject) if "ast" in wanted else None,
        summary if "complexity" in wanted else None,
        _churn(subject, asked.period_days, notes) if "churn" in wanted else None,
        _dag(subject, asked.dag_type) if "dag" in wanted else None,
        len(dead) if "dead-code" in wanted else None,
        dict(Counter(row.category for row in satd).most_common()) if "satd" in wanted else None,
        debt.files[:_MOST_HOTSPOTS] if debt else None,
        _recommend(debt.files) if debt else None,
    )
    return _Deep(data, tuple(findings), (*notes, *(debt.notes if debt else ())))


def told_deep(
    subject: Subject, asked: Asked, *, health: ProjectHealth, write: Callable[[Report], str] | None
) -> tuple[DeepContextData, tuple[str, ...]]:
    """The look as an answer tells it, and what has to be said of it; where a form is a text, that and the scorecard."""
    deep = look_deep(subject, asked, health)
    if write is None:
        return deep.data, deep.notes
    document = write(deep_report(deep, subject=subject.scope.subject))
    data = DeepContextData(deep.data.scorecard, deep.data.languages, (), document=document)
    return data, deep.notes


def deep_report(deep: _Deep, *, subject: str) -> Report:
    """The look as a report."""
    card = deep.data.scorecard
    figures = (
        ("overall health", card.overall_health),
        *((f"health: {one.part}", one.score) for one in card.health.parts),
        ("maintainability index", card.maintainability_index),
        ("technical debt hours", card.technical_debt_hours),
    )
    tables = [
        Table("folders", ("folder", "files", "code lines", "cognitive"),
              tuple((one.folder, one.files, one.code_lines, one.cognitive) for one in deep.data.tree)),
        Table("hotspots", ("file", "score", "primary", "hours"),
              tuple((one.file, one.score, one.primary, one.hours) for one in deep.data.hotspots or ())),
        Table("recommendations", ("title", "file", "reason", "hours"),
              tuple((one.title, one.file, one.reason, one.hours) for one in deep.data.recommendations or ())),
    ]  # fmt: skip
    return Report(
        "analyze_deep_context", subject, deep_summary(deep.data), figures, tuple(tables), deep.findings, (), deep.notes
    )  # fmt: skip


def deep_summary(data: DeepContextData) -> str:
    card = data.scorecard
    health = f"health {card.overall_health:g}" if card.overall_health is not None else "health not measurable"
    hours = f", {card.technical_debt_hours:g} hours of debt" if card.technical_debt_hours is not None else ""
    return f"{health} of 100 from {card.health.measured} parts{hours}"


def _tree(subject: Subject, cognitive: dict[str, int], max_depth: int | None) -> tuple[FolderRow, ...]:
    counts: dict[str, list[int]] = {}
    for file in subject.scope.files:
        parts = file.path.split("/")[:-1]
        if max_depth is not None:
            parts = parts[:max_depth]
        row = counts.setdefault("/".join(parts) or ".", [0, 0, 0])
        row[0] += 1
        row[1] += file.code_lines or 0
        row[2] += cognitive.get(file.path, 0)
    rows = [FolderRow(folder, *found) for folder, found in sorted(counts.items())]
    return tuple(rows[:_MOST_FOLDERS])


def _symbols(subject: Subject) -> dict[str, int]:
    files = {one.id for one in subject.scope.files}
    return subject.reader.measures.kinds(files)


def _churn(subject: Subject, days: int, notes: list[str]) -> ChurnData | None:
    area = None if subject.scope.subject == "." else subject.scope.subject
    try:
        return churn_data(read_churn(subject.root, days=days, area=area), None)
    except DriftError as error:
        notes.append(f"churn was not measured: {error.message}")
        return None


def _dag(subject: Subject, kind: DagType) -> DagCounts:
    if kind == "inheritance":
        raise invalid("dag_type", "inheritance is not counted here; analyze_dag draws it")
    wanted = {"call-graph": {"call"}, "import-graph": {"import"}}.get(kind, {"call", "import"})
    paths = subject.scope.paths
    edges = {
        (one.path, one.target_path)
        for one in subject.reader.dependencies.between_files(min_confidence=0.5, with_tests=True)
        if one.kind in wanted and one.path in paths and one.target_path in paths
    }
    cycles = sum(not paths.isdisjoint(group) for group in find_groups(module_graph(subject.reader)))
    return DagCounts(kind, len({path for edge in edges for path in edge}), len(edges), cycles)


_ADVICE: Final = {
    "complexity": "Split what is hard to follow",
    "churn": "Find out why it changes so often",
    "coupling": "Take apart what depends on so much",
    "duplication": "Keep one of the copies",
    "debt_comments": "Do what its comments put off",
    "untested": "Test what is riskiest",
}


def _recommend(files: Sequence[FileDebt]) -> tuple[Recommendation, ...]:
    """For the files with most debt what their heaviest part asks for."""
    return tuple(
        Recommendation(
            _ADVICE[one.primary], one.file, f"debt gradient {one.score}, most of it {one.primary.replace('_', ' ')}", one.hours
        )
        for one in files[:5]
        if one.severity != "normal"
    )  # fmt: skip
