"""How well a store of memories is: a score of 100 less named penalties, each computed from the store."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Final, NamedTuple

from drift.memory.decay import current_confidence, is_spent
from drift.memory.records import Memory
from drift.memory.store import MemoryStore
from drift.memory.truth.consolidation import EPISODIC, is_ripe
from drift.memory.truth.contradictions import find_contradictions
from drift.memory.types import memory_types


@dataclass(frozen=True, slots=True)
class PenaltyRow:
    """What takes points off, of how many at most, and the first of the memories it is about."""

    name: str
    points: float
    most: int
    message: str
    fix: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TrendData:
    """The last week beside the one before, from the log. Scores leave files out; null with a reason if not known."""

    changes: Mapping[str, int]
    changes_before: Mapping[str, int]
    score: int | None = None
    score_before: int | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class HealthData:
    """100 less the penalties, of the store that `scope` names; null where there is nothing to judge."""

    scope: str
    score: int | None
    memories: int = 0
    average_confidence: float | None = None
    issues: tuple[PenaltyRow, ...] = ()
    trend: TrendData | None = None


WEEK_MS: Final = 7 * 86_400_000
_DAY_MS: Final = 86_400_000
_LOW_CONFIDENCE: Final = 0.5
_DENSE: Final = 0.05  # contradictions for each memory, from which on it cannot get worse
_MANY_RIPE: Final = 100  # episodes to be consolidated, likewise
_ACTIONS: Final = (
    "SELECT action, count(*) FROM log WHERE at_ms >= ? AND at_ms < ? GROUP BY action ORDER BY action"
)


class Penalty(NamedTuple):
    """What takes points off: how many of how many at most, the share it comes from, and which memories."""

    name: str
    points: float
    most: int
    affected: tuple[str, ...]
    message: str


class Health(NamedTuple):
    """The score, what it is made of, and of how many memories. The score is None where there are none."""

    score: int | None
    memories: int
    average_confidence: float | None
    penalties: tuple[Penalty, ...]


class Activity(NamedTuple):
    """How many changes of each kind there were in a period."""

    from_ms: int
    until_ms: int
    actions: dict[str, int]


def assess_health(
    memories: Iterable[Memory], *, now_ms: int, missing: frozenset[str] | None = None
) -> Health:
    """The health of the current memories. `missing` are those that cite a file which is gone; None: not looked at."""
    current = [one for one in memories if one.is_current]
    if not current:
        return Health(None, 0, None, ())
    left = {one.id: current_confidence(one, now_ms=now_ms) for one in current}
    penalties = (
        _fading(current, now_ms),
        _low_confidence(left),
        _contradicting(current, now_ms),
        *(() if missing is None else (_citing_missing(current, missing),)),
        _unproved(current, now_ms),
        _unlinked(current),
        _unconsolidated(current, now_ms),
    )
    score = max(0, round(100 - sum(one.points for one in penalties)))
    return Health(
        score, len(current), fmean(left.values()), tuple(one for one in penalties if one.points > 0)
    )


def read_activity(store: MemoryStore, *, from_ms: int, until_ms: int) -> Activity:
    """The changes the log tells of in a period."""
    with store.reading() as connection:
        return Activity(from_ms, until_ms, dict(connection.execute(_ACTIONS, (from_ms, until_ms)).fetchall()))


def health_at(store: MemoryStore, at_ms: int) -> Health:
    """The health at an earlier time, from the log, without what only the files of that time could tell.

    The log does not keep when memories were used, so what was only used and not changed counts as older than it was.
    """
    return assess_health(store.history.memories_at(at_ms), now_ms=at_ms)


def _fading(current: list[Memory], now_ms: int) -> Penalty:
    spent = tuple(one.id for one in current if is_spent(one, now_ms=now_ms))
    share = len(spent) / len(current)
    return Penalty("spent", 20 * share, 20, spent, f"{len(spent)} have faded below what their type keeps")


def _low_confidence(left: dict[str, float]) -> Penalty:
    average = fmean(left.values())
    low = tuple(memory_id for memory_id, one in left.items() if one < _LOW_CONFIDENCE)
    points = 15 * max(0.0, _LOW_CONFIDENCE - average) / _LOW_CONFIDENCE
    return Penalty("low_confidence", points, 15, low, f"the average confidence left is {average:.2f}")


def _contradicting(current: list[Memory], now_ms: int) -> Penalty:
    found = find_contradictions(current, now_ms=now_ms)
    ids = tuple(dict.fromkeys(each for one in found for each in (one.a.id, one.b.id)))
    points = 20 * min(1.0, len(found) / len(current) / _DENSE)
    return Penalty("contradictions", points, 20, ids, f"{len(found)} pairs cannot both hold")


def _citing_missing(current: list[Memory], missing: frozenset[str]) -> Penalty:
    citing = sum(bool(one.files) for one in current)
    share = len(missing) / citing if citing else 0.0
    message = f"{len(missing)} of {citing} that cite files cite one that is gone"
    return Penalty("missing_citations", 20 * share, 20, tuple(sorted(missing)), message)


def _unproved(current: list[Memory], now_ms: int) -> Penalty:
    """Those older than their half-life that were never validated."""
    old = tuple(
        one.id
        for one in current
        if one.last_validated_ms is None
        and (days := memory_types()[one.type].half_life_days) is not None
        and now_ms - one.recorded_at_ms > days * _DAY_MS
    )
    share = len(old) / len(current)
    return Penalty("never_validated", 10 * share, 10, old, f"{len(old)} outlived their half-life unvalidated")


def _unlinked(current: list[Memory]) -> Penalty:
    alone = tuple(
        one.id
        for one in current
        if not (one.files or one.functions or one.patterns or one.constraints or one.tags)
    )
    share = len(alone) / len(current)
    return Penalty("orphaned", 10 * share, 10, alone, f"{len(alone)} have no link and no tag")


def _unconsolidated(current: list[Memory], now_ms: int) -> Penalty:
    ripe = tuple(one.id for one in current if one.type == EPISODIC and is_ripe(one, now_ms=now_ms))
    points = 5 * min(1.0, len(ripe) / _MANY_RIPE)
    return Penalty("unconsolidated", points, 5, ripe, f"{len(ripe)} episodes are older than a week")
