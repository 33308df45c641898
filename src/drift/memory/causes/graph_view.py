"""Memories and the edges between them, as a part of the graph small enough to be read, and drawn."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from drift.kernel.connections import Connection
from drift.kernel.errors import invalid
from drift.kernel.similar import similar_names
from drift.kernel.text import shorten
from drift.memory.causes.causality import edges_around
from drift.memory.causes.narrative import TITLE_CHARS
from drift.memory.records import CausalEdge, Memory, Relation
from drift.memory.store import MemoryStore
from drift.memory.types import memory_types

RelationName = Literal[
    "caused", "enabled", "prevented", "contradicts", "supersedes", "supports", "derived_from", "triggered_by"
]


@dataclass(frozen=True, slots=True)
class NodeRow:
    """A memory of the graph, so many steps from where it starts."""

    id: str
    type: str
    title: str
    depth: int


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """How one memory bears on another."""

    source: str
    target: str
    relation: str
    strength: float
    inferred: bool


@dataclass(frozen=True, slots=True)
class MemoryGraphData:
    """A part of the graph, as rows or as a mermaid flowchart."""

    node_count: int
    edge_count: int
    nodes: tuple[NodeRow, ...] | None = None
    edges: tuple[EdgeRow, ...] | None = None
    mermaid: str | None = None


_ESCAPES: Final = str.maketrans(
    {
        '"': "#quot;", "<": "#lt;", ">": "#gt;", "&": "#amp;", "`": "'", "#": "#35;",
        "\n": " ", "\r": " ", "\t": " ", "\\": "#92;", "[": "#91;", "]": "#93;", "{": "#123;", "}": "#125;",
        "(": "#40;", ")": "#41;", "|": "#124;", ";": "#59;",
    }
)  # fmt: skip
_MOST_LABEL: Final = 60
_SURE: Final = 0.5
# The best are chosen by number, then named: joining first would read the names of every edge.
_STRONGEST: Final = """
WITH best AS (SELECT source, target, strength FROM edges WHERE strength >= ?
              ORDER BY strength DESC, source, target LIMIT ?)
SELECT one.id, other.id FROM best JOIN memories AS one ON one.number = best.source
                                  JOIN memories AS other ON other.number = best.target
ORDER BY strength DESC, best.source, best.target
"""


class Filters(NamedTuple):
    """Which memories and edges to show; nothing given: the current ones."""

    types: frozenset[str] = frozenset()
    relations: frozenset[Relation] = frozenset()
    least_strength: float = 0.0
    with_archived: bool = False


class GraphView(NamedTuple):
    """A part of the graph; `depths` are the steps from where it starts, `is_cut` where there is more."""

    memories: tuple[Memory, ...]
    edges: tuple[CausalEdge, ...]
    depths: dict[str, int]
    is_cut: bool


def view_around(
    store: MemoryStore,
    start: str,
    *,
    max_depth: int,
    most_nodes: int,
    filters: Filters = Filters(),  # noqa: B008 - a NamedTuple cannot be changed
) -> GraphView:
    """The memories that edges join with one, nearest first. Raises RESOURCE_NOT_FOUND."""
    store.get(start)
    depths = {start: 0}
    level = [start]
    is_cut = False
    for depth in range(1, max_depth + 1):
        ends = _ends(_edges(store, level, filters))
        shown = _shown(store, [one for one in ends if one not in depths], filters)
        level = shown[: most_nodes - len(depths)]
        is_cut = is_cut or len(level) < len(shown)
        depths.update(dict.fromkeys(level, depth))
        if not level:
            break
    else:
        beyond = _ends(_edges(store, level, filters))
        is_cut = is_cut or bool(_shown(store, [one for one in beyond if one not in depths], filters))
    return _view(store, depths, filters, is_cut=is_cut)


def view_strongest(store: MemoryStore, *, most_nodes: int, filters: Filters = Filters()) -> GraphView:  # noqa: B008 - as above
    """The memories that the strongest edges join."""
    with store.reading() as connection:
        pairs = _strongest(connection, filters.least_strength, limit=4 * most_nodes)
    near = [end for pair in pairs for end in pair]
    # Once more, since filters by relation look at whole edges.
    joined = _shown(store, _ends(_edges(store, near, filters)), filters)
    ordered = [one for one in dict.fromkeys(near) if one in frozenset(joined)]
    chosen = dict.fromkeys(ordered[:most_nodes], 0)
    is_cut = len(ordered) > most_nodes or len(pairs) == 4 * most_nodes
    return _view(store, chosen, filters, is_cut=is_cut)


def draw_mermaid(view: GraphView, *, centre: str | None = None) -> str:
    """The view as a mermaid flowchart: every text escaped, edges dotted where they are unsure."""
    numbers = {memory.id: f"n{place}" for place, memory in enumerate(view.memories)}
    lines = ["flowchart LR"]
    lines += [
        f'  {numbers[memory.id]}["{_label(memory.type)}: {_label(memory.title)}"]' for memory in view.memories
    ]
    lines += [
        f"  {numbers[edge.source]} {_arrow(edge)}|{edge.relation}| {numbers[edge.target]}"
        for edge in view.edges
    ]
    if centre in numbers:
        lines.append(f"  style {numbers[centre]} stroke-width:3px")
    return "\n".join(lines)


def _arrow(edge: CausalEdge) -> str:
    return "-->" if edge.strength >= _SURE else "-.->"


def _label(text: str) -> str:
    printable = "".join(one if one.isprintable() else " " for one in text)
    return shorten(printable, _MOST_LABEL).translate(_ESCAPES)


def _strongest(connection: Connection, least_strength: float, *, limit: int) -> list[tuple[str, str]]:
    return connection.execute(_STRONGEST, (least_strength, limit)).fetchall()


def _edges(store: MemoryStore, ids: Collection[str], filters: Filters) -> list[CausalEdge]:
    return [
        edge
        for edge in edges_around(store, ids)
        if edge.strength >= filters.least_strength
        and (not filters.relations or edge.relation in filters.relations)
    ]


def _ends(edges: list[CausalEdge]) -> list[str]:
    return list(dict.fromkeys(end for edge in edges for end in (edge.source, edge.target)))


def _shown(store: MemoryStore, ids: list[str], filters: Filters) -> list[str]:
    # Whoever asks what superseded what wants to see both.
    with_superseded = filters.with_archived or Relation.SUPERSEDES in filters.relations
    return [
        memory.id
        for memory in store.get_many(ids).values()
        if not memory.is_purged
        and (filters.with_archived or not memory.archived)
        and (with_superseded or memory.superseded_by is None)
        and (not filters.types or memory.type in filters.types)
    ]


def _view(store: MemoryStore, depths: dict[str, int], filters: Filters, *, is_cut: bool) -> GraphView:
    inside = [
        edge
        for edge in _edges(store, list(depths), filters)
        if edge.source in depths and edge.target in depths
    ]
    memories = tuple(store.get_many(depths).values())
    return GraphView(memories, tuple(inside), depths, is_cut)


def read_filters(
    types: Sequence[str], relations: Sequence[str], min_strength: float, *, with_archived: bool
) -> Filters:
    for one in types:
        if one not in memory_types():
            raise invalid(
                "types", f"there is no type {one[:60]!r}", similar=similar_names(one, memory_types())
            )
    return Filters(frozenset(types), frozenset(map(Relation, relations)), min_strength, with_archived)


def graph_data(view: GraphView, centre: str | None, *, is_drawn: bool) -> MemoryGraphData:
    if is_drawn:
        drawing = draw_mermaid(view, centre=centre)
        return MemoryGraphData(len(view.memories), len(view.edges), mermaid=drawing)
    nodes = tuple(
        NodeRow(one.id, one.type, shorten(one.title, TITLE_CHARS), view.depths[one.id])
        for one in view.memories
    )
    edges = tuple(
        EdgeRow(one.source, one.target, str(one.relation), round(one.strength, 2), one.inferred)
        for one in view.edges
    )
    return MemoryGraphData(len(nodes), len(edges), nodes, edges)
