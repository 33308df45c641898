"""The technical debt gradient of files: where complex, changing, coupled, cloned, indebted and untested code gathers.

What it does: weighs six measures of each file of the product, each as the share of files that have less of it, into 0..5.
Why it matters: one measure alone calls many files bad; where several meet, the next change costs most.
Example: a file in the top tenth of complexity, churn and coupling scores above 3.5.
Known limits: shares are within the project, so scores compare files of one project, not projects.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.modules.graph import module_graph
from drift.analyses.testing.coverage import cover_project
from drift.analyses.testing.report_files import find_reports
from drift.analyses.testing.suites import suites_of
from drift.analyses.testing.uncovered import find_uncovered
from drift.kernel.errors import DriftError
from drift.quality.churn import recent_lines
from drift.quality.complexity import Limits, complexity_findings, measure
from drift.quality.duplicates import find_duplicates
from drift.quality.findings import Finding, finding, in_order
from drift.quality.hours import clone_minutes, comment_minutes, in_hours
from drift.quality.satd import admissions_by_file
from drift.quality.scope import choose_scope

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from drift.index import IndexReader
    from drift.quality.scope import Scope

WEIGHTS: Final = {
    "complexity": 0.30,
    "churn": 0.25,
    "coupling": 0.15,
    "duplication": 0.15,
    "debt_comments": 0.10,
    "untested": 0.05,
}
CRITICAL: Final = 3.5
WARNING: Final = 2.5
_YEAR: Final = 365
_SURE: Final = 0.5  # how certain a call has to be to count as a dependency


@dataclass(frozen=True, slots=True)
class DebtParts:
    """Of each measure the share of files that have less of it, 0 to 1; null where it could not be measured."""

    complexity: float | None
    churn: float | None
    coupling: float | None
    duplication: float | None
    debt_comments: float | None
    untested: float | None


@dataclass(frozen=True, slots=True)
class FileDebt:
    """A file's gradient, what it is made of, and about how long mending its findings takes."""

    file: str
    score: float
    severity: str
    primary: str
    parts: DebtParts
    hours: float
    hours_by: dict[str, float]


class Debt(NamedTuple):
    """The files, those with most debt first, and what could not be measured."""

    files: tuple[FileDebt, ...]
    notes: tuple[str, ...] = ()


def measure_debt(
    reader: IndexReader, root: Path, scope: Scope, *, check: Callable[[], None] = lambda: None
) -> Debt:
    """The debt of the scope's files, measured within the whole product: tests are left out."""
    whole = choose_scope(reader, with_tests=False)
    measures = measure(reader, whole)
    check()
    notes: list[str] = []
    cloned = find_duplicates(reader, root, whole, check=check)
    admitted: dict[str, list[str]] = {
        one.path: [found.admission.category for found in admissions_by_file(reader).get(one.id, ())]
        for one in whole.files
    }
    lines = {one.file: max(1, one.code_lines) for one in measures.files}
    raw: dict[str, Mapping[str, float] | None] = {
        "complexity": {one.file: one.cognitive for one in measures.files},
        "churn": _churn(root, notes),
        "coupling": _coupling(reader),
        "duplication": {path: cloned.share(path) or 0.0 for path in lines},
        "debt_comments": {path: 100 * len(found) / lines[path] for path, found in admitted.items()},
        "untested": _untested(reader, root, notes),
    }
    minutes = _minutes(complexity_findings(measures.functions, Limits()), cloned.cloned, admitted)
    shares = {name: _shares(values, lines) if values is not None else None for name, values in raw.items()}
    wanted = scope.paths
    rows = [_file(path, shares, minutes.get(path, {})) for path in lines if path in wanted]
    return Debt(tuple(sorted(rows, key=lambda row: (-row.score, row.file))), tuple(notes))


def debt_findings(files: Iterable[FileDebt], least: float = WARNING) -> tuple[Finding, ...]:
    """A finding for each file from a score on."""
    return in_order(
        finding(
            "debt/gradient",
            f"debt gradient {one.score} of 5, most of it {one.primary.replace('_', ' ')}; about {one.hours} hours",
            file=one.file,
            severity="error" if one.severity == "critical" else "warning",
            evidence={"score": one.score, "hours": one.hours},
        )
        for one in files
        if one.score > least
    )  # fmt: skip


def _file(path: str, shares: Mapping[str, Mapping[str, float] | None], minutes: dict[str, float]) -> FileDebt:
    parts = {name: (None if found is None else round(found[path], 3)) for name, found in shares.items()}
    known = {name: value for name, value in parts.items() if value is not None}
    weight = sum(WEIGHTS[name] for name in known)
    score = round(5 * sum(WEIGHTS[name] * value for name, value in known.items()) / weight, 2)
    severity = "critical" if score > CRITICAL else "warning" if score > WARNING else "normal"
    primary = max(known, key=lambda name: (WEIGHTS[name] * known[name], name))
    by = {name: in_hours(each) for name, each in minutes.items() if each}
    return FileDebt(path, score, severity, primary, DebtParts(**parts), in_hours(sum(minutes.values())), by)


def _shares(values: Mapping[str, float], paths: Iterable[str]) -> dict[str, float]:
    """For each file the share of all that have less."""
    found = {path: values.get(path, 0.0) for path in paths}
    ordered = sorted(found.values())
    return {path: bisect_left(ordered, value) / len(ordered) for path, value in found.items()}


def _churn(root: Path, notes: list[str]) -> Mapping[str, float] | None:
    try:
        return recent_lines(root, days=_YEAR)
    except DriftError as error:
        notes.append(f"churn was not measured: {error.message}")
        return None


def _coupling(reader: IndexReader) -> Mapping[str, float]:
    """Files that use it and files that it uses."""
    graph = module_graph(reader)
    return {path: float(len(graph.sources[path]) + len(graph.targets[path])) for path in graph.members}


def _untested(reader: IndexReader, root: Path, notes: list[str]) -> Mapping[str, float] | None:
    """The risk of functions that no test runs, added up by file."""
    suites = suites_of(reader)
    coverage = cover_project(reader, suites, find_reports(root).coverage)
    if not suites.cases and coverage.report is None:
        notes.append("untested code was not weighed: no tests and no report of coverage were found")
        return None
    risks: dict[str, float] = defaultdict(float)
    for one in find_uncovered(reader, coverage.functions):
        risks[one.function.path] += one.risk
    return risks


def _minutes(
    over: Iterable[Finding], cloned: Mapping[str, int], admitted: Mapping[str, list[str]]
) -> dict[str, dict[str, float]]:
    """What hours.toml says of each kind of finding, by file."""
    found: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for one in over:
        found[one.file]["complexity"] += float((one.evidence or {}).get("minutes", 0))
    for path, lines in cloned.items():
        found[path]["duplication"] += clone_minutes(lines)
    for path, categories in admitted.items():
        found[path]["debt_comments"] += sum(map(comment_minutes, categories))
    return {path: dict(each) for path, each in found.items()}
