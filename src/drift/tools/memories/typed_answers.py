"""What the typed tools answer: one implementation for all nine, over the table of the memory room."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from drift.kernel.answer import Answer, NextAction
from drift.kernel.errors import DriftError, ErrorCode, invalid
from drift.kernel.ranking import Ranked, Sort, as_found
from drift.kernel.similar import similar_names
from drift.kernel.text import plural, shorten
from drift.memory import Memory, MemoryStore, memory_type
from drift.memory.typed.actions import change_fields, is_change
from drift.memory.typed.finding import (
    EndpointRow,
    TypedData,
    TypedRow,
    detail_data,
    find_triggered,
    goal_tree,
    list_typed,
    search_typed,
    standing_of,
    typed_row,
)
from drift.memory.typed.health import check_endpoints
from drift.memory.typed.table import KINDS, TypedKind, check_action, make_typed, require_typed, set_fields
from drift.registry import Call, Page
from drift.registry.listing import list_answer
from drift.tools.memories.access import actor_of, counts_of, now_ms, store_of

_SORTS: Final[dict[str, Sort[Memory]]] = {
    "standing": Sort(as_found, "desc"),  # gravest or most open first, as they are read
    "date": Sort(lambda one: (-one.recorded_at_ms,), "desc"),
    "name": Sort(lambda one: (one.title.lower(),)),
}
SORTS: Final = tuple(_SORTS)
_GONE: Final = "The memory this cursor stood at is not listed any more"
_MOST_FOUND: Final = 20


def run_action(
    call: Call,
    name: str,
    action: str,
    *,
    memory_id: str | None,
    query: str | None,
    fields: Mapping[str, Any] | None,
    page: Page,
) -> Answer[TypedData]:
    """Do one action of a typed tool."""
    kind = KINDS[name]
    check_action(kind, action)
    store = store_of(call)
    if action in (kind.making, "update"):
        _refuse_unknown(kind, fields or {})
    if action == kind.making:
        kept = make_typed(store, kind, fields or {}, actor=actor_of(call), counts=counts_of(call))
        said = f"Kept {name} {kept.memory.id}" if kept.is_new else f"Known already as {kept.memory.id}"
        warnings = tuple(f"taken out: {what}" for what in sorted({one.what for one in kept.redacted}))
        data = TypedData(id=kept.memory.id, created=kept.is_new)
        return Answer(said, data, warnings=warnings, next=_after_making(call, kept.memory))
    if not store.is_present:
        return _say_empty(call, kind, action)
    if action in ("update", "check_health") or is_change(name, action):
        return _change(call, store, kind, action, memory_id=memory_id, fields=fields or {})
    if action in ("get", "execute"):
        return _show(store, kind, memory_id, is_execution=action == "execute")
    return _find(call, store, kind, action, memory_id=memory_id, query=query, fields=fields, page=page)


def _refuse_unknown(kind: TypedKind, fields: Mapping[str, Any]) -> None:
    """Name a field that the type has not as the caller wrote it."""
    known = memory_type(kind.type).fields
    unknown = next((name for name in fields if name not in known), None)
    if unknown is not None:
        raise invalid(
            f"fields.{unknown[:60]}",
            f"a memory of type {kind.type} has no such field",
            hint=f"Fields: {', '.join(known)}.",
            similar=similar_names(unknown, known),
        )


def _find(
    call: Call,
    store: MemoryStore,
    kind: TypedKind,
    action: str,
    *,
    memory_id: str | None,
    query: str | None,
    fields: Mapping[str, Any] | None,
    page: Page,
) -> Answer[TypedData]:
    match action:
        case "list":
            found = list_typed(store, kind, fields)
            listed = Ranked(found, _SORTS, identity=lambda one: one.id, gone=_GONE)
            summary = plural(len(found), kind.type.replace("_", " "))
            return list_answer(call, page, listed, _list_data, summary=summary)
        case "tree":
            root = require_typed(store, kind, memory_id) if memory_id else None
            tree = goal_tree(store, kind, root)[: page.limit]
            return _say_rows([typed_row(one.memory, depth=one.depth) for one in tree], "goal")
        case "warnings":
            warned = find_triggered(store, kind, _needed_query(query))[:_MOST_FOUND]
            return _say_rows([typed_row(one.memory, matched=one.phrase) for one in warned], "warning")
        case _:
            text = _needed_query(query)
            hits = search_typed(
                store, kind, counts_of(call), text, now_ms=now_ms(), limit=min(page.limit, _MOST_FOUND)
            )
            store.touch(one.id for one in hits)
            return _say_rows([typed_row(one) for one in hits], kind.type.replace("_", " "))


def _change(
    call: Call,
    store: MemoryStore,
    kind: TypedKind,
    action: str,
    *,
    memory_id: str | None,
    fields: Mapping[str, Any],
) -> Answer[TypedData]:
    if action == "check_health":
        return _check_health(call, store, kind, require_typed(store, kind, memory_id))
    if action == "update" and not fields:
        raise invalid("fields", "is missing: what to set")
    with store.transaction():
        memory = require_typed(store, kind, memory_id)
        changes = (
            fields if action == "update" else change_fields(store, memory, action, fields, now_ms=now_ms())
        )
        changed = set_fields(store, kind, memory, changes, actor=actor_of(call))
    return Answer(f"{changed.title}: {standing_of(changed) or action}", detail_data(changed))


def _check_health(call: Call, store: MemoryStore, kind: TypedKind, memory: Memory) -> Answer[TypedData]:
    health = check_endpoints([dict(one) for one in memory.content.get("endpoints", ())])
    rows = tuple(EndpointRow(one.name, one.is_up, one.reason) for one in health.endpoints)
    if health.status is None:
        why = "no endpoint of it is on this machine" if rows else "it has no endpoints"
        return Answer(f"Not known: {why}", TypedData(id=memory.id, endpoints=rows))
    details = "; ".join(f"{one.name}: {one.reason}" for one in health.endpoints)
    at = datetime.fromtimestamp(now_ms() / 1000, UTC).isoformat(timespec="seconds")
    checked = {"status": health.status, "checkedAt": at, "details": shorten(details, 1000)}
    set_fields(store, kind, memory, {"status": health.status, "health": checked}, actor=actor_of(call))
    return Answer(
        f"{memory.title} is {health.status}", TypedData(id=memory.id, health=health.status, endpoints=rows)
    )


def _show(
    store: MemoryStore, kind: TypedKind, memory_id: str | None, *, is_execution: bool
) -> Answer[TypedData]:
    memory = require_typed(store, kind, memory_id)
    store.touch([memory.id])
    if not is_execution:
        return Answer(f"{memory.title}: {standing_of(memory) or kind.type}", detail_data(memory))
    steps = sorted(memory.content.get("steps", ()), key=lambda step: step.get("order", 0))
    done = NextAction(
        "drift_memory_workflow",
        {"action": "complete", "id": memory.id, "fields": {"success": True}},
        "when it is done, to count how it went",
    )
    data = TypedData(id=memory.id, content={**memory.content, "steps": steps})
    return Answer(f"{memory.title}: {plural(len(steps), 'step')}", data, next=(done,))


def _say_rows(rows: Sequence[TypedRow], noun: str) -> Answer[TypedData]:
    return Answer(plural(len(rows), noun), TypedData(tuple(rows)))


def _say_empty(call: Call, kind: TypedKind, action: str) -> Answer[TypedData]:
    making = call.suggest(call.tool.name, "keep the first", action=kind.making, fields={kind.named_by: "…"})
    return Answer(f"No memories yet, so nothing to {action}", TypedData(), next=(making,))


def _after_making(call: Call, memory: Memory) -> tuple[NextAction, ...]:
    return (call.suggest(call.tool.name, "see all fields", action="get", id=memory.id, priority="low"),)


def _needed_query(query: str | None) -> str:
    if not query or not query.strip():
        raise DriftError(ErrorCode.MISSING_REQUIRED_PARAM, "query: this action needs words")
    return query


def _list_data(shown: tuple[Memory, ...]) -> TypedData:
    return TypedData(tuple(typed_row(one) for one in shown))
