"""How conventions fare over time: what is kept of each day, and what got better or worse since a day."""

from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

from drift.conventions.picture import Picture
from drift.kernel.text import plural
from drift.project import Project
from drift.state import Measure, Snapshot, StateStore

Direction = Literal["regression", "improvement"]

ABOUT: Final = "convention"
PROJECT: Final = "conventions"
_KEPT_DAYS: Final = 90
_MOST_SNAPSHOTS: Final = 1_000
# By how much a measure must change to be told, and to be critical; of outliers more are worse.
_STEPS: Final[Mapping[str, tuple[float, float]]] = {
    "score": (0.05, 0.15),
    "compliance": (0.10, 0.20),
    "outliers": (3, 10),
}
_STEADY: Final = 0.02


@dataclass(frozen=True, slots=True)
class TrendRow:
    """A measure of a convention that changed."""

    id: str
    type: Direction
    severity: Literal["critical", "warning", "info"]
    measure: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class TrendsData:
    """What changed since a day; null days where nothing was kept before."""

    since: str | None
    regressions: int
    improvements: int
    stable: int
    direction: Literal["improving", "declining", "stable"] | None
    trends: tuple[TrendRow, ...]


def measures_of(picture: Picture) -> list[Measure]:
    """What is kept of a day."""
    kept: list[Measure] = []
    for each in picture.mined.conventions:
        outliers = len(picture.outliers(each))
        values = {
            "score": each.measures.score,
            "compliance": each.followed / (each.followed + outliers),
            "outliers": float(outliers),
            "sites": float(len(each.sites)),
        }
        kept += [Measure(ABOUT, each.id, name, round(value, 4)) for name, value in values.items()]
    scores = [each.measures.score for each in picture.mined.conventions]
    if scores:
        kept.append(Measure(PROJECT, "mean", "score", round(sum(scores) / len(scores), 4)))
    return kept


def keep_day(project: Project, picture: Picture, now: datetime) -> None:
    """Keep when conventions were seen, and what they come to: written once a day, and where one is new."""
    known = picture.sightings
    day = now.astimezone(UTC).date()
    ids = [each.id for each in picture.mined.conventions]
    if all(each in known and known[each].last.date() >= day for each in ids):
        return
    with closing(StateStore(project.stores.state_db)) as store:
        store.note_seen(ids, now)
        store.add_snapshot(Snapshot(now), measures_of(picture))
        store.thin_snapshots(before=now.astimezone(UTC) - timedelta(days=1))


def find_trends(project: Project, picture: Picture, *, days: int, now: datetime) -> TrendsData:
    """What changed between the present and the last day that was kept before a time, or the first there is."""
    start = now.astimezone(UTC) - timedelta(days=min(days, _KEPT_DAYS))
    with closing(StateStore(project.stores.state_db)) as store:
        snapshots = [each for each in store.snapshots(most=_MOST_SNAPSHOTS) if each.row.at < now]
        older = [each for each in snapshots if each.row.at <= start] or snapshots[-1:]
        found: dict[tuple[str, str], float] = {}
        for each in older:  # a snapshot may be of gates alone
            measured = [one for one in store.measures(each.number) if one.about in {ABOUT, PROJECT}]
            if measured:
                found = {(one.subject, one.measure): one.value for one in measured}
                break
    if not found:
        return TrendsData(None, 0, 0, 0, None, ())
    rows = tuple(_changes(found, measures_of(picture)))
    worse = [row for row in rows if row.type == "regression"]
    changed = {row.id for row in rows}
    stable = sum(1 for each in picture.mined.conventions if each.id not in changed)
    return TrendsData(
        older[0].row.at.date().isoformat(),
        len(worse),
        len(rows) - len(worse),
        stable,
        _direction(found, measures_of(picture)),
        tuple(
            sorted(
                rows,
                key=lambda row: (row.type != "regression", row.severity != "critical", row.id, row.measure),
            )
        ),
    )


def trends_summary(data: TrendsData) -> str:
    """A line on what changed."""
    if data.since is None:
        return "Nothing was kept of earlier days yet; the present is kept from now on"
    told = f"{plural(data.regressions, 'regression')}, {plural(data.improvements, 'improvement')}"
    return f"Since {data.since}: {told}, {data.stable} stable"


def _changes(before: Mapping[tuple[str, str], float], after: Iterable[Measure]) -> Iterable[TrendRow]:
    for each in after:
        earlier = before.get((each.subject, each.measure))
        if each.about != ABOUT or each.measure not in _STEPS or earlier is None:
            continue
        step, critical = _STEPS[each.measure]
        change = (each.value - earlier) * (-1 if each.measure == "outliers" else 1)
        if abs(change) < step:
            continue
        kind: Direction = "improvement" if change > 0 else "regression"
        severity: Literal["critical", "warning", "info"] = "info"
        if kind == "regression":
            severity = "critical" if -change >= critical else "warning"
        yield TrendRow(each.subject, kind, severity, each.measure, earlier, each.value)


def _direction(
    before: Mapping[tuple[str, str], float], after: Iterable[Measure]
) -> Literal["improving", "declining", "stable"] | None:
    earlier = before.get(("mean", "score"))
    later = next((each.value for each in after if each.about == PROJECT), None)
    if earlier is None or later is None:
        return None
    if abs(later - earlier) < _STEADY:
        return "stable"
    return "improving" if later > earlier else "declining"
