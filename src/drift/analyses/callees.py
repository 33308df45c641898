"""What a symbol calls: in the project, outside of it, and unresolved."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from drift.analyses.callables import CLASS_KINDS, FUNCTION_KINDS
from drift.analyses.callers import FarKey, FarWalk, far_rows, order_far
from drift.analyses.graph_rows import FarRow, SymbolRow, place_of, shown_name, symbol_row
from drift.analyses.symbol_choice import choose_symbols
from drift.index import IndexReader
from drift.index.ids import CallId, SymbolId
from drift.index.records import CallRecord, SymbolRecord
from drift.kernel.ranking import Ranked, Sort
from drift.kernel.text import plural

_MOST_CANDIDATES = 5
_MOST_OVERRIDERS: Final = 5
_NAMELESS: Final = re.compile(r"[<{]|func\d+$")  # <lambda>, <callback of map>, {closure}; Go counts its own


@dataclass(frozen=True, slots=True)
class CandidateRow:
    """A symbol that a call may lead to, and how that was found."""

    symbol: str
    at: str
    confidence: float
    reason: str


@dataclass(frozen=True, slots=True)
class CalleeRow:
    """A call: what is written, and where it most likely leads. `external` names something outside the project.

    Where a call may lead to several symbols, `candidates` has the surest of them. `of`: which one makes it, where several
    were asked about.
    """

    line: int
    call: str
    outcome: str
    to: str | None = None
    at: str | None = None
    confidence: float | None = None
    reason: str | None = None
    external: str | None = None
    candidates: tuple[CandidateRow, ...] | None = None
    of: str | None = None


@dataclass(frozen=True, slots=True)
class CalleesData:
    """What the target calls, in the order of the text, and how many calls there are of each outcome."""

    target: SymbolRow
    outcomes: dict[str, int]
    callees: tuple[CalleeRow, ...]
    transitive: tuple[FarRow, ...] | None = None


class Candidate(NamedTuple):
    """A symbol to which a call may lead, and how that was found."""

    symbol: SymbolRecord
    confidence: float
    reason: str


class Callee(NamedTuple):
    """A call that stands in a symbol. Without candidates it leads outside, or nobody knows where."""

    call: CallRecord
    candidates: tuple[Candidate, ...]


CALLEE_SORTS: Final[Mapping[str, Sort[CallRecord]]] = {
    "line": Sort(lambda one: (one.id,)),
    "name": Sort(lambda one: (one.text.lower(),)),
    "outcome": Sort(lambda one: (one.outcome,)),
}


class DirectCalls(NamedTuple):
    """The calls in some symbols in the order of the text, and what they stand in, each with the symbol that was asked for."""

    calls: tuple[CallRecord, ...]
    owners: Mapping[SymbolId, SymbolRecord]

    @property
    def outcomes(self) -> dict[str, int]:
        """How many there are of each outcome."""
        return dict(Counter(call.outcome for call in self.calls))


class Callees(NamedTuple):
    """What the symbols that were meant call, as an answer tells it."""

    reader: IndexReader
    symbols: tuple[SymbolRecord, ...]
    direct: DirectCalls
    far: FarWalk | None
    passed_over: tuple[str, ...]

    @property
    def symbol(self) -> SymbolRecord:
        """The first of them."""
        return self.symbols[0]

    @property
    def place(self) -> str:
        return place_of(self.symbol)

    @property
    def summary(self) -> str:
        reached = plural(len(self.far.keys), "more symbol") if self.far else ""
        several = len(self.symbols)
        made = (
            f"{shown_name(self.symbol)} makes"
            if several == 1
            else f"{several} symbols named {self.symbol.name} make"
        )
        return f"{made} {plural(len(self.direct.calls), 'call')}: {say_outcomes(self.direct.outcomes)}" + (
            f"; {'it reaches' if several == 1 else 'they reach'} {reached} through others" if reached else ""
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        unknown = self.direct.outcomes.get("unknown", 0)
        unresolved = (f"{plural(unknown, 'call')} in it could not be resolved",) if unknown else ()
        return (*self.passed_over, *unresolved, *self._stood_in_for())

    def _stood_in_for(self) -> tuple[str, ...]:
        """What may run in the place of a symbol that calls nothing itself, such as a method of an interface."""
        if self.direct.calls:
            return ()
        found = [other for one in self.symbols for other in self.reader.calls.overriders(one.id)]
        shown = [
            f"{shown_name(one)} {place_of(one)}" for one in self.reader.symbols.many(found[:_MOST_OVERRIDERS])
        ]
        if not shown:
            return ()
        more = f" and {len(found) - len(shown)} more" if len(found) > len(shown) else ""
        return (f"what may run in its place makes calls of its own: {', '.join(shown)}{more}",)

    def ranked(self) -> Ranked[CallRecord]:
        return Ranked(self.direct.calls, CALLEE_SORTS)

    def data(self, calls: Sequence[CallRecord], behind: tuple[FarRow, ...] | None = None) -> CalleesData:
        """The answer that shows these calls, and these of what is behind others."""
        rows = tuple(self._row(one) for one in find_callees(self.reader, self.direct, calls))
        return CalleesData(symbol_row(self.symbol), self.direct.outcomes, rows, behind)

    def _row(self, one: Callee) -> CalleeRow:
        row = callee_row(one)
        if len(self.symbols) == 1:
            return row
        owner = self.direct.owners[one.call.caller_id]
        return replace(row, of=f"{shown_name(owner)} {place_of(owner)}")

    def far_data(self, far: FarWalk, limit: int, keys: Sequence[FarKey]) -> CalleesData:
        behind = far_rows(self.reader, far, keys, is_forward=True)
        return self.data(self.direct.calls[:limit], behind)


def find_all_callees(reader: IndexReader, name: str, *, file: str | None, max_depth: int) -> Callees:
    """What the symbols a text means call, through so many calls."""
    symbols, passed_over = choose_symbols(reader, name, file=file)
    far = find_far_callees(reader, symbols, max_depth=max_depth) if max_depth > 1 else None
    return Callees(reader, symbols, find_calls(reader, symbols), far, passed_over)


def find_calls(reader: IndexReader, symbols: Sequence[SymbolRecord]) -> DirectCalls:
    """The calls in symbols; of a class those in its methods too, of a function those in what it hands on in place."""
    owners = {owner: symbol for symbol in symbols for owner in standing_in(reader, symbol)}
    calls = sorted(
        (call for owner in owners for call in reader.calls.calls_of(owner)), key=lambda one: one.id
    )
    return DirectCalls(tuple(calls), owners)


def find_callees(
    reader: IndexReader, direct: DirectCalls, wanted: Sequence[CallRecord]
) -> tuple[Callee, ...]:
    """Where some of the calls lead."""
    candidates = _candidates(reader, direct.owners, {call.id for call in wanted})
    return tuple(Callee(call, tuple(candidates.get(call.id, ()))) for call in wanted)


def find_far_callees(reader: IndexReader, symbols: Sequence[SymbolRecord], *, max_depth: int) -> FarWalk:
    """The symbols that some reach through at least one other; the ways back lead to those."""
    starts = sorted({each for symbol in symbols for each in standing_in(reader, symbol)})
    return order_far(reader, reader.calls.closure(starts, "callees", max_depth=max_depth))


def standing_in(reader: IndexReader, symbol: SymbolRecord) -> list[SymbolId]:
    """The symbol and what does its work: of a class all that stands in it, of a function what it writes without a name."""
    if symbol.kind not in CLASS_KINDS | FUNCTION_KINDS:
        return [symbol.id]
    inside = sorted(reader.graph.inside([symbol.id]))
    if symbol.kind in CLASS_KINDS:
        return inside
    found = {symbol.id}
    for one in reader.symbols.many(inside):  # the outer before the inner
        if one.parent_id in found and one.kind in FUNCTION_KINDS and _NAMELESS.match(one.name):
            found.add(one.id)
    return sorted(found)


def _candidates(
    reader: IndexReader, owners: Collection[SymbolId], calls: set[CallId]
) -> dict[CallId, list[Candidate]]:
    edges = [edge for edge in reader.graph.edges_of(owners) if edge.call_id in calls]
    known = {one.id: one for one in reader.symbols.many({edge.callee_id for edge in edges})}
    found: dict[CallId, list[Candidate]] = defaultdict(list)
    for edge in edges:
        found[edge.call_id].append(Candidate(known[edge.callee_id], edge.confidence, edge.reason))
    return found


def callee_row(one: Callee) -> CalleeRow:
    call = one.call
    if not one.candidates:
        return CalleeRow(call.line, call.text, call.outcome, external=call.external_name)
    rows = tuple(
        CandidateRow(shown_name(each.symbol), place_of(each.symbol), round(each.confidence, 2), each.reason)
        for each in one.candidates[:_MOST_CANDIDATES]
    )
    first = rows[0]
    return CalleeRow(
        call.line,
        call.text,
        call.outcome,
        first.symbol,
        first.at,
        first.confidence,
        first.reason,
        candidates=rows if len(rows) > 1 else None,
    )


def say_outcomes(outcomes: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(outcomes.items())) or "none"
