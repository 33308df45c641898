"""Who calls a symbol: directly, place by place, and through others, each with one way.

Known limits: calls through values the linker could not follow are missing; `unresolved` finds those
that are written with the same name.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from drift.analyses.callables import CallTarget, call_targets, entry_evidence, enum_members
from drift.analyses.definitions import declarations_of
from drift.analyses.graph_rows import (
    FarRow,
    SymbolRow,
    name_path,
    place_of,
    shown_name,
    silence_warnings,
    symbol_row,
)
from drift.analyses.prominence import place_symbols, rank_place
from drift.analyses.symbol_choice import choose_symbols
from drift.analyses.test_titles import find_test_titles
from drift.analyses.usages.beside_code import beside_warnings
from drift.analyses.usages.handed_on import handed_on_warnings
from drift.analyses.usages.offering import offered_evidence
from drift.index import IndexReader
from drift.index.caller_queries import CallPlace, CallSite
from drift.index.ids import SymbolId
from drift.index.records import ReferenceRecord, SymbolRecord
from drift.index.walk import Closure, Reached
from drift.kernel.errors import invalid
from drift.kernel.ranking import Key, Ranked, Sort
from drift.kernel.text import plural


@dataclass(frozen=True, slots=True)
class CallerRow:
    """A place that calls the target: the symbol it stands in, what is written there, how the link was found.

    `candidates`: the call may lead to so many symbols, of which the target is one; "override" is a call of a method that
    the target may run in the place of.
    """

    symbol: str
    file: str
    line: int
    call: str
    confidence: float
    reason: str
    candidates: int | None = None
    is_test: bool | None = None
    of: str | None = None
    """Which one it calls, where several were asked about."""


@dataclass(frozen=True, slots=True)
class ReferenceRow:
    """A place that names the target without calling it: passed on as a value, or used as a type."""

    file: str
    line: int
    kind: str
    reason: str


@dataclass(frozen=True, slots=True)
class Flag:
    """Something that makes changes of the target weigh more, and how that is known."""

    flag: str
    evidence: str


@dataclass(frozen=True, slots=True)
class CallerTotals:
    """All there are, also those not listed."""

    places: int
    callers: int
    callers_outside_tests: int
    references: int
    transitive: int | None = None


WIDELY_USED_ABOVE: Final = 5
"""More direct callers than this outside tests: a change is felt in many places."""

_MOST_SYMBOLS: Final = 50_000
_MOST_REFERENCES: Final = 1_000
_MOST_DOUBTED: Final = 8  # of several symbols of one name those whose silence is explained
_MOST_SHOWN_REFERENCES: Final = 10
_USUAL_STEPS: Final = 3


def place_key(place: CallPlace) -> Key:
    """Where a place stands in the list: product before tests before examples, the surest first, then by place."""
    rank = rank_place(place.path, place.role, is_test=bool(place.is_test))
    return rank, -place.confidence, place.path, place.line, place.caller_id, place.call_id


CALLER_SORTS: Final[Mapping[str, Sort[CallPlace]]] = {
    "relevance": Sort(place_key, "desc"),
    "file": Sort(lambda one: (one.path, one.line)),
    "confidence": Sort(lambda one: (-one.confidence,), "desc"),
}


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


FAR_SORTS: Final[Mapping[str, Sort[FarKey]]] = {
    "relevance": Sort(lambda key: key, "desc"),
    "file": Sort(lambda key: key[2:]),
}


class FarWalk(NamedTuple):
    """The symbols that a walk came to through others, each by its key, in their order."""

    keys: tuple[FarKey, ...]
    closure: Closure

    @property
    def is_cut(self) -> bool:
        """Whether there were too many to follow."""
        return self.closure.is_cut

    def ranked(self, sort: str | None) -> Ranked[FarKey]:
        """All of them, where the order that is asked for is one of theirs."""
        if sort not in {None, *FAR_SORTS}:
            raise invalid("sort", f"{sort} is of direct calls, not of those through others")
        return Ranked(self.keys, FAR_SORTS)


@dataclass(frozen=True, slots=True)
class CallersData:
    """Who calls the target. Product before tests before examples, the surest first; `transitive` only where asked for."""

    target: SymbolRow
    counts: CallerTotals
    flags: tuple[Flag, ...]
    callers: tuple[CallerRow, ...]
    references: tuple[ReferenceRow, ...]
    transitive: tuple[FarRow, ...] | None = None


class Callers(NamedTuple):
    """Who calls the one symbol that was meant, as an answer tells it."""

    reader: IndexReader
    target: CallTarget
    direct: DirectCallers
    references: Sequence[ReferenceRecord]
    far: FarWalk | None
    passed_over: tuple[str, ...]
    root: Path | None = None

    @property
    def symbol(self) -> SymbolRecord:
        return self.target.symbol

    @property
    def place(self) -> str:
        return place_of(self.symbol)

    @property
    def summary(self) -> str:
        counts = self.direct.counts
        more = f", {len(self.far.keys):,} more through others" if self.far else ""
        if self.references and not counts.callers:
            more += f"; {plural(len(self.references), 'other use')}"
        return (
            f"{plural(counts.callers, 'symbol')} ({counts.product_callers:,} outside tests) "
            f"call{'s' if counts.callers == 1 else ''} {self._shown} "
            f"in {plural(counts.places, 'place')}{more}"
        )

    @property
    def _shown(self) -> str:
        several = len(self.target.asked)
        return shown_name(self.symbol) if several == 1 else f"{several} symbols named {self.symbol.name}"

    def warnings(self) -> tuple[str, ...]:
        notes = (self.target.note,) if self.target.note else ()
        is_cut = self.far is not None and self.far.is_cut
        cut = ("There are too many transitive callers to follow all",) if is_cut else ()
        beside = beside_warnings(self.reader, self.root, self.symbol) if self.root else ()
        asked = (self.target.asked or (self.symbol,))[:_MOST_DOUBTED]
        silent = dict.fromkeys(each for one in asked for each in silence_warnings(self.reader, one))
        return (*self.passed_over, *notes, *cut, *silent, *beside, *self._handed_on())

    def _handed_on(self) -> tuple[str, ...]:
        if self.root is None or len(self.target.asked) > 1:
            return ()
        called = ((one.path, one.line) for one in self.direct.places)
        return handed_on_warnings(self.reader, self.root, self.symbol, called)

    def ranked(self) -> Ranked[CallPlace]:
        return Ranked(self.direct.places, CALLER_SORTS)

    def data(self, places: Sequence[CallPlace], behind: tuple[FarRow, ...] | None = None) -> CallersData:
        """The answer that shows these places, and these of those behind others."""
        transitive = len(self.far.keys) if self.far else None
        return CallersData(
            symbol_row(self.symbol),
            CallerTotals(*self.direct.counts, references=len(self.references), transitive=transitive),
            find_flags(self.reader, self.symbol, self.direct, self.root),
            caller_rows(self.reader, self.reader.callers.sites(places), self.target.together),
            tuple(
                ReferenceRow(one.path, one.line, one.kind, one.reason)
                for one in self.references[:_MOST_SHOWN_REFERENCES]
            ),
            behind,
        )

    def far_data(self, far: FarWalk, limit: int, keys: Sequence[FarKey]) -> CallersData:
        return self.data(self.direct.places[:limit], far_rows(self.reader, far, keys))


def find_callers(
    reader: IndexReader, name: str, *, file: str | None, max_depth: int, root: Path | None = None
) -> Callers:
    """Who calls the symbol a text means, through so many calls; with the project's root also who names it in pages."""
    symbols, passed_over = choose_symbols(reader, name, file=file)
    target = call_targets(reader, symbols)
    far = find_far_callers(reader, target, max_depth=max_depth) if max_depth > 1 else None
    direct = find_direct_callers(reader, target)
    return Callers(reader, target, direct, find_references(reader, symbols), far, passed_over, root)


def count_steps(max_depth: int | None, *, transitive: bool) -> int:
    """How many calls to follow: a depth says so by itself."""
    if max_depth is not None:
        return max_depth
    return _USUAL_STEPS if transitive else 1


def find_direct_callers(reader: IndexReader, target: CallTarget) -> DirectCallers:
    """The places that call the target, product before tests before examples, the surest first."""
    places = all_places(reader, target)
    callers = {one.caller_id for one in places}
    product_callers = {one.caller_id for one in places if not one.is_test}
    counts = CallerCounts(len(places), len(callers), len(product_callers))
    return DirectCallers(tuple(sorted(places, key=place_key)), counts)


def all_places(reader: IndexReader, target: CallTarget) -> list[CallPlace]:
    """The places that call the target, and those of a method that it overrides along with too many to be named."""
    places = reader.callers.places(target.ids, named=target.named)
    if target.symbol.kind != "method":
        return places
    known = {(one.caller_id, one.call_id) for one in places}
    own = {*target.ids, *declarations_of(reader, target.asked or (target.symbol,))}
    above = reader.callers.places_above(own)
    return places + [one for one in above if (one.caller_id, one.call_id) not in known]


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


def find_references(reader: IndexReader, symbols: Sequence[SymbolRecord]) -> list[ReferenceRecord]:
    """The places that name the symbols without calling them, product before tests before examples, the surest first."""
    named = [each for one in symbols for each in (one.id, *enum_members(reader, one))]
    found = [each for one in named for each in reader.facts.references_to(one, limit=_MOST_REFERENCES)]
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
    places = all_places(reader, target)
    if target.named is None and not any(one.overriders for one in places):
        return reader.calls.closure(target.ids, "callers", max_depth=max_depth, max_symbols=_MOST_SYMBOLS)
    # Others are made by the same constructor or called in the same places, so the first step is not the graph's.
    starts = sorted({place.caller_id for place in places})
    beyond = reader.calls.closure(starts, "callers", max_depth=max_depth - 1, max_symbols=_MOST_SYMBOLS)
    near = tuple(Reached(start, 1, target.symbol.id) for start in starts)
    # A recursive target must not be on the way to itself, or the way would have no end.
    far = tuple(
        one._replace(depth=one.depth + 1) for one in beyond.reached if one.symbol_id != target.symbol.id
    )
    return Closure(near + far, beyond.is_cut)


def find_flags(
    reader: IndexReader, target: SymbolRecord, direct: DirectCallers, root: Path | None = None
) -> tuple[Flag, ...]:
    flags = []
    if direct.is_widely_used:
        flags.append(Flag("widelyUsed", f"{direct.counts.product_callers:,} symbols outside tests call it"))
    if entered := entry_evidence(reader, target):
        flags.append(Flag("entryPoint", "; ".join(entered)))
    (public,) = offered_evidence(reader, root, (target,))
    if public:
        flags.append(Flag("publicApi", "; ".join(public)))
    return tuple(flags)


def caller_rows(
    reader: IndexReader, sites: Sequence[CallSite], together: Mapping[SymbolId, str]
) -> tuple[CallerRow, ...]:
    titles = find_test_titles(reader, [site.caller for site in sites])
    return tuple(
        CallerRow(
            titles.get(site.caller.id) or shown_name(site.caller),
            site.caller.path,
            site.line,
            site.text,
            round(site.confidence, 2),
            site.reason,
            site.candidates if site.candidates > 1 and site.reason != "signal" else None,
            True if site.is_test else None,
            together.get(site.callee_id),
        )
        for site in sites
    )


def far_rows(
    reader: IndexReader, walk: FarWalk, keys: Iterable[FarKey], *, is_forward: bool = False
) -> tuple[FarRow, ...]:
    """Some of those behind others. Their ways lead to the target, and forward from it."""
    far = describe_far(reader, walk, keys)
    titles = find_test_titles(reader, [one.symbol for one in far])
    return tuple(
        FarRow(
            titles.get(one.symbol.id) or shown_name(one.symbol),
            one.symbol.path,
            one.symbol.line,
            one.depth,
            name_path(one.path[::-1] if is_forward else one.path),
        )
        for one in far
    )
