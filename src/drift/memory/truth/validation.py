"""Whether a memory still holds: its citations, its age, what contradicts it, and what it is linked to."""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from statistics import fmean
from typing import Final, NamedTuple

from drift.memory.decay import current_confidence, last_sign_ms
from drift.memory.records import LinkKind, Memory
from drift.memory.truth.citation_checks import (
    STATE_SCORES,
    CitationCheck,
    CitationState,
    Renames,
    check_citation,
)
from drift.memory.truth.contradictions import Contradiction, claims_of
from drift.memory.types import memory_types

_DAY_MS: Final = 86_400_000
_SOUND: Final = 0.7
_PASSING: Final = 0.5
_DOUBTFUL: Final = 0.3
_HOPELESS: Final = 0.15

LinkLookup = Callable[[LinkKind, str], bool | None]
"""Whether what a link names is still there; None when that cannot be told."""


class Dimension(StrEnum):
    """What a memory is checked for."""

    CITATION = "citation"
    TEMPORAL = "temporal"
    CONTRADICTION = "contradiction"
    LINKS = "links"


class Verdict(StrEnum):
    """What the score means: sound; to be looked at; to be believed less; doubtful; to be archived."""

    VALID = "valid"
    FLAGGED = "flagged"
    ADJUST = "adjust"
    REVIEW = "review"
    ARCHIVE = "archive"


class Finding(NamedTuple):
    """One dimension: its score, None where nothing could be checked, and what it rests on."""

    dimension: Dimension
    score: float | None
    evidence: tuple[str, ...]


class Validated(NamedTuple):
    """A memory and what was found of it. `score` is the mean of the dimensions that have one."""

    memory: Memory
    score: float
    verdict: Verdict
    confidence: float  # what is left of it
    findings: tuple[Finding, ...]
    citations: tuple[CitationCheck, ...]
    contradictions: tuple[Contradiction, ...]
    is_expired: bool

    @property
    def is_proved(self) -> bool:
        """Whether the very text it cites was found, and none of it was missing or changed."""
        states = {one.state for one in self.citations}
        return bool(states) and states <= {CitationState.INTACT, CitationState.MOVED}


class Surroundings(NamedTuple):
    """What memories are checked against."""

    root: Path
    renames: Renames
    contradictions: Mapping[str, tuple[Contradiction, ...]]
    look_up: LinkLookup
    now_ms: int


def by_memory(found: Iterable[Contradiction]) -> dict[str, tuple[Contradiction, ...]]:
    """The contradictions of each memory."""
    gathered: dict[str, list[Contradiction]] = {}
    for one in found:
        for memory_id in (one.a.id, one.b.id):
            gathered.setdefault(memory_id, []).append(one)
    return {memory_id: tuple(some) for memory_id, some in gathered.items()}


def validate(memory: Memory, against: Surroundings) -> Validated:
    """What can be found out about a memory today, each finding with its evidence."""
    citations = tuple(check_citation(against.root, link, against.renames) for link in memory.files)
    opposed = against.contradictions.get(memory.id, ())
    findings = (
        _check_citations(citations),
        _check_time(memory, against.now_ms),
        _check_contradictions(memory, opposed),
        _check_links(memory, against.look_up),
    )
    score = fmean(one.score for one in findings if one.score is not None)
    left = current_confidence(memory, now_ms=against.now_ms)
    is_expired = memory.valid_until_ms is not None and memory.valid_until_ms < against.now_ms
    return Validated(memory, score, verdict_of(score), left, findings, citations, opposed, is_expired)


def verdict_of(score: float) -> Verdict:
    bounds = ((_SOUND, Verdict.VALID), (_PASSING, Verdict.FLAGGED), (_DOUBTFUL, Verdict.ADJUST))
    found = next((verdict for least, verdict in bounds if score >= least), None)
    return found or (Verdict.REVIEW if score >= _HOPELESS else Verdict.ARCHIVE)


def _check_citations(checks: tuple[CitationCheck, ...]) -> Finding:
    if not checks:
        return Finding(Dimension.CITATION, None, ("it cites no file",))
    score = fmean(STATE_SCORES[one.state] for one in checks)
    return Finding(Dimension.CITATION, score, tuple(one.evidence for one in checks))


def _check_time(memory: Memory, now_ms: int) -> Finding:
    if memory.valid_until_ms is not None and memory.valid_until_ms < now_ms:
        days = (now_ms - memory.valid_until_ms) // _DAY_MS
        return Finding(Dimension.TEMPORAL, 0.0, (f"its validity ended {days} days ago",))
    half_life_days = memory_types()[memory.type].half_life_days
    if half_life_days is None:
        return Finding(Dimension.TEMPORAL, 1.0, (f"{memory.type} does not fade",))
    days = max(0, now_ms - last_sign_ms(memory)) // _DAY_MS
    left = current_confidence(memory, now_ms=now_ms)
    score = left / memory.confidence if memory.confidence else 0.0
    evidence = f"{days} days without use or validation, half-life {half_life_days:g} days"
    return Finding(Dimension.TEMPORAL, score, (evidence,))


def _check_contradictions(memory: Memory, opposed: tuple[Contradiction, ...]) -> Finding:
    if opposed:
        score = min(one.share_of(memory.id) for one in opposed)
        return Finding(Dimension.CONTRADICTION, score, tuple(_describe(memory, one) for one in opposed))
    if not claims_of(memory):
        return Finding(Dimension.CONTRADICTION, None, ("it makes no claim that could be compared",))
    return Finding(Dimension.CONTRADICTION, 1.0, ("nothing says otherwise",))


def _describe(memory: Memory, found: Contradiction) -> str:
    other, claim = (found.b, found.claim_b) if memory.id == found.a.id else (found.a, found.claim_a)
    return f"{other.id} says: {claim.sentence}"


def _check_links(memory: Memory, look_up: LinkLookup) -> Finding:
    named = (
        *((LinkKind.FUNCTION, name) for name in memory.functions),
        *((LinkKind.PATTERN, name) for name in memory.patterns),
        *((LinkKind.CONSTRAINT, name) for name in memory.constraints),
    )
    if not named:
        return Finding(Dimension.LINKS, None, ("it is linked to no function, pattern or constraint",))
    known = {link: is_there for link in named if (is_there := look_up(*link)) is not None}
    if not known:
        return Finding(Dimension.LINKS, None, (f"{len(named)} links could not be looked up",))
    gone = [f"the {kind} {name} is not there" for (kind, name), is_there in known.items() if not is_there]
    score = sum(known.values()) / len(known)
    return Finding(Dimension.LINKS, score, tuple(gone) or (f"all {len(known)} links looked up are there",))
