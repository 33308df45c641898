"""Memories that stand in each other's way: those that cannot both hold, and those that say the same twice."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Literal

from drift.kernel.answer import Answer, NextAction
from drift.kernel.errors import invalid
from drift.kernel.ranking import Ranked, Sort
from drift.kernel.text import plural
from drift.memory.truth.code_evidence import read_evidence
from drift.memory.truth.conflicts import ConfidenceRow, ContradictionsData, Resolution, ResolvedData, resolve
from drift.memory.truth.contradictions import Contradiction, ContradictionRow, contradiction_row
from drift.memory.truth.rivals import (
    ConflictsData,
    conflict_row,
    find_all_contradictions,
    find_rivals,
    require_contradiction,
)
from drift.registry import Call, Effect, Length, Page, Range, tool
from drift.registry.listing import list_answer
from drift.tools.memories.access import MEMORY, actor_of, counts_of, now_ms, store_of
from drift.tools.memories.lookups import require_memories

_NOTHING_SAVED = "Nothing has been saved in this project yet, so nothing is in conflict"
_PAIR = 2
_BY_TIME: Mapping[str, Sort[Contradiction]] = {
    "date": Sort(lambda one: (one.b.recorded_at_ms, one.b.id, one.a.id))
}


@tool(
    category="memory",
    title="Conflicting memories",
    tokens=(80, 900),
    scopes=MEMORY,
    examples=({}, {"memoryId": "m_1hf3c8z0kq7w2x9", "limit": 5}),
)
def drift_memory_conflicts(
    call: Call,
    memory_id: Annotated[str | None, Length(100), "Only with this one"] = None,
    limit: Annotated[int, Range(1, 50)] = 10,
) -> Answer[ConflictsData]:
    """Pairs of memories that contradict or repeat each other, with what to do about each."""
    store = store_of(call)
    if memory_id is not None:
        require_memories(call, [memory_id])
    if not store.is_present:
        return Answer(_NOTHING_SAVED, ConflictsData((), 0, 0))

    found = find_rivals(store, memory_id, counts=counts_of(call), now_ms=now_ms())
    rows = tuple(conflict_row(one) for one in found.rivalries[:limit])
    opposed = sum(one.opposed is not None for one in found.rivalries)
    return Answer(
        f"{plural(opposed, 'contradiction')} and {plural(len(found.rivalries) - opposed, 'repetition')} "
        f"among {plural(found.examined, 'memory', 'memories')}",
        ConflictsData(rows, len(found.rivalries), found.examined),
        next=_suggest_first(call, found.rivalries[0].opposed if found.rivalries else None),
        warnings=(f"only the newest {found.examined:,} memories were compared",) if found.is_cut else (),
    )


@tool(
    category="memory",
    title="Contradictions between memories",
    tokens=(80, 1200),
    effect=Effect.WRITES,
    is_idempotent=False,
    scopes=MEMORY,
    examples=({}, {"resolution": "flag", "ids": ["m_1", "m_2"]}),
)
def drift_memory_contradictions(
    call: Call,
    scope: Annotated[Literal["all", "unflagged"], "Unflagged: without those known already"] = "all",
    resolution: Literal["keep_a", "keep_b", "merge", "archive_both", "flag"] | None = None,
    ids: Annotated[tuple[str, ...], Length(2), "a and b, to resolve these two"] = (),
    page: Page = Page(limit=10),
) -> Answer[ContradictionsData]:
    """Memories of which only one can hold, by what they say; or resolve one such pair. Nothing is deleted."""
    if (resolution is None) != (len(ids) != _PAIR):
        raise invalid("ids", "a resolution and the two ids it is for are given together")
    store = store_of(call)
    if ids:
        require_memories(call, ids)
    if not store.is_present:
        return Answer(_NOTHING_SAVED, ContradictionsData((), 0, 0))
    if resolution is not None:
        return _resolve(call, ids, resolution)

    found = find_all_contradictions(store, now_ms=now_ms(), with_flagged=scope == "all")
    summary = (
        f"{plural(len(found.contradictions), 'contradiction')} "
        f"among {plural(found.compared, 'memory', 'memories')}"
    )

    def data(shown: tuple[Contradiction, ...]) -> ContradictionsData:
        rows = _rows(call, shown)
        return ContradictionsData(rows, len(found.contradictions), found.compared)

    return list_answer(
        call,
        replace(page, order="desc"),  # the latest first
        Ranked(found.contradictions, _BY_TIME),
        data,
        summary=summary,
        next=lambda shown: _suggest_first(call, shown[0] if shown else None),
        warnings=(f"only the newest {found.compared:,} memories were compared",) if found.is_cut else (),
    )


def _resolve(call: Call, ids: tuple[str, ...], resolution: str) -> Answer[ContradictionsData]:
    store, at_ms = store_of(call), now_ms()
    found, compared = require_contradiction(store, ids[0], ids[1], counts=counts_of(call), now_ms=at_ms)
    # The caller's a and b are those of its arguments, which may stand in the other order.
    swapped = {"keep_a": "keep_b", "keep_b": "keep_a"} if found.a.id != ids[0] else {}
    wanted = Resolution(swapped.get(resolution, resolution))
    done = resolve(store, found, wanted, actor=actor_of(call), now_ms=at_ms)
    told = str(done.done) if done.done is not wanted else resolution
    changes = tuple(
        ConfidenceRow(one.memory, round(one.before, 2), round(one.after, 2), one.depth)
        for one in done.changes
    )
    merged = done.merged.id if done.merged else None
    return Answer(
        f"{told}: {found.reason}" + (f" ({done.reason})" if done.reason else ""),
        ContradictionsData(
            _rows(call, (found,)), 1, compared, ResolvedData(told, changes, done.reason, merged)
        ),
    )


def _rows(call: Call, shown: Sequence[Contradiction]) -> tuple[ContradictionRow, ...]:
    code = read_evidence(call.project.root, shown)
    return tuple(contradiction_row(one, code) for one in shown)


def _suggest_first(call: Call, one: Contradiction | None) -> tuple[NextAction, ...]:
    if one is None:
        return ()
    why = "keep the older" if one.supporters_a > one.supporters_b else "keep the newer, if it is right"
    choice = "keep_a" if one.supporters_a > one.supporters_b else "keep_b"
    return (call.suggest("drift_memory_contradictions", why, resolution=choice, ids=[one.a.id, one.b.id]),)
