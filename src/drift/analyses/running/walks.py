"""Walks over what runs what, for answers that are about the product as well as tests."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, Literal

from drift.analyses.running.graph import LEAST_CONFIDENCE, run_graph
from drift.index.ids import SymbolId, is_file
from drift.index.walk import Closure, Reached

if TYPE_CHECKING:
    from drift.index import IndexReader

_DISPATCHED: Final = (
    0.6  # where another is called that the method stands in for, of whatever class the object is
)


def walk_runs(
    reader: "IndexReader",
    starts: Iterable[SymbolId],
    direction: Literal["users", "used"],
    *,
    max_depth: int,
    max_symbols: int,
) -> Closure:
    """All that likely run the starts, or that these run, nearest first; of several ways the surest.

    That one file imports another is no step: it would lead to all that is near the top of a project. A call of a
    method runs any of those that may run in its place, however many they are.
    """
    graph = run_graph(reader)
    level = dict.fromkeys(sorted(set(starts)), 1.0)
    best = dict(level)
    reached: dict[SymbolId, Reached] = {}
    for depth in range(1, max_depth + 1):
        read = graph.read_users if direction == "users" else graph.read_used
        next_to = read(reader, level)
        if direction == "users":
            graph.read_dispatch(reader, level)
        standing = _standing_in(reader, level, direction)
        following: dict[SymbolId, float] = {}
        for here in sorted(level):
            standing_in = graph.dispatch_of.get(here, ()) if direction == "users" else ()
            callers = ((each, _DISPATCHED) for one in standing_in for each in sorted(one.callers))
            for there, confidence in (*next_to[here], *callers, *standing.get(here, ())):
                whole = level[here] * confidence
                if whole < LEAST_CONFIDENCE or whole <= best.get(there, 0.0):
                    continue
                if _is_import(here, there) and here not in graph.pages:  # pages take in pages
                    continue
                # A longer way may be surer and lead on; the shortest is the one to tell of.
                if there not in best:
                    reached[there] = Reached(there, depth, here)
                best[there] = following[there] = whole
        if not following:
            break
        if len(reached) > max_symbols:
            return Closure(_in_order(reached)[:max_symbols], is_cut=True)
        level = following
    return Closure(_in_order(reached), is_cut=False)


def _standing_in(
    reader: "IndexReader", level: Iterable[SymbolId], direction: Literal["users", "used"]
) -> dict[SymbolId, list[tuple[SymbolId, float]]]:
    """The ways over calls of a method in whose place others may run."""
    found: dict[SymbolId, list[tuple[SymbolId, float]]] = {}
    for one, other in reader.objects.standing_in(level, direction):
        found.setdefault(one, []).append((other, _DISPATCHED))
    return found


def _is_import(one: SymbolId, other: SymbolId) -> bool:
    return is_file(one) and is_file(other)


def _in_order(reached: dict[SymbolId, Reached]) -> tuple[Reached, ...]:
    return tuple(sorted(reached.values(), key=lambda one: (one.depth, one.symbol_id)))
