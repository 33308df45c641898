"""What a verdict on a memory does to it, and to the memories that rest on it."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple

from drift.memory.decay import current_confidence
from drift.memory.edges import Direction
from drift.memory.keeping import clean_draft, keep
from drift.memory.records import CausalEdge, Draft, Evidence, EvidenceKind, Memory, Relation
from drift.memory.store import MemoryStore
from drift.memory.types import memory_type

MAX_DEPTH: Final = 5
_PASSED_ON: Final = 0.5  # what rests on a memory feels half of what it feels
_MOST_TOUCHED: Final = 200


class Verdict(StrEnum):
    """What somebody says of a memory."""

    CONFIRM = "confirm"
    REJECT = "reject"
    MODIFY = "modify"


_EFFECTS: Final = {Verdict.CONFIRM: 0.1, Verdict.REJECT: -0.3, Verdict.MODIFY: -0.1}
_RELATIONS: Final = {
    Verdict.CONFIRM: Relation.SUPPORTS,
    Verdict.REJECT: Relation.CONTRADICTS,
    Verdict.MODIFY: Relation.CONTRADICTS,
}


class Change(NamedTuple):
    """How far a memory is believed, before and after; `depth` steps from the one that was judged."""

    memory: str
    before: float
    after: float
    depth: int
    is_archived: bool


class Judged(NamedTuple):
    """What a verdict did: to the memory itself, to those that rest on it, and the note that keeps its reason."""

    change: Change
    effects: tuple[Change, ...]
    note: Memory | None
    edges: tuple[CausalEdge, ...]


class Reasons(NamedTuple):
    """What is said with a verdict: the reason, the fields to change, and memories it bears on."""

    details: str = ""
    changes: Mapping[str, Any] | None = None
    confirms: tuple[str, ...] = ()
    contradicts: tuple[str, ...] = ()


def judge(
    store: MemoryStore, memory_id: str, verdict: Verdict, *, reasons: Reasons, actor: str, now_ms: int
) -> Judged:
    """Let a verdict take effect, all of it or nothing; every change is in the log."""
    with store.transaction():
        memory = store.get(memory_id)
        changes = _clean(memory, reasons.changes or {})
        own = _shift(store, memory, _EFFECTS[verdict], depth=0, actor=actor, now_ms=now_ms, changes=changes)
        effects = _pass_on(store, memory_id, _EFFECTS[verdict], actor=actor, now_ms=now_ms)
        note = _keep_reason(store, memory, verdict, reasons.details, actor=actor)
        edges = _edges(memory_id, reasons)
        store.edges.put(edges, actor=actor)
    return Judged(own, effects, note, edges)


def confirm(store: MemoryStore, memory_id: str, *, actor: str, now_ms: int) -> Change:
    """Make a memory surer, as one more witness does, without touching others."""
    return _shift(
        store,
        store.get(memory_id),
        _EFFECTS[Verdict.CONFIRM],
        depth=0,
        actor=actor,
        now_ms=now_ms,
        changes={},
    )


def _shift(
    store: MemoryStore,
    memory: Memory,
    by: float,
    *,
    depth: int,
    actor: str,
    now_ms: int,
    changes: Mapping[str, Any],
) -> Change:
    before = current_confidence(memory, now_ms=now_ms)
    # A change restarts the fading. What is confirmed is as good as new; what is doubted must not be, so it goes
    # on from what was left of it.
    start = memory.confidence if by > 0 else before
    after = min(1.0, max(0.0, start + by))
    validated = {"last_validated_ms": now_ms} if by > 0 else {}
    store.update(memory.id, {**changes, "confidence": after, **validated}, actor=actor)
    least = memory_type(memory.type).least_confidence
    is_spent = by < 0 and after < least and not memory.archived
    if is_spent:
        reason = f"confidence fell to {after:.2f}, below {least} for {memory.type}"
        store.archive([memory.id], reason=reason, actor=actor)
    return Change(memory.id, before, after, depth, is_spent)


def _pass_on(store: MemoryStore, start: str, by: float, *, actor: str, now_ms: int) -> tuple[Change, ...]:
    """Shift what was derived from a memory or is supported by it, half as much at each step."""
    seen = {start}
    level = [start]
    found: list[Change] = []
    for depth in range(1, MAX_DEPTH + 1):
        by *= _PASSED_ON
        resting = [one for one in _resting_on(store, level) if one not in seen]
        level = list(dict.fromkeys(resting))[: _MOST_TOUCHED - len(found)]
        seen.update(level)
        found += [
            _shift(store, memory, by, depth=depth, actor=actor, now_ms=now_ms, changes={})
            for memory in store.get_many(level).values()
            if not memory.is_purged
        ]
        if not level:
            break
    return tuple(found)


def _resting_on(store: MemoryStore, ids: list[str]) -> list[str]:
    derived = (
        edge.source for edge in store.edges.of(ids, Direction.IN) if edge.relation is Relation.DERIVED_FROM
    )
    supported = (
        edge.target for edge in store.edges.of(ids, Direction.OUT) if edge.relation is Relation.SUPPORTS
    )
    return sorted({*derived, *supported})


def _clean(memory: Memory, changes: Mapping[str, Any]) -> dict[str, Any]:
    """The changes without secrets, as everything that comes in."""
    if not changes:
        return {}
    draft = Draft(type=memory.type, title=changes.get("title", ""), text=changes.get("text", ""))
    clean, _findings = clean_draft(draft)
    return {name: getattr(clean, name) for name in changes}


def _keep_reason(
    store: MemoryStore, memory: Memory, verdict: Verdict, details: str, *, actor: str
) -> Memory | None:
    if not details.strip():
        return None
    draft = Draft(
        type="feedback",
        text=details,
        content={"extractedRule": f"{verdict}: {memory.title}"[:500], "feedbackType": "other"},
        tags=("verdict", str(verdict)),
        files=memory.files,
    )
    note = keep(store, draft, actor=actor).memory
    if note.id != memory.id:
        evidence = (
            Evidence(EvidenceKind.USER_CONFIRMED, f"given with the verdict {verdict}", 1.0, memory.id),
        )
        store.edges.put([CausalEdge(note.id, memory.id, _RELATIONS[verdict], 1.0, evidence)], actor=actor)
    return note


def _edges(memory_id: str, reasons: Reasons) -> tuple[CausalEdge, ...]:
    evidence = (Evidence(EvidenceKind.USER_CONFIRMED, "said with a verdict"),)
    pairs = [(Relation.SUPPORTS, other) for other in reasons.confirms]
    pairs += [(Relation.CONTRADICTS, other) for other in reasons.contradicts]
    return tuple(
        CausalEdge(memory_id, other, relation, 1.0, evidence)
        for relation, other in dict.fromkeys(pairs)
        if other != memory_id
    )
