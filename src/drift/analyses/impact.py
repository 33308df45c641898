"""What a change of symbols may touch: who uses them, the ways in from outside, the tests, the places.

What it does: walks from the changed symbols to all that call them or pass them on, through overridden methods.
Why it matters: the callers one sees are few of those that will notice.
Known limits: calls that nobody could resolve are not walked; `unresolved` finds those that may lead here.
"""

import re
from collections import defaultdict
from collections.abc import Collection
from posixpath import dirname
from typing import Final, NamedTuple

from drift.analyses.callables import CLASS_KINDS, call_target
from drift.analyses.callers import trace
from drift.analyses.definitions import find_definitions, find_header_place, is_overload
from drift.analyses.prominence import place_symbols
from drift.index import IndexReader
from drift.index.graph_queries import EntryRow, FilePlace
from drift.index.ids import SymbolId, file_of_symbol
from drift.index.records import SymbolRecord
from drift.index.walk import Reached

_MOST_SYMBOLS: Final = 50_000
_SEPARATOR: Final = re.compile(r"[.:>\\]")


class Arrival(NamedTuple):
    """An entry point from which a change is reached. `path` leads from it to what is changed."""

    entry: EntryRow
    depth: int
    path: tuple[SymbolId, ...]


class Impact(NamedTuple):
    """What a change may touch. Lists are nearest first, entries the product's first.

    `is_cut`: there was more than is followed.
    """

    starts: tuple[SymbolId, ...]
    overridden: tuple[SymbolId, ...]
    overriding: tuple[SymbolId, ...]
    product: tuple[Reached, ...]
    tests: tuple[Reached, ...]
    entries: tuple[Arrival, ...]
    files: tuple[FilePlace, ...]
    packages: tuple[str, ...]
    origins: dict[SymbolId, SymbolId]
    is_cut: bool

    @property
    def direct(self) -> tuple[Reached, ...]:
        """The users that stand right before the change, tests not counted."""
        return tuple(one for one in self.product if one.depth == 1)

    @property
    def max_depth(self) -> int:
        """How far the farthest user is."""
        return max((one.depth for one in (*self.product, *self.tests)), default=0)


def find_impact(
    reader: IndexReader, changed: Collection[SymbolRecord], *, max_depth: int, with_members: bool = True
) -> Impact:
    """What a change of these symbols may touch; with their members, unless they are told apart already."""
    starts = _starts(reader, changed, with_members=with_members)
    overridden, overriding = _overrides(reader, starts)
    # A call of an overridden method may run the changed one, so its callers are users too; not so with
    # constructors, where who makes the parent never makes the child.
    run_in_place = {one.id for one in reader.symbols.many(overridden) if one.kind != "constructor"}
    closure = reader.graph.users(
        {*starts, *run_in_place},
        max_depth=max_depth,
        max_symbols=_MOST_SYMBOLS,
        also=_users_by_name(reader, changed),
    )
    origins = {one.symbol_id: one.via_id for one in closure.reached}
    places = reader.graph.file_places({file_of_symbol(one.symbol_id) for one in closure.reached})
    test_files = {one.id for one in places if one.role == "test"}
    tests = reader.graph.tests()
    is_test = [
        one.symbol_id in tests or file_of_symbol(one.symbol_id) in test_files for one in closure.reached
    ]
    product_files = [one for one in places if one.role != "test"]
    return Impact(
        starts=tuple(starts),
        overridden=overridden,
        overriding=overriding,
        product=tuple(one for one, test in zip(closure.reached, is_test, strict=True) if not test),
        tests=tuple(one for one in closure.reached if one.symbol_id in tests),
        entries=_arrivals(reader, starts, closure.reached, origins),
        files=tuple(product_files),
        packages=tuple(sorted({package_of(one) for one in product_files})),
        origins=origins,
        is_cut=closure.is_cut,
    )


def package_of(place: FilePlace) -> str:
    """The package a file declares, or else its folder."""
    return place.package or dirname(place.path) or "."


def _starts(reader: IndexReader, changed: Collection[SymbolRecord], *, with_members: bool) -> list[SymbolId]:
    ids = [one.id for one in changed]
    if with_members:
        inside = set(reader.graph.inside(ids))
        return sorted(inside | _code_elsewhere(reader, changed, inside))
    targets = (call_target(reader, one) for one in changed)
    made = (target.ids for target in targets if not target.named)
    return sorted({*ids, *(each for found in made for each in found)})


def _code_elsewhere(
    reader: IndexReader, changed: Collection[SymbolRecord], inside: Collection[SymbolId]
) -> set[SymbolId]:
    """The definitions of what is only declared: calls lead there, not to the header or the overload."""
    if not any(one.language in {"c", "cpp"} or is_overload(one) for one in changed):
        return set()
    declared = reader.symbols.many(inside)
    return {found.id for one in declared for found in find_definitions(reader, one)}


def _overrides(
    reader: IndexReader, starts: list[SymbolId]
) -> tuple[tuple[SymbolId, ...], tuple[SymbolId, ...]]:
    # A class of C++ overrides by what its header declares, not by where the code is.
    offered = [find_header_place(reader, one) for one in reader.symbols.many(starts) if one.language == "cpp"]
    inside = {*starts, *(one.id for one in offered if one is not None)}
    pairs = reader.graph.overrides_of(inside)
    above = {method for method, _ in pairs} - inside
    below = {overrider for _, overrider in pairs} - inside
    return tuple(sorted(above)), tuple(sorted(below))


def _users_by_name(reader: IndexReader, changed: Collection[SymbolRecord]) -> dict[SymbolId, list[SymbolId]]:
    """Those who make a class that inherits its constructor: the graph shows them as callers of the parent."""
    targets = [call_target(reader, one) for one in changed if one.kind in CLASS_KINDS]
    heirs: dict[tuple[SymbolId, ...], dict[str, SymbolId]] = defaultdict(dict)
    for target in targets:
        if target.named is not None:
            heirs[target.ids[1:]][target.named] = target.symbol.id
    found: dict[SymbolId, list[SymbolId]] = defaultdict(list)
    for constructors, names in heirs.items():
        for caller, text in reader.graph.callers_by_text(constructors):
            heir = names.get(_SEPARATOR.split(text)[-1])
            if heir is not None:
                found[heir].append(caller)
    return found


def _arrivals(
    reader: IndexReader,
    starts: list[SymbolId],
    reached: tuple[Reached, ...],
    origins: dict[SymbolId, SymbolId],
) -> tuple[Arrival, ...]:
    depths = {one.symbol_id: one.depth for one in reached} | dict.fromkeys(starts, 0)
    found: dict[tuple[SymbolId, str, str], Arrival] = {}
    for entry in reader.graph.product_entries():
        at = entry.symbol_id if entry.symbol_id in depths else entry.member_id
        if at is None or at not in depths:
            continue
        key, depth = (entry.symbol_id, entry.kind, entry.detail), depths[at]
        if key not in found or depth < found[key].depth:
            found[key] = Arrival(entry, depth, trace(origins, at))
    places = place_symbols(reader, {one.entry.symbol_id for one in found.values()})
    return tuple(
        sorted(
            found.values(),
            key=lambda one: (
                places[one.entry.symbol_id][0],
                one.depth,
                one.entry.symbol_id,
                one.entry.detail,
            ),
        )
    )
