"""What a symbol calls: in the project, outside of it, and where nobody could tell."""

from collections import defaultdict
from typing import NamedTuple

from drift.analyses.callables import CLASS_KINDS
from drift.analyses.callers import FarCallers, Position, page_far
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


class DirectCallees(NamedTuple):
    """One page of the calls in a symbol, and how many there are of each outcome."""

    callees: tuple[Callee, ...]
    outcomes: dict[str, int]
    has_more: bool = False

    @property
    def total(self) -> int:
        """How many calls there are."""
        return sum(self.outcomes.values())


def find_direct_callees(
    reader: IndexReader, symbol: SymbolRecord, *, after: int = -1, limit: int = 20
) -> DirectCallees:
    """The calls in a symbol in the order of the text; of a class those in its methods too."""
    owners = standing_in(reader, symbol)
    calls = sorted(
        (call for owner in owners for call in reader.calls.calls_of(owner)), key=lambda one: one.id
    )
    outcomes: dict[str, int] = defaultdict(int)
    for call in calls:
        outcomes[call.outcome] += 1
    left = [call for call in calls if call.id > after]
    page = left[:limit]
    candidates = _candidates(reader, owners, {call.id for call in page})
    return DirectCallees(
        tuple(Callee(call, tuple(candidates.get(call.id, ()))) for call in page),
        dict(outcomes),
        has_more=len(left) > limit,
    )


def find_far_callees(
    reader: IndexReader,
    symbol: SymbolRecord,
    *,
    max_depth: int,
    after: Position | None = None,
    limit: int = 20,
) -> FarCallers:
    """The symbols that a symbol reaches through at least one other, product first, nearest first. Paths lead to it."""
    closure = reader.calls.closure(standing_in(reader, symbol), "callees", max_depth=max_depth)
    found = page_far(reader, closure, after=after, limit=limit)
    return found._replace(callers=tuple(one._replace(path=one.path[::-1]) for one in found.callers))


def standing_in(reader: IndexReader, symbol: SymbolRecord) -> list[SymbolId]:
    """The symbol, and for a class all that stands in it: a class does what its methods do."""
    return sorted(reader.graph.inside([symbol.id])) if symbol.kind in CLASS_KINDS else [symbol.id]


def _candidates(
    reader: IndexReader, owners: list[SymbolId], calls: set[CallId]
) -> dict[CallId, list[Candidate]]:
    edges = [edge for edge in reader.graph.edges_of(owners) if edge.call_id in calls]
    known = {one.id: one for one in reader.symbols.many({edge.callee_id for edge in edges})}
    found: dict[CallId, list[Candidate]] = defaultdict(list)
    for edge in edges:
        found[edge.call_id].append(Candidate(known[edge.callee_id], edge.confidence, edge.reason))
    return found
