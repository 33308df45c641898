"""The call graph as a whole: ways between symbols, cycles, what all lean on, a drawing."""

from dataclasses import dataclass, replace
from typing import Annotated, Literal

from drift.analyses.callables import call_target
from drift.analyses.centrality import CENTRAL_SORTS, Central, CentralRow, central_rows, find_central
from drift.analyses.graph_rows import SymbolRow, place_of, shown_name, symbol_row
from drift.analyses.mermaid import DrawingData, draw_neighbourhood
from drift.analyses.modules.cycles import (
    CYCLE_SORTS,
    Cycle,
    CycleRow,
    cycle_row,
    cycles_summary,
    find_cycles,
)
from drift.analyses.modules.graph import module_graph
from drift.analyses.paths import HopRow, find_ways, hop_rows
from drift.analyses.symbol_choice import choose_symbol
from drift.index import IndexReader, Layer, SymbolId
from drift.kernel.answer import Answer, NextAction
from drift.kernel.errors import needed
from drift.kernel.ranking import Ranked
from drift.kernel.text import plural
from drift.registry import Call, Page, Range, tool
from drift.registry.indexes import opened_index
from drift.registry.listing import is_turned, list_answer

Action = Literal["paths", "cycles", "central", "mermaid"]

_MOST_NODES = 30


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
    page: Page = Page(limit=10, sorts=tuple(CENTRAL_SORTS)),
) -> Answer[GraphData]:
    """Shortest call paths between two symbols, dependency cycles, most central symbols, or a mermaid drawing."""
    with opened_index(call) as reader:
        match action:
            case "paths":
                return _paths(call, reader, page, source, target, max_depth=max_depth or 20)
            case "cycles":
                return _cycles(call, reader, page, level, with_tests=with_tests)
            case "central":
                return _central(call, reader, page, with_tests=with_tests)
            case "mermaid":
                return _mermaid(reader, source, max_depth=max_depth or 1)


def _paths(
    call: Call, reader: IndexReader, page: Page, source: str | None, target: str | None, *, max_depth: int
) -> Answer[GraphData]:
    start = needed("source", source, when="action=paths")
    end = needed("target", target, when="action=paths")
    found = find_ways(reader, start, end, max_depth=max_depth)

    def data(shown: tuple[tuple[SymbolId, ...], ...]) -> GraphData:
        rows = tuple(hop_rows(reader, path) for path in shown)
        return GraphData(source=symbol_row(found.source), target=symbol_row(found.target), paths=rows)

    after = call.suggest("drift_callers", "who calls the end", symbol=place_of(found.target), priority="low")
    plain = Page(page.cursor, page.limit)  # orders are of central symbols
    return list_answer(
        call, plain, found.ranked(), data, summary=found.summary, next=(after,), warnings=found.passed_over
    )


def _cycles(
    call: Call, reader: IndexReader, page: Page, level: Literal["file", "package"], *, with_tests: bool
) -> Answer[GraphData]:
    found = find_cycles(module_graph(reader, level, with_tests=with_tests))

    def data(shown: tuple[Cycle, ...]) -> GraphData:
        return GraphData(cycles=tuple(map(cycle_row, shown)))

    return list_answer(call, page, Ranked(found, CYCLE_SORTS), data, summary=cycles_summary(found, level))


def _central(call: Call, reader: IndexReader, page: Page, *, with_tests: bool) -> Answer[GraphData]:
    found = find_central(reader, with_tests=with_tests)
    by = page.sort or next(iter(CENTRAL_SORTS))

    def data(shown: tuple[Central, ...]) -> GraphData:
        return GraphData(central=central_rows(reader, shown))

    answer = list_answer(call, page, Ranked(found, CENTRAL_SORTS), data, summary="")
    rows = answer.data.central or ()
    is_from_top = page.cursor is None and not is_turned(page, CENTRAL_SORTS[by].first)
    first = f"; most central by {by}: {rows[0].symbol}" if rows and is_from_top else f", by {by}"
    why = "what a change of it may touch"
    impact = (
        NextAction("drift_impact_analysis", {"target": f"{row.file}:{row.line}"}, why) for row in rows[:1]
    )
    return replace(answer, summary=f"{plural(len(found), 'symbol')} called{first}", next=tuple(impact))


def _mermaid(reader: IndexReader, source: str | None, *, max_depth: int) -> Answer[GraphData]:
    centre, warnings = choose_symbol(reader, needed("source", source, when="action=mermaid"))
    target = call_target(reader, centre)
    starts = () if target.named else target.ids
    drawing = draw_neighbourhood(reader, centre, starts, max_depth=max_depth, most_nodes=_MOST_NODES)
    more = f"; no room for {drawing.left_out:,} more" if drawing.left_out else ""
    return Answer(
        f"{shown_name(centre)} with {plural(drawing.nodes - 1, 'symbol')} around it{more}",
        GraphData(source=symbol_row(centre), drawing=drawing),
        warnings=warnings,
    )
