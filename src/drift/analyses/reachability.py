"""What a symbol comes to run, and from where it comes to be run.

Forward, the walk follows calls to what they lead to; inverse, to the entry points and tests they come from. What
is of interest at the places a walk came to is told by finders, so that another kind of destination, such as
tables of a database, is one more finder in `FORWARD_FINDERS`.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Final, Literal, NamedTuple, Protocol

from drift.analyses.callables import CallTarget
from drift.analyses.callers import trace, walk_callers
from drift.analyses.prominence import place_symbols
from drift.index import IndexReader
from drift.index.ids import SymbolId
from drift.index.walk import Closure

Direction = Literal["forward", "inverse"]

_MOST_SYMBOLS: Final = 50_000
_MOST_NAMES: Final = 5
_SEPARATOR: Final = re.compile(r"[./:\\]+")


class Destination(NamedTuple):
    """Something of interest at a symbol that a walk came to."""

    kind: str  # external, http, cli, job, event, main, export
    name: str
    symbol_id: SymbolId
    line: int
    calls: int = 1
    examples: tuple[str, ...] = ()


class Finder(Protocol):
    """Tells what is of interest at symbols that were reached."""

    def __call__(self, reader: IndexReader, symbols: Collection[SymbolId], /) -> Sequence[Destination]: ...


class Reach(NamedTuple):
    """Where a walk came to. `depths` has every symbol, the starts with 0."""

    closure: Closure
    depths: dict[SymbolId, int]
    destinations: tuple[Destination, ...]
    unresolved_calls: int  # in what was walked forward, that lead nobody knows where
    origins: dict[SymbolId, SymbolId]

    def path_to(self, symbol: SymbolId) -> tuple[SymbolId, ...]:
        """The way between the start and a symbol, in the order in which the calls go from the symbol back."""
        return trace(self.origins, symbol)


def walk_forward(reader: IndexReader, starts: Collection[SymbolId], *, max_depth: int) -> Reach:
    """All that these symbols come to call, what of it is entered from outside, and the packages they use."""
    closure = reader.calls.closure(starts, "callees", max_depth=max_depth, max_symbols=_MOST_SYMBOLS)
    depths = _depths(starts, closure)
    found = [one for finder in FORWARD_FINDERS for one in finder(reader, depths)]
    return _reach(reader, closure, depths, found)._replace(unresolved_calls=reader.graph.open_calls(depths))


def walk_inverse(reader: IndexReader, target: CallTarget, *, max_depth: int) -> Reach:
    """All that come to call the target, and the entry points among them."""
    closure = walk_callers(reader, target, max_depth)
    depths = _depths((target.symbol.id,) if target.named else target.ids, closure)
    return _reach(reader, closure, depths, find_entries(reader, depths))


def find_entries(reader: IndexReader, symbols: Collection[SymbolId], /) -> Sequence[Destination]:
    """The entry points among the symbols, also those that are entered through one of them."""
    inside = symbols if isinstance(symbols, dict) else set(symbols)
    found: dict[tuple[SymbolId, str, str], Destination] = {}
    for entry in reader.graph.product_entries():
        at = entry.symbol_id if entry.symbol_id in inside else entry.member_id
        if at is not None and at in inside:
            key = (entry.symbol_id, entry.kind, entry.detail)
            found.setdefault(key, Destination(entry.kind, entry.detail, at, entry.line))
    return tuple(found.values())


def find_externals(reader: IndexReader, symbols: Collection[SymbolId], /) -> Sequence[Destination]:
    """The packages outside the project that the symbols call, most called first."""
    known = frozenset(reader.facts.external_packages())
    grouped: dict[str, list[tuple[str, int, SymbolId, int]]] = defaultdict(list)
    for use in reader.graph.external_uses(symbols):
        grouped[external_package(use.name, known)].append(use)
    found = [
        Destination(
            "external",
            package,
            uses[0][2],
            uses[0][3],
            sum(times for _, times, _, _ in uses),
            tuple(name for name, _, _, _ in uses[:_MOST_NAMES]),
        )
        for package, uses in grouped.items()
    ]
    return sorted(found, key=lambda one: (-one.calls, one.name))


def external_package(name: str, known: Collection[str]) -> str:
    """The package that a full name belongs to: the longest one that is imported anywhere, or its first part."""
    ends = [match.start() for match in _SEPARATOR.finditer(name)]
    for end in (len(name), *reversed(ends)):
        if name[:end] in known:
            return name[:end]
    return name[: ends[0]] if ends and ends[0] > 0 else name


FORWARD_FINDERS: Final[tuple[Finder, ...]] = (find_entries, find_externals)


def _depths(starts: Iterable[SymbolId], closure: Closure) -> dict[SymbolId, int]:
    return dict.fromkeys(starts, 0) | {one.symbol_id: one.depth for one in closure.reached}


def _reach(
    reader: IndexReader, closure: Closure, depths: dict[SymbolId, int], found: Sequence[Destination]
) -> Reach:
    """Where the walk came to: entry points of the product before those of examples, nearest first, then packages."""
    entries = [one for one in found if one.kind != "external"]
    places = place_symbols(reader, {one.symbol_id for one in entries})
    entries.sort(key=lambda one: (places[one.symbol_id][0], depths[one.symbol_id]))
    externals = [one for one in found if one.kind == "external"]
    origins = {one.symbol_id: one.via_id for one in closure.reached}
    return Reach(closure, depths, (*entries, *externals), 0, origins)
