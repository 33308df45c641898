"""Memories that tell the same, made into one: nothing is reworded, and what it was made of is kept, archived.

Only what can be computed without a model is done: memories are gathered by the words and links they share, the
weightiest gives the text, and every sentence of the others that says something new is added to it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log2
from typing import Any, Final, NamedTuple

from drift.kernel.text import shorten
from drift.kernel.tokens import count_tokens
from drift.memory.content import texts_in
from drift.memory.decay import current_confidence
from drift.memory.overlap import overlap, telling_words
from drift.memory.records import CausalEdge, Draft, Evidence, EvidenceKind, Importance, Memory, Relation
from drift.memory.saving import NEARLY_SAME, find_alike, save
from drift.memory.search import WordCounts
from drift.memory.store import MemoryStore
from drift.memory.truth.conflicts import AGREED, CONFIRMED
from drift.memory.truth.contradictions import CONSENSUS, find_contradictions

TITLE_CHARS = 70


MOST_CLUSTERS = 20


@dataclass(frozen=True, slots=True)
class ClusterRow:
    """Memories that become one. `into` is its id, null in a dry run; `isNew` is false where it was there already."""

    title: str
    sources: tuple[str, ...]
    tokens_freed: int
    into: str | None = None
    is_new: bool | None = None


@dataclass(frozen=True, slots=True)
class ConsolidateData:
    """What was merged, or would be. `episodesProcessed` were old and sure enough; `pruned` are archived.

    `contradicting` are ids that would have gone together, were they not opposed.
    """

    dry_run: bool
    episodes_processed: int = 0
    created: int = 0
    merged: int = 0
    pruned: int = 0
    tokens_freed: int = 0
    clusters: tuple[ClusterRow, ...] = ()
    contradicting: tuple[tuple[str, ...], ...] | None = None


LEAST_AGE_DAYS: Final = 7
EPISODIC: Final = "episodic"
SEMANTIC: Final = "semantic"
_DAY_MS: Final = 86_400_000
_LEAST_CONFIDENCE: Final = 0.3
_ALIKE: Final = 0.5
_LEAST_WORDS_SHARED: Final = (
    0.3  # links alone gather nothing: two notes about one file may tell different things
)
_SAME_SENTENCE: Final = 0.85
_WORDS_WEIGHT: Final = 0.5
_LINK_WEIGHTS: Final = (("files", 0.2), ("patterns", 0.15), ("functions", 0.1), ("tags", 0.05))
_WEIGHTS: Final = {
    Importance.LOW: 0.5,
    Importance.NORMAL: 1.0,
    Importance.HIGH: 1.5,
    Importance.CRITICAL: 2.0,
}
_RANKS: Final = tuple(Importance)
_MOST_MEMBERS: Final = 50
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n+")


class Cluster(NamedTuple):
    """Memories to be made into one, the weightiest first, and what they become."""

    members: tuple[Memory, ...]
    merged: Draft
    tokens_before: int
    tokens_after: int


class Plan(NamedTuple):
    """What a consolidation would do. `contradicting` are ids that would go together but contradict each other."""

    considered: int
    clusters: tuple[Cluster, ...]
    contradicting: tuple[tuple[str, ...], ...]


class Consolidated(NamedTuple):
    """One memory made of several. It is not new where one that says nearly the same was there already."""

    memory: Memory
    sources: tuple[str, ...]
    is_new: bool
    tokens_freed: int


class _Weighed(NamedTuple):
    memory: Memory
    words: frozenset[str]
    weight: float


def is_ripe(memory: Memory, *, now_ms: int) -> bool:
    """Whether a memory is settled enough to be merged: old, still believed, and bound to no period of its own."""
    return (
        memory.is_current
        and memory.valid_until_ms is None
        and now_ms - memory.recorded_at_ms > LEAST_AGE_DAYS * _DAY_MS
        and current_confidence(memory, now_ms=now_ms) > _LEAST_CONFIDENCE
    )


def plan_consolidation(memories: Iterable[Memory], *, now_ms: int) -> Plan:
    """What can be merged among memories of one type."""
    ripe = [_weigh(one, now_ms) for one in memories if is_ripe(one, now_ms=now_ms)]
    clusters: list[Cluster] = []
    contradicting: list[tuple[str, ...]] = []
    for members in _gather(ripe):
        if find_contradictions(members, now_ms=now_ms):
            contradicting.append(tuple(one.id for one in members))
        else:
            clusters.append(_cluster(members, now_ms))
    return Plan(len(ripe), tuple(clusters), tuple(contradicting))


def consolidate(
    store: MemoryStore, cluster: Cluster, *, actor: str, now_ms: int, counts: WordCounts
) -> Consolidated:
    """Keep what a cluster becomes and archive its members, all or nothing."""
    ids = tuple(one.id for one in cluster.members)
    with store.transaction() as connection:
        alike = find_alike(connection, cluster.merged, counts=counts, without=ids)
        same = next(
            (one for one, share in alike if share >= NEARLY_SAME and one.type == cluster.merged.type), None
        )
        kept = save(store, cluster.merged, actor=actor, counts=counts).memory if same is None else same
        is_new = same is None and kept.id not in ids
        if not is_new:
            confidence = max(cluster.merged.confidence, current_confidence(kept, now_ms=now_ms))
            kept = store.update(kept.id, {"confidence": confidence, "last_validated_ms": now_ms}, actor=actor)
        # Where one of the members says it all, that one stays.
        sources = tuple(one for one in ids if one != kept.id)
        evidence = (
            Evidence(EvidenceKind.SEMANTIC, "consolidated: they share most of their words and links"),
        )
        edges = [CausalEdge(kept.id, one, Relation.DERIVED_FROM, 1.0, evidence) for one in sources]
        store.edges.put(edges, actor=actor)
        store.archive(sources, reason=f"consolidated into {kept.id}", actor=actor)
    freed = cluster.tokens_before - (cluster.tokens_after if same is None else 0)
    return Consolidated(kept, sources, is_new, freed)


def _weigh(memory: Memory, now_ms: int) -> _Weighed:
    used = log2(memory.access_count + 2)
    weight = current_confidence(memory, now_ms=now_ms) * _WEIGHTS[memory.importance] * used
    return _Weighed(memory, telling_words(_said(memory)), weight)


def _gather(ripe: Sequence[_Weighed]) -> list[tuple[Memory, ...]]:
    """Groups of at least two, each around its weightiest member."""
    groups: list[list[_Weighed]] = []
    for one in sorted(ripe, key=lambda each: (-each.weight, each.memory.id)):
        near = next((some for some in groups if len(some) < _MOST_MEMBERS and _is_alike(some[0], one)), None)
        if near is None:
            groups.append([one])
        else:
            near.append(one)
    return [tuple(one.memory for one in some) for some in groups if len(some) > 1]


def _is_alike(one: _Weighed, other: _Weighed) -> bool:
    shared_words = overlap(one.words, other.words)
    if shared_words < _LEAST_WORDS_SHARED or not _have_same_fields(one.memory, other.memory):
        return False
    total, weights = shared_words * _WORDS_WEIGHT, _WORDS_WEIGHT
    for name, weight in _LINK_WEIGHTS:
        first, second = (frozenset(map(_target, getattr(each.memory, name))) for each in (one, other))
        if first or second:
            weights += weight
            total += weight * len(first & second) / len(first | second)
    return total / weights >= _ALIKE


def _have_same_fields(one: Memory, other: Memory) -> bool:
    """Whether no field of the content would be lost: of two values only one could be kept, while lists are joined."""
    shared = one.content.keys() & other.content.keys()
    return one.type == EPISODIC or all(
        one.content[name] == other.content[name]
        or (isinstance(one.content[name], list) and isinstance(other.content[name], list))
        for name in shared
    )


def _join_fields(members: Sequence[Memory]) -> dict[str, Any]:
    joined: dict[str, Any] = {}
    for member in members:
        for name, value in member.content.items():
            if isinstance(value, list):
                there = joined.setdefault(name, [])
                there.extend(one for one in value if one not in there)
            else:
                joined.setdefault(name, value)
    return joined


def _target(link: object) -> str:
    return str(getattr(link, "path", link))


def _cluster(members: tuple[Memory, ...], now_ms: int) -> Cluster:
    anchor = members[0]
    raised = AGREED if len(members) >= CONSENSUS else CONFIRMED
    confidence = max(current_confidence(one, now_ms=now_ms) for one in members) + raised
    is_episodic = anchor.type == EPISODIC
    # Which they were is told by the edges, once; ids in the content would cost what the merge saves.
    facts = {"supportingEvidence": len(members)}
    draft = Draft(
        type=SEMANTIC if is_episodic else anchor.type,
        title=anchor.title,
        text=_merged_text(members),
        content=facts if is_episodic else _join_fields(members),
        confidence=min(1.0, confidence),
        importance=max((one.importance for one in members), key=_RANKS.index),
        tags=tuple(tag for one in members for tag in one.tags),
        files=tuple(link for one in members for link in one.files),
        functions=tuple(name for one in members for name in one.functions),
        patterns=tuple(name for one in members for name in one.patterns),
        constraints=tuple(name for one in members for name in one.constraints),
        kind=anchor.kind,
    )
    return Cluster(members, draft, sum(map(_count, members)), _count(draft))


def _merged_text(members: Sequence[Memory]) -> str:
    kept: list[str] = []
    seen: list[frozenset[str]] = []
    for member in members:
        for sentence in _SENTENCE.split(_body(member)):
            words = telling_words(sentence)
            if words and all(overlap(words, other) < _SAME_SENTENCE for other in seen):
                kept.append(sentence.strip())
                seen.append(words)
    return "\n".join(kept)


def _body(memory: Draft) -> str:
    """What a memory tells beyond its title; of an episode, whose fields are dropped, those as well."""
    fields = texts_in(dict(memory.content)) if memory.type == EPISODIC else ()
    return "\n".join((memory.text, *fields)).strip() or memory.title


def _said(memory: Draft) -> str:
    return "\n".join((memory.title, memory.text, *texts_in(dict(memory.content))))


def _count(memory: Draft) -> int:
    return count_tokens(_said(memory))


def consolidate_data(plan: Plan, done: tuple[Consolidated, ...], *, dry_run: bool) -> ConsolidateData:
    if dry_run:
        rows = tuple(
            ClusterRow(
                shorten(one.merged.title, TITLE_CHARS),
                tuple(each.id for each in one.members),
                one.tokens_before - one.tokens_after,
            )
            for one in plan.clusters[:MOST_CLUSTERS]
        )
    else:
        rows = tuple(
            ClusterRow(
                shorten(one.memory.title, TITLE_CHARS),
                one.sources,
                one.tokens_freed,
                one.memory.id,
                one.is_new,
            )
            for one in done
        )
    return ConsolidateData(
        dry_run,
        episodes_processed=plan.considered,
        created=sum(one.is_new for one in done),
        merged=len(rows),
        pruned=sum(len(one.sources) for one in rows),
        tokens_freed=sum(one.tokens_freed for one in rows),
        clusters=rows,
        contradicting=plan.contradicting or None,
    )
