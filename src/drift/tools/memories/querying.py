"""Walks over the edges between memories, in the direction that is asked for."""

from typing import Annotated

from drift.kernel.answer import Answer
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.text import plural, shorten
from drift.memory import Memory
from drift.memory.causes.graph_walk import MOST_VISITED, Traverse, WalkedData, WalkedRow, Where, fits, walk
from drift.memory.links import causal_rows
from drift.memory.search import Setting, Wanted
from drift.registry import Call, Length, Range, tool
from drift.tools.memories.access import MEMORY, now_ms, store_of
from drift.tools.memories.lookups import call_holding, read_memories, require_memories, search_memories


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
    """Follow causes and effects from one memory. By relation, direction and depth, then filters."""
    start, how = _find_start(call, from_)
    call = call_holding(call, start.id)
    walked = walk(store_of(call), start.id, traverse)
    reached = store_of(call).get_many(one for one in walked.depths if one != start.id)
    fitting = [one for one in reached.values() if fits(one, where, now_ms=now_ms())]
    listed = fitting[:limit]
    shown = {start.id, *(one.id for one in listed)}
    rows = tuple(WalkedRow(one.id, one.type, shorten(one.title, 80), walked.depths[one.id]) for one in listed)
    edges = causal_rows([edge for edge in walked.edges if edge.source in shown and edge.target in shown])
    relation = traverse.relation or "any relation"
    reading = f"{how}; {relation}, direction {traverse.direction}, up to {plural(traverse.depth, 'step')}"
    warnings = (f"only the {MOST_VISITED} nearest were followed",) if walked.is_cut else ()
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
