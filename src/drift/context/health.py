"""The health of a project with the parts that several rooms measure, made once for each state of the index and kept."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from drift.conventions.picture import Picture, look
from drift.project import git_branch, git_head
from drift.quality.health import HealthPart, ProjectHealth, health_part, measure_health
from drift.quality.keeping import health_trend, keep_health, kept_health
from drift.quality.scope import choose_scope
from drift.security.counted import files_with_findings
from drift.state import Snapshot

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.project import Project

_TREND_DAYS: Final = 365
_MOST_POINTS: Final = 50


@dataclass(frozen=True, slots=True)
class HealthPoint:
    """The health at a time."""

    at: str
    score: float


@dataclass(frozen=True, slots=True)
class HealthData:
    """The health of the product, its parts with what they were computed from, and how it was before, oldest first."""

    score: float | None
    measured: int
    parts: tuple[HealthPart, ...]
    trend: tuple[HealthPoint, ...]


def measure_project(
    project: "Project", reader: "IndexReader", now: datetime, *, check: Callable[[], None] = lambda: None
) -> ProjectHealth:
    """Measure the health now, also by what lies beside the code (rules, reports of coverage), and keep it."""
    check()
    given = [
        conventions_part(look(reader, project, now.astimezone(UTC).date())),
        security_part(reader, project),
    ]
    health = measure_health(reader, project.root, given=given, check=check)
    snapshot = Snapshot(now, git_head(project.root), git_branch(project.root), reader.generation())
    keep_health(project, health, snapshot)
    return health


def project_health(
    project: "Project", reader: "IndexReader", now: datetime, *, check: Callable[[], None] = lambda: None
) -> ProjectHealth:
    """The health of this state of the index: what was kept of it, else measured now."""
    kept = kept_health(project)
    if kept is not None and kept.generation == reader.generation():
        return kept.health
    return measure_project(project, reader, now, check=check)


def conventions_part(picture: Picture) -> HealthPart:
    """How many of the places that a convention speaks of follow it; what is excused is not counted."""
    followed = sum(each.followed for each in picture.mined.conventions)
    sites = followed + sum(len(picture.outliers(each)) for each in picture.mined.conventions)
    score = 100 * followed / sites if sites else None
    return health_part("conventions", score, {"sites": float(sites), "that_follow": float(followed)})


def security_part(reader: "IndexReader", project: "Project") -> HealthPart:
    """How many files of the product have neither a secret nor a weakness in how data flows."""
    files = choose_scope(reader, with_tests=False).paths
    bad = files_with_findings(reader, project) & files
    score = 100 * (1 - len(bad) / len(files)) if files else None
    return health_part("security", score, {"files": float(len(files)), "with_a_finding": float(len(bad))})


def health_data(project: "Project", health: ProjectHealth, now: datetime) -> HealthData:
    """The health as an answer tells it."""
    return HealthData(health.score, health.measured, health.parts, trend_of(project, now)[-_MOST_POINTS:])


def trend_of(project: "Project", now: datetime) -> tuple[HealthPoint, ...]:
    """How the health was at each time in a year that it was measured."""
    points = health_trend(project, since=now - timedelta(days=_TREND_DAYS))
    return tuple(HealthPoint(each.at.isoformat(timespec="seconds"), each.value) for each in points)


def health_summary(health: ProjectHealth) -> str:
    """A line on the health."""
    if health.score is None:
        return "Nothing of the project's health could be measured"
    weakest = min((one for one in health.parts if one.score is not None), key=lambda one: one.score or 0.0)
    told = f"health {health.score:g} of 100 from {health.measured} of {len(health.parts)} parts"
    return f"{told}; weakest is {weakest.part} with {weakest.score:g}"
