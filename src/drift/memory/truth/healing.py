"""What is done about a memory that was checked: citations put right, belief lowered, the hopeless archived."""

from typing import Any, Final, NamedTuple

from drift.memory.causes.belief import pass_on, shift
from drift.memory.records import EvidenceKind
from drift.memory.store import MemoryStore
from drift.memory.truth.conflicts import DOUBTED, flag
from drift.memory.truth.validation import Validated, Verdict

_EVEN: Final = 0.5


class Healed(NamedTuple):
    """What was done to one memory, in words; nothing where nothing had to be."""

    memory: str
    actions: tuple[str, ...]
    is_archived: bool = False


def heal(store: MemoryStore, checked: Validated, *, actor: str, now_ms: int) -> Healed:
    """Put right what can be; what was put right or flagged before is left alone. Every change is in the log."""
    changes: dict[str, Any] = {}
    actions: list[str] = []
    memory = checked.memory
    moved = {one.link: one.now for one in checked.citations if one.now is not None}
    if moved:
        changes["files"] = tuple(moved.get(link) or link for link in memory.files)
        actions += [f"{old.path} is now {new.path}:{new.start_line or 1}" for old, new in moved.items()]
    if checked.verdict is Verdict.ADJUST and checked.score < checked.confidence:
        changes["confidence"] = checked.score
        actions.append(f"confidence lowered to its score, {checked.score:.2f}")
    elif checked.is_proved and checked.verdict is Verdict.VALID:
        changes["last_validated_ms"] = now_ms
        actions.append("what it cites was found as it was; validated")
    elif changes:
        # A change restarts the fading; what is not proved goes on from what was left of it.
        changes["confidence"] = checked.confidence
    with store.transaction():
        if changes:
            store.update(memory.id, changes, actor=actor)
        actions += _settle(store, checked, actor=actor, now_ms=now_ms)
    return Healed(memory.id, tuple(actions))


def archive_invalid(
    store: MemoryStore, checked: Validated, *, least_confidence: float, actor: str
) -> Healed | None:
    """Archive a memory that does not hold any more; None if it does. It can be brought back."""
    if checked.is_expired:
        reason = checked.findings[1].evidence[0]
    elif checked.verdict is Verdict.ARCHIVE:
        reason = f"its validation scored {checked.score:.2f}"
    elif checked.confidence < least_confidence:
        reason = f"its confidence faded to {checked.confidence:.2f}, below {least_confidence:g}"
    else:
        return None
    store.archive([checked.memory.id], reason=reason, actor=actor)
    return Healed(checked.memory.id, (f"archived: {reason}",), is_archived=True)


def _settle(store: MemoryStore, checked: Validated, *, actor: str, now_ms: int) -> list[str]:
    """Flag what contradicts it and, once, believe the weaker side less. Where the sides are even, nobody is."""
    actions = []
    for one in checked.contradictions:
        share = one.share_of(checked.memory.id)
        if not flag(store, one, kind=EvidenceKind.SEMANTIC, actor=actor):
            continue
        other = one.b.id if checked.memory.id == one.a.id else one.a.id
        actions.append(f"flagged: it contradicts {other}")
        weaker = None if share == _EVEN else checked.memory.id if share < _EVEN else other
        if weaker is not None:
            by = DOUBTED[one.kind]
            shift(store, store.get(weaker), by, actor=actor, now_ms=now_ms)
            pass_on(store, weaker, by, actor=actor, now_ms=now_ms)
            actions.append(f"confidence of {weaker} lowered by {-by:g}: fewer memories agree with it")
    return actions
