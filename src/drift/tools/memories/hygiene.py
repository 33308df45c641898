"""Keeping a memory clean: how well it is, what says the same, and what is not worth keeping in sight."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from drift.kernel.answer import Answer, NextAction
from drift.kernel.text import plural, shorten
from drift.memory import Listing, memory_type
from drift.memory.truth.citation_checks import citing_missing_files
from drift.memory.truth.consolidation import Consolidated, Plan, consolidate, plan_consolidation
from drift.memory.truth.health import Penalty, assess_health, health_at, read_activity
from drift.memory.truth.hygiene import Litter, find_litter
from drift.memory.truth.sweep import sweep
from drift.registry import Call, Effect, Length, Range, tool
from drift.tools.memories.access import MEMORY, actor_of, counts_of, now_ms, store_of
from drift.tools.memories.personal import USER, MemoryScope, scoped

_BY_ID = "drift_memory_update or drift_memory_delete"
_NOTHING_SAVED = "Nothing has been saved in this project yet"
_TITLE_CHARS = 70
_MOST_CONSOLIDATED = 500  # compared with each other, which is quadratic
_MOST_CLUSTERS = 20
_SHOWN_IDS = 5
_WEEK_MS = 7 * 86_400_000
_MOST_REPLAYED = 5_000


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


@tool(
    category="memory",
    title="Consolidate memories",
    tokens=(80, 900),
    effect=Effect.WRITES,
    scopes=MEMORY,
    examples=({}, {"type": "episodic", "dryRun": False}),
)
def drift_memory_consolidate(
    call: Call,
    dry_run: Annotated[bool, "Only tell what would be done"] = True,
    type: Annotated[str, Length(40)] = "episodic",  # noqa: A002 - the word agents use
) -> Answer[ConsolidateData]:
    """Merge memories older than a week that tell the same; sources are archived and linked, nothing is reworded."""
    memory_type(type)
    store = store_of(call)
    if not store.is_present:
        return Answer(_NOTHING_SAVED, ConsolidateData(dry_run))
    at_ms = now_ms()
    swept = sweep(store, Listing(types=(type,)), most=_MOST_CONSOLIDATED)
    plan = plan_consolidation(swept.memories, now_ms=at_ms)
    done = []
    for cluster in () if dry_run else plan.clusters[:_MOST_CLUSTERS]:
        call.check_cancelled()
        done.append(consolidate(store, cluster, actor=actor_of(call), now_ms=at_ms, counts=counts_of(call)))
    data = _consolidate_data(plan, tuple(done), dry_run=dry_run)
    verb = "would become" if dry_run else "became"
    act = call.suggest("drift_memory_consolidate", "do it", type=type, dry_run=False)
    return Answer(
        f"{plural(data.pruned, 'memory', 'memories')} {verb} {len(data.clusters)}, "
        f"{plural(data.tokens_freed, 'token')} freed, of {data.episodes_processed} ripe {type} ones",
        data,
        next=(act,) if dry_run and plan.clusters else (),
        warnings=(f"only the newest {_MOST_CONSOLIDATED} were looked at; run it again",)
        if swept.is_cut
        else (),
    )


def _consolidate_data(plan: Plan, done: tuple[Consolidated, ...], *, dry_run: bool) -> ConsolidateData:
    if dry_run:
        rows = tuple(
            ClusterRow(
                shorten(one.merged.title, _TITLE_CHARS),
                tuple(each.id for each in one.members),
                one.tokens_before - one.tokens_after,
            )
            for one in plan.clusters[:_MOST_CLUSTERS]
        )
    else:
        rows = tuple(
            ClusterRow(
                shorten(one.memory.title, _TITLE_CHARS),
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


@dataclass(frozen=True, slots=True)
class PenaltyRow:
    """What takes points off, of how many at most, and the first of the memories it is about."""

    name: str
    points: float
    most: int
    message: str
    fix: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TrendData:
    """The last week beside the one before, from the log. Scores leave files out; null with a reason if not known."""

    changes: Mapping[str, int]
    changes_before: Mapping[str, int]
    score: int | None = None
    score_before: int | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class HealthData:
    """100 less the penalties, of the store that `scope` names; null where there is nothing to judge."""

    scope: str
    score: int | None
    memories: int = 0
    average_confidence: float | None = None
    issues: tuple[PenaltyRow, ...] = ()
    trend: TrendData | None = None


_FIXES: Mapping[str, tuple[str, str, Mapping[str, Any]]] = {
    "spent": ("drift_memory_hygiene", "archive what has faded", {}),
    "low_confidence": ("drift_memory_validate", "prove or drop what is little believed", {"scope": "stale"}),
    "contradictions": ("drift_memory_contradictions", "choose which of each pair holds", {}),
    "missing_citations": ("drift_memory_validate", "follow renames, see what is gone", {"auto_heal": True}),
    "never_validated": ("drift_memory_validate", "check what outlived its half-life", {"scope": "stale"}),
    "orphaned": ("drift_memory_hygiene", "link or tag them, or archive the idle ones", {}),
    "unconsolidated": ("drift_memory_consolidate", "merge episodes that tell the same", {}),
}


@tool(category="memory", title="Health of the memory", tokens=(100, 800), scopes=MEMORY, examples=({},))
def drift_memory_health(
    call: Call,
    detailed: Annotated[bool, "With the trend, which replays the log"] = False,
    scope: MemoryScope = "project",
) -> Answer[HealthData]:
    """How well the memory is: a score with every penalty named, what to do about each, and the trend."""
    call = scoped(call, scope)
    store = store_of(call)
    if not store.is_present:
        return Answer(f"{_NOTHING_SAVED}, so there is nothing to judge", HealthData(scope, None))

    swept, at_ms = sweep(store), now_ms()
    missing = citing_missing_files(call.project.root, swept.memories)
    health = assess_health(swept.memories, now_ms=at_ms, missing=missing)
    worst = sorted(health.penalties, key=lambda one: -one.points)
    average = health.average_confidence
    data = HealthData(
        scope,
        health.score,
        health.memories,
        None if average is None else round(average, 3),
        tuple(_penalty_row(one, scope) for one in worst),
        _trend(call, at_ms) if detailed else None,
    )
    if health.score is None:
        return Answer("No memory is current, so there is nothing to judge", data)
    return Answer(
        f"{health.score} of 100 over {plural(health.memories, 'memory', 'memories')}"
        + (f"; most is lost by {worst[0].name} ({worst[0].points:.0f} points)" if worst else ""),
        data,
        next=_fix(call, worst[0]) if worst and scope != USER else (),
        warnings=(f"only the newest {len(swept.memories):,} memories were judged",) if swept.is_cut else (),
    )


def _penalty_row(one: Penalty, scope: str) -> PenaltyRow:
    name, why, _arguments = _FIXES[one.name]
    # What tidies up a whole store works on the project's; the person's few are changed by id.
    with_what = _BY_ID if scope == USER else name
    return PenaltyRow(
        one.name,
        round(one.points, 1),
        one.most,
        one.message,
        f"{with_what}: {why}",
        one.affected[:_SHOWN_IDS],
    )


def _fix(call: Call, one: Penalty) -> tuple[NextAction, ...]:
    name, why, arguments = _FIXES[one.name]
    return (call.suggest(name, why, **arguments),)


def _trend(call: Call, at_ms: int) -> TrendData:

    store = store_of(call)
    now = read_activity(store, from_ms=at_ms - _WEEK_MS, until_ms=at_ms + 1)
    before = read_activity(store, from_ms=at_ms - 2 * _WEEK_MS, until_ms=at_ms - _WEEK_MS)
    count = store.counts().total
    if count > _MOST_REPLAYED:
        why = f"replaying the log of {count:,} memories takes too long"
        return TrendData(now.actions, before.actions, reason=why)
    was = health_at(store, at_ms - _WEEK_MS).score
    unknown = None if was is not None else "a week ago there were no memories"
    return TrendData(now.actions, before.actions, health_at(store, at_ms).score, was, unknown)


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


@tool(
    category="memory",
    title="Hygiene of the memory",
    tokens=(80, 900),
    effect=Effect.WRITES,
    scopes=MEMORY,
    examples=({}, {"tier": "medium", "dryRun": False}),
)
def drift_memory_hygiene(
    call: Call,
    tier: Annotated[
        Literal["high", "medium", "all"], "How sure: high alone, down to medium, or all"
    ] = "high",
    dry_run: Annotated[bool, "Only tell what would be archived"] = True,
    limit: Annotated[int, Range(1, 100), "Most to show and archive"] = 20,
) -> Answer[HygieneData]:
    """Memories not worth keeping in sight: faded, noise, too short, stale, linked to nothing, captured and unused."""
    store = store_of(call)
    if not store.is_present:
        return Answer(f"{_NOTHING_SAVED}, so there is nothing to tidy", HygieneData(dry_run))

    swept = sweep(store)
    connected = frozenset(end for edge in store.edges.all() for end in (edge.source, edge.target))
    found = find_litter(swept.memories, connected=connected, now_ms=now_ms())
    tiers = {"high": {"high"}, "medium": {"high", "medium"}, "all": {"high", "medium", "low"}}[tier]
    chosen = [one for one in found if one.tier in tiers][:limit]
    for one in () if dry_run else chosen:
        reason = f"hygiene: {', '.join(one.signals)}"
        store.archive([one.memory.id], reason=reason, actor=actor_of(call))
    done = f"{plural(len(chosen), 'memory', 'memories')} {'would be' if dry_run else 'were'} archived"
    act = call.suggest("drift_memory_hygiene", "archive these", tier=tier, limit=limit, dry_run=False)
    return Answer(
        f"{done}; {len(found)} of {len(swept.memories):,} gave signals",
        HygieneData(
            dry_run,
            len(swept.memories),
            0 if dry_run else len(chosen),
            _tally(str(one.tier) for one in found),
            _tally(str(signal) for one in found for signal in one.signals),
            tuple(_litter_row(one) for one in chosen),
        ),
        next=(act,) if dry_run and chosen else (),
        warnings=(f"only the newest {len(swept.memories):,} memories were looked at",)
        if swept.is_cut
        else (),
    )


def _tally(names: Iterable[str]) -> dict[str, int]:
    return dict(Counter(names).most_common())


def _litter_row(one: Litter) -> LitterRow:
    memory = one.memory
    return LitterRow(
        memory.id,
        memory.type,
        shorten(memory.title, _TITLE_CHARS),
        str(one.tier),
        one.score,
        tuple(map(str, one.signals)),
    )
