"""Shortest ways by which one symbol comes to call another."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from drift.analyses.callables import call_target
from drift.analyses.callees import standing_in
from drift.analyses.callers import trace
from drift.analyses.graph_rows import shown_name
from drift.analyses.running.graph import run_graph
from drift.analyses.running.walks import walk_runs
from drift.analyses.symbol_choice import choose_symbol
from drift.index import IndexReader
from drift.index.graph_queries import Hop
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


def _find_runs(
    reader: IndexReader, source: SymbolRecord, target: SymbolRecord, max_depth: int
) -> list[tuple[SymbolId, ...]]:
    """One way on which what is handed on in place, a fixture or a request runs the next, though no call says so."""
    starts = standing_in(reader, source)
    walked = walk_runs(reader, starts, "used", max_depth=max_depth, max_symbols=_MOST_WALKED)
    origins = {one.symbol_id: one.via_id for one in walked.reached}
    wanted = call_target(reader, target)
    ends = (target.id,) if wanted.named else wanted.ids
    return [trace(origins, end)[::-1] for end in ends if end in origins][:1]


def hop_rows(reader: IndexReader, path: tuple[SymbolId, ...]) -> tuple[HopRow, ...]:
    known = {one.id: one for one in reader.symbols.many(path)}
    rows = []
    for here, following in pairwise(path):
        hop = reader.graph.hop(here, following) or _unwritten(reader, known[here], following)
        names = shown_name(known[here]), shown_name(known[following])
        rows.append(
            HopRow(*names, known[here].path, hop.line, hop.text, round(hop.confidence, 2), hop.reason)
        )
    return tuple(rows)


def _unwritten(reader: IndexReader, user: SymbolRecord, used: SymbolId) -> Hop:
    """A step that no call in the text shows."""
    near = dict(run_graph(reader).read_used(reader, [user.id])[user.id])
    return Hop(user.line, "", near.get(used, 0.0), "runs")


_MOST_PATHS: Final = 200
_MOST_WALKED: Final = 50_000
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
    found = found or _find_runs(reader, start, end, max_depth)
    back = () if found else find_paths(reader, end, start, max_depth=max_depth, limit=1)
    unsure = f"Calls that could not be resolved may connect them: see drift_callees of {source}"
    passed_over = (*warnings, *more_warnings, *(() if found else (unsure,)))
    return Paths(start, end, found, back[0] if back else None, max_depth, passed_over)
