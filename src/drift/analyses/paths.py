"""Shortest ways by which one symbol comes to call another."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from drift.analyses.callables import call_target
from drift.analyses.callees import standing_in
from drift.analyses.graph_rows import shown_name
from drift.analyses.symbol_choice import choose_symbol
from drift.index import IndexReader
from drift.index.ids import SymbolId
from drift.index.records import SymbolRecord
from drift.kernel.ranking import Ranked, Sort
from drift.kernel.text import plural


@dataclass(frozen=True, slots=True)
class HopRow:
    """One step of a way: who calls whom, where, and how sure that is."""

    caller: str
    callee: str
    file: str
    line: int
    call: str
    confidence: float
    reason: str


def find_paths(
    reader: IndexReader, source: SymbolRecord, target: SymbolRecord, *, max_depth: int, limit: int
) -> tuple[tuple[SymbolId, ...], ...]:
    """Up to `limit` of the shortest ways; a class starts in any of its methods and is reached by its constructor."""
    starts = standing_in(reader, source)
    wanted = call_target(reader, target)
    ends = {target.id} if wanted.named else set(wanted.ids)
    reached = {
        one.symbol_id: one.depth
        for one in reader.calls.closure(starts, "callees", max_depth=max_depth).reached
    }
    near = min((reached[end] for end in ends if end in reached), default=None)
    if near is None:
        return ()
    found: list[tuple[SymbolId, ...]] = []
    for start in starts:
        for end in sorted(end for end in ends if reached.get(end) == near):
            paths = reader.calls.shortest_paths(start, end, max_depth=near, limit=limit)
            found += [path for path in paths if len(path) == near + 1]
            if len(found) >= limit:
                return tuple(found[:limit])
    return tuple(found)


def hop_rows(reader: IndexReader, path: tuple[SymbolId, ...]) -> tuple[HopRow, ...]:
    known = {one.id: one for one in reader.symbols.many(path)}
    rows = []
    for here, following in pairwise(path):
        hop = reader.graph.hop(here, following)
        if hop is not None:
            caller, callee = known[here], known[following]
            rows.append(
                HopRow(
                    shown_name(caller),
                    shown_name(callee),
                    caller.path,
                    hop.line,
                    hop.text,
                    round(hop.confidence, 2),
                    hop.reason,
                )
            )
    return tuple(rows)


_MOST_PATHS: Final = 200
PATH_SORTS: Final[Mapping[str, Sort[tuple[SymbolId, ...]]]] = {"path": Sort(lambda path: path)}


class Paths(NamedTuple):
    """Shortest ways between two symbols, or one the other way round where there is none."""

    source: SymbolRecord
    target: SymbolRecord
    found: list[tuple[SymbolId, ...]]
    back: tuple[SymbolId, ...] | None
    max_depth: int
    passed_over: tuple[str, ...]

    @property
    def summary(self) -> str:
        between = f"from {shown_name(self.source)} to {shown_name(self.target)}"
        if self.found:
            more = "at least " if len(self.found) == _MOST_PATHS else ""
            steps = plural(len(self.found[0]) - 1, "call")
            return f"{more}{plural(len(self.found), 'shortest path')} {between}, {steps} long"
        other = f"; the other way there is one of {plural(len(self.back) - 1, 'call')}" if self.back else ""
        return f"No path {between} within {plural(self.max_depth, 'call')} that could be resolved{other}"

    def ranked(self) -> Ranked[tuple[SymbolId, ...]]:
        return Ranked(self.found, PATH_SORTS)


def find_ways(reader: IndexReader, source: str, target: str, *, max_depth: int) -> Paths:
    """The shortest ways from what one text means to what another does."""
    start, warnings = choose_symbol(reader, source)
    end, more_warnings = choose_symbol(reader, target)
    found = sorted(find_paths(reader, start, end, max_depth=max_depth, limit=_MOST_PATHS))
    back = () if found else find_paths(reader, end, start, max_depth=max_depth, limit=1)
    unsure = f"Calls that could not be resolved may connect them: see drift_callees of {source}"
    passed_over = (*warnings, *more_warnings, *(() if found else (unsure,)))
    return Paths(start, end, found, back[0] if back else None, max_depth, passed_over)
