"""Grounding: whether the code still bears out what a memory says."""

from contextlib import ExitStack
from dataclasses import dataclass
from typing import Annotated

from drift.context.grounding import Grounding, changes_of, ground_memory
from drift.context.grounding_checks import CheckedClaim, Ground
from drift.index import IndexReader
from drift.kernel.answer import Answer, NextAction
from drift.kernel.text import plural, shorten
from drift.memory.details import day
from drift.registry import Call, Effect, Length, tool
from drift.registry.indexes import opened_index
from drift.tools.memories.access import MEMORY, actor_of, now_ms, store_of
from drift.tools.memories.lookups import require_memories

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


@tool(
    category="memory",
    title="Check a memory against the code",
    tokens=(150, 1500),
    effect=Effect.WRITES,
    scopes=MEMORY,
    is_bridge=True,
    examples=({"memoryId": "m_1hf3c8z0kq7w2x9"}, {"memoryId": "m_1hf3c8z0kq7w2x9", "apply": True}),
)
def drift_grounding_check(
    call: Call,
    memory_id: Annotated[str, Length(100)],
    apply: Annotated[bool, "Keep the score and adjust the confidence"] = False,
) -> Answer[GroundingData]:
    """Look up every path, symbol, route, variable and version a memory names: verdict, score, evidence."""
    store = store_of(call)
    memory = require_memories(call, [memory_id])[memory_id]
    with ExitStack() as stack:
        reader = _reader(call, stack)
        found = ground_memory(memory, Ground(call.project.root, reader), store.history.of(memory_id))
    changes = changes_of(found, now_ms=now_ms())
    if apply and changes:
        store.update(memory_id, changes, actor=actor_of(call))
    return Answer(
        _summarize(found),
        _data(found, changes.get("confidence", memory.confidence), is_applied=apply and bool(changes)),
        next=_suggest(call, found, is_applied=apply),
        warnings=() if reader is not None else ("there is no index: only files and versions were looked up",),
    )


def _reader(call: Call, stack: ExitStack) -> IndexReader | None:
    is_usable = call.runtime.index_state(call.project).is_usable
    return stack.enter_context(opened_index(call)) if is_usable else None


def _summarize(found: Grounding) -> str:
    counts = {verdict: sum(one.verdict == verdict for one in found.claims) for verdict in _ORDER}
    told = ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count)
    score = f" ({found.score:.2f})" if found.score is not None else ""
    verdict = found.verdict.replace("_", " ")
    return f"{verdict}{score}: {plural(len(found.claims), 'claim')} looked up{f', {told}' if told else ''}"


def _data(found: Grounding, confidence: float, *, is_applied: bool) -> GroundingData:
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


def _suggest(call: Call, found: Grounding, *, is_applied: bool) -> tuple[NextAction, ...]:
    memory_id = found.memory.id
    suggested = []
    has_moved = any(one.verdict == "moved" for one in found.claims) and bool(found.memory.files)
    if has_moved:
        suggested.append(
            call.suggest(
                "drift_memory_validate", "mend the citations that moved", ids=[memory_id], auto_heal=True
            )
        )
    if found.adjustment.mode in {"boost", "penalize"} and not is_applied:
        suggested.append(
            call.suggest(
                drift_grounding_check,
                "keep the score and adjust the confidence",
                memory_id=memory_id,
                apply=True,
            )
        )
    if found.is_contradicted:
        suggested.append(call.suggest("drift_memory_get", "read it and correct it", id=memory_id))
    return tuple(one for one in suggested if one.tool in call.runtime.toolbox)
