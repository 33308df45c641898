"""Whether the code bears a memory out: every claim of it looked up, a score and a verdict made of that.

The score is the weighted mean of what the claims leave of the memory: found and moved ones all of it, changed ones
half, missing ones nothing; unclear ones are not counted. Words that only may be names count little, since they are
told only when they are found. The last scores are kept as a tag, so the log of the memory has them all.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple

from drift.context.claims import read_claims
from drift.conventions.verification.ground import CheckedClaim, ClaimVerdict, Ground
from drift.conventions.verification.lookup import check_claim
from drift.conventions.verification.tokens import Claim, ClaimKind
from drift.kernel.text import plural, shorten
from drift.memory.decay import current_confidence
from drift.memory.details import day
from drift.memory.records import LogEntry, Memory
from drift.memory.truth.citation_checks import STATE_SCORES, CitationState, check_citation

_MOST_CLAIMS = 30


_EVIDENCE_CHARS = 160


_ORDER = ("missing", "changed", "moved", "unclear", "found")


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A thing the memory names, whether it is there, and the place or the reason."""

    kind: str
    text: str
    verdict: str
    evidence: str
    similar: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """The score of an earlier check that was applied."""

    day: str
    score: float


@dataclass(frozen=True, slots=True)
class AdjustmentRow:
    """What the verdict means for the confidence: boost, penalize, flag or none."""

    mode: str
    delta: float
    reason: str
    confidence: float
    """As it would be, or is where it was applied."""
    is_applied: bool


@dataclass(frozen=True, slots=True)
class GroundingData:
    """A memory against the code. `score` is null where the verdict says why, the previous one before a first check."""

    id: str
    verdict: str
    score: float | None
    previous_score: float | None
    score_delta: float | None
    generates_contradiction: bool
    adjustment: AdjustmentRow
    claims: tuple[ClaimRow, ...]
    claims_left_out: int
    history: tuple[ScoreRow, ...]


TAG: Final = "grounding:"
_SCORE_TAG: Final = re.compile(rf"{TAG}[01]\.\d\d")
_MOST_HISTORY: Final = 10
_VALIDATED: Final = 0.7
_PARTIAL: Final = 0.4
_WEAK: Final = 0.2
_STEEP_DROP: Final = 0.3
_SURE_WEIGHT: Final = 1.0
_UNSURE_WEIGHT: Final = 0.25
_SUPPORT: Final[Mapping[ClaimVerdict, float]] = {
    ClaimVerdict.FOUND: STATE_SCORES[CitationState.INTACT],
    ClaimVerdict.MOVED: STATE_SCORES[CitationState.MOVED],
    ClaimVerdict.CHANGED: STATE_SCORES[CitationState.CHANGED],
    ClaimVerdict.MISSING: STATE_SCORES[CitationState.MISSING],
}
_CITATIONS: Final[Mapping[CitationState, ClaimVerdict]] = {
    CitationState.INTACT: ClaimVerdict.FOUND,
    CitationState.UNHASHED: ClaimVerdict.FOUND,
    CitationState.MOVED: ClaimVerdict.MOVED,
    CitationState.CHANGED: ClaimVerdict.CHANGED,
    CitationState.MISSING: ClaimVerdict.MISSING,
}
# They tell of a moment or of a wish: the code may go on without making them false.
_NOT_GROUNDABLE: Final = frozenset(
    {"agent_spawn", "conversation", "episodic", "goal", "meeting", "preference", "skill"}
)
# They are about the code itself: what the code says of them counts in full, of the others half.
_ABOUT_CODE: Final = frozenset(
    {"code_smell", "constraint_override", "core", "decision_context", "pattern_rationale", "semantic"}
)
_BOOST: Final = 0.1
_PENALTY: Final = 0.3


class GroundingVerdict(StrEnum):
    """What the score means, or why there is none."""

    VALIDATED = "validated"
    PARTIAL = "partial"
    WEAK = "weak"
    INVALIDATED = "invalidated"
    NOT_GROUNDABLE = "not_groundable"
    INSUFFICIENT_DATA = "insufficient_data"


class Adjustment(NamedTuple):
    """What the verdict means for the confidence: boost, penalize, flag or none, and by how much."""

    mode: str
    delta: float
    reason: str


class PastScore(NamedTuple):
    """A score that an earlier check left, and when."""

    at_ms: int
    score: float


class Grounding(NamedTuple):
    """A memory against the code. `score` is None where the verdict says why."""

    memory: Memory
    verdict: GroundingVerdict
    score: float | None
    claims: tuple[CheckedClaim, ...]
    past: tuple[PastScore, ...]  # newest first
    adjustment: Adjustment

    @property
    def previous_score(self) -> float | None:
        return self.past[0].score if self.past else None

    @property
    def score_delta(self) -> float | None:
        if self.score is None or self.previous_score is None:
            return None
        return self.score - self.previous_score

    @property
    def is_contradicted(self) -> bool:
        """Whether the code speaks against it: invalidated, or much less borne out than before."""
        has_dropped = self.score_delta is not None and self.score_delta < -_STEEP_DROP
        return self.verdict is GroundingVerdict.INVALIDATED or has_dropped


def ground_memory(memory: Memory, ground: Ground, log: tuple[LogEntry, ...] = ()) -> Grounding:
    """Look up all that a memory names; `log` is its history, for the scores of earlier checks."""
    claims = tuple(_checked(memory, ground))
    score = _score(claims)
    verdict = _verdict(memory, score)
    past = past_scores(log)
    shown = None if verdict is GroundingVerdict.NOT_GROUNDABLE else score
    adjustment = _adjustment(memory, verdict, shown, past[0].score if past else None)
    return Grounding(memory, verdict, shown, claims, past, adjustment)


def past_scores(log: tuple[LogEntry, ...]) -> tuple[PastScore, ...]:
    """The scores that earlier checks left in the log of a memory, newest first."""
    found: list[PastScore] = []
    for entry in log:
        score = _kept_score(entry.patch)
        # Another change of the tags repeats the score; a check that finds the same writes nothing.
        if score is not None and (not found or found[-1].score != score):
            found.append(PastScore(entry.at_ms, score))
    return tuple(reversed(found))[:_MOST_HISTORY]


def changes_of(found: Grounding, *, now_ms: int) -> dict[str, Any]:
    """The fields to set so that the memory bears the verdict. What is not confirmed is not made fresh by it."""
    memory = found.memory
    if found.score is None:
        return {}
    is_confirmed = found.verdict is GroundingVerdict.VALIDATED
    start = memory.confidence if is_confirmed else current_confidence(memory, now_ms=now_ms)
    kept = tuple(one for one in memory.tags if not one.startswith(TAG))
    return {
        "tags": (*kept, f"{TAG}{found.score:.2f}"),
        "confidence": min(1.0, max(0.0, start + found.adjustment.delta)),
        **({"last_validated_ms": now_ms} if is_confirmed else {}),
    }


def _checked(memory: Memory, ground: Ground) -> Iterator[CheckedClaim]:
    """Citations and links first: what they name is not read out of the words again."""
    told: set[tuple[ClaimKind, str]] = set()
    for link in memory.files:
        found = check_citation(ground.root, link, ground.renames)
        claim = Claim(ClaimKind.PATH, link.path, is_sure=True, line=link.start_line)
        told.add((claim.kind, claim.text))
        similar = (found.now.path,) if found.now is not None else ()
        yield CheckedClaim(claim, _CITATIONS[found.state], found.evidence, similar)
    linked = [Claim(ClaimKind.SYMBOL, _plain(name), is_sure=True) for name in memory.functions]
    said = [one for one in read_claims(memory, ground.packages) if (one.kind, one.text) not in told]
    names = {one.text for one in linked}
    for claim in (
        *linked,
        *(one for one in said if one.kind is not ClaimKind.SYMBOL or one.text not in names),
    ):
        checked = check_claim(claim, ground)
        if checked is not None:
            yield checked


def _plain(function: str) -> str:
    """The name of a linked function, which may be written with its file."""
    return function.rpartition(":")[2].removesuffix("()").replace("::", ".") or function


def _score(claims: tuple[CheckedClaim, ...]) -> float | None:
    counted = [one for one in claims if one.verdict in _SUPPORT]
    if not any(one.claim.is_sure for one in counted):
        return None
    weights = [_SURE_WEIGHT if one.claim.is_sure else _UNSURE_WEIGHT for one in counted]
    total = sum(weight * _SUPPORT[one.verdict] for weight, one in zip(weights, counted, strict=True))
    return total / sum(weights)


def _verdict(memory: Memory, score: float | None) -> GroundingVerdict:
    if memory.type in _NOT_GROUNDABLE:
        return GroundingVerdict.NOT_GROUNDABLE
    if score is None:
        return GroundingVerdict.INSUFFICIENT_DATA
    bounds = (
        (_VALIDATED, GroundingVerdict.VALIDATED),
        (_PARTIAL, GroundingVerdict.PARTIAL),
        (_WEAK, GroundingVerdict.WEAK),
    )
    return next((verdict for least, verdict in bounds if score >= least), GroundingVerdict.INVALIDATED)


def _adjustment(
    memory: Memory, verdict: GroundingVerdict, score: float | None, previous: float | None
) -> Adjustment:
    if score is None:
        return Adjustment("none", 0.0, "nothing was decided")
    share = 1.0 if memory.type in _ABOUT_CODE else 0.5
    if previous is not None and f"{previous:.2f}" == f"{score:.2f}":
        return Adjustment("none", 0.0, "the same was found and counted before")
    match verdict:
        case GroundingVerdict.VALIDATED:
            return Adjustment("boost", _BOOST * share * score, "the code bears it out")
        case GroundingVerdict.INVALIDATED:
            return Adjustment(
                "penalize", -_PENALTY * share * (1 - score), "the code does not have what it names"
            )
        case GroundingVerdict.WEAK:
            return Adjustment("flag", 0.0, "most of what it names is not there; somebody should look at it")
        case _:
            return Adjustment("none", 0.0, "some of what it names is there")


def _kept_score(patch: Mapping[str, Any]) -> float | None:
    tags = patch.get("tags")
    if not isinstance(tags, list | tuple):
        return None
    kept = next((str(one) for one in tags if _SCORE_TAG.fullmatch(str(one))), None)
    return float(kept.removeprefix(TAG)) if kept is not None else None


def summarize_grounding(found: Grounding) -> str:
    counts = {verdict: sum(one.verdict == verdict for one in found.claims) for verdict in _ORDER}
    told = ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count)
    score = f" ({found.score:.2f})" if found.score is not None else ""
    verdict = found.verdict.replace("_", " ")
    return f"{verdict}{score}: {plural(len(found.claims), 'claim')} looked up{f', {told}' if told else ''}"


def grounding_data(found: Grounding, confidence: float, *, is_applied: bool) -> GroundingData:
    ordered = sorted(found.claims, key=lambda one: _ORDER.index(one.verdict))
    change = found.adjustment
    return GroundingData(
        found.memory.id,
        str(found.verdict),
        _rounded(found.score),
        _rounded(found.previous_score),
        _rounded(found.score_delta),
        found.is_contradicted,
        AdjustmentRow(change.mode, round(change.delta, 2), change.reason, round(confidence, 2), is_applied),
        tuple(_row(one) for one in ordered[:_MOST_CLAIMS]),
        max(0, len(ordered) - _MOST_CLAIMS),
        tuple(ScoreRow(day(one.at_ms), one.score) for one in found.past),
    )


def _rounded(score: float | None) -> float | None:
    return None if score is None else round(score, 2)


def _row(one: CheckedClaim) -> ClaimRow:
    claim = one.claim
    text = f"{claim.text} {claim.number}" if claim.number else claim.text
    return ClaimRow(
        str(claim.kind), text, str(one.verdict), shorten(one.evidence, _EVIDENCE_CHARS), one.similar or None
    )
