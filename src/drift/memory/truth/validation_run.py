"""A validation of many memories: which, checked against what, and what is done about each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from drift.kernel.text import shorten
from drift.memory.decay import current_confidence
from drift.memory.records import Importance, Memory
from drift.memory.store import MemoryStore
from drift.memory.truth.citation_checks import Renames
from drift.memory.truth.contradictions import find_contradictions
from drift.memory.truth.healing import Healed, archive_invalid, heal
from drift.memory.truth.validation import LinkLookup, Surroundings, Validated, Verdict, by_memory, validate

_MOST_EVIDENCE = 4


_EVIDENCE_CHARS = 160


_TITLE_CHARS = 70


@dataclass(frozen=True, slots=True)
class ValidationRow:
    """A memory that is not wholly sound, or to which something was done.

    `score` is the mean of what could be checked, `confidence` what is left of it today.
    """

    id: str
    type: str
    title: str
    verdict: str
    score: float
    confidence: float
    evidence: tuple[str, ...]
    actions: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class ValidateData:
    """How many memories have which verdict, and those that are not sound.

    `stale` are half faded or more, `removed` archived; contradictions were looked for among `compared`.
    """

    examined: int = 0
    valid: int = 0
    flagged: int = 0
    adjust: int = 0
    review: int = 0
    archive: int = 0
    stale: int = 0
    healed: int = 0
    removed: int = 0
    compared: int = 0
    rows: tuple[ValidationRow, ...] = ()


_RECENT_MS: Final = 7 * 86_400_000
_HALF_LEFT: Final = 0.5


class Scope(StrEnum):
    """Which memories: all; those half faded; those of the last week; those said to matter."""

    ALL = "all"
    STALE = "stale"
    RECENT = "recent"
    HIGH_IMPORTANCE = "high_importance"


class Treatment(NamedTuple):
    """What is to be done about what is found, and by whom."""

    actor: str
    auto_heal: bool = False
    remove_invalid: bool = False
    least_confidence: float = 0.0


class Examined(NamedTuple):
    """A memory, what was found of it and what was done."""

    checked: Validated
    done: Healed | None
    is_stale: bool

    @property
    def is_remarkable(self) -> bool:
        """Whether there is anything to tell."""
        is_moved = any(one.now is not None for one in self.checked.citations)
        return self.checked.verdict is not Verdict.VALID or is_moved or bool(self.done and self.done.actions)


def is_in_scope(memory: Memory, scope: Scope, *, now_ms: int) -> bool:
    if scope is Scope.STALE:
        return is_stale(memory, now_ms=now_ms)
    if scope is Scope.RECENT:
        return now_ms - memory.recorded_at_ms <= _RECENT_MS
    return scope is Scope.ALL or memory.importance in {Importance.HIGH, Importance.CRITICAL}


def is_stale(memory: Memory, *, now_ms: int) -> bool:
    """Whether half of its confidence has faded, or more."""
    return current_confidence(memory, now_ms=now_ms) <= memory.confidence * _HALF_LEFT


def examine(
    store: MemoryStore,
    wanted: Sequence[Memory],
    *,
    among: Sequence[Memory],
    root: Path,
    look_up: LinkLookup,
    treatment: Treatment,
    now_ms: int,
) -> Iterator[Examined]:
    """Each of the memories, checked and treated as it comes. Contradictions are looked for `among` others."""
    about = frozenset(one.id for one in wanted)
    opposed = by_memory(find_contradictions(among, now_ms=now_ms, about=about))
    against = Surroundings(root, Renames(root), opposed, look_up, now_ms)
    for memory in wanted:
        checked = validate(memory, against)
        done = _treat(store, checked, treatment, now_ms)
        yield Examined(checked, done, is_stale(memory, now_ms=now_ms))


def _treat(store: MemoryStore, checked: Validated, treatment: Treatment, now_ms: int) -> Healed | None:
    done = None
    if treatment.remove_invalid:
        least = treatment.least_confidence
        done = archive_invalid(store, checked, least_confidence=least, actor=treatment.actor)
    if done is None and treatment.auto_heal:
        done = heal(store, checked, actor=treatment.actor, now_ms=now_ms)
    return done


def count_verdicts(seen: list[Examined], compared: int) -> ValidateData:
    def count(verdict: str) -> int:
        return sum(one.checked.verdict == verdict for one in seen)

    done = [one.done for one in seen if one.done and one.done.actions]
    removed = sum(one.is_archived for one in done)
    return ValidateData(
        examined=len(seen),
        valid=count("valid"),
        flagged=count("flagged"),
        adjust=count("adjust"),
        review=count("review"),
        archive=count("archive"),
        stale=sum(one.is_stale for one in seen),
        healed=len(done) - removed,
        removed=removed,
        compared=compared,
        rows=tuple(validation_row(one) for one in seen if one.is_remarkable),
    )


def validation_row(seen: Examined) -> ValidationRow:
    checked = seen.checked
    doubts = (one for one in checked.findings if one.score is not None and one.score < 1)
    moved = (one.evidence for one in checked.citations if one.now is not None)
    told = dict.fromkeys([text for one in doubts for text in one.evidence] + list(moved))
    return ValidationRow(
        checked.memory.id,
        checked.memory.type,
        shorten(checked.memory.title, _TITLE_CHARS),
        str(checked.verdict),
        round(checked.score, 2),
        round(checked.confidence, 2),
        tuple(shorten(one, _EVIDENCE_CHARS) for one in list(told)[:_MOST_EVIDENCE]),
        seen.done.actions if seen.done and seen.done.actions else None,
    )
