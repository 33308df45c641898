"""How far a memory is believed, changed by what speaks for or against it, and with it what rests on it."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from drift.memory.decay import current_confidence
from drift.memory.records import Memory, Relation
from drift.memory.storage.edges import Direction
from drift.memory.store import MemoryStore
from drift.memory.types import memory_type

MAX_DEPTH: Final = 5
_PASSED_ON: Final = 0.5  # what rests on a memory feels half of what it feels
_MOST_TOUCHED: Final = 200


class Change(NamedTuple):
    """How far a memory is believed, before and after; `depth` steps from the one in question."""

    memory: str
    before: float
    after: float
    depth: int
    is_archived: bool


def shift(
    store: MemoryStore,
    memory: Memory,
    by: float,
    *,
    actor: str,
    now_ms: int,
    depth: int = 0,
    changes: Mapping[str, Any] | None = None,
) -> Change:
    """Change a memory's confidence, with other fields; one that falls below its type's least is archived."""
    before = current_confidence(memory, now_ms=now_ms)
    # A change restarts the fading. What is confirmed is as good as new; what is doubted must not be, so it goes
    # on from what was left of it.
    start = memory.confidence if by > 0 else before
    after = min(1.0, max(0.0, start + by))
    validated = {"last_validated_ms": now_ms} if by > 0 else {}
    store.update(memory.id, {**(changes or {}), "confidence": after, **validated}, actor=actor)
    least = memory_type(memory.type).least_confidence
    is_spent = by < 0 and after < least and not memory.archived
    if is_spent:
        reason = f"confidence fell to {after:.2f}, below {least} for {memory.type}"
        store.archive([memory.id], reason=reason, actor=actor)
    return Change(memory.id, before, after, depth, is_spent)


def pass_on(store: MemoryStore, start: str, by: float, *, actor: str, now_ms: int) -> tuple[Change, ...]:
    """Shift what was derived from a memory or is supported by it, half as much at each step."""
    seen, level = {start}, [start]
    found: list[Change] = []
    for depth in range(1, MAX_DEPTH + 1):
        by *= _PASSED_ON
        level = [one for one in _resting_on(store, level) if one not in seen][: _MOST_TOUCHED - len(found)]
        if not level:
            break
        seen.update(level)
        found += [
            shift(store, memory, by, depth=depth, actor=actor, now_ms=now_ms)
            for memory in store.get_many(level).values()
            if memory.is_current
        ]
    return tuple(found)


def _resting_on(store: MemoryStore, ids: list[str]) -> list[str]:
    derived = (
        edge.source for edge in store.edges.of(ids, Direction.IN) if edge.relation is Relation.DERIVED_FROM
    )
    supported = (
        edge.target for edge in store.edges.of(ids, Direction.OUT) if edge.relation is Relation.SUPPORTS
    )
    return sorted({*derived, *supported})
