"""Who calls a symbol: directly, place by place, and through others, each with one way.

Known limits: calls through values the linker could not follow are missing; `unresolved` finds those
that are written with the same name.
"""

from typing import Final, NamedTuple

from drift.analyses.callables import CallTarget
from drift.index import IndexReader
from drift.index.graph_queries import CallerCounts, CallSite
from drift.index.ids import SymbolId, file_of_symbol
from drift.index.records import ReferenceRecord, SymbolRecord
from drift.index.walk import Closure, Reached

WIDELY_USED_ABOVE: Final = 5
"""More direct callers than this outside tests: a change is felt in many places."""

_MOST_STARTS: Final = 20_000
_MOST_SYMBOLS: Final = 50_000
_MOST_REFERENCES: Final = 1_000


class DirectCallers(NamedTuple):
    """One page of the places that call a symbol, and how many there are."""

    sites: tuple[CallSite, ...]
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
    is_test: int = 0

    @property
    def key(self) -> tuple[int, int, int]:
        """Where it stands in the list: product before tests, nearest first."""
        return self.is_test, self.depth, self.symbol.id


class FarCallers(NamedTuple):
    """One page of the symbols that reach a target through others. `is_cut`: there were too many to follow."""

    callers: tuple[FarCaller, ...]
    total: int
    is_cut: bool


def find_direct_callers(
    reader: IndexReader,
    target: CallTarget,
    *,
    after: tuple[int, int, int] | None = None,
    limit: int = 20,
) -> DirectCallers:
    """The places that call the target, product before tests, from the one after `after`."""
    sites = reader.graph.call_sites(target.ids, named=target.named, after=after or (-1, -1, -1), limit=limit)
    return DirectCallers(tuple(sites), reader.graph.caller_counts(target.ids, named=target.named))


def find_far_callers(
    reader: IndexReader,
    target: CallTarget,
    *,
    max_depth: int,
    after: tuple[int, int, int] | None = None,
    limit: int = 20,
) -> FarCallers:
    """The symbols that reach the target through at least one other, product before tests, nearest first."""
    closure = walk_callers(reader, target, max_depth)
    far = [one for one in closure.reached if one.depth > 1]
    files, tests = test_files(reader, closure), reader.graph.tests()
    keyed = sorted(
        (int(one.symbol_id in tests or file_of_symbol(one.symbol_id) in files), one.depth, one.symbol_id)
        for one in far
    )
    wanted = [key for key in keyed if after is None or key > tuple(after)][:limit]
    origins = {one.symbol_id: one.via_id for one in closure.reached}
    paths = {key[2]: trace(origins, key[2]) for key in wanted}
    known = {one.id: one for one in reader.symbols.many({each for path in paths.values() for each in path})}
    found = tuple(
        FarCaller(known[symbol], depth, tuple(known[each] for each in paths[symbol]), is_test)
        for is_test, depth, symbol in wanted
    )
    return FarCallers(found, len(far), closure.is_cut)


def find_references(reader: IndexReader, symbol: SymbolRecord) -> list[ReferenceRecord]:
    """The places that name the symbol without calling it."""
    return reader.facts.references_to(symbol.id, limit=_MOST_REFERENCES)


def trace(origins: dict[SymbolId, SymbolId], symbol: SymbolId) -> tuple[SymbolId, ...]:
    """The way from a symbol back to the start of the walk that reached it, both included."""
    path = [symbol]
    while (via := origins.get(path[-1])) is not None:
        path.append(via)
    return tuple(path)


def test_files(reader: IndexReader, closure: Closure) -> frozenset[int]:
    """Those of the files a walk came to that are tests."""
    files = {file_of_symbol(one.symbol_id) for one in closure.reached}
    return frozenset(one.id for one in reader.graph.file_places(files) if one.role == "test")


def walk_callers(reader: IndexReader, target: CallTarget, max_depth: int) -> Closure:
    """All that come to call the target, nearest first."""
    if target.named is None:
        return reader.calls.closure(target.ids, "callers", max_depth=max_depth, max_symbols=_MOST_SYMBOLS)
    # Others are made by the same constructor, so the first step is taken by name.
    sites = reader.graph.call_sites(target.ids, named=target.named, limit=_MOST_STARTS)
    starts = sorted({site.caller.id for site in sites})
    beyond = reader.calls.closure(starts, "callers", max_depth=max_depth - 1, max_symbols=_MOST_SYMBOLS)
    near = tuple(Reached(start, 1, target.symbol.id) for start in starts)
    # A recursive target must not be on the way to itself, or the way would have no end.
    far = tuple(
        one._replace(depth=one.depth + 1) for one in beyond.reached if one.symbol_id != target.symbol.id
    )
    return Closure(near + far, beyond.is_cut)
