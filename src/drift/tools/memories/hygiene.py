"""Keeping a memory clean: how well it is, what says the same, and what is not worth keeping in sight."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from drift.kernel.answer import Answer, NextAction
from drift.kernel.text import plural
from drift.memory import Listing, memory_type
from drift.memory.truth.citation_checks import citing_missing_files
from drift.memory.truth.consolidation import (
    MOST_CLUSTERS,
    ConsolidateData,
    consolidate,
    consolidate_data,
    plan_consolidation,
)
from drift.memory.truth.health import (
    HealthData,
    Penalty,
    PenaltyRow,
    TrendData,
    assess_health,
    health_at,
    read_activity,
)
from drift.memory.truth.hygiene import HygieneData, find_litter, litter_row, tally
from drift.memory.truth.sweep import sweep
from drift.registry import Call, Effect, Length, Range, tool
from drift.tools.memories.access import MEMORY, actor_of, counts_of, now_ms, store_of
from drift.tools.memories.personal import USER, MemoryScope, scoped

_BY_ID = "drift_memory_update or drift_memory_delete"
_NOTHING_SAVED = "Nothing has been saved in this project yet"
_MOST_CONSOLIDATED = 500  # compared with each other, which is quadratic
_SHOWN_IDS = 5
_WEEK_MS = 7 * 86_400_000
_MOST_REPLAYED = 5_000


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
    for cluster in () if dry_run else plan.clusters[:MOST_CLUSTERS]:
        call.check_cancelled()
        done.append(consolidate(store, cluster, actor=actor_of(call), now_ms=at_ms, counts=counts_of(call)))
    data = consolidate_data(plan, tuple(done), dry_run=dry_run)
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
    """Find memories to clean up: faded, noise, too short, stale, linked to nothing, captured and unused."""
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
            tally(str(one.tier) for one in found),
            tally(str(signal) for one in found for signal in one.signals),
            tuple(litter_row(one) for one in chosen),
        ),
        next=(act,) if dry_run and chosen else (),
        warnings=(f"only the newest {len(swept.memories):,} memories were looked at",)
        if swept.is_cut
        else (),
    )
