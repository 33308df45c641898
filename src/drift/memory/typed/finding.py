"""Typed memories found: in the order their type calls for, by words, by the phrases that trigger them, as a tree."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from drift.kernel.text import shorten
from drift.memory.decay import current_confidence
from drift.memory.details import day
from drift.memory.overlap import telling_words
from drift.memory.records import Importance, Memory
from drift.memory.search import Setting, Wanted, WordCounts, search
from drift.memory.storage.listing import Listing
from drift.memory.store import MemoryStore
from drift.memory.typed.table import TypedKind

_NAME_CHARS: Final = 100


# What tells one memory of a type from another at a glance.
_STANDINGS: Final = (
    "severity",
    "status",
    "progress",
    "proficiency",
    "environmentType",
    "entityType",
    "meetingType",
)


@dataclass(frozen=True, slots=True)
class TypedRow:
    """One memory in a list: its id, its name and how it stands."""

    id: str
    name: str
    standing: str
    recorded: str
    matched: str | None = None
    """The phrase that called for it."""
    depth: int | None = None
    """In a tree."""


@dataclass(frozen=True, slots=True)
class EndpointRow:
    """Whether an endpoint answers; null with a reason where it was not asked."""

    name: str
    up: bool | None
    reason: str


_PAGE: Final = 1_000
_MOST_ORDERED: Final = 10_000
_GRAVITY: Final = {"critical": 0, "high": 1, "medium": 2, "low": 3}
_GOALS: Final = {"blocked": 0, "at_risk": 1, "active": 2, "achieved": 3, "abandoned": 4}
_RANK: Final = {importance: -place for place, importance in enumerate(Importance)}


class Triggered(NamedTuple):
    """A memory and the phrase of it that the text holds, or holds most words of."""

    memory: Memory
    phrase: str
    share: float


class Branch(NamedTuple):
    """A goal in a tree, and how deep it stands."""

    memory: Memory
    depth: int


def list_typed(
    store: MemoryStore, kind: TypedKind, where: Mapping[str, Any] | None = None
) -> tuple[Memory, ...]:
    """All that are current, gravest or most open first, then newest; with these values of fields, if given."""
    found: list[Memory] = []
    after: str | None = None
    while len(found) < _MOST_ORDERED:
        page = store.list(Listing(types=(kind.type,)), after=after, limit=_PAGE)
        found += page.memories
        after = page.next_after
        if after is None:
            break
    wanted = (where or {}).items()
    fitting = (one for one in found if all(one.content.get(name) == value for name, value in wanted))
    return tuple(sorted(fitting, key=_order))


def search_typed(
    store: MemoryStore, kind: TypedKind, counts: WordCounts, text: str, *, now_ms: int, limit: int = 10
) -> tuple[Memory, ...]:
    """Those a text asks for: by a phrase that triggers them first, then by words."""
    triggered = [one.memory for one in find_triggered(store, kind, text)] if kind.triggers else []
    with store.reading() as connection:
        found = search(
            connection, counts, text, setting=Setting(now_ms), wanted=Wanted(types=(kind.type,)), limit=limit
        )
    by_words = store.get_many(hit.row.id for hit in found.hits).values()
    return tuple({memory.id: memory for memory in (*triggered, *by_words)}.values())[:limit]


def find_triggered(store: MemoryStore, kind: TypedKind, text: str) -> tuple[Triggered, ...]:
    """Those with a phrase whose words all stand in the text, whole phrases first, then as they are listed."""
    said = telling_words(text)
    plain = " ".join(re.findall(r"\w+", text.casefold()))
    found = []
    for memory in list_typed(store, kind):
        best = max(
            (_match(str(phrase), plain, said) for phrase in memory.content.get(kind.triggers or "", ())),
            default=(0.0, ""),
        )
        if best[0] > 0:
            found.append(Triggered(memory, best[1], best[0]))
    return tuple(sorted(found, key=lambda one: -one.share))


def goal_tree(
    store: MemoryStore, kind: TypedKind, root: Memory | None, *, most_depth: int = 3
) -> tuple[Branch, ...]:
    """The goals below one, or all from those without a parent down, parents before children."""
    goals = list_typed(store, kind)
    known = {one.id for one in goals}
    below: dict[str | None, list[Memory]] = {}
    for goal in goals:
        parent = goal.content.get("parentGoalId")
        below.setdefault(parent if parent in known else None, []).append(goal)
    branches: list[Branch] = []
    seen: set[str] = set()
    waiting = [Branch(one, 0) for one in reversed([root] if root else below.get(None, []))]
    while waiting:
        branch = waiting.pop()
        if branch.memory.id in seen:
            continue  # parents that form a circle
        seen.add(branch.memory.id)
        branches.append(branch)
        if branch.depth < most_depth:
            children = below.get(branch.memory.id, [])
            waiting += [Branch(one, branch.depth + 1) for one in reversed(children)]
    return tuple(branches)


def success_rate(memory: Memory) -> float | None:
    """How often it went well; None before its first use."""
    stats = memory.content.get("stats", {})
    uses = int(stats.get("uses", 0))
    return int(stats.get("successes", 0)) / uses if uses else None


def left_today(memory: Memory, *, now_ms: int) -> float:
    return round(current_confidence(memory, now_ms=now_ms), 2)


def _order(memory: Memory) -> tuple[int, int, int]:
    content = memory.content
    if memory.type == "incident":
        # Critical comes first, solved or not: it is what must not happen again.
        gravity = _GRAVITY.get(str(content.get("severity")), _GRAVITY["medium"])
        return gravity, int(content.get("resolvedAt") is not None), -memory.recorded_at_ms
    if memory.type == "goal":
        standing = _GOALS.get(str(content.get("status", "active")), _GOALS["active"])
        return standing, _RANK[memory.importance], -memory.recorded_at_ms
    return 0, _RANK[memory.importance], -memory.recorded_at_ms


def _match(phrase: str, plain: str, said: frozenset[str]) -> tuple[float, str]:
    words = " ".join(re.findall(r"\w+", phrase.casefold()))
    if words and f" {words} " in f" {plain} ":
        return 1.0, phrase
    telling = telling_words(phrase)
    return (0.5, phrase) if telling and telling <= said else (0.0, "")


@dataclass(frozen=True, slots=True)
class TypedData:
    """A list of memories, or one with all its fields."""

    items: tuple[TypedRow, ...] = ()
    id: str | None = None
    content: dict[str, Any] | None = None
    created: bool | None = None
    """False where the very same was there already."""
    success_rate: float | None = None
    health: str | None = None
    endpoints: tuple[EndpointRow, ...] | None = None


def detail_data(memory: Memory) -> TypedData:
    return TypedData(id=memory.id, content=dict(memory.content), success_rate=success_rate(memory))


def typed_row(memory: Memory, *, matched: str | None = None, depth: int | None = None) -> TypedRow:
    return TypedRow(
        memory.id,
        shorten(memory.title, _NAME_CHARS),
        standing_of(memory),
        day(memory.recorded_at_ms),
        matched,
        depth,
    )


def standing_of(memory: Memory) -> str:
    content = memory.content
    parts = [f"{content[name]}{' %' * (name == 'progress')}" for name in _STANDINGS if name in content]
    is_solved = memory.type == "incident" and content.get("resolvedAt")
    return ", ".join([*parts, *(["resolved"] if is_solved else [])])
