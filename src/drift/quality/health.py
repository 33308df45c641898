"""The health of a project: one figure from the parts that could be measured, each with its inputs.

Shown by every answer that speaks of health, and computed nowhere else. What another room measures (conventions, flow)
is handed in; what nobody measured is null, and says why.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.modules.cycles import find_groups
from drift.analyses.modules.graph import module_graph
from drift.analyses.testing.coverage import cover_project
from drift.analyses.testing.report_files import find_reports
from drift.analyses.testing.suites import suites_of
from drift.quality.complexity import Limits, measure
from drift.quality.duplicates import find_duplicates
from drift.quality.scope import choose_scope

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.quality.scope import Scope


class _Meaning(NamedTuple):
    """What a part is the share of, and why it is null where it is."""

    told: str
    missing: str


# In the order they are shown.
PARTS: Final[Mapping[str, _Meaning]] = {
    "conventions": _Meaning("share of places that follow the project's conventions", "no convention was found"),
    "complexity": _Meaning("share of functions' code that is within the limits", "no function has code"),
    "duplication": _Meaning("share of code that stands once", "no file has statements"),
    "cycles": _Meaning("share of files in no cycle", "there is no file"),
    "tests": _Meaning("share of functions that tests run", "the product has no function"),
    "errors": _Meaning("share of handlers that do something about the error", "no handler of errors was found"),
    "security": _Meaning("share of files without a finding", "secrets and flows of data are not measured"),
}  # fmt: skip


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


def health_part(name: str, score: float | None, inputs: Mapping[str, float]) -> HealthPart:
    """A part of a known name; without a score it says why it has none."""
    meaning = PARTS[name]
    if score is None:
        return HealthPart(name, None, {}, meaning.missing)
    return HealthPart(name, round(score, 1), dict(inputs), meaning.told)


def health_of(parts: Iterable[HealthPart]) -> ProjectHealth:
    """The health that parts make; those that are not among them are null."""
    found = {one.part: one for one in parts}
    every = tuple(found.get(name) or health_part(name, None, {}) for name in PARTS)
    scores = [one.score for one in every if one.score is not None]
    return ProjectHealth(round(sum(scores) / len(scores), 1) if scores else None, len(scores), every)


def measure_health(
    reader: "IndexReader",
    root: Path,
    *,
    given: Iterable[HealthPart] = (),
    check: Callable[[], None] = lambda: None,
) -> ProjectHealth:
    """The health of the product, tests left out. `given` are parts that other rooms measured."""
    scope = choose_scope(reader, with_tests=False)
    return health_of(
        (
            *given,
            _complexity(reader, scope),
            _duplication(reader, root, scope, check),
            _cycles(reader, scope),
            _tests(reader, root),
            _errors(reader, scope),
        )
    )


def _share(name: str, *, bad: tuple[str, int], of: tuple[str, int]) -> HealthPart:
    """A part that is what is left of a whole without what is bad in it; null where there is no whole."""
    score = 100 * (1 - bad[1] / of[1]) if of[1] else None
    return health_part(name, score, {of[0]: float(of[1]), bad[0]: float(bad[1])})


def _complexity(reader: "IndexReader", scope: "Scope") -> HealthPart:
    limits, functions = Limits(), measure(reader, scope).functions
    lines = sum(one.code_lines for one in functions)
    over = sum(
        one.code_lines
        for one in functions
        if one.cyclomatic > limits.cyclomatic or one.cognitive > limits.cognitive
    )
    return _share("complexity", bad=("of_them_over_a_limit", over), of=("code_lines_in_functions", lines))


def _duplication(reader: "IndexReader", root: Path, scope: "Scope", check: Callable[[], None]) -> HealthPart:
    found = find_duplicates(reader, root, scope, check=check)
    lines, cloned = sum(found.lines.values()), sum(found.cloned.values())
    score = 100 - found.percentage if lines else None
    return health_part(
        "duplication", score, {"lines_with_statements": float(lines), "of_them_in_clones": float(cloned)}
    )


def _cycles(reader: "IndexReader", scope: "Scope") -> HealthPart:
    inside = {path for group in find_groups(module_graph(reader)) for path in group} & scope.paths
    return _share("cycles", bad=("in_cycles", len(inside)), of=("files", len(scope.files)))


def _tests(reader: "IndexReader", root: Path) -> HealthPart:
    functions = cover_project(reader, suites_of(reader), find_reports(root).coverage).functions
    covered = sum(one.is_covered for one in functions)
    score = 100 * covered / len(functions) if functions else None
    return health_part("tests", score, {"functions": float(len(functions)), "run_by_tests": float(covered)})


def _errors(reader: "IndexReader", scope: "Scope") -> HealthPart:
    files = {one.id for one in scope.files}
    counts = [one for one in reader.measures.handlers() if one.file_id in files]
    handlers, empty = sum(one.handlers for one in counts), sum(one.empty for one in counts)
    return _share("errors", bad=("that_do_nothing", empty), of=("handlers", handlers))
