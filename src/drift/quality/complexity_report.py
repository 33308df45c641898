"""What an answer and a report tell of complexity: summary, distribution, hotspots, ranked files, violations, trend."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from heapq import nsmallest
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.kernel.ranking import Ranked, Sort, as_found
from drift.kernel.text import plural
from drift.quality.complexity import FileMeasures, FunctionMeasures, Limits, Measures, complexity_findings
from drift.quality.findings import Finding
from drift.quality.hours import in_hours
from drift.quality.reporters import Format, Report, Table
from drift.quality.trend import ComplexityTrend

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from drift.quality.scope import Scope


# The bands of the Software Engineering Institute for cyclomatic; of cognitive, multiples of SonarSource's limit.
_CYCLOMATIC_BANDS: Final = ((10, "1-10"), (20, "11-20"), (50, "21-50"))
_COGNITIVE_BANDS: Final = ((5, "0-5"), (15, "6-15"), (30, "16-30"), (60, "31-60"))
_MOST_HOTSPOTS: Final = 10

FINDING_SORTS: Final[dict[str, Sort[Finding]]] = {
    "severity": Sort(as_found),
    "file": Sort(lambda one: (one.file, one.line)),
}


@dataclass(frozen=True, slots=True)
class Spread:
    """How the values of a measure lie over all functions; null where there is none."""

    median: float | None
    p90: float | None
    p99: float | None
    max: int | None
    bands: dict[str, int]


@dataclass(frozen=True, slots=True)
class ComplexitySummary:
    """The figures of a scope. Hours are the sum over violations of what hours.toml says of each."""

    files: int
    functions: int
    code_lines: int
    cyclomatic: Spread
    cognitive: Spread
    max_nesting: int | None
    average_maintainability: float | None
    violations: dict[str, int]
    technical_debt_hours: float


@dataclass(frozen=True, slots=True)
class HotspotRow:
    """A function, with all its measures."""

    function: str
    file: str
    line: int
    cyclomatic: int
    cognitive: int
    nesting: int
    code_lines: int
    halstead_volume: float | None
    halstead_effort: float | None


@dataclass(frozen=True, slots=True)
class RankedFile:
    """A file among the most complex; `total_score` weighs its worst function, its average and how many there are."""

    rank: int
    file: str
    function_count: int
    max_cyclomatic: int
    avg_cognitive: float
    halstead_effort: float | None
    maintainability: float | None
    total_score: float


@dataclass(frozen=True, slots=True)
class TopFiles:
    """The most complex files: how many were asked for, and how many there are."""

    requested: int
    returned: int
    rankings: tuple[RankedFile, ...]


@dataclass(frozen=True, slots=True)
class ComplexityData:
    """Complexity of a part of the project. `violations` are the functions over a limit, the gravest first."""

    summary: ComplexitySummary
    hotspots: tuple[HotspotRow, ...]
    violations: tuple[Finding, ...] | None = None
    top_files: TopFiles | None = None
    trend: ComplexityTrend | None = None
    document: str | None = None


class ComplexityView(NamedTuple):
    """All that is known of the complexity of a scope."""

    subject: str
    measures: Measures
    limits: Limits
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()

    @property
    def summary(self) -> str:
        worst = max(self.measures.functions, key=lambda one: (one.cognitive, one.cyclomatic), default=None)
        told = f"; hardest to follow: {worst.function} ({worst.cognitive})" if worst else ""
        return (
            f"{plural(len(self.measures.functions), 'function')} in {plural(len(self.measures.files), 'file')}, "
            f"{len({(one.file, one.symbol, one.line) for one in self.findings}):,} over a limit{told}"
        )


def view_of(measures: Measures, limits: Limits, *, scope: Scope) -> ComplexityView:
    found = complexity_findings(measures.functions, limits)
    return ComplexityView(scope.subject, measures, limits, found, scope.notes)


def summarize(view: ComplexityView) -> ComplexitySummary:
    """The figures."""
    functions, files = view.measures.functions, view.measures.files
    indexes = [one.maintainability for one in files if one.maintainability is not None]
    minutes = sum(float((one.evidence or {}).get("minutes", 0)) for one in view.findings)
    return ComplexitySummary(
        len(files),
        len(functions),
        sum(one.code_lines for one in files),
        _spread([one.counted.cyclomatic for one in functions], _CYCLOMATIC_BANDS),
        _spread([one.counted.cognitive for one in functions], _COGNITIVE_BANDS),
        max((one.counted.max_nesting for one in functions), default=None),
        round(sum(indexes) / len(indexes), 1) if indexes else None,
        dict(Counter(one.rule.partition("/")[2] for one in view.findings)),
        in_hours(minutes),
    )


def _spread(values: list[int], bands: Sequence[tuple[int, str]]) -> Spread:
    values.sort()
    counts = dict.fromkeys([*(name for _, name in bands), f"above {bands[-1][0]}"], 0)
    for value, times in Counter(values).items():
        name = next((name for most, name in bands if value <= most), f"above {bands[-1][0]}")
        counts[name] += times
    return Spread(
        percentile(values, 0.5),
        percentile(values, 0.9),
        percentile(values, 0.99),
        values[-1] if values else None,
        counts,
    )


def percentile(ordered: Sequence[float], share: float) -> float | None:
    """The value that this share of ordered values does not exceed, between two of them where it falls between."""
    if not ordered:
        return None
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return round(ordered[low] + (ordered[high] - ordered[low]) * (place - low), 2)


def hotspot_rows(functions: Sequence[FunctionMeasures], most: int = _MOST_HOTSPOTS) -> tuple[HotspotRow, ...]:
    """The functions that are hardest to follow."""
    worst = nsmallest(
        most, functions, key=lambda one: (-one.counted.cognitive, -one.counted.cyclomatic, one.file, one.line)
    )
    return tuple(
        HotspotRow(
            one.function, one.file, one.line, one.cyclomatic, one.cognitive, one.nesting, one.code_lines,
            one.halstead.volume, one.halstead.effort,
        )
        for one in worst
    )  # fmt: skip


def rank_files(files: Sequence[FileMeasures], most: int) -> TopFiles:
    """The most complex files."""
    ordered = sorted((one for one in files if one.functions), key=lambda one: (-_score(one), one.file))
    rows = tuple(
        RankedFile(
            rank,
            one.file,
            one.functions,
            one.max_cyclomatic,
            one.average_cognitive,
            one.halstead.effort,
            one.maintainability,
            _score(one),
        )
        for rank, one in enumerate(ordered[:most], 1)
    )
    return TopFiles(most, len(rows), rows)


def _score(one: FileMeasures) -> float:
    """Two fifths each for the worst function (50 is the worst) and the average (100), a tenth for their number."""
    worst, average = min(one.max_cyclomatic, 50) / 50, min(one.average_cognitive, 100) / 100
    return round(100 * (0.4 * worst + 0.4 * average + 0.1 * min(one.functions, 100) / 100), 2)


def complexity_report(view: ComplexityView, *, top_files: int) -> Report:
    """All of it, for a form that is a text."""
    told = summarize(view)
    figures = (
        ("files", told.files),
        ("functions", told.functions),
        ("median cyclomatic", told.cyclomatic.median),
        ("p90 cyclomatic", told.cyclomatic.p90),
        ("max cyclomatic", told.cyclomatic.max),
        ("median cognitive", told.cognitive.median),
        ("p90 cognitive", told.cognitive.p90),
        ("max cognitive", told.cognitive.max),
        ("average maintainability", told.average_maintainability),
        ("technical debt hours", told.technical_debt_hours),
    )
    ranked = rank_files(view.measures.files, top_files or len(view.measures.files))
    table = Table(
        "files",
        ("rank", "file", "functions", "max cyclomatic", "average cognitive", "halstead effort", "maintainability", "score"),
        tuple(
            (one.rank, one.file, one.function_count, one.max_cyclomatic, one.avg_cognitive, one.halstead_effort,
             one.maintainability, one.total_score)
            for one in ranked.rankings
        ),
    )  # fmt: skip
    return Report(
        "analyze_complexity", view.subject, view.summary, figures, (table,), view.findings, (), view.notes
    )


def ranked_findings(view: ComplexityView) -> Ranked[Finding]:
    """The functions over a limit, the gravest first."""
    return Ranked(view.findings, FINDING_SORTS)


def told_complexity(
    view: ComplexityView,
    form: Format,
    *,
    top_files: int,
    trend: ComplexityTrend | None,
    write: Callable[[Report], str] | None,
) -> Callable[[tuple[Finding, ...]], ComplexityData]:
    """How a page of findings is told; `write` makes the text of a form that is one."""
    return lambda shown: ComplexityData(
        summarize(view),
        hotspot_rows(view.measures.functions),
        None if form == "summary" or write else shown,
        rank_files(view.measures.files, top_files) if top_files else None,
        trend,
        write(complexity_report(view, top_files=top_files)) if write else None,
    )
