"""Walks over the edges between memories, in the direction that is asked for."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Final, Literal, NamedTuple

from drift.kernel.answer import Answer
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.text import plural, shorten
from drift.memory import CausalEdge, Direction, Memory
from drift.memory.decay import current_confidence
from drift.memory.search import Setting, Wanted
from drift.registry import Call, Length, Range, tool
from drift.tools.memories.access import MEMORY, now_ms, store_of
from drift.tools.memories.links import CausalRow, causal_rows
from drift.tools.memories.lookups import call_holding, read_memories, require_memories, search_memories

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
_MOST_VISITED: Final = 500


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


@dataclass(frozen=True, slots=True)
class WalkedData:
    """What was reached, nearest first, the edges walked between what is listed, and how the question was read."""

    memories: tuple[WalkedRow, ...]
    edges: tuple[CausalRow, ...]
    total: int
    interpretation: str


class _Walk(NamedTuple):
    """How far each memory is, the edges that led there, and whether there were more than could be followed."""

    depths: dict[str, int]
    edges: tuple[CausalEdge, ...]
    is_cut: bool


@tool(
    category="memory",
    title="Query the memory graph",
    tokens=(80, 1500),
    scopes=MEMORY,
    examples=(
        {"from": "m_1hf3c8z0kq7w2x9", "traverse": {"relation": "caused", "direction": "in", "depth": 3}},
        {"from": "double charges", "where": {"types": ["incident"]}},
    ),
)
def drift_memory_query(
    call: Call,
    from_: Annotated[str, Length(2000), "Id, or words: the best hit"],
    traverse: Traverse = Traverse(),  # noqa: B008 - it is frozen
    where: Where = Where(),  # noqa: B008 - it is frozen
    limit: Annotated[int, Range(1, 100)] = 20,
) -> Answer[WalkedData]:
    """Memories reached from one over causal edges: relation, direction, depth, then filters."""
    start, how = _find_start(call, from_)
    call = call_holding(call, start.id)
    walk = _walk(call, start.id, traverse)
    reached = store_of(call).get_many(one for one in walk.depths if one != start.id)
    fitting = [one for one in reached.values() if _fits(one, where)]
    listed = fitting[:limit]
    shown = {start.id, *(one.id for one in listed)}
    rows = tuple(WalkedRow(one.id, one.type, shorten(one.title, 80), walk.depths[one.id]) for one in listed)
    edges = causal_rows([edge for edge in walk.edges if edge.source in shown and edge.target in shown])
    relation = traverse.relation or "any relation"
    reading = f"{how}; {relation}, direction {traverse.direction}, up to {plural(traverse.depth, 'step')}"
    warnings = (f"only the {_MOST_VISITED} nearest were followed",) if walk.is_cut else ()
    return Answer(
        f"{plural(len(fitting), 'memory', 'memories')} reached from {start.id}",
        WalkedData(rows, edges, len(fitting), reading),
        warnings=warnings,
    )


def _find_start(call: Call, text: str) -> tuple[Memory, str]:

    found = read_memories(call, [text])
    if found:
        return found[text], f"from {text}"
    if text.startswith("m_") and " " not in text:
        require_memories(call, [text])
    hits = search_memories(call, text, setting=Setting(now_ms()), wanted=Wanted(), limit=1).memories
    if not hits:
        raise DriftError(
            ErrorCode.RESOURCE_NOT_FOUND,
            f"No memory has the id {shorten(text, 60)!r} or holds these words",
            Recovery(hint="Search first; every hit has its id.", alternative_tools=("drift_memory_search",)),
        )
    best = hits[0].memory
    return best, f"from {best.id} ({shorten(best.title, 60)}), the best hit for the words"


def _walk(call: Call, start: str, traverse: Traverse) -> _Walk:
    """Breadth first, each memory once, along the edges in the direction asked for."""
    direction = Direction(traverse.direction)
    depths, frontier = {start: 0}, [start]
    followed: dict[CausalEdge, None] = {}
    for depth in range(1, traverse.depth + 1):
        found = store_of(call).edges.of(frontier, direction) if store_of(call).is_present else ()
        edges = [one for one in found if traverse.relation in (None, str(one.relation))]
        followed.update(dict.fromkeys(edges))
        reached = [one for one in dict.fromkeys(_ends(edges, direction)) if one not in depths]
        frontier = reached[: _MOST_VISITED - len(depths)]
        depths.update(dict.fromkeys(frontier, depth))
        if len(frontier) < len(reached):
            return _Walk(depths, tuple(followed), is_cut=True)
        if not frontier:
            break
    return _Walk(depths, tuple(followed), is_cut=False)


def _ends(edges: Iterable[CausalEdge], direction: str) -> Iterable[str]:
    for edge in edges:
        if direction != "in":
            yield edge.target
        if direction != "out":
            yield edge.source


def _fits(memory: Memory, where: Where) -> bool:

    order = ("low", "normal", "high", "critical")
    return (
        not memory.is_purged
        and (not where.types or memory.type in where.types)
        and (not where.tags or bool(set(where.tags) & set(memory.tags)))
        and (where.importance is None or order.index(memory.importance) >= order.index(where.importance))
        and (where.file is None or any(link.path == where.file for link in memory.files))
        and (not where.min_confidence or current_confidence(memory, now_ms=now_ms()) >= where.min_confidence)
    )
