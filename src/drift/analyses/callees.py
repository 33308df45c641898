"""What a symbol calls: in the project, outside of it, and where nobody could tell."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from drift.analyses.callables import CLASS_KINDS
from drift.analyses.callers import FarWalk, order_far
from drift.index import IndexReader
from drift.index.ids import CallId, SymbolId
from drift.index.records import CallRecord, SymbolRecord


class Candidate(NamedTuple):
    """A symbol to which a call may lead, and how that was found."""

    symbol: SymbolRecord
    confidence: float
    reason: str


class Callee(NamedTuple):
    """A call that stands in a symbol. Without candidates it leads outside, or nobody knows where."""

    call: CallRecord
    candidates: tuple[Candidate, ...]


class DirectCalls(NamedTuple):
    """The calls in a symbol in the order of the text, and the symbols they stand in."""

    calls: tuple[CallRecord, ...]
    owners: tuple[SymbolId, ...]

    @property
    def outcomes(self) -> dict[str, int]:
        """How many there are of each outcome."""
        return dict(Counter(call.outcome for call in self.calls))


def find_calls(reader: IndexReader, symbol: SymbolRecord) -> DirectCalls:
    """The calls in a symbol; of a class those in its methods too."""
    owners = standing_in(reader, symbol)
    calls = sorted(
        (call for owner in owners for call in reader.calls.calls_of(owner)), key=lambda one: one.id
    )
    return DirectCalls(tuple(calls), tuple(owners))


def find_callees(
    reader: IndexReader, direct: DirectCalls, wanted: Sequence[CallRecord]
) -> tuple[Callee, ...]:
    """Where some of the calls lead."""
    candidates = _candidates(reader, direct.owners, {call.id for call in wanted})
    return tuple(Callee(call, tuple(candidates.get(call.id, ()))) for call in wanted)


def find_far_callees(reader: IndexReader, symbol: SymbolRecord, *, max_depth: int) -> FarWalk:
    """The symbols that a symbol reaches through at least one other; the ways back lead to it."""
    return order_far(
        reader, reader.calls.closure(standing_in(reader, symbol), "callees", max_depth=max_depth)
    )


def standing_in(reader: IndexReader, symbol: SymbolRecord) -> list[SymbolId]:
    """The symbol, and for a class all that stands in it: a class does what its methods do."""
    return sorted(reader.graph.inside([symbol.id])) if symbol.kind in CLASS_KINDS else [symbol.id]


def _candidates(
    reader: IndexReader, owners: Sequence[SymbolId], calls: set[CallId]
) -> dict[CallId, list[Candidate]]:
    edges = [edge for edge in reader.graph.edges_of(owners) if edge.call_id in calls]
    known = {one.id: one for one in reader.symbols.many({edge.callee_id for edge in edges})}
    found: dict[CallId, list[Candidate]] = defaultdict(list)
    for edge in edges:
        found[edge.call_id].append(Candidate(known[edge.callee_id], edge.confidence, edge.reason))
    return found
