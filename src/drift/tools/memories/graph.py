"""Why a memory is as it is, and how memories hang together."""

from collections.abc import Sequence
from typing import Annotated, Literal

from drift.kernel.answer import Answer, NextAction
from drift.kernel.errors import invalid
from drift.kernel.text import plural, shorten
from drift.memory import Memory
from drift.memory.causes.chains import Chain, Reach, Side, edges_as_of, edges_now, follow
from drift.memory.causes.graph_view import (
    GraphView,
    MemoryGraphData,
    RelationName,
    graph_data,
    read_filters,
    view_around,
    view_strongest,
)
from drift.memory.causes.narrative import (
    ExplainedData,
    chain_row,
    contradicting_row,
    tell_chain,
)
from drift.memory.dates import read_time
from drift.memory.details import memory_row
from drift.registry import Call, Length, Range, tool
from drift.tools.memories.access import MEMORY, now_ms, store_of
from drift.tools.memories.lookups import call_holding, require_memories

SideName = Literal["origins", "effects", "both"]


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
        side: tuple(chain_row(step, memories) for step in chain.steps if step.side is side) for side in Side
    }
    conflicts = tuple(contradicting_row(edge, chain.start, memories) for edge in chain.conflicts)
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


def _after_explaining(call: Call, chain: Chain, start: Memory) -> tuple[NextAction, ...]:
    if chain.steps:
        return (
            call.suggest(
                drift_memory_graph, "see it drawn", memory_id=start.id, format="mermaid", priority="low"
            ),
        )
    return (call.suggest("drift_memory_search", "look for what it may come from", query=start.title[:200]),)


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
    wanted = read_filters(types, relations, min_strength, with_archived=include_archived)
    if memory_id is not None:
        call = call_holding(call, memory_id)
    store = store_of(call)
    if memory_id is not None:
        require_memories(call, [memory_id])
        view = view_around(store, memory_id, max_depth=depth, most_nodes=limit, filters=wanted)
    elif store.is_present:
        view = view_strongest(store, most_nodes=limit, filters=wanted)
    else:
        view = GraphView((), (), {}, is_cut=False)
    counted = f"{plural(len(view.memories), 'memory', 'memories')}, {plural(len(view.edges), 'edge')}"
    return Answer(
        counted if view.memories else "No edge between memories fits",
        graph_data(view, memory_id, is_drawn=format == "mermaid"),
        next=_after_graph(call, view),
        warnings=("there are more memories than are shown; raise limit or depth",) if view.is_cut else (),
    )


def _after_graph(call: Call, view: GraphView) -> tuple[NextAction, ...]:
    if not view.edges:
        return (NextAction("drift_memory_status", {}, "see what is in the memory", "low"),)
    return (call.suggest(drift_memory_explain, "see the reasons", memory_id=view.edges[0].target),)
