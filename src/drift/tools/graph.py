"""The call graph as a whole: ways between symbols, cycles, what all lean on, a drawing."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Literal

from drift.analyses.callables import call_target
from drift.analyses.centrality import Central, find_central
from drift.analyses.cycles import Cycle, find_cycles
from drift.analyses.graph_rows import SymbolRow, place_of, shown_name, suggest_impact, symbol_row
from drift.analyses.mermaid import draw_neighbourhood
from drift.analyses.paths import find_paths
from drift.analyses.symbol_choice import choose_symbol
from drift.index import IndexReader, Layer
from drift.index.ids import SymbolId
from drift.kernel.answer import Answer
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.text import plural
from drift.registry import Call, Page, Range, tool
from drift.registry.indexes import opened_index
from drift.tools.listing import Sort, is_turned, page_rows, sort_page

Action = Literal["paths", "cycles", "central", "mermaid"]

_CENTRAL_SORTS: dict[str, Sort[Central]] = {
    "rank": Sort(lambda one: (-one.rank, one.symbol_id), "desc"),
    "callers": Sort(lambda one: (-one.callers,), "desc"),
}
_MOST_MEMBERS = 15
_MOST_NODES = 30
_MOST_PATHS = 200


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


@dataclass(frozen=True, slots=True)
class DependencyRow:
    """One file or package using another: how often, and the first place."""

    source: str
    target: str
    uses: int
    at: str
    kind: str


@dataclass(frozen=True, slots=True)
class CycleRow:
    """A group that depends on itself: its size, members, a shortest way around, and the weakest step of that."""

    size: int
    members: tuple[str, ...]
    way: tuple[DependencyRow, ...]
    weakest: str


@dataclass(frozen=True, slots=True)
class CentralRow:
    """A symbol others lean on. `rank` is its PageRank times the number of symbols: 1 is average."""

    symbol: str
    kind: str
    file: str
    line: int
    callers: int
    rank: float


@dataclass(frozen=True, slots=True)
class DrawingData:
    """A mermaid flowchart, and how many symbols there was no room for."""

    mermaid: str
    nodes: int
    edges: int
    left_out: int


@dataclass(frozen=True, slots=True)
class GraphData:
    """What the action found; the other fields are absent."""

    source: SymbolRow | None = None
    target: SymbolRow | None = None
    paths: tuple[tuple[HopRow, ...], ...] | None = None
    cycles: tuple[CycleRow, ...] | None = None
    central: tuple[CentralRow, ...] | None = None
    drawing: DrawingData | None = None


@tool(
    category="analysis",
    title="Call graph",
    tokens=(200, 1500),
    needs=Layer.CALLS,
    examples=(
        {"action": "paths", "source": "setup", "target": "opened"},
        {"action": "cycles", "level": "package"},
        {"action": "central"},
        {"action": "mermaid", "source": "total"},
    ),
)
def drift_graph(
    call: Call,
    action: Action,
    source: Annotated[str | None, "paths, mermaid: symbol or path:line"] = None,
    target: Annotated[str | None, "paths: symbol or path:line"] = None,
    level: Annotated[Literal["file", "package"], "cycles: between what"] = "file",
    with_tests: Annotated[bool, "cycles, central: count tests too"] = False,
    max_depth: Annotated[int | None, Range(1, 50), "paths 20, mermaid 1"] = None,
    page: Page = Page(limit=10, sorts=tuple(_CENTRAL_SORTS)),
) -> Answer[GraphData]:
    """Shortest call paths between two symbols, dependency cycles, most central symbols, or a mermaid drawing."""
    with opened_index(call) as reader:
        match action:
            case "paths":
                ends = _needed("source", source, action), _needed("target", target, action)
                return _paths(call, reader, page, *ends, max_depth=max_depth or 20)
            case "cycles":
                return _cycles(call, reader, page, level, with_tests=with_tests)
            case "central":
                return _central(call, reader, page, with_tests=with_tests)
            case "mermaid":
                return _mermaid(reader, _needed("source", source, action), max_depth=max_depth or 1)


def _paths(
    call: Call, reader: IndexReader, page: Page, source: str, target: str, *, max_depth: int
) -> Answer[GraphData]:
    start, warnings = choose_symbol(reader, source)
    end, more_warnings = choose_symbol(reader, target)
    paths = sorted(find_paths(reader, start, end, max_depth=max_depth, limit=_MOST_PATHS))
    shown, pagination = page_rows(call, page, paths, key=lambda path: path)
    rows = tuple(_hop_rows(reader, path) for path in shown)
    back = () if paths else find_paths(reader, end, start, max_depth=max_depth, limit=1)
    between = f"from {shown_name(start)} to {shown_name(end)}"
    if paths:
        steps = plural(len(paths[0]) - 1, "call")
        more = "at least " if len(paths) == _MOST_PATHS else ""
        summary = f"{more}{plural(len(paths), 'shortest path')} {between}, {steps} long"
    else:
        other = f"; the other way there is one of {plural(len(back[0]) - 1, 'call')}" if back else ""
        summary = f"No path {between} within {plural(max_depth, 'call')} that could be resolved{other}"
    unsure = (
        ()
        if paths
        else (f"Calls that could not be resolved may connect them: see drift_callees of {source}",)
    )
    return Answer(
        summary,
        GraphData(source=symbol_row(start), target=symbol_row(end), paths=rows),
        pagination=pagination,
        next=(call.suggest("drift_callers", "who calls the end", symbol=place_of(end), priority="low"),),
        warnings=(*warnings, *more_warnings, *unsure),
    )


def _hop_rows(reader: IndexReader, path: tuple[SymbolId, ...]) -> tuple[HopRow, ...]:
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


def _cycles(
    call: Call, reader: IndexReader, page: Page, level: Literal["file", "package"], *, with_tests: bool
) -> Answer[GraphData]:
    found = find_cycles(reader, level=level, with_tests=with_tests)
    # No two cycles share a member, so the first one names it.
    sorts: dict[str, Sort[Cycle]] = {"size": Sort(lambda one: (len(one.members), one.members[0]), "asc")}
    shown, pagination = sort_page(call, page, found, sorts=sorts)
    largest = f", the largest of {len(found[-1].members)}" if found else ""
    return Answer(
        f"{plural(len(found), 'cycle')} between {level}s{largest}",
        GraphData(cycles=tuple(map(_cycle_row, shown))),
        pagination=pagination,
    )


def _cycle_row(cycle: Cycle) -> CycleRow:
    way = tuple(
        DependencyRow(one.source, one.target, one.uses, f"{one.path}:{one.line}", one.kind)
        for one in cycle.way
    )
    weakest = cycle.weakest
    return CycleRow(
        len(cycle.members),
        cycle.members[:_MOST_MEMBERS],
        way,
        f"{weakest.source} -> {weakest.target}, {plural(weakest.uses, 'use')}",
    )


def _central(call: Call, reader: IndexReader, page: Page, *, with_tests: bool) -> Answer[GraphData]:
    found = find_central(reader, with_tests=with_tests)
    chosen, pagination = sort_page(call, page, found, sorts=_CENTRAL_SORTS)
    known = {one.id: one for one in reader.symbols.many(one.symbol_id for one in chosen)}
    rows = tuple(
        CentralRow(
            shown_name(known[one.symbol_id]),
            known[one.symbol_id].kind,
            known[one.symbol_id].path,
            known[one.symbol_id].line,
            callers=one.callers,
            rank=round(one.rank * one.of, 1),
        )
        for one in chosen
    )
    by = page.sort or next(iter(_CENTRAL_SORTS))
    is_from_top = page.cursor is None and not is_turned(page, _CENTRAL_SORTS[by].first)
    first = f"; most central by {by}: {rows[0].symbol}" if rows and is_from_top else f", by {by}"
    return Answer(
        f"{plural(len(found), 'symbol')} called{first}",
        GraphData(central=rows),
        pagination=pagination,
        next=tuple(
            suggest_impact(known[one.symbol_id], "what a change of it may touch") for one in chosen[:1]
        ),
    )


def _mermaid(reader: IndexReader, source: str, *, max_depth: int) -> Answer[GraphData]:
    centre, warnings = choose_symbol(reader, source)
    target = call_target(reader, centre)
    starts = () if target.named else target.ids
    drawing = draw_neighbourhood(reader, centre, starts, max_depth=max_depth, most_nodes=_MOST_NODES)
    data = DrawingData(drawing.text, drawing.nodes, drawing.edges, drawing.left_out)
    more = f"; no room for {drawing.left_out:,} more" if drawing.left_out else ""
    return Answer(
        f"{shown_name(centre)} with {plural(drawing.nodes - 1, 'symbol')} around it{more}",
        GraphData(source=symbol_row(centre), drawing=data),
        warnings=warnings,
    )


def _needed(argument: str, value: str | None, action: Action) -> str:
    if value is None:
        raise DriftError(
            ErrorCode.MISSING_REQUIRED_PARAM,
            f"{argument}: required when action={action}",
            Recovery(details={"argument": argument}),
        )
    return value
