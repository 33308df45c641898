"""Walks over the call graph, level by level, whichever way a step is taken."""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from drift.index.ids import SymbolId

_ABOVE_ALL: Final = SymbolId(1 << 63)

Step = Callable[[Iterable[SymbolId]], list[tuple[SymbolId, SymbolId]]]
"""From the symbols of one level the pairs (symbol, neighbour), in any order, some perhaps twice."""


class Reached(NamedTuple):
    """A symbol a walk came to: after how many steps, and from which symbol."""

    symbol_id: SymbolId
    depth: int
    via_id: SymbolId


class Closure(NamedTuple):
    """What a walk came to, nearest first, then by id. `is_cut`: there was more than was allowed."""

    reached: tuple[Reached, ...]
    is_cut: bool

    def path_to(self, symbol: SymbolId) -> tuple[SymbolId, ...]:
        """The way from a start of the walk to a symbol, both included; just the symbol if it was not reached."""
        origins = {each.symbol_id: each.via_id for each in self.reached}
        path = [symbol]
        while (via := origins.get(path[-1])) is not None:
            path.append(via)
        return tuple(reversed(path))


def walk_levels(
    starts: Iterable[SymbolId], expand: Step, *, max_depth: int | None, max_symbols: int
) -> Closure:
    """Everything within `max_depth` steps (None: any) of the starts, at most `max_symbols`."""
    frontier = sorted(set(starts))
    seen = set(frontier)
    reached: list[Reached] = []
    depth = 0
    while frontier and (max_depth is None or depth < max_depth):
        depth += 1
        level: dict[SymbolId, SymbolId] = {}
        for via, found in expand(frontier):
            # Of several ways the one by the lowest id, so that the same graph gives the same walk.
            if found not in seen and via < level.get(found, _ABOVE_ALL):
                level[found] = via
        frontier = sorted(level)
        seen.update(frontier)
        reached.extend(Reached(found, depth, level[found]) for found in frontier)
        if len(reached) > max_symbols:
            return Closure(tuple(reached[:max_symbols]), is_cut=True)
    return Closure(tuple(reached), is_cut=False)


def find_shortest_paths(
    source: SymbolId, target: SymbolId, expand: Step, *, max_depth: int, limit: int
) -> list[tuple[SymbolId, ...]]:
    """Up to `limit` of the paths with the fewest steps, in the order of ids from the target's end."""
    origins: dict[SymbolId, set[SymbolId]] = {source: set()}
    if source == target:
        return _trace_back(target, origins, limit)
    frontier = [source]
    for _ in range(max_depth):
        level: dict[SymbolId, set[SymbolId]] = {}
        for via, found in expand(frontier):
            if found not in origins:
                level.setdefault(found, set()).add(via)
        origins |= level
        if target in level:
            return _trace_back(target, origins, limit)
        if not level:
            return []
        frontier = list(level)
    return []


def _trace_back(
    target: SymbolId, origins: dict[SymbolId, set[SymbolId]], limit: int
) -> list[tuple[SymbolId, ...]]:
    paths: list[tuple[SymbolId, ...]] = []
    # Depth first, so that no more than the wanted paths are ever unfinished.
    pending: list[tuple[SymbolId, ...]] = [(target,)]
    while pending and len(paths) < limit:
        path = pending.pop()
        earlier = sorted(origins[path[0]], reverse=True)
        if not earlier:
            paths.append(path)
        pending.extend((via, *path) for via in earlier)
    return paths
