"""Memories that are not worth keeping in sight, by signs that can be counted."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from drift.kernel.text import shorten
from drift.memory.content import texts_in
from drift.memory.decay import current_confidence, is_spent
from drift.memory.overlap import telling_words
from drift.memory.records import Importance, Memory
from drift.memory.truth.consolidation import TITLE_CHARS


@dataclass(frozen=True, slots=True)
class LitterRow:
    """A memory not worth keeping in sight, and the signals that say so."""

    id: str
    type: str
    title: str
    tier: str
    score: float
    signals: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HygieneData:
    """What was archived, or would be. Counts are of all that were found, by tier and by signal."""

    dry_run: bool
    examined: int = 0
    archived: int = 0
    tiers: Mapping[str, int] | None = None
    signals: Mapping[str, int] | None = None
    rows: tuple[LitterRow, ...] = ()


_FEWEST_WORDS: Final = 4
_LEAST_LETTERS: Final = 0.5
_REPEATED: Final = 0.5
_MANY_LINES: Final = 4
_HALF_LEFT: Final = 0.5
_OFTEN_USED: Final = 3
_LOOKED_AT: Final = 2_000
_SHORT_CHARS: Final = 200  # longer than this, few words are no reason


class Signal(StrEnum):
    """One reason to think that a memory is not worth keeping in sight."""

    SPENT = "spent"  # faded below what its type keeps
    NOISE = "noise"  # hardly words, or the same lines again and again
    SHORT = "short"  # too few words to tell anything
    STALE = "stale"  # half faded, and never used
    ORPHANED = "orphaned"  # linked to nothing, without tags
    AUTO_CAPTURED = "auto_captured"  # taken down by a hook, and never used


class Tier(StrEnum):
    """How sure it is. `low` needs two signals at least: one alone says little."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


# How much each adds; no single signal reaches a tier but fading, which the memory's type itself asks for.
WEIGHTS: Final = {
    Signal.SPENT: 0.4,
    Signal.NOISE: 0.3,
    Signal.SHORT: 0.2,
    Signal.STALE: 0.2,
    Signal.ORPHANED: 0.15,
    Signal.AUTO_CAPTURED: 0.15,
}
_TIERS: Final = ((0.6, Tier.HIGH), (0.4, Tier.MEDIUM))


class Litter(NamedTuple):
    """A memory to be archived, with the reasons."""

    memory: Memory
    tier: Tier
    score: float
    signals: tuple[Signal, ...]


def find_litter(memories: Iterable[Memory], *, connected: frozenset[str], now_ms: int) -> tuple[Litter, ...]:
    """The memories with reasons to archive them, the surest first. `connected` are those with an edge."""
    found = (_judge(one, is_connected=one.id in connected, now_ms=now_ms) for one in memories)
    return tuple(sorted((one for one in found if one), key=lambda one: (-one.score, one.memory.id)))


def is_protected(memory: Memory) -> bool:
    """Whether somebody said that it matters, or shows it by using it."""
    is_important = memory.importance in {Importance.HIGH, Importance.CRITICAL}
    return is_important or memory.type == "core" or memory.access_count >= _OFTEN_USED


def signals_of(memory: Memory, *, is_connected: bool, now_ms: int) -> tuple[Signal, ...]:
    """Every signal that a memory gives."""
    said = "\n".join((memory.text or memory.title, *texts_in(dict(memory.content))))[:_LOOKED_AT]
    has_links = memory.files or memory.functions or memory.patterns or memory.constraints or memory.tags
    is_unused = memory.access_count == 0
    left = current_confidence(memory, now_ms=now_ms)
    given = {
        Signal.SPENT: is_spent(memory, now_ms=now_ms),
        Signal.NOISE: _is_noise(said),
        Signal.SHORT: len(said) < _SHORT_CHARS
        and len(telling_words(f"{memory.title}\n{said}")) < _FEWEST_WORDS,
        Signal.STALE: is_unused and left < memory.confidence * _HALF_LEFT,
        Signal.ORPHANED: not has_links and not is_connected,
        Signal.AUTO_CAPTURED: is_unused and _is_captured(memory),
    }
    return tuple(signal for signal, is_given in given.items() if is_given)


def _judge(memory: Memory, *, is_connected: bool, now_ms: int) -> Litter | None:
    if not memory.is_current or is_protected(memory):
        return None
    signals = signals_of(memory, is_connected=is_connected, now_ms=now_ms)
    score = round(sum(WEIGHTS[one] for one in signals), 2)
    tier = next((tier for least, tier in _TIERS if score >= least), Tier.LOW)
    if tier is Tier.LOW and len(signals) < 2:  # noqa: PLR2004 - as Tier says
        return None
    return Litter(memory, tier, score, signals)


def _is_noise(said: str) -> bool:
    characters = [one for one in said if not one.isspace()]
    if characters and sum(one.isalpha() for one in characters) / len(characters) < _LEAST_LETTERS:
        return True
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return len(lines) >= _MANY_LINES and 1 - len(set(lines)) / len(lines) >= _REPEATED


def _is_captured(memory: Memory) -> bool:
    origins = (memory.source or "", memory.created_by or "", *memory.tags)
    return any(one.partition(":")[0] in {"hook", "auto", "auto-captured"} for one in origins)


def tally(names: Iterable[str]) -> dict[str, int]:
    return dict(Counter(names).most_common())


def litter_row(one: Litter) -> LitterRow:
    memory = one.memory
    return LitterRow(
        memory.id,
        memory.type,
        shorten(memory.title, TITLE_CHARS),
        str(one.tier),
        one.score,
        tuple(map(str, one.signals)),
    )
