"""How a contradiction is settled: what becomes of the two memories and of those that rest on them."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final, NamedTuple

from drift.memory.causes.belief import Change, pass_on, shift
from drift.memory.decay import current_confidence
from drift.memory.records import CausalEdge, Draft, Evidence, EvidenceKind, Memory, Relation
from drift.memory.saving import save
from drift.memory.storage.edges import Direction
from drift.memory.store import MemoryStore
from drift.memory.truth.contradictions import CONSENSUS, Contradiction, ContradictionKind, ContradictionRow


@dataclass(frozen=True, slots=True)
class ConfidenceRow:
    """How far a memory is believed, before and after; `depth` steps from the contradiction."""

    id: str
    before: float
    after: float
    depth: int


@dataclass(frozen=True, slots=True)
class ResolvedData:
    """What was done about a contradiction; `reason` where it is less than was asked."""

    done: str
    changes: tuple[ConfidenceRow, ...]
    reason: str | None = None
    merged_into: str | None = None


@dataclass(frozen=True, slots=True)
class ContradictionsData:
    """The contradictions, latest first, and what became of the one that was to be resolved."""

    contradictions: tuple[ContradictionRow, ...]
    total: int
    compared: int
    resolved: ResolvedData | None = None


SUPERSEDED: Final = -0.5
CONFIRMED: Final = 0.1
AGREED: Final = 0.2  # confirmed, and by many
DOUBTED: Final = {ContradictionKind.DIRECT: -0.3, ContradictionKind.PARTIAL: -0.15}
_MOST_QUOTED: Final = 300


class Resolution(StrEnum):
    """What to do about two memories of which only one can hold; `a` is the one recorded first."""

    KEEP_A = "keep_a"
    KEEP_B = "keep_b"
    MERGE = "merge"
    ARCHIVE_BOTH = "archive_both"
    FLAG = "flag"


class Resolved(NamedTuple):
    """What was done. It is a flag where consensus stood against what was asked, and `reason` says so."""

    done: Resolution
    reason: str | None
    changes: tuple[Change, ...]
    merged: Memory | None


def resolve(
    store: MemoryStore, found: Contradiction, resolution: Resolution, *, actor: str, now_ms: int
) -> Resolved:
    """Settle a contradiction, wholly or not at all. Nothing is deleted, and every change is in the log."""
    with store.transaction():
        if resolution in {Resolution.KEEP_A, Resolution.KEEP_B}:
            return _keep_one(store, found, resolution, actor=actor, now_ms=now_ms)
        if resolution is Resolution.MERGE:
            merged = _merge(store, found, actor=actor, now_ms=now_ms)
            return Resolved(resolution, None, (), merged)
        flag(store, found, kind=EvidenceKind.USER_CONFIRMED, actor=actor)
        if resolution is Resolution.ARCHIVE_BOTH:
            for one, other in ((found.a, found.b), (found.b, found.a)):
                store.archive([one.id], reason=f"contradicts {other.id}: {found.reason}", actor=actor)
        return Resolved(resolution, None, (), None)


def flag(store: MemoryStore, found: Contradiction, *, kind: EvidenceKind, actor: str) -> bool:
    """Keep the contradiction as an edge from the later memory to the earlier; whether it was not there yet."""
    known = store.edges.of([found.b.id], Direction.OUT)
    if any(edge.target == found.a.id and edge.relation is Relation.CONTRADICTS for edge in known):
        return False
    said = f"{found.claim_b.sentence[:_MOST_QUOTED]} / {found.claim_a.sentence[:_MOST_QUOTED]}"
    inferred = kind is not EvidenceKind.USER_CONFIRMED
    evidence = (Evidence(kind, f"{found.reason}: {said}"),)
    edge = CausalEdge(found.b.id, found.a.id, Relation.CONTRADICTS, 1.0, evidence, inferred)
    return store.edges.put([edge], actor=actor) > 0


def _keep_one(
    store: MemoryStore, found: Contradiction, resolution: Resolution, *, actor: str, now_ms: int
) -> Resolved:
    sides = [(found.a, found.supporters_a), (found.b, found.supporters_b)]
    (winner, backing), (loser, against) = sides if resolution is Resolution.KEEP_A else sides[::-1]
    flag(store, found, kind=EvidenceKind.USER_CONFIRMED, actor=actor)
    if against >= CONSENSUS > backing:
        reason = (
            f"{against} memories agree with {loser.id} and {backing} with {winner.id}, so it is only flagged"
        )
        return Resolved(Resolution.FLAG, reason, (), None)
    store.supersede(loser.id, winner.id, actor=actor)
    evidence = (Evidence(EvidenceKind.USER_CONFIRMED, f"chosen where {found.reason}"),)
    store.edges.put([CausalEdge(winner.id, loser.id, Relation.SUPERSEDES, 1.0, evidence)], actor=actor)
    agreed = AGREED if backing >= CONSENSUS else CONFIRMED
    raised = shift(store, winner, agreed, actor=actor, now_ms=now_ms)
    lowered = shift(store, loser, SUPERSEDED, actor=actor, now_ms=now_ms)
    passed_on = pass_on(store, loser.id, SUPERSEDED, actor=actor, now_ms=now_ms)
    return Resolved(resolution, None, (raised, lowered, *passed_on), None)


def _merge(store: MemoryStore, found: Contradiction, *, actor: str, now_ms: int) -> Memory:
    """One memory that says both, each with its date: which of them holds is for a reader to see."""
    older, newer = found.a, found.b
    content = {**older.content, **newer.content} if older.type == newer.type else dict(newer.content)
    draft = Draft(
        type=newer.type,
        title=newer.title,
        text="\n".join(
            f"As of {_day(one.recorded_at_ms)}: {one.text or one.title}" for one in (older, newer)
        ),
        content=content,
        confidence=min(current_confidence(one, now_ms=now_ms) for one in (older, newer)),
        importance=newer.importance,
        tags=(*older.tags, *newer.tags),
        files=(*older.files, *newer.files),
        functions=(*older.functions, *newer.functions),
        patterns=(*older.patterns, *newer.patterns),
        constraints=(*older.constraints, *newer.constraints),
        kind=newer.kind,
    )
    merged = save(store, draft, actor=actor).memory
    evidence = (Evidence(EvidenceKind.USER_CONFIRMED, f"merged where {found.reason}"),)
    edges = [CausalEdge(merged.id, one.id, Relation.DERIVED_FROM, 1.0, evidence) for one in (older, newer)]
    store.edges.put(edges, actor=actor)
    store.archive([older.id, newer.id], reason=f"merged into {merged.id}", actor=actor)
    return merged


def _day(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).date().isoformat()
