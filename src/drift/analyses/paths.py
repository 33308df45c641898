"""Shortest ways by which one symbol comes to call another."""

from drift.analyses.callables import call_target
from drift.analyses.callees import standing_in
from drift.index import IndexReader
from drift.index.ids import SymbolId
from drift.index.records import SymbolRecord


def find_paths(
    reader: IndexReader, source: SymbolRecord, target: SymbolRecord, *, max_depth: int, limit: int
) -> tuple[tuple[SymbolId, ...], ...]:
    """Up to `limit` of the shortest ways; a class starts in any of its methods and is reached by its constructor."""
    starts = standing_in(reader, source)
    wanted = call_target(reader, target)
    ends = {target.id} if wanted.named else set(wanted.ids)
    reached = {
        one.symbol_id: one.depth
        for one in reader.calls.closure(starts, "callees", max_depth=max_depth).reached
    }
    near = min((reached[end] for end in ends if end in reached), default=None)
    if near is None:
        return ()
    found: list[tuple[SymbolId, ...]] = []
    for start in starts:
        for end in sorted(end for end in ends if reached.get(end) == near):
            paths = reader.calls.shortest_paths(start, end, max_depth=near, limit=limit)
            found += [path for path in paths if len(path) == near + 1]
            if len(found) >= limit:
                return tuple(found[:limit])
    return tuple(found)
