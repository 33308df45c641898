"""What can be done with a typed memory beside finding it: each action a change of its fields."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from drift.kernel.errors import DriftError, ErrorCode, invalid
from drift.memory.records import Memory
from drift.memory.store import MemoryStore
from drift.memory.typed.table import KINDS, require_typed

Fields = Mapping[str, Any]
Change = Callable[[MemoryStore, Memory, Fields, int], dict[str, Any]]


def change_fields(
    store: MemoryStore, memory: Memory, action: str, given: Fields, *, now_ms: int
) -> dict[str, Any]:
    """The fields that an action sets. Raises INVALID_ARGUMENT for what it cannot use."""
    taken, change = _CHANGES[memory.type, action]
    for name in given:
        if name not in taken:
            raise invalid(
                f"fields.{name[:60]}", f"{action} has no such field", hint=f"It takes {', '.join(taken)}."
            )
    return change(store, memory, given, now_ms)


def is_change(memory_type: str, action: str) -> bool:
    return (memory_type, action) in _CHANGES


def _complete_goal(_store: MemoryStore, memory: Memory, given: Fields, _now_ms: int) -> dict[str, Any]:
    lessons = [*memory.content.get("lessonsLearned", ()), *given.get("lessonsLearned", ())]
    criteria = [{**one, "met": True} for one in memory.content.get("successCriteria", ())]
    return {
        "status": "achieved",
        "progress": 100,
        "lessonsLearned": lessons or None,
        "successCriteria": criteria or None,
    }


def _block_goal(_store: MemoryStore, memory: Memory, given: Fields, _now_ms: int) -> dict[str, Any]:
    blocker = {
        "description": _needed(given, "description"),
        "severity": given.get("severity", "medium"),
        "resolved": False,
    }
    return {"status": "blocked", "blockers": [*memory.content.get("blockers", ()), blocker]}


def _unblock_goal(_store: MemoryStore, memory: Memory, given: Fields, _now_ms: int) -> dict[str, Any]:
    blockers = [dict(one) for one in memory.content.get("blockers", ())]
    still = [place for place, one in enumerate(blockers) if not one.get("resolved")]
    if not still:
        raise invalid("id", "nothing blocks this goal")
    place = _place(given, blockers, default=still[0] if len(still) == 1 else None)
    blockers[place] |= {"resolved": True} | _some(given, "resolution")
    is_free = all(one.get("resolved") for one in blockers)
    return {"blockers": blockers, "status": "active" if is_free else "blocked"}


def _use(_store: MemoryStore, memory: Memory, given: Fields, now_ms: int) -> dict[str, Any]:
    """Count a use and how it went."""
    success = given.get("success")
    duration_ms = given.get("durationMs")
    if not isinstance(success, bool):
        raise invalid("fields.success", "must be true or false")
    if duration_ms is not None and (
        isinstance(duration_ms, bool) or not isinstance(duration_ms, int | float)
    ):
        raise invalid("fields.durationMs", "must be a number")
    stats = dict(memory.content.get("stats", {}))
    stats["uses"] = int(stats.get("uses", 0)) + 1
    stats["successes"] = int(stats.get("successes", 0)) + success
    if duration_ms is not None:
        stats["totalDurationMs"] = stats.get("totalDurationMs", 0) + max(0, duration_ms)
    stats["lastUsedAt"] = _time(now_ms)
    return {"stats": stats}


def _resolve_incident(_store: MemoryStore, memory: Memory, given: Fields, now_ms: int) -> dict[str, Any]:
    lessons = [*memory.content.get("lessonsLearned", ()), *given.get("lessonsLearned", ())]
    return {
        "resolution": _needed(given, "resolution"),
        "resolvedAt": given.get("resolvedAt") or _time(now_ms),
        "lessonsLearned": lessons or None,
        **_some(given, "rootCause"),
    }


def _add_lesson(_store: MemoryStore, memory: Memory, given: Fields, _now_ms: int) -> dict[str, Any]:
    return {"lessonsLearned": [*memory.content.get("lessonsLearned", ()), _needed(given, "lesson")]}


def _update_action(_store: MemoryStore, memory: Memory, given: Fields, _now_ms: int) -> dict[str, Any]:
    items = [dict(one) for one in memory.content.get("actionItems", ())]
    if not items:
        raise invalid("id", "it has no action items")
    place = _place(given, items, default=0 if len(items) == 1 else None)
    items[place]["status"] = _needed(given, "status")
    return {"actionItems": items}


def _add_resource(_store: MemoryStore, memory: Memory, given: Fields, _now_ms: int) -> dict[str, Any]:
    _needed(given, "title")
    return {"resources": [*memory.content.get("resources", ()), dict(given)]}


def _link_entity(store: MemoryStore, memory: Memory, given: Fields, _now_ms: int) -> dict[str, Any]:
    target = _needed(given, "targetEntityId")
    if target == memory.id:
        raise invalid("fields.targetEntityId", "is the entity itself")
    try:
        require_typed(store, KINDS["entity"], target)
    except DriftError as error:
        if error.code is not ErrorCode.RESOURCE_NOT_FOUND:
            raise
        raise invalid("fields.targetEntityId", error.message, hint=error.recovery.hint) from error
    link = {"targetEntityId": target, "relationshipType": given.get("relationshipType", "related_to")}
    links = [one for one in memory.content.get("relationships", ()) if one != link]
    return {"relationships": [*links, link]}


_CHANGES: Final[Mapping[tuple[str, str], tuple[tuple[str, ...], Change]]] = {
    ("goal", "complete"): (("lessonsLearned",), _complete_goal),
    ("goal", "block"): (("description", "severity"), _block_goal),
    ("goal", "unblock"): (("index", "resolution"), _unblock_goal),
    ("workflow", "complete"): (("success", "durationMs"), _use),
    ("agent_spawn", "update_stats"): (("success", "durationMs"), _use),
    ("incident", "resolve"): (("resolution", "rootCause", "lessonsLearned", "resolvedAt"), _resolve_incident),
    ("incident", "add_lesson"): (("lesson",), _add_lesson),
    ("meeting", "update_action"): (("index", "status"), _update_action),
    ("conversation", "update_action"): (("index", "status"), _update_action),
    ("skill", "add_resource"): (("title", "url", "kind"), _add_resource),
    ("entity", "link"): (("targetEntityId", "relationshipType"), _link_entity),
}


def _needed(given: Fields, name: str) -> str:
    value = given.get(name)
    if not isinstance(value, str) or not value.strip():
        raise invalid(f"fields.{name}", "is missing or no text")
    return value


def _some(given: Fields, name: str) -> dict[str, Any]:
    return {name: given[name]} if name in given else {}


def _place(given: Fields, items: list[dict[str, Any]], *, default: int | None) -> int:
    place = given.get("index", default)
    if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place < len(items):
        named = "; ".join(
            f"{number} {str(one.get('description', ''))[:40]}" for number, one in enumerate(items[:10])
        )
        raise invalid("fields.index", "must say which one", hint=f"There are: {named}.")
    return place


def _time(now_ms: int) -> str:
    return datetime.fromtimestamp(now_ms / 1000, UTC).isoformat(timespec="seconds")
