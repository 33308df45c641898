"""Who calls a symbol: directly, place by place, and through others, each with one way.

Known limits: calls through values the linker could not follow are missing; `unresolved` finds those
that are written with the same name.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from drift.analyses.callables import CallTarget
from drift.analyses.prominence import place_symbols, rank_place
from drift.index import IndexReader
from drift.index.caller_queries import CallPlace
from drift.index.ids import SymbolId
from drift.index.records import ReferenceRecord, SymbolRecord
from drift.index.walk import Closure, Reached

WIDELY_USED_ABOVE: Final = 5
"""More direct callers than this outside tests: a change is felt in many places."""

Position = tuple[int | float | str, ...]
_MOST_SYMBOLS: Final = 50_000
_MOST_REFERENCES: Final = 1_000


def place_key(place: CallPlace) -> Position:
    """Where a place stands in the list: product before tests before examples, the surest first, then by place."""
    rank = rank_place(place.path, place.role, is_test=bool(place.is_test))
    return rank, -place.confidence, place.path, place.line, place.caller_id, place.call_id


class CallerCounts(NamedTuple):
    """How many places call a symbol, from how many symbols, and how many of those are no tests."""

    places: int
    callers: int
    product_callers: int


class DirectCallers(NamedTuple):
    """The places that call a symbol, foremost first, and how many there are."""

    places: tuple[CallPlace, ...]
    counts: CallerCounts

    @property
    def is_widely_used(self) -> bool:
        """Whether many symbols outside tests call it."""
        return self.counts.product_callers > WIDELY_USED_ABOVE


class FarCaller(NamedTuple):
    """A symbol that comes to call another through others. `path` leads from it to the target."""

    symbol: SymbolRecord
    depth: int
    path: tuple[SymbolRecord, ...]


FarKey = tuple[int, int, str, SymbolId]
"""Where a symbol stands among those behind others: product before tests before examples, nearest first."""


class FarWalk(NamedTuple):
    """The symbols that a walk came to through others, each by its key, in their order."""

    keys: tuple[FarKey, ...]
    closure: Closure

    @property
    def is_cut(self) -> bool:
        """Whether there were too many to follow."""
        return self.closure.is_cut


def find_direct_callers(reader: IndexReader, target: CallTarget) -> DirectCallers:
    """The places that call the target, product before tests before examples, the surest first."""
    places = reader.callers.places(target.ids, named=target.named)
    callers = {one.caller_id for one in places}
    product_callers = {one.caller_id for one in places if not one.is_test}
    counts = CallerCounts(len(places), len(callers), len(product_callers))
    return DirectCallers(tuple(sorted(places, key=place_key)), counts)


def find_far_callers(reader: IndexReader, target: CallTarget, *, max_depth: int) -> FarWalk:
    """The symbols that reach the target through at least one other."""
    return order_far(reader, walk_callers(reader, target, max_depth))


def order_far(reader: IndexReader, closure: Closure) -> FarWalk:
    """What a walk came to through others, product first, nearest first."""
    far = [one for one in closure.reached if one.depth > 1]
    places = place_symbols(reader, (one.symbol_id for one in far))
    keys = sorted(
        (places[one.symbol_id][0], one.depth, places[one.symbol_id][1], one.symbol_id) for one in far
    )
    return FarWalk(tuple(keys), closure)


def describe_far(reader: IndexReader, walk: FarWalk, wanted: Iterable[FarKey]) -> tuple[FarCaller, ...]:
    """Some of what a walk came to, each with the way back to where the walk began."""
    origins = {one.symbol_id: one.via_id for one in walk.closure.reached}
    paths = {symbol: (depth, trace(origins, symbol)) for _, depth, _, symbol in wanted}
    ids = {each for _, path in paths.values() for each in path}
    known = {one.id: one for one in reader.symbols.many(ids)}
    return tuple(
        FarCaller(known[symbol], depth, tuple(known[each] for each in path))
        for symbol, (depth, path) in paths.items()
    )


def find_references(reader: IndexReader, symbol: SymbolRecord) -> list[ReferenceRecord]:
    """The places that name the symbol without calling it, product before tests before examples, the surest first."""
    found = reader.facts.references_to(symbol.id, limit=_MOST_REFERENCES)
    places = place_symbols(reader, {one.symbol_id for one in found})
    return sorted(
        found, key=lambda one: (places[one.symbol_id][0], -one.confidence, one.path, one.line, one.column)
    )


def trace(origins: dict[SymbolId, SymbolId], symbol: SymbolId) -> tuple[SymbolId, ...]:
    """The way from a symbol back to the start of the walk that reached it, both included."""
    path = [symbol]
    while (via := origins.get(path[-1])) is not None:
        path.append(via)
    return tuple(path)


def walk_callers(reader: IndexReader, target: CallTarget, max_depth: int) -> Closure:
    """All that come to call the target, nearest first."""
    if target.named is None:
        return reader.calls.closure(target.ids, "callers", max_depth=max_depth, max_symbols=_MOST_SYMBOLS)
    # Others are made by the same constructor, so the first step is taken by name.
    places = reader.callers.places(target.ids, named=target.named)
    starts = sorted({place.caller_id for place in places})
    beyond = reader.calls.closure(starts, "callers", max_depth=max_depth - 1, max_symbols=_MOST_SYMBOLS)
    near = tuple(Reached(start, 1, target.symbol.id) for start in starts)
    # A recursive target must not be on the way to itself, or the way would have no end.
    far = tuple(
        one._replace(depth=one.depth + 1) for one in beyond.reached if one.symbol_id != target.symbol.id
    )
    return Closure(near + far, beyond.is_cut)
