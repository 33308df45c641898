"""What a symbol comes to run, and from where it comes to be run.

Forward, the walk follows what runs what to its end; inverse, to the entry points and tests it begins with. What
is of interest at the places a walk came to is told by finders, so that another kind of destination, such as
tables of a database, is one more finder in `FORWARD_FINDERS`.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, NamedTuple, Protocol

from drift.analyses.callables import CallTarget, call_target
from drift.analyses.callees import standing_in
from drift.analyses.callers import trace
from drift.analyses.graph_rows import (
    EntryRow,
    SymbolRow,
    describe_path,
    open_name_warnings,
    outside_warnings,
    shown_name,
    symbol_row,
    unseen_way_warnings,
)
from drift.analyses.prominence import place_symbols, rank_reached
from drift.analyses.reaching_tests import find_reaching_tests
from drift.analyses.running.walks import walk_runs
from drift.analyses.spelled_warnings import spelled_warnings
from drift.analyses.unresolved import find_open_names
from drift.analyses.usages.beside_code import beside_warnings
from drift.index import IndexReader
from drift.index.ids import SymbolId
from drift.index.records import SymbolRecord
from drift.index.walk import Closure, Reached
from drift.kernel.ranking import Ranked
from drift.kernel.text import plural


@dataclass(frozen=True, slots=True)
class ReachedRow:
    """A symbol that was reached, after how many calls, and through which one."""

    symbol: str
    file: str
    line: int
    depth: int
    via: str


@dataclass(frozen=True, slots=True)
class ExternalRow:
    """A package outside the project that is called: how often, what of it, and the way to one of the places."""

    package: str
    calls: int
    names: tuple[str, ...]
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReachedData:
    """A table that is come to: what is done there, by which fields, which of them are sensitive, and the way."""

    table: str
    operation: str
    fields: tuple[str, ...]
    sensitive: tuple[str, ...]
    file: str
    line: int
    depth: int
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReachabilityData:
    """What was reached, nearest first. Forward: also what it calls outside; inverse: also how many tests.

    Pages are of `symbols`; entry points and external packages stand on the first page only. `others` are further
    symbols of the name that was asked about, with which the walk begins, too.
    """

    origin: SymbolRow
    direction: str
    reached: int
    max_depth: int
    entry_point_count: int
    symbols: tuple[ReachedRow, ...]
    entry_points: tuple[EntryRow, ...] | None = None
    external_packages: int | None = None
    externals: tuple[ExternalRow, ...] | None = None
    unresolved_calls: int | None = None
    tests: int | None = None
    data: tuple[ReachedData, ...] | None = None
    data_count: int | None = None
    others: tuple[SymbolRow, ...] | None = None


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
    closure = walk_runs(reader, starts, "used", max_depth=max_depth, max_symbols=_MOST_SYMBOLS)
    depths = _depths(starts, closure)
    found = [one for finder in FORWARD_FINDERS for one in finder(reader, depths)]
    return _reach(reader, closure, depths, found)._replace(unresolved_calls=reader.graph.open_calls(depths))


def walk_inverse(reader: IndexReader, target: CallTarget, *, max_depth: int) -> Reach:
    """All that come to run the target, and the entry points among them."""
    closure = _walk_users(reader, target, max_depth)
    depths = _depths((target.symbol.id,) if target.named else target.ids, closure)
    return _reach(reader, closure, depths, find_entries(reader, depths))


def _walk_inverse_of_all(reader: IndexReader, targets: Sequence[CallTarget], *, max_depth: int) -> Reach:
    """All that come to run any of the targets, and the entry points among them."""
    starts = sorted({each for target in targets for each in target.ids})
    closure = walk_runs(reader, starts, "users", max_depth=max_depth, max_symbols=_MOST_SYMBOLS)
    depths = _depths(starts, closure)
    return _reach(reader, closure, depths, find_entries(reader, depths))


def _walk_users(reader: IndexReader, target: CallTarget, max_depth: int) -> Closure:
    if target.named is None:
        return walk_runs(reader, target.ids, "users", max_depth=max_depth, max_symbols=_MOST_SYMBOLS)
    # Others are made by the same constructor, so the first step is taken by name.
    places = reader.callers.places(target.ids, named=target.named)
    starts = sorted({place.caller_id for place in places} - {target.symbol.id})
    beyond = walk_runs(reader, starts, "users", max_depth=max_depth - 1, max_symbols=_MOST_SYMBOLS)
    near = tuple(Reached(start, 1, target.symbol.id) for start in starts)
    # A recursive target must not be on the way to itself, or the way would have no end.
    far = tuple(
        one._replace(depth=one.depth + 1) for one in beyond.reached if one.symbol_id != target.symbol.id
    )
    return Closure(near + far, beyond.is_cut)


def find_entries(reader: IndexReader, symbols: Collection[SymbolId], /) -> Sequence[Destination]:
    """The entry points among the symbols, also those that are entered through one of them."""
    inside = symbols if isinstance(symbols, dict) else set(symbols)
    found: dict[tuple[SymbolId, str, str], Destination] = {}
    for entry in reader.graph.product_entries():
        at = entry.symbol_id if entry.symbol_id in inside else entry.member_id
        if at is not None and at in inside and not entry.leads_outside:
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
    # Ways lead through what holds an object; what is reached is what runs.
    data = reader.running.data_among(origins)
    running = tuple(one for one in closure.reached if one.symbol_id not in data)
    return Reach(closure._replace(reached=running), depths, (*entries, *externals), 0, origins)


def reached_data(
    reader: IndexReader,
    origins: Sequence[SymbolRecord],
    reach: Reach,
    direction: str,
    shown: Sequence[Reached],
) -> ReachabilityData:
    is_forward = direction == "forward"
    externals = sum(one.kind == "external" for one in reach.destinations)
    tests = None if is_forward else len({row for one in origins for row in _tests_by_place(reader, one.id)})
    return ReachabilityData(
        origin=symbol_row(origins[0]),
        direction=direction,
        reached=len(reach.closure.reached),
        max_depth=max((one.depth for one in reach.closure.reached), default=0),
        entry_point_count=len(reach.destinations) - externals,
        symbols=_reached_rows(reader, shown),
        external_packages=externals if is_forward else None,
        unresolved_calls=reach.unresolved_calls if is_forward else None,
        tests=tests,
        others=tuple(map(symbol_row, origins[1:])) or None,
    )


def _tests_by_place(reader: IndexReader, symbol: SymbolId) -> set[tuple[str, int]]:
    return {(row.file, row.line) for row in find_reaching_tests(reader, symbol)}


def with_places(reader: IndexReader, data: ReachabilityData, reach: Reach, limit: int) -> ReachabilityData:
    """The data with the entry points and, forward, the packages that were come to, up to `limit` of each."""
    is_forward = data.direction == "forward"
    entries = [one for one in reach.destinations if one.kind != "external"][:limit]
    externals = [one for one in reach.destinations if one.kind == "external"][:limit]
    return replace(
        data,
        entry_points=tuple(_entry_row(reader, reach, one, is_forward=is_forward) for one in entries),
        externals=tuple(_external_row(reader, reach, one) for one in externals) if is_forward else None,
    )


def _reached_rows(reader: IndexReader, wanted: Sequence[Reached]) -> tuple[ReachedRow, ...]:
    ids = {each for one in wanted for each in (one.symbol_id, one.via_id)}
    known = {one.id: one for one in reader.symbols.many(ids)}
    return tuple(
        ReachedRow(
            shown_name(known[one.symbol_id]),
            known[one.symbol_id].path,
            known[one.symbol_id].line,
            one.depth,
            shown_name(known[one.via_id]),
        )
        for one in wanted
    )


def _entry_row(reader: IndexReader, reach: Reach, one: Destination, *, is_forward: bool) -> EntryRow:
    symbol = reader.symbols.many([one.symbol_id])[0]
    way = _in_order(reach.path_to(one.symbol_id), is_forward=is_forward)
    depth = reach.depths[one.symbol_id]
    path = describe_path(reader, way)
    return EntryRow(one.kind, one.name, shown_name(symbol), symbol.path, one.line, depth, path)


def _external_row(reader: IndexReader, reach: Reach, one: Destination) -> ExternalRow:
    way = _in_order(reach.path_to(one.symbol_id), is_forward=True)
    path = describe_path(reader, way)
    # The last symbol is shown where it makes the call, not where it is defined.
    last = reader.symbols.many([one.symbol_id])[0]
    return ExternalRow(
        one.name, one.calls, one.examples, (*path[:-1], f"{shown_name(last)} {last.path}:{one.line}")
    )


def _in_order(path: Sequence[SymbolId], *, is_forward: bool) -> Sequence[SymbolId]:
    """The way in the direction of the calls."""
    return path[::-1] if is_forward else path


def say_open_calls(reach: Reach) -> tuple[str, ...]:
    if not reach.unresolved_calls:
        return ()
    return (
        f"{plural(reach.unresolved_calls, 'call')} on the way could not be resolved; more may be reached",
    )


def summarize_reach(data: ReachabilityData) -> str:
    entries = plural(data.entry_point_count, "entry point")
    more = f" and {len(data.others)} more of the name" if data.others else ""
    origin = f"{data.origin.symbol}{more}"
    if data.direction == "forward":
        packages = plural(data.external_packages or 0, "external package")
        reach = "reach" if more else "reaches"
        return f"{origin} {reach} {plural(data.reached, 'symbol')}, {packages} and {entries}"
    tests = plural(data.tests or 0, "test")
    return f"{origin} {'are' if more else 'is'} reached by {plural(data.reached, 'symbol')}, among them {entries} and {tests}"


class Reachability(NamedTuple):
    """What code comes to run, or from where it comes to be run, as an answer tells it."""

    reader: IndexReader
    origin: SymbolRecord
    direction: Direction
    reach: Reach
    unsure: tuple[str, ...]
    others: tuple[SymbolRecord, ...] = ()

    @property
    def warnings(self) -> tuple[str, ...]:
        cut = ("There is too much to follow all",) if self.reach.closure.is_cut else ()
        return (*cut, *self.unsure)

    def ranked(self) -> Ranked[Reached]:
        return rank_reached(self.reader, self.reach.closure.reached)

    def data(self, shown: Sequence[Reached], *, places: int = 0) -> ReachabilityData:
        """The answer that shows these symbols, and up to so many of each kind of place."""
        origins = (self.origin, *self.others)
        whole = reached_data(self.reader, origins, self.reach, self.direction, shown)
        return with_places(self.reader, whole, self.reach, places) if places else whole


def find_reach(
    reader: IndexReader,
    origins: Sequence[SymbolRecord],
    direction: Direction,
    *,
    max_depth: int,
    root: Path | None = None,
) -> Reachability:
    """What symbols come to run together, or all that come to run one; with the project's root also who names it in pages."""
    origin, others = origins[0], tuple(origins[1:])
    if direction == "forward":
        starts = dict.fromkeys(each for one in origins for each in standing_in(reader, one))
        reach = walk_forward(reader, tuple(starts), max_depth=max_depth)
        return Reachability(reader, origin, direction, reach, say_open_calls(reach), others)
    targets = [call_target(reader, one) for one in origins]
    reach = (
        _walk_inverse_of_all(reader, targets, max_depth=max_depth)
        if others
        else walk_inverse(reader, targets[0], max_depth=max_depth)
    )
    unsure = open_name_warnings(find_open_names(reader, origins, reach.closure.reached))
    beside = [note for one in origins for note in beside_warnings(reader, root, one)] if root else []
    outside = [note for one in origins for note in outside_warnings(reader, one)]
    notes = [target.note for target in targets if target.note]
    above = unseen_way_warnings(reader, [one.symbol_id for one in reach.closure.reached])
    told = dict.fromkeys((*unsure, *outside, *spelled_warnings(reader, origins), *above, *beside, *notes))
    return Reachability(reader, origin, direction, reach, tuple(told), others)
