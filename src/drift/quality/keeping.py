"""What is kept of quality over time, in state.db: the project's health, and runs of gates."""

from contextlib import closing
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from drift.quality.health import PARTS, HealthPart, ProjectHealth, health_of, health_part
from drift.state import HEALTH, SCORE, WHOLE, Measure, Numbered, Point, Run, Snapshot, StateStore

if TYPE_CHECKING:
    from drift.project import Project


class KeptHealth(NamedTuple):
    """What was measured, and of which state of the index."""

    health: ProjectHealth
    generation: int | None


def keep_health(project: "Project", health: ProjectHealth, snapshot: Snapshot) -> None:
    """Keep the health of a state of the index, unless it is what was kept last."""
    if health.score is None or kept_health(project) == (health, snapshot.generation):
        return
    measures = [Measure(HEALTH, WHOLE, SCORE, health.score)]
    for part in health.parts:
        if part.score is not None:
            values = {SCORE: part.score, **part.inputs}
            measures += [Measure(HEALTH, part.part, name, value) for name, value in values.items()]
    with closing(StateStore(project.stores.state_db)) as store:
        store.add_snapshot(snapshot, measures)


def kept_health(project: "Project") -> KeptHealth | None:
    """The health that was measured last; None where none was."""
    with closing(StateStore(project.stores.state_db)) as store:
        last = store.last_measured(about=HEALTH, subject=WHOLE, measure=SCORE)
        measured = store.measures(last.number) if last else []
    return KeptHealth(health_of(_parts(measured)), last.row.generation) if last else None


def health_trend(project: "Project", *, since: datetime) -> list[Point]:
    """The health over time, oldest first."""
    with closing(StateStore(project.stores.state_db)) as store:
        return store.trend(about=HEALTH, subject=WHOLE, measure=SCORE, since=since)


def keep_run(project: "Project", run: Run) -> int:
    """Keep how a run of gates came out; its number."""
    with closing(StateStore(project.stores.state_db)) as store:
        return store.add_run(run)


def kept_runs(project: "Project", *, policy: str | None = None, most: int = 20) -> list[Numbered[Run]]:
    """Runs of gates, newest first."""
    with closing(StateStore(project.stores.state_db)) as store:
        return store.runs(policy, most=most)


def _parts(measured: list[Measure]) -> list[HealthPart]:
    values: dict[str, dict[str, float]] = {}
    for one in measured:
        if one.about == HEALTH:
            values.setdefault(one.subject, {})[one.measure] = one.value
    return [
        health_part(name, found.pop(SCORE, None), found) for name, found in values.items() if name in PARTS
    ]
