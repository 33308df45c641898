"""Whether memories still hold: checked against the files they cite, against time, and against each other."""

from contextlib import ExitStack
from typing import Annotated, Literal

from drift.kernel.answer import Answer, NextAction
from drift.kernel.errors import DriftError
from drift.kernel.text import plural
from drift.memory import LinkKind, Memory
from drift.memory.truth.sweep import sweep
from drift.memory.truth.validation import LinkLookup
from drift.memory.truth.validation_run import (
    Examined,
    Scope,
    Treatment,
    ValidateData,
    count_verdicts,
    examine,
    is_in_scope,
)
from drift.registry import Call, Effect, Length, Page, Range, page_info, page_position, tool
from drift.registry.indexes import opened_index
from drift.tools.memories.access import MEMORY, actor_of, now_ms, store_of
from drift.tools.memories.lookups import require_memories

_EXAMINED_AT_ONCE = 500


@tool(
    category="memory",
    title="Validate memories",
    tokens=(150, 1500),
    effect=Effect.WRITES,
    scopes=MEMORY,
    examples=({}, {"scope": "stale", "autoHeal": True}),
)
def drift_memory_validate(
    call: Call,
    scope: Literal["all", "stale", "recent", "high_importance"] = "all",
    ids: Annotated[tuple[str, ...], Length(100), "Only these"] = (),
    auto_heal: Annotated[bool, "Mend moved citations, lower what is contradicted"] = False,
    remove_invalid: Annotated[bool, "Archive what does not hold any more"] = False,
    min_confidence_threshold: Annotated[float, Range(0, 1)] = 0.2,
    page: Page = Page(limit=20),
) -> Answer[ValidateData]:
    """Whether memories still hold: cited files and lines, renames, age, contradictions, links; with evidence."""
    store = store_of(call)
    if ids:
        require_memories(call, ids)
    if not store.is_present:
        return Answer(
            "Nothing has been saved in this project yet, so there is nothing to check", ValidateData()
        )

    swept, at_ms = sweep(store), now_ms()
    chosen = [
        one
        for one in swept.memories
        if one.id in ids or (not ids and is_in_scope(one, Scope(scope), now_ms=at_ms))
    ]
    rest = _after(chosen, page_position(call, page))
    treatment = Treatment(actor_of(call), auto_heal, remove_invalid, min_confidence_threshold)
    seen: list[Examined] = []
    with ExitStack() as stack:
        for one in examine(
            store,
            rest[:_EXAMINED_AT_ONCE],
            among=swept.memories,
            root=call.project.root,
            look_up=_link_lookup(call, stack),
            treatment=treatment,
            now_ms=at_ms,
        ):
            call.check_cancelled()
            seen.append(one)
            if sum(each.is_remarkable for each in seen) == page.limit:
                break
    data = count_verdicts(seen, len(swept.memories))
    last = seen[-1].checked.memory if len(seen) < len(rest) else None
    return Answer(
        f"{plural(data.examined, 'memory', 'memories')} checked: {data.valid} valid, {data.flagged} flagged, "
        f"{data.adjust + data.review} doubtful, {data.archive} lost; {data.healed} healed, {data.removed} archived",
        data,
        pagination=page_info(
            call, page, total=len(chosen), last_key=[last.recorded_at_ms, last.id] if last else None
        ),
        next=_suggest(call, seen, data, scope=scope),
        warnings=(f"only the newest {len(swept.memories):,} memories were looked at",)
        if swept.is_cut
        else (),
    )


def _after(memories: list[Memory], position: list[int | str] | None) -> list[Memory]:
    if position is None:
        return memories
    recorded_at_ms, last_id = position
    ids = [one.id for one in memories]
    if last_id in ids:
        return memories[ids.index(str(last_id)) + 1 :]
    # It was archived since: those recorded at the same moment are looked at once more.
    return [one for one in memories if one.recorded_at_ms <= int(recorded_at_ms)]


def _link_lookup(call: Call, stack: ExitStack) -> LinkLookup:
    """Looks functions up in the index, where there is one; of patterns and constraints nothing can be said."""
    try:
        reader = stack.enter_context(opened_index(call))
    except DriftError:  # without an index nothing can be said of functions either
        return lambda _kind, _name: None

    def look_up(kind: LinkKind, name: str) -> bool | None:
        if kind is not LinkKind.FUNCTION:
            return None
        return bool(reader.symbols.named(name.replace("::", ".").rpartition(".")[2], limit=1))

    return look_up


def _suggest(call: Call, seen: list[Examined], data: ValidateData, *, scope: str) -> tuple[NextAction, ...]:
    suggested = []
    is_movable = any(each.now is not None for one in seen for each in one.checked.citations)
    if is_movable and not data.healed:
        suggested.append(
            call.suggest(
                "drift_memory_validate", "mend the citations that moved", scope=scope, auto_heal=True
            )
        )
    if any(one.checked.contradictions for one in seen):
        suggested.append(call.suggest("drift_memory_contradictions", "see which sentences are opposed"))
    return tuple(suggested)
