"""What code comes to run, and from where it comes to be run."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from drift.analyses.callables import call_target
from drift.analyses.callees import standing_in
from drift.analyses.graph_rows import (
    EntryRow,
    SymbolRow,
    describe_path,
    open_name_warnings,
    outside_warnings,
    place_of,
    shown_name,
    suggest_impact,
    symbol_row,
)
from drift.analyses.prominence import order_reached
from drift.analyses.reachability import Destination, Reach, walk_forward, walk_inverse
from drift.analyses.symbol_choice import choose_symbol
from drift.analyses.unresolved import find_open_names
from drift.index import IndexReader, Layer
from drift.index.ids import SymbolId
from drift.index.records import SymbolRecord
from drift.index.walk import Reached
from drift.kernel.answer import Answer, NextAction
from drift.kernel.text import plural
from drift.registry import Call, Page, Range, tool
from drift.registry.indexes import opened_index
from drift.tools.listing import REACHED_SORTS, sort_page, sort_reached


@dataclass(frozen=True, slots=True)
class ReachedRow:
    """A symbol that was reached, after how many calls, and through which one."""

    symbol: str
    file: str
    line: int
    depth: int
    via: str


@dataclass(frozen=True, slots=True)
class ExternalRow:
    """A package outside the project that is called: how often, what of it, and the way to one of the places."""

    package: str
    calls: int
    names: tuple[str, ...]
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReachabilityData:
    """What was reached, nearest first. Forward: also what it calls outside; inverse: also how many tests.

    Pages are of `symbols`; entry points and external packages stand on the first page only.
    """

    origin: SymbolRow
    direction: str
    reached: int
    max_depth: int
    entry_point_count: int
    symbols: tuple[ReachedRow, ...]
    entry_points: tuple[EntryRow, ...] | None = None
    external_packages: int | None = None
    externals: tuple[ExternalRow, ...] | None = None
    unresolved_calls: int | None = None
    tests: int | None = None


@tool(
    category="detail",
    title="Reachability",
    tokens=(200, 1500),
    needs=Layer.CALLS,
    examples=({"location": "shop/api.py:20"}, {"location": "total", "direction": "inverse"}),
)
def drift_reachability(
    call: Call,
    location: Annotated[str, "Symbol or path:line"],
    direction: Annotated[Literal["forward", "inverse"], "What it reaches, or what reaches it"] = "forward",
    file: Annotated[str | None, "File of the symbol"] = None,
    max_depth: Annotated[int, Range(1, 50)] = 10,
    page: Page = Page(limit=15, sorts=REACHED_SORTS),
) -> Answer[ReachabilityData]:
    """What code comes to run through calls (forward) or which entry points come to run it (inverse)."""
    with opened_index(call) as reader:
        origin, warnings = choose_symbol(reader, location, file=file)
        if direction == "forward":
            reach = walk_forward(reader, standing_in(reader, origin), max_depth=max_depth)
            unsure = _open_calls(reach)
        else:
            target = call_target(reader, origin)
            reach = walk_inverse(reader, target, max_depth=max_depth)
            unsure = open_name_warnings(find_open_names(reader, [origin], reach.closure.reached))
            unsure += outside_warnings(reader, origin)
            unsure += (target.note,) if target.note else ()
        key = order_reached(reader, reach.closure.reached)
        shown, pagination = sort_page(call, page, reach.closure.reached, sorts=sort_reached(key))
        data = _data(reader, origin, reach, direction, shown)
        if page.cursor is None:
            data = _with_places(reader, data, reach, page.limit)
    cut = ("There is too much to follow all",) if reach.closure.is_cut else ()
    return Answer(
        _summary(data),
        data,
        pagination=pagination,
        next=_next(call, origin, direction),
        warnings=(*warnings, *cut, *unsure),
    )


def _data(
    reader: IndexReader, origin: SymbolRecord, reach: Reach, direction: str, shown: Sequence[Reached]
) -> ReachabilityData:
    is_forward = direction == "forward"
    externals = sum(one.kind == "external" for one in reach.destinations)
    tests = None if is_forward else len(reader.graph.tests() & reach.depths.keys())
    return ReachabilityData(
        origin=symbol_row(origin),
        direction=direction,
        reached=len(reach.closure.reached),
        max_depth=max(reach.depths.values(), default=0),
        entry_point_count=len(reach.destinations) - externals,
        symbols=_reached_rows(reader, shown),
        external_packages=externals if is_forward else None,
        unresolved_calls=reach.unresolved_calls if is_forward else None,
        tests=tests,
    )


def _with_places(reader: IndexReader, data: ReachabilityData, reach: Reach, limit: int) -> ReachabilityData:
    """The data with the entry points and, forward, the packages that were come to, up to `limit` of each."""
    is_forward = data.direction == "forward"
    entries = [one for one in reach.destinations if one.kind != "external"][:limit]
    externals = [one for one in reach.destinations if one.kind == "external"][:limit]
    return replace(
        data,
        entry_points=tuple(_entry_row(reader, reach, one, is_forward=is_forward) for one in entries),
        externals=tuple(_external_row(reader, reach, one) for one in externals) if is_forward else None,
    )


def _reached_rows(reader: IndexReader, wanted: Sequence[Reached]) -> tuple[ReachedRow, ...]:
    ids = {each for one in wanted for each in (one.symbol_id, one.via_id)}
    known = {one.id: one for one in reader.symbols.many(ids)}
    return tuple(
        ReachedRow(
            shown_name(known[one.symbol_id]),
            known[one.symbol_id].path,
            known[one.symbol_id].line,
            one.depth,
            shown_name(known[one.via_id]),
        )
        for one in wanted
    )


def _entry_row(reader: IndexReader, reach: Reach, one: Destination, *, is_forward: bool) -> EntryRow:
    symbol = reader.symbols.many([one.symbol_id])[0]
    way = _in_order(reach.path_to(one.symbol_id), is_forward=is_forward)
    depth = reach.depths[one.symbol_id]
    path = describe_path(reader, way)
    return EntryRow(one.kind, one.name, shown_name(symbol), symbol.path, one.line, depth, path)


def _external_row(reader: IndexReader, reach: Reach, one: Destination) -> ExternalRow:
    way = _in_order(reach.path_to(one.symbol_id), is_forward=True)
    path = describe_path(reader, way)
    # The last symbol is shown where it makes the call, not where it is defined.
    last = reader.symbols.many([one.symbol_id])[0]
    return ExternalRow(
        one.name, one.calls, one.examples, (*path[:-1], f"{shown_name(last)} {last.path}:{one.line}")
    )


def _in_order(path: Sequence[SymbolId], *, is_forward: bool) -> Sequence[SymbolId]:
    """The way in the direction of the calls."""
    return path[::-1] if is_forward else path


def _open_calls(reach: Reach) -> tuple[str, ...]:
    if not reach.unresolved_calls:
        return ()
    return (
        f"{plural(reach.unresolved_calls, 'call')} on the way could not be resolved; more may be reached",
    )


def _summary(data: ReachabilityData) -> str:
    entries = plural(data.entry_point_count, "entry point")
    if data.direction == "forward":
        packages = plural(data.external_packages or 0, "external package")
        return f"{data.origin.symbol} reaches {plural(data.reached, 'symbol')}, {packages} and {entries}"
    tests = plural(data.tests or 0, "test")
    return f"{data.origin.symbol} is reached by {plural(data.reached, 'symbol')}, among them {entries} and {tests}"


def _next(call: Call, origin: SymbolRecord, direction: str) -> tuple[NextAction, ...]:
    other = "inverse" if direction == "forward" else "forward"
    why = "what comes to run it" if direction == "forward" else "what it comes to run"
    return (
        call.suggest("drift_reachability", why, location=place_of(origin), direction=other),
        suggest_impact(origin, "weigh a change of it"),
    )
