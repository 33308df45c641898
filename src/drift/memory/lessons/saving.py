"""Keeps what a correction taught: as a new memory, or as one more witness of a rule that is there."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from drift.kernel.redaction import Finding, redact
from drift.memory.causes.belief import Change
from drift.memory.causes.feedback import confirm
from drift.memory.causes.named_things import find_titled
from drift.memory.checks import checked
from drift.memory.details import MemoryRow
from drift.memory.lessons.learning import Calibration, Correction, Lesson, calibrate, draft_lesson, learn
from drift.memory.links import CausalRow
from drift.memory.records import CausalEdge, Draft, Evidence, EvidenceKind, Memory, Relation
from drift.memory.saving import NEARLY_SAME, Likeness, clean_draft, find_alike, save
from drift.memory.search import WordCounts
from drift.memory.store import MemoryStore

_MOST_NAMED = 10


@dataclass(frozen=True, slots=True)
class PrincipleRow:
    """The rule in a correction; `foundBy` names how it was read."""

    statement: str
    found_by: str
    use: str | None = None
    avoid: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """What the correction changed in the code."""

    removed_lines: int
    added_lines: int
    removed_names: tuple[str, ...]
    added_names: tuple[str, ...]
    shows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CalibrationRow:
    """The confidence and the shares, 0 to 1, it is reckoned from."""

    confidence: float
    evidence: float
    usage: float
    temporal: float
    validation: float


_ASKED: Final = 1.0


class Learned(NamedTuple):
    """What became of a correction. `merged` is how the confidence of a memory that was there changed."""

    memory: Memory
    is_new: bool
    merged: Change | None
    lesson: Lesson
    calibration: Calibration
    alike: tuple[Likeness, ...]
    redacted: tuple[Finding, ...]


def save_lesson(
    store: MemoryStore, correction: Correction, *, actor: str, now_ms: int, counts: WordCounts | None = None
) -> Learned:
    """Learn from a correction and keep it. The same rule again makes the memory of it surer, not a second one."""
    correction, findings = _clean(correction)
    lesson = learn(correction)
    draft = checked(clean_draft(draft_lesson(lesson, correction, confidence=0.5))[0])
    alike = _find_alike(store, draft, counts=counts)
    times = [one.memory.recorded_at_ms for one in alike]
    calibration = calibrate(lesson, correction, alike_at_ms=times, now_ms=now_ms)
    same = next(
        (one.memory for one in alike if one.share >= NEARLY_SAME and one.memory.type == draft.type), None
    )
    if same is not None:
        with store.transaction():
            merged = confirm(store, same.id, actor=actor, now_ms=now_ms)
            memory = store.link(same.id, files=draft.files, tags=draft.tags, actor=actor)
        return Learned(
            memory,
            is_new=False,
            merged=merged,
            lesson=lesson,
            calibration=calibration,
            alike=alike,
            redacted=findings,
        )
    final = draft_lesson(lesson, correction, confidence=calibration.confidence)
    kept = save(store, final, actor=actor, counts=counts)
    return Learned(kept.memory, kept.is_new, None, lesson, calibration, alike, (*findings, *kept.redacted))


def link_related(
    store: MemoryStore, memory: Memory, related: tuple[str, ...], *, actor: str
) -> tuple[CausalEdge, ...]:
    """Edges from a lesson to the memories its teller named as related."""
    evidence = (Evidence(EvidenceKind.USER_CONFIRMED, "named as related when the correction was given"),)
    edges = tuple(
        CausalEdge(memory.id, other, Relation.DERIVED_FROM, _ASKED, evidence)
        for other in dict.fromkeys(related)
        if other != memory.id
    )
    store.edges.put(edges, actor=actor)
    return edges


def _clean(correction: Correction) -> tuple[Correction, tuple[Finding, ...]]:
    """The correction without secrets: before rules and examples are cut out of it, which could halve one."""
    given = (correction.original, correction.feedback, correction.corrected or "")
    original, feedback, corrected = (redact(one) for one in given)
    clean = correction._replace(
        original=original.text,
        feedback=feedback.text,
        corrected=None if correction.corrected is None else corrected.text,
    )
    return clean, (*original.findings, *feedback.findings, *corrected.findings)


def _find_alike(store: MemoryStore, draft: Draft, *, counts: WordCounts | None) -> tuple[Likeness, ...]:
    if not store.is_present:
        return ()
    with store.reading() as connection:
        found = {one.memory.id: one for one in find_alike(connection, draft, counts=counts or WordCounts())}
        # The same rule from other code has other examples, hence other words; its title is the rule.
        for memory in find_titled(connection, draft.title):
            if memory.is_current:
                found[memory.id] = Likeness(memory, 1.0)
    return tuple(sorted(found.values(), key=lambda one: -one.share))


def principle_row(learned: Learned) -> PrincipleRow | None:
    found = learned.lesson.principle
    if found is None:
        return None
    return PrincipleRow(found.statement, found.found_by, found.use, found.avoid, found.reason)


def change_row(learned: Learned) -> ChangeRow | None:
    found = learned.lesson.change
    if found is None:
        return None
    return ChangeRow(
        found.removed_lines,
        found.added_lines,
        found.removed_names[:_MOST_NAMED],
        found.added_names[:_MOST_NAMED],
        found.signals,
    )


@dataclass(frozen=True, slots=True)
class LearnedData:
    """What was learned. `created` is false where a memory of the rule was there and is surer now."""

    id: str
    created: bool
    type: str
    category: str
    category_reasons: tuple[str, ...]
    calibration: CalibrationRow
    memory: MemoryRow
    category_share: float | None = None
    principle: PrincipleRow | None = None
    change: ChangeRow | None = None
    causal_links: tuple[CausalRow, ...] | None = None
    alike: tuple[MemoryRow, ...] | None = None
    redacted: tuple[str, ...] | None = None
