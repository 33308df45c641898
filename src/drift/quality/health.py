"""The health of a project: one figure from the parts that could be measured, each with its inputs.

Shown by every answer that speaks of health, and computed nowhere else. What another room measures (conventions, flow)
is handed in; what nobody measured is null, and says why.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from drift.analyses.cycles import find_cycles
from drift.analyses.testing.coverage import cover_project
from drift.analyses.testing.report_files import find_reports
from drift.analyses.testing.suites import suites_of
from drift.quality.complexity import Limits, measure
from drift.quality.duplicates import find_duplicates
from drift.quality.scope import choose_scope

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.quality.scope import Scope

_NOT_GIVEN: Final = {
    "conventions": "conventions were not measured for this answer",
    "security": "secrets and flows of data were not looked for in this answer",
}


@dataclass(frozen=True, slots=True)
class HealthPart:
    """One part, 0 to 100, and what it was computed from; null with the reason where it could not be."""

    part: str
    score: float | None
    inputs: dict[str, float]
    reason: str


@dataclass(frozen=True, slots=True)
class ProjectHealth:
    """The mean of the parts that could be measured; null where none could."""

    score: float | None
    measured: int
    parts: tuple[HealthPart, ...]


def measure_health(
    reader: "IndexReader",
    root: Path,
    *,
    given: Iterable[HealthPart] = (),
    check: Callable[[], None] = lambda: None,
) -> ProjectHealth:
    """The health of the product, tests left out. `given` are parts that other rooms measured."""
    scope = choose_scope(reader, with_tests=False)
    handed = {one.part: one for one in given}
    absent = [HealthPart(name, None, {}, reason) for name, reason in _NOT_GIVEN.items() if name not in handed]
    parts = (
        *handed.values(),
        _complexity(reader, scope),
        _duplication(reader, root, scope, check),
        _cycles(reader, scope),
        _tests(reader, root),
        _errors(reader, scope),
        *absent,
    )
    scores = [one.score for one in parts if one.score is not None]
    return ProjectHealth(round(sum(scores) / len(scores), 1) if scores else None, len(scores), parts)


def _complexity(reader: "IndexReader", scope: "Scope") -> HealthPart:
    limits, functions = Limits(), measure(reader, scope).functions
    lines = sum(one.code_lines for one in functions)
    over = sum(
        one.code_lines
        for one in functions
        if one.cyclomatic > limits.cyclomatic or one.cognitive > limits.cognitive
    )
    if not lines:
        return HealthPart("complexity", None, {}, "no function has code")
    score = 100 * (1 - over / lines)
    inputs = {"code_lines_in_functions": float(lines), "of_them_over_a_limit": float(over)}
    return HealthPart(
        "complexity", round(score, 1), inputs, "share of functions' code that is within the limits"
    )


def _duplication(reader: "IndexReader", root: Path, scope: "Scope", check: Callable[[], None]) -> HealthPart:
    found = find_duplicates(reader, root, scope, check=check)
    lines = sum(found.lines.values())
    if not lines:
        return HealthPart("duplication", None, {}, "no file has statements")
    inputs = {"lines_with_statements": float(lines), "of_them_in_clones": float(sum(found.cloned.values()))}
    return HealthPart(
        "duplication", round(100 - found.percentage, 1), inputs, "share of code that stands once"
    )


def _cycles(reader: "IndexReader", scope: "Scope") -> HealthPart:
    inside = {path for cycle in find_cycles(reader, level="file") for path in cycle.members} & scope.paths
    files = len(scope.files)
    inputs = {"files": float(files), "in_cycles": float(len(inside))}
    return HealthPart(
        "cycles", round(100 * (1 - len(inside) / files), 1), inputs, "share of files in no cycle"
    )


def _tests(reader: "IndexReader", root: Path) -> HealthPart:
    suites = suites_of(reader)
    coverage = cover_project(reader, suites, find_reports(root).coverage)
    if not coverage.functions:
        return HealthPart("tests", None, {}, "the product has no function")
    covered = sum(one.is_covered for one in coverage.functions)
    inputs = {"functions": float(len(coverage.functions)), "run_by_tests": float(covered)}
    return HealthPart(
        "tests",
        round(100 * covered / len(coverage.functions), 1),
        inputs,
        "share of functions that tests run",
    )


def _errors(reader: "IndexReader", scope: "Scope") -> HealthPart:
    files = {one.id for one in scope.files}
    counts = [one for one in reader.measures.handlers() if one.file_id in files]
    handlers, empty = sum(one.handlers for one in counts), sum(one.empty for one in counts)
    if not handlers:
        return HealthPart("errors", None, {}, "no handler of errors was found")
    inputs = {"handlers": float(handlers), "that_do_nothing": float(empty)}
    return HealthPart(
        "errors",
        round(100 * (1 - empty / handlers), 1),
        inputs,
        "share of handlers that do something about the error",
    )
