"""What a change of symbols may touch: who uses them, the ways in from outside, the tests, the places.

What it does: walks from the changed symbols to all that call them or pass them on, through overridden methods.
Why it matters: the callers one sees are few of those that will notice.
Known limits: calls that nobody could resolve are not walked; `unresolved` finds those that may lead here.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from posixpath import dirname
from typing import Final, NamedTuple

from drift.analyses.callables import CLASS_KINDS, call_target
from drift.analyses.callers import trace
from drift.analyses.definitions import declarations_of, find_definitions, is_overload
from drift.analyses.graph_rows import EntryRow, SymbolRow, describe_path, shown_name, symbol_row
from drift.analyses.prominence import place_symbols
from drift.analyses.running.graph import RunGraph, run_graph
from drift.analyses.test_titles import find_test_titles
from drift.analyses.testing.affected import is_real, replaced_by_case
from drift.analyses.testing.mocks import ReadText, find_mocks
from drift.analyses.testing.reach import collect_users, walk_reaching
from drift.analyses.testing.suites import suites_of
from drift.index import IndexReader
from drift.index.graph_queries import EntryRow as EntryRecord
from drift.index.graph_queries import FilePlace
from drift.index.ids import FileId, SymbolId, file_of_symbol
from drift.index.records import SymbolRecord
from drift.index.walk import Reached
from drift.languages.kinds import TYPE_KINDS


@dataclass(frozen=True, slots=True)
class UserRow:
    """A symbol that uses what changes; at depth 1 with the place, the reason and the confidence of the use."""

    symbol: str
    file: str
    line: int
    depth: int
    call: str | None = None
    reason: str | None = None
    confidence: float | None = None
    via: str | None = None


@dataclass(frozen=True, slots=True)
class TestRow:
    """A test that reaches what changes, and through how many calls."""

    test: str
    file: str
    line: int
    depth: int


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
_OVERRIDE: Final = "override"
_SHOWN: Final = "shows the page"
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
    unrelated = reader.graph.parent_calls(run_in_place - set(starts))
    closure = reader.graph.users(
        {*starts, *run_in_place},
        max_depth=max_depth,
        max_symbols=_MOST_SYMBOLS,
        also=_together(graph.page_users(), graph.spelled.users(), graph.bound_users(), by_name),
        without=unrelated,
    )
    known = {*starts, *(one.symbol_id for one in closure.reached)}
    reached = (*_type_users(reader, changed, known), *_exporters(reader, changed, known), *closure.reached)
    origins = {one.symbol_id: one.via_id for one in reached}
    places = reader.graph.file_places({file_of_symbol(one.symbol_id) for one in reached})
    test_files = {one.id for one in places if one.role == "test"}
    tests = reader.graph.in_tests(one.symbol_id for one in reached)
    is_test = [one.symbol_id in tests or file_of_symbol(one.symbol_id) in test_files for one in reached]
    product_files = [one for one in places if one.role != "test"]
    return Impact(
        starts=tuple(starts),
        overridden=overridden,
        overriding=overriding,
        product=tuple(one for one, test in zip(reached, is_test, strict=True) if not test),
        tests=_reaching_tests(
            reader, {*starts, *run_in_place, *chain.from_iterable(by_name.values())}, unrelated, read
        ),
        entries=_arrivals(reader, starts, reached, origins),
        files=tuple(product_files),
        packages=tuple(sorted({package_of(one) for one in product_files})),
        origins=origins,
        is_cut=closure.is_cut,
        followed=max_depth,
    )


def _together(*some: Mapping[SymbolId, list[SymbolId]]) -> dict[SymbolId, list[SymbolId]]:
    found: dict[SymbolId, list[SymbolId]] = defaultdict(list)
    for users in some:
        for used, those in users.items():
            found[used] += those
    return found


def _type_users(
    reader: IndexReader, changed: Collection[SymbolRecord], known: Collection[SymbolId]
) -> list[Reached]:
    """Those who name a changed class or alias as a type, such as of a parameter, and are no users otherwise.

    Their own users are left out: that a function takes an object says nothing of who calls it.
    """
    classes = [one.id for one in changed if one.kind in TYPE_KINDS]
    found = {user: used for used, user in sorted(reader.graph.type_users(classes)) if user not in known}
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
) -> tuple[Reached, ...]:
    """The tests that come to run any of these, by the walk that all answers about tests share."""
    suites = suites_of(reader)
    users = collect_users(reader, suites, starts).without(unrelated)
    found = [reach for level in walk_reaching(users, suites, starts) for reach in level]
    if read is not None:
        mocks = find_mocks(reader, suites, {suites.cases[one.case].file_id for one in found}, read)
        replaced = replaced_by_case(suites, mocks)
        found = [one for one in found if is_real(one, replaced)]
    return tuple(Reached(one.case, one.depth, one.path[min(1, len(one.path) - 1)]) for one in found)


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


def test_rows(reader: IndexReader, tests: Sequence[Reached]) -> tuple[TestRow, ...]:
    known = {one.id: one for one in reader.symbols.many(one.symbol_id for one in tests)}
    titles = find_test_titles(reader, known.values())
    return tuple(
        TestRow(titles[one.symbol_id], known[one.symbol_id].path, known[one.symbol_id].line, one.depth)
        for one in tests
    )


def user_rows(reader: IndexReader, impact: Impact, reached: Iterable[Reached]) -> tuple[UserRow, ...]:
    wanted = list(reached)
    shares = _shares_of_overrides(reader, impact)
    ids = {each for one in wanted for each in (one.symbol_id, one.via_id)}
    known = {one.id: one for one in reader.symbols.many(ids)}
    rows = []
    graph = run_graph(reader)
    for one in wanted:
        symbol, via = known[one.symbol_id], known.get(one.via_id)
        # A page that is no code has no symbol.
        unseen = _SHOWN if via is None else _reason_of_graph(graph, one) or _unseen_reason(symbol, via)
        hop = reader.graph.hop(one.symbol_id, one.via_id)
        share = shares.get(one.symbol_id) if one.via_id in impact.overridden else None
        if hop is not None and share is not None:
            hop = hop._replace(reason=_OVERRIDE, confidence=share)
        rows.append(
            UserRow(
                shown_name(symbol),
                symbol.path,
                hop.line if hop else symbol.line,
                one.depth,
                call=(hop.text or None) if hop else None,
                reason=hop.reason if hop else unseen,
                confidence=round(hop.confidence, 2) if hop else None,
                via=shown_name(via) if via is not None and one.depth > 1 else None,
            )
        )
    return tuple(rows)


def _shares_of_overrides(reader: IndexReader, impact: Impact) -> dict[SymbolId, float]:
    """How surely those who call what is overridden run what changes, as the answer about callers tells it."""
    if not impact.overridden:
        return {}
    own = {*impact.starts, *declarations_of(reader, reader.symbols.many(impact.starts))}
    found: dict[SymbolId, float] = {}
    for place in (*reader.callers.places(sorted(own)), *reader.callers.places_above(own)):
        found[place.caller_id] = max(place.confidence, found.get(place.caller_id, 0.0))
    return found


def _reason_of_graph(graph: RunGraph, user: Reached) -> str | None:
    if user.via_id in graph.pages:
        return _SHOWN
    spelt = graph.spelled.places.get(user.via_id)
    return "by a name put together" if spelt is not None and spelt.caller == user.symbol_id else None


def _unseen_reason(user: SymbolRecord, used: SymbolRecord) -> str:
    if used.parent_id == user.id:
        return "around it"
    if user.kind == "module":
        return "exports it again"
    return "calls what it overrides" if used.kind == "method" else "named by the call"


def entry_rows(reader: IndexReader, impact: Impact, limit: int) -> tuple[EntryRow, ...]:
    rows = []
    for one in impact.entries[:limit]:
        symbol = reader.symbols.get(one.entry.symbol_id)
        if symbol is not None:
            path = describe_path(reader, one.path)
            rows.append(
                EntryRow(
                    one.entry.kind,
                    one.entry.detail,
                    shown_name(symbol),
                    symbol.path,
                    one.entry.line,
                    one.depth,
                    path,
                )
            )
    return tuple(rows)


def test_files(reader: IndexReader, impact: Impact, limit: int) -> tuple[str, ...]:
    """The files of the nearest tests, each once."""
    files: list[FileId] = list(dict.fromkeys(file_of_symbol(one.symbol_id) for one in impact.tests))[:limit]
    paths = {one.id: one.path for one in reader.graph.file_places(files)}
    return tuple(paths[file] for file in files if file in paths)


def symbol_rows(reader: IndexReader, symbols: Iterable[SymbolId]) -> tuple[SymbolRow, ...]:
    return tuple(map(symbol_row, reader.symbols.many(symbols)))
