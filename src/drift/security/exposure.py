"""Which entry points come to which table, through whom, and what guards them.

What it does: walks from the places that reach a table back over what runs them, to routes, commands, jobs and events.
Why it matters: an access is as safe as the way to it.
Known limits: what runs what is as sure as the call graph; a way that it does not see is not told.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from drift.analyses.callers import trace
from drift.analyses.data_access import AccessPoint
from drift.analyses.graph_rows import describe_path, shown_name
from drift.analyses.index_cache import PerState
from drift.analyses.reachability import find_entries
from drift.analyses.running.walks import walk_runs
from drift.index import IndexReader
from drift.index.ids import SymbolId
from drift.security.routes import Routes, is_open

MAX_DEPTH: Final = 10
_MOST_SYMBOLS: Final = 50_000
_MOST_KEPT: Final = 200  # sets of places whose ways are kept
_ENTRIES: Final = frozenset({"http", "cli", "job", "event", "main"})


@dataclass(frozen=True, slots=True)
class ReachingEntry:
    """An entry point that comes to a table: the way, what it does there, and what guards it (null: not a route)."""

    kind: str
    entry: str
    file: str
    line: int
    operations: tuple[str, ...]
    guards: tuple[str, ...] | None
    is_open: bool
    """It is a route of a kind that everybody may call."""
    depth: int
    path: tuple[str, ...]

    @property
    def is_unguarded(self) -> bool:
        return self.guards == () and not self.is_open


class Way(NamedTuple):
    """From an entry point to the nearest place that reaches the table."""

    kind: str
    detail: str
    symbol_id: SymbolId
    line: int
    depth: int
    route: tuple[SymbolId, ...]


_Ways = tuple[tuple[Way, ...], bool]
_WAYS: Final[PerState[dict[tuple[tuple[SymbolId, ...], int], _Ways]]] = PerState()


def find_ways(
    reader: IndexReader, points: Iterable[AccessPoint], *, max_depth: int = MAX_DEPTH
) -> tuple[tuple[Way, ...], bool]:
    """The ways from entry points to these places, nearest first, and whether there was too much to follow all."""
    known = _WAYS.get(reader, dict)
    asked = tuple(sorted({point.symbol_id for point in points})), max_depth
    found = known.get(asked)
    if found is None:
        found = _find_ways(reader, *asked)
        if len(known) >= _MOST_KEPT:
            known.clear()
        known[asked] = found
    return found


def _find_ways(reader: IndexReader, starts: tuple[SymbolId, ...], max_depth: int) -> _Ways:
    closure = walk_runs(reader, starts, "users", max_depth=max_depth, max_symbols=_MOST_SYMBOLS)
    depths = dict.fromkeys(starts, 0) | {one.symbol_id: one.depth for one in closure.reached}
    origins = {one.symbol_id: one.via_id for one in closure.reached}
    found = [
        Way(one.kind, one.name, one.symbol_id, one.line, depths[one.symbol_id], trace(origins, one.symbol_id))
        for one in find_entries(reader, depths)
        if one.kind in _ENTRIES
    ]
    found.sort(key=lambda one: (one.depth, one.kind, one.detail, one.symbol_id))
    return tuple(found), closure.is_cut


def describe_ways(
    reader: IndexReader, ways: Sequence[Way], points: Iterable[AccessPoint], routes: Routes
) -> tuple[ReachingEntry, ...]:
    """Ways as an answer tells them."""
    operations: dict[SymbolId, set[str]] = defaultdict(set)
    for point in points:
        operations[point.symbol_id].add(point.operation)
    known = {one.id: one for one in reader.symbols.many({way.symbol_id for way in ways})}
    return tuple(
        _row(reader, way, shown_name(known[way.symbol_id]), known[way.symbol_id].path, operations, routes)
        for way in ways
        if way.symbol_id in known
    )


def _row(
    reader: IndexReader,
    way: Way,
    name: str,
    file: str,
    operations: dict[SymbolId, set[str]],
    routes: Routes,
) -> ReachingEntry:
    found = routes.of_symbol(way.symbol_id)
    entry = next((one for one in found if one.detail == way.detail), None) or routes.detailed(way.detail)
    guards = routes.guards_of(entry) if way.kind == "http" and entry is not None else None
    end = way.route[-1] if way.route else way.symbol_id
    return ReachingEntry(
        way.kind,
        way.detail or name,
        file,
        way.line,
        tuple(sorted(operations[end] or operations[way.symbol_id])),
        guards,
        entry is not None and (is_open(entry) or routes.is_free(entry)),
        way.depth,
        describe_path(reader, way.route),
    )
