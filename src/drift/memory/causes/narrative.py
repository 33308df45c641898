"""A chain told in plain sentences, each made of what an edge and its two memories say."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from drift.kernel.text import shorten
from drift.memory.causes.causality import ends_of, words_of
from drift.memory.causes.chains import Chain, Step
from drift.memory.details import MemoryRow
from drift.memory.records import CausalEdge, Evidence, EvidenceKind, Memory

_EVIDENCE_CHARS = 100


_MOST_EVIDENCE = 3


@dataclass(frozen=True, slots=True)
class ChainRow:
    """A memory of the chain, reached over one of `relation`; `via` is the one before it, absent for the start.

    `confidence` is of the whole way to here.
    """

    id: str
    type: str
    title: str
    depth: int
    relation: str
    strength: float
    confidence: float
    via: str | None = None
    evidence: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class ContradictingRow:
    """A memory that contradicts it, and what shows that."""

    id: str
    title: str
    evidence: tuple[str, ...] | None = None


_TITLE_CHARS: Final = 90
_REASON_CHARS: Final = 140
_SURE: Final = 0.8
_LIKELY: Final = 0.5


def tell_chain(chain: Chain, memories: Mapping[str, Memory]) -> tuple[str, ...]:
    """One sentence for each step and each contradiction, with the ids and the reason the edge gives."""
    told = [_tell_step(step, memories) for step in chain.steps]
    told += [
        f"{name(edge.source, memories)} contradicts {name(edge.target, memories)}{_reason(edge)}."
        for edge in chain.conflicts
    ]
    return tuple(told)


def name(memory_id: str, memories: Mapping[str, Memory]) -> str:
    """A memory as sentences name it: its title and its id."""
    memory = memories.get(memory_id)
    return f"“{shorten(memory.title, _TITLE_CHARS)}” ({memory_id})" if memory else memory_id


def _tell_step(step: Step, memories: Mapping[str, Memory]) -> str:
    ends = ends_of(step.edge)
    assert ends is not None  # contradictions are no steps
    effect, cause = name(ends.effect, memories), name(ends.cause, memories)
    return (
        f"{_sureness(step.edge.strength)}{effect} {words_of(step.edge.relation)} {cause}{_reason(step.edge)}."
    )


def _sureness(strength: float) -> str:
    if strength >= _SURE:
        return ""
    return "Likely: " if strength >= _LIKELY else "Perhaps: "


def _reason(edge: CausalEdge) -> str:
    """What the edge is believed for, best first; that somebody put it there, where it says no more."""
    best = max(edge.evidence, key=_telling, default=None)
    if best is not None:
        return f" [{shorten(best.description, _REASON_CHARS).rstrip('.')}]"
    return "" if edge.inferred else " [recorded by hand]"


def _telling(evidence: Evidence) -> tuple[bool, bool, float]:
    # Words of the memory itself say more than that it names another.
    return evidence.kind is EvidenceKind.EXPLICIT, evidence.reference is None, evidence.confidence


TITLE_CHARS = 100


def chain_row(step: Step, memories: dict[str, Memory]) -> ChainRow:
    memory, edge = memories.get(step.memory), step.edge
    return ChainRow(
        step.memory,
        memory.type if memory else "unknown",
        shorten(memory.title, TITLE_CHARS) if memory else "not known at that time",
        step.depth,
        str(edge.relation),
        round(edge.strength, 2),
        round(step.confidence, 2),
        step.via if step.depth > 1 else None,
        _evidence(edge),
    )


def contradicting_row(edge: CausalEdge, start: str, memories: dict[str, Memory]) -> ContradictingRow:
    other = edge.target if edge.source == start else edge.source
    title = shorten(memories[other].title, TITLE_CHARS) if other in memories else "not known at that time"
    return ContradictingRow(other, title, _evidence(edge))


def _evidence(edge: CausalEdge) -> tuple[str, ...] | None:
    best = sorted(edge.evidence, key=lambda one: -one.confidence)[:_MOST_EVIDENCE]
    return tuple(f"{one.kind}: {shorten(one.description, _EVIDENCE_CHARS)}" for one in best) or None


@dataclass(frozen=True, slots=True)
class ExplainedData:
    """Where a memory comes from and what came of it. `why` and `confidence` are absent where no edge is known."""

    memory: MemoryRow
    origins: tuple[ChainRow, ...]
    effects: tuple[ChainRow, ...]
    why: tuple[str, ...] | None = None
    confidence: float | None = None
    conflicts: tuple[ContradictingRow, ...] | None = None
    as_of: str | None = None
