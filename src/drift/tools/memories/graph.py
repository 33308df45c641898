"""Why a memory is as it is, and how memories hang together."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from drift.kernel.answer import Answer, NextAction
from drift.kernel.errors import invalid
from drift.kernel.similar import similar_names
from drift.kernel.text import plural, shorten
from drift.memory import CausalEdge, Memory, Relation, memory_types
from drift.memory.causes.chains import Chain, Reach, Side, Step, edges_as_of, edges_now, follow
from drift.memory.causes.graph_view import Filters, GraphView, draw_mermaid, view_around, view_strongest
from drift.memory.causes.narrative import tell_chain
from drift.registry import Call, Length, Range, tool
from drift.tools.memories.access import MEMORY, MemoryRow, memory_row, now_ms, store_of
from drift.tools.memories.dates import read_time
from drift.tools.memories.lookups import call_holding, require_memories

SideName = Literal["origins", "effects", "both"]
RelationName = Literal[
    "caused", "enabled", "prevented", "contradicts", "supersedes", "supports", "derived_from", "triggered_by"
]
_EVIDENCE_CHARS = 100
_MOST_EVIDENCE = 3
_TITLE_CHARS = 100


@dataclass(frozen=True, slots=True)
class ChainRow:
    """A memory of the chain, reached over one of `relation`; `via` is the one before it, absent for the start.

    `confidence` is of the whole way to here.
    """

    id: str
    type: str
    title: str
    depth: int
    relation: str
    strength: float
    confidence: float
    via: str | None = None
    evidence: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class ConflictRow:
    """A memory that contradicts it, and what shows that."""

    id: str
    title: str
    evidence: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class ExplainedData:
    """Where a memory comes from and what came of it. `why` and `confidence` are absent where no edge is known."""

    memory: MemoryRow
    origins: tuple[ChainRow, ...]
    effects: tuple[ChainRow, ...]
    why: tuple[str, ...] | None = None
    confidence: float | None = None
    conflicts: tuple[ConflictRow, ...] | None = None
    as_of: str | None = None


@tool(
    category="memory",
    title="Explain a memory",
    tokens=(100, 2000),
    scopes=MEMORY,
    examples=({"memoryId": "m_1hf3c8z0kq7w2x9"},),
)
def drift_memory_explain(
    call: Call,
    memory_id: Annotated[str, Length(100)],
    direction: SideName = "both",
    max_depth: Annotated[int, Range(1, 10)] = 5,
    min_strength: Annotated[float, Range(0, 1)] = 0.3,
    as_of: Annotated[str | None, Length(40), "Date: as it was known then"] = None,
) -> Answer[ExplainedData]:
    """Why a memory holds: the causes it goes back to, what came of it, each step with its evidence."""
    call = call_holding(call, memory_id)
    require_memories(call, [memory_id])
    store, at_ms = store_of(call), read_time(as_of, "asOf", is_end=True)
    sides = tuple(Side) if direction == "both" else (Side(direction),)
    edges_of = edges_now(store) if at_ms is None else edges_as_of(store, at_ms)
    chain = follow(memory_id, edges_of, Reach(sides, max_depth, min_strength))
    memories = _memories(call, chain.ids, at_ms)
    if memory_id not in memories:
        raise invalid("asOf", f"{memory_id} was not known at {as_of}")
    return _explained(call, chain, memories, as_of)


def _memories(call: Call, ids: Sequence[str], at_ms: int | None) -> dict[str, Memory]:
    store = store_of(call)
    if at_ms is None:
        return store.get_many(ids)
    then = {one: store.history.memory_at(one, at_ms) for one in ids}
    return {one: memory for one, memory in then.items() if memory is not None}


def _explained(
    call: Call, chain: Chain, memories: dict[str, Memory], as_of: str | None
) -> Answer[ExplainedData]:

    told = tell_chain(chain, memories)
    rows = {
        side: tuple(_chain_row(step, memories) for step in chain.steps if step.side is side) for side in Side
    }
    conflicts = tuple(_conflict_row(edge, chain.start, memories) for edge in chain.conflicts)
    start = memories[chain.start]
    counts = (
        plural(len(rows[Side.ORIGINS]), "origin"),
        plural(len(rows[Side.EFFECTS]), "effect"),
        plural(len(conflicts), "contradiction"),
    )
    sure = f", chain confidence {chain.confidence:.2f}" if chain.confidence is not None else ""
    return Answer(
        f"“{shorten(start.title, 80)}”: {', '.join(counts)}{sure}",
        ExplainedData(
            memory_row(start, now_ms=now_ms()),
            rows[Side.ORIGINS],
            rows[Side.EFFECTS],
            told or None,
            chain.confidence,
            conflicts or None,
            as_of,
        ),
        next=_after_explaining(call, chain, start),
        warnings=("there is more beyond: raise maxDepth or ask for one of the ends",) if chain.is_cut else (),
    )


def _chain_row(step: Step, memories: dict[str, Memory]) -> ChainRow:
    memory, edge = memories.get(step.memory), step.edge
    return ChainRow(
        step.memory,
        memory.type if memory else "unknown",
        shorten(memory.title, _TITLE_CHARS) if memory else "not known at that time",
        step.depth,
        str(edge.relation),
        round(edge.strength, 2),
        round(step.confidence, 2),
        step.via if step.depth > 1 else None,
        _evidence(edge),
    )


def _conflict_row(edge: CausalEdge, start: str, memories: dict[str, Memory]) -> ConflictRow:
    other = edge.target if edge.source == start else edge.source
    title = shorten(memories[other].title, _TITLE_CHARS) if other in memories else "not known at that time"
    return ConflictRow(other, title, _evidence(edge))


def _evidence(edge: CausalEdge) -> tuple[str, ...] | None:
    best = sorted(edge.evidence, key=lambda one: -one.confidence)[:_MOST_EVIDENCE]
    return tuple(f"{one.kind}: {shorten(one.description, _EVIDENCE_CHARS)}" for one in best) or None


def _after_explaining(call: Call, chain: Chain, start: Memory) -> tuple[NextAction, ...]:
    if chain.steps:
        return (
            call.suggest(
                drift_memory_graph, "see it drawn", memory_id=start.id, format="mermaid", priority="low"
            ),
        )
    return (call.suggest("drift_memory_search", "look for what it may come from", query=start.title[:200]),)


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


@tool(
    category="memory",
    title="Graph of memories",
    tokens=(50, 2500),
    scopes=MEMORY,
    examples=({"memoryId": "m_1hf3c8z0kq7w2x9", "depth": 2, "format": "mermaid"}, {"relations": ["caused"]}),
)
def drift_memory_graph(
    call: Call,
    memory_id: Annotated[str | None, Length(100), "Centre; without it the strongest edges"] = None,
    depth: Annotated[int, Range(1, 5)] = 2,
    *,
    format: Literal["json", "mermaid"] = "json",  # noqa: A002 - the word agents use
    types: Annotated[tuple[str, ...], Length(23), "Types of memory to show"] = (),
    relations: Annotated[tuple[RelationName, ...], Length(8)] = (),
    min_strength: Annotated[float, Range(0, 1)] = 0.0,
    include_archived: Annotated[bool, "Archived and superseded, too"] = False,
    limit: Annotated[int, Range(1, 100), "Most memories"] = 30,
) -> Answer[MemoryGraphData]:
    """Memories and the edges between them, around one or the strongest of all; as rows or mermaid."""
    filters = _filters(types, relations, min_strength, with_archived=include_archived)
    if memory_id is not None:
        call = call_holding(call, memory_id)
    store = store_of(call)
    if memory_id is not None:
        require_memories(call, [memory_id])
        view = view_around(store, memory_id, max_depth=depth, most_nodes=limit, filters=filters)
    elif store.is_present:
        view = view_strongest(store, most_nodes=limit, filters=filters)
    else:
        view = GraphView((), (), {}, is_cut=False)
    counted = f"{plural(len(view.memories), 'memory', 'memories')}, {plural(len(view.edges), 'edge')}"
    return Answer(
        counted if view.memories else "No edge between memories fits",
        _graph_data(view, memory_id, is_drawn=format == "mermaid"),
        next=_after_graph(call, view),
        warnings=("there are more memories than are shown; raise limit or depth",) if view.is_cut else (),
    )


def _filters(
    types: Sequence[str], relations: Sequence[str], min_strength: float, *, with_archived: bool
) -> Filters:

    for one in types:
        if one not in memory_types():
            raise invalid(
                "types", f"there is no type {one[:60]!r}", similar=similar_names(one, memory_types())
            )
    return Filters(frozenset(types), frozenset(map(Relation, relations)), min_strength, with_archived)


def _graph_data(view: GraphView, centre: str | None, *, is_drawn: bool) -> MemoryGraphData:

    if is_drawn:
        drawing = draw_mermaid(view, centre=centre)
        return MemoryGraphData(len(view.memories), len(view.edges), mermaid=drawing)
    nodes = tuple(
        NodeRow(one.id, one.type, shorten(one.title, _TITLE_CHARS), view.depths[one.id])
        for one in view.memories
    )
    edges = tuple(
        EdgeRow(one.source, one.target, str(one.relation), round(one.strength, 2), one.inferred)
        for one in view.edges
    )
    return MemoryGraphData(len(nodes), len(edges), nodes, edges)


def _after_graph(call: Call, view: GraphView) -> tuple[NextAction, ...]:
    if not view.edges:
        return (NextAction("drift_memory_status", {}, "see what is in the memory", "low"),)
    return (call.suggest(drift_memory_explain, "see the reasons", memory_id=view.edges[0].target),)
