"""Walks over the edges between memories, in the direction that is asked for."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Final, Literal, NamedTuple

from drift.kernel.arguments import Length, Range
from drift.memory.decay import current_confidence
from drift.memory.links import CausalRow
from drift.memory.records import CausalEdge, Memory
from drift.memory.storage.edges import Direction
from drift.memory.store import MemoryStore

MOST_VISITED: Final = 500


class Walk(NamedTuple):
    """How far each memory is, the edges that led there, and whether there were more than could be followed."""

    depths: dict[str, int]
    edges: tuple[CausalEdge, ...]
    is_cut: bool


RelationName = Literal[
    "caused",
    "enabled",
    "prevented",
    "contradicts",
    "supersedes",
    "supports",
    "derived_from",
    "triggered_by",
]


DirectionName = Literal["out", "in", "both"]


@dataclass(frozen=True, slots=True)
class Traverse:
    """Which edges to follow: out from source to target, in against it."""

    relation: RelationName | None = None
    direction: DirectionName = "both"
    depth: Annotated[int, Range(1, 5)] = 1


@dataclass(frozen=True, slots=True)
class Where:
    """What a memory must be to be listed. The walk goes on through those that are not."""

    types: Annotated[tuple[str, ...], Length(23)] = ()
    tags: Annotated[tuple[str, ...], Length(30)] = ()
    importance: Literal["low", "normal", "high", "critical"] | None = None
    min_confidence: Annotated[float, Range(0, 1)] = 0.0
    file: Annotated[str | None, Length(4096)] = None


@dataclass(frozen=True, slots=True)
class WalkedRow:
    """A memory and the number of edges it is away."""

    id: str
    type: str
    title: str
    depth: int


def ends(edges: Iterable[CausalEdge], direction: str) -> Iterable[str]:
    for edge in edges:
        if direction != "in":
            yield edge.target
        if direction != "out":
            yield edge.source


def fits(memory: Memory, where: Where, *, now_ms: int) -> bool:
    order = ("low", "normal", "high", "critical")
    return (
        not memory.is_purged
        and (not where.types or memory.type in where.types)
        and (not where.tags or bool(set(where.tags) & set(memory.tags)))
        and (where.importance is None or order.index(memory.importance) >= order.index(where.importance))
        and (where.file is None or any(link.path == where.file for link in memory.files))
        and (not where.min_confidence or current_confidence(memory, now_ms=now_ms) >= where.min_confidence)
    )


@dataclass(frozen=True, slots=True)
class WalkedData:
    """What was reached, nearest first, the edges walked between what is listed, and how the question was read."""

    memories: tuple[WalkedRow, ...]
    edges: tuple[CausalRow, ...]
    total: int
    interpretation: str


def walk(store: MemoryStore, start: str, traverse: Traverse) -> Walk:
    """Breadth first, each memory once, along the edges in the direction asked for."""
    direction = Direction(traverse.direction)
    depths, frontier = {start: 0}, [start]
    followed: dict[CausalEdge, None] = {}
    for depth in range(1, traverse.depth + 1):
        found = store.edges.of(frontier, direction) if store.is_present else ()
        edges = [one for one in found if traverse.relation in (None, str(one.relation))]
        followed.update(dict.fromkeys(edges))
        reached = [one for one in dict.fromkeys(ends(edges, direction)) if one not in depths]
        frontier = reached[: MOST_VISITED - len(depths)]
        depths.update(dict.fromkeys(frontier, depth))
        if len(frontier) < len(reached):
            return Walk(depths, tuple(followed), is_cut=True)
        if not frontier:
            break
    return Walk(depths, tuple(followed), is_cut=False)
