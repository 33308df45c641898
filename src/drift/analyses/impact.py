"""What a change of symbols may touch: who uses them, the ways in from outside, the tests, the places.

What it does: walks from the changed symbols to all that call them or pass them on, through overridden methods.
Why it matters: the callers one sees are few of those that will notice.
Known limits: calls that nobody could resolve are not walked; `unresolved` finds those that may lead here.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import chain
from posixpath import dirname
from types import MappingProxyType
from typing import Final, NamedTuple

from drift.analyses.callables import CLASS_KINDS, call_target
from drift.analyses.callers import trace
from drift.analyses.definitions import declarations_of, find_definitions, is_overload
from drift.analyses.impact_sureness import Sureness
from drift.analyses.prominence import place_symbols
from drift.analyses.running.graph import run_graph
from drift.analyses.testing.affected import is_real, replaced_by_case
from drift.analyses.testing.mocks import ReadText, find_mocks
from drift.analyses.testing.reach import Reach, collect_users, walk_reaching
from drift.analyses.testing.suites import suites_of
from drift.index import IndexReader
from drift.index.graph_queries import EntryRow as EntryRecord
from drift.index.graph_queries import FilePlace
from drift.index.ids import SymbolId, file_of_symbol
from drift.index.records import SymbolRecord
from drift.index.walk import Reached
from drift.languages.kinds import TYPE_KINDS


@dataclass(frozen=True, slots=True)
class ImpactCounts:
    """All there are, also those not listed. Users are counted without tests, `outside_code` are lines by name alone."""

    direct: int
    transitive: int
    entry_points: int
    tests: int
    files: int
    packages: int
    max_depth: int
    outside_code: int | None = None


_MOST_SYMBOLS: Final = 50_000
_SEPARATOR: Final = re.compile(r"[.:>\\]")


class Arrival(NamedTuple):
    """An entry point from which a change is reached. `path` leads from it to what is changed."""

    entry: EntryRecord
    depth: int
    path: tuple[SymbolId, ...]


class Impact(NamedTuple):
    """What a change may touch. Lists are nearest first, entries the product's first.

    `is_cut`: there was more than is followed; `followed` is how many steps away users were looked for.
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
    followed: int
    sureness: Sureness | None = None
    sure_tests: Mapping[SymbolId, float] = MappingProxyType({})

    @property
    def direct(self) -> tuple[Reached, ...]:
        """The users that stand right before the change, tests not counted."""
        return tuple(one for one in self.product if one.depth == 1)

    @property
    def ends_early(self) -> bool:
        """Whether some users are as far away as any were looked for."""
        return any(one.depth >= self.followed for one in self.product)

    @property
    def max_depth(self) -> int:
        """How far the farthest user is."""
        return max((one.depth for one in (*self.product, *self.tests)), default=0)


def find_impact(
    reader: IndexReader,
    changed: Collection[SymbolRecord],
    *,
    max_depth: int,
    with_members: bool = True,
    read: ReadText | None = None,
) -> Impact:
    """What a change of these symbols may touch; with their members, unless they are told apart already.

    With `read` no test counts that puts something else in the place of what it would come through.
    """
    starts = _starts(reader, changed, with_members=with_members)
    overridden, overriding = _overrides(reader, starts)
    # A call of an overridden method may run the changed one, so its callers are users too; not so with
    # constructors, where who makes the parent never makes the child.
    run_in_place = {one.id for one in reader.symbols.many(overridden) if one.kind != "constructor"}
    by_name = _users_by_name(reader, changed)
    graph = run_graph(reader)
    unrelated = reader.graph.settled_calls(run_in_place - set(starts), starts)
    closure = reader.graph.users(
        {*starts, *run_in_place},
        max_depth=max_depth,
        max_symbols=_MOST_SYMBOLS,
        also=_together(graph.page_users(), graph.spelled.users(), graph.bound_users(), by_name),
        without=unrelated,
    )
    known = {*starts, *(one.symbol_id for one in closure.reached)}
    reached = (*_naming_users(reader, changed, known), *_exporters(reader, changed, known), *closure.reached)
    origins = {one.symbol_id: one.via_id for one in reached}
    places = reader.graph.file_places({file_of_symbol(one.symbol_id) for one in reached})
    test_files = {one.id for one in places if one.role == "test"}
    tests = reader.graph.in_tests(one.symbol_id for one in reached)
    is_test = [one.symbol_id in tests or file_of_symbol(one.symbol_id) in test_files for one in reached]
    product_files = [one for one in places if one.role != "test"]
    sureness = Sureness(reader, starts, run_in_place, origins)
    aims = {*starts, *run_in_place, *chain.from_iterable(by_name.values())}
    reaching = _reaching_tests(reader, aims, unrelated, read)
    return Impact(
        starts=tuple(starts),
        overridden=overridden,
        overriding=overriding,
        product=tuple(one for one, test in zip(reached, is_test, strict=True) if not test),
        tests=tuple(Reached(one.case, one.depth, one.path[min(1, len(one.path) - 1)]) for one in reaching),
        entries=_arrivals(reader, starts, reached, origins),
        files=tuple(product_files),
        packages=tuple(sorted({package_of(one) for one in product_files})),
        origins=origins,
        is_cut=closure.is_cut,
        followed=max_depth,
        sureness=sureness,
        sure_tests={one.case: sureness.of_test(one.path, one.confidence) for one in reaching},
    )


def _together(*some: Mapping[SymbolId, list[SymbolId]]) -> dict[SymbolId, list[SymbolId]]:
    found: dict[SymbolId, list[SymbolId]] = defaultdict(list)
    for users in some:
        for used, those in users.items():
            found[used] += those
    return found


def _naming_users(
    reader: IndexReader, changed: Collection[SymbolRecord], known: Collection[SymbolId]
) -> list[Reached]:
    """Those who name a changed class as a type, such as of a parameter, or register a function, and are no users otherwise.

    Their own users are left out: that a function takes an object says nothing of who calls it.
    """
    classes = [one.id for one in changed if one.kind in TYPE_KINDS]
    pairs = [*reader.graph.type_users(classes), *reader.graph.connectors([one.id for one in changed])]
    found = {user: used for used, user in sorted(pairs) if user not in known}
    return [Reached(user, 1, used) for user, used in sorted(found.items())]


def _exporters(
    reader: IndexReader, changed: Collection[SymbolRecord], known: Collection[SymbolId]
) -> list[Reached]:
    """The files that export what changes as their own, without a use of it that is told anyway."""
    found: dict[SymbolId, SymbolId] = {}
    for one in changed:
        for each in reader.facts.importers_of_symbol(one.id):
            if each.is_reexport and each.name and each.symbol_id not in known:
                found.setdefault(each.symbol_id, one.id)
    return [Reached(user, 1, used) for user, used in sorted(found.items())]


def _reaching_tests(
    reader: IndexReader,
    starts: Collection[SymbolId],
    unrelated: Collection[tuple[SymbolId, SymbolId]],
    read: ReadText | None,
) -> list[Reach]:
    """The tests that come to run any of these, by the walk that all answers about tests share."""
    suites = suites_of(reader)
    users = collect_users(reader, suites, starts).without(unrelated)
    found = [reach for level in walk_reaching(users, suites, starts) for reach in level]
    if read is not None:
        mocks = find_mocks(reader, suites, {suites.cases[one.case].file_id for one in found}, read)
        replaced = replaced_by_case(suites, mocks)
        found = [one for one in found if is_real(one, replaced)]
    return found


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
    inside = {*starts, *declarations_of(reader, reader.symbols.many(starts))}
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
        if at is None or at not in depths or (entry.leads_outside and at not in starts):
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
