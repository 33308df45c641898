"""What a verdict on a memory does to it, and to the memories that rest on it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple

from drift.memory.causes.belief import Change, pass_on, shift
from drift.memory.links import CausalRow
from drift.memory.records import CausalEdge, Draft, Evidence, EvidenceKind, Memory, Relation
from drift.memory.saving import clean_draft, retitle, save
from drift.memory.store import MemoryStore


@dataclass(frozen=True, slots=True)
class ConfidenceRow:
    """A memory's confidence before and after, `depth` steps from the one that was judged."""

    id: str
    before: float
    after: float
    depth: int
    archived: bool


@dataclass(frozen=True, slots=True)
class FeedbackData:
    """What a verdict did. `effects` are on memories it supports or that were derived from it; `note` keeps the reason."""

    id: str
    action: str
    previous_confidence: float
    new_confidence: float
    archived: bool
    effects: tuple[ConfidenceRow, ...]
    note: str | None = None
    causal_links: tuple[CausalRow, ...] | None = None


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
        own = shift(store, memory, _EFFECTS[verdict], actor=actor, now_ms=now_ms, changes=changes)
        effects = pass_on(store, memory_id, _EFFECTS[verdict], actor=actor, now_ms=now_ms)
        note = _keep_reason(store, memory, verdict, reasons.details, actor=actor)
        edges = _edges(memory_id, reasons)
        store.edges.put(edges, actor=actor)
    return Judged(own, effects, note, edges)


def confirm(store: MemoryStore, memory_id: str, *, actor: str, now_ms: int) -> Change:
    """Make a memory surer, as one more witness does, without touching others."""
    return shift(store, store.get(memory_id), _EFFECTS[Verdict.CONFIRM], actor=actor, now_ms=now_ms)


def _clean(memory: Memory, changes: Mapping[str, Any]) -> dict[str, Any]:
    """The changes without secrets, as everything that comes in."""
    if not changes:
        return {}
    draft = Draft(type=memory.type, title=changes.get("title", ""), text=changes.get("text", ""))
    clean, _findings = clean_draft(draft)
    return retitle(memory, {name: getattr(clean, name) for name in changes})


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
    note = save(store, draft, actor=actor).memory
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


def confidence_row(change: Change) -> ConfidenceRow:
    return ConfidenceRow(
        change.memory, round(change.before, 3), round(change.after, 3), change.depth, change.is_archived
    )
