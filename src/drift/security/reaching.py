"""Data as what code comes to reach: tables behind a symbol, and entry points before a table or one of its fields."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from drift.analyses.data_access import AccessPoint
from drift.analyses.graph_rows import EntryRow, SymbolRow, describe_path, shown_name
from drift.analyses.reachability import Reachability, ReachabilityData, ReachedData
from drift.index import IndexReader
from drift.index.ids import SymbolId
from drift.index.walk import Reached
from drift.kernel.answer import Answer, NextAction
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.similar import similar_names
from drift.kernel.text import plural
from drift.security.boundaries import Boundaries, Table, choose, find_boundaries
from drift.security.exposure import Way, describe_ways, find_ways
from drift.security.routes import Routes
from drift.security.sensitive import judge_name

_MOST_SHOWN: Final = 20


class ReachWish(NamedTuple):
    """How far to walk, and how much to tell of data."""

    root: Path
    max_depth: int
    limit: int
    sensitive_only: bool


def with_tables(
    found: Reachability, wish: ReachWish, places: int
) -> Callable[[Sequence[Reached]], ReachabilityData]:
    """What makes the answer about a symbol, with the tables it comes to; with `sensitive_only` those that matter."""

    def made(shown: Sequence[Reached]) -> ReachabilityData:
        rows = _tables_of(found, find_boundaries(found.reader, wish.root), sensitive_only=wish.sensitive_only)
        return replace(found.data(shown, places=places), data=rows[:_MOST_SHOWN], data_count=len(rows))

    return made


def _tables_of(
    found: Reachability, boundaries: Boundaries, *, sensitive_only: bool
) -> tuple[ReachedData, ...]:
    depths = found.reach.depths
    rows = [
        (depths[point.symbol_id], table, point)
        for table in boundaries.tables
        for point in table.points
        if point.symbol_id in depths and (not sensitive_only or _is_sensitive(table, point))
    ]
    nearest: dict[tuple[str, str], tuple[int, Table, AccessPoint]] = {}
    for depth, table, point in sorted(rows, key=lambda one: (one[0], one[2].file, one[2].line)):
        nearest.setdefault((table.name, point.operation), (depth, table, point))
    return tuple(
        _reached(found.reader, table, point, depth, found.reach.path_to(point.symbol_id)[::-1])
        for depth, table, point in nearest.values()
    )


def _is_sensitive(table: Table, point: AccessPoint) -> bool:
    """Whether an access touches a sensitive field: one it names, or where it names none any of the table."""
    if point.fields:
        return any(judge_name(name) for name in point.fields)
    return bool(table.sensitive)


def _reached(
    reader: IndexReader, table: Table, point: AccessPoint, depth: int, way: Sequence[SymbolId]
) -> ReachedData:
    touched = set(point.fields)
    held = [one.field for one in table.sensitive if not touched or one.field in touched]
    path = describe_path(reader, way) if way else ()
    return ReachedData(
        table.name, point.operation, point.fields, tuple(held), point.file, point.line, depth, path
    )


def reach_table(reader: IndexReader, target: str, wish: ReachWish) -> Answer[ReachabilityData]:
    """Which entry points come to a table, or to `table.field`, and through whom."""
    table = _wanted(find_boundaries(reader, wish.root), target)
    field = target.partition(".")[2]
    points = [
        one
        for one in table.points
        if (not field or not one.fields or field in one.fields)
        and (not wish.sensitive_only or _is_sensitive(table, one))
    ]
    ways, is_cut = find_ways(reader, points, max_depth=wish.max_depth)
    data = _table_data(reader, table, points, ways[: wish.limit], count=len(ways))
    unsure = sum(bool(field) and not one.fields for one in points)
    warnings = (
        [f"{plural(unsure, 'place')} do not say by which fields, and may touch {field}"] if unsure else []
    )
    warnings += ["There is too much to follow all"] if is_cut else []
    rows = describe_ways(reader, ways, points, Routes(reader))
    opened = plural(sum(one.is_unguarded for one in rows), "route")
    told = f"{target} is reached by {plural(len(ways), 'entry point')} through {plural(len(points), 'place')}"
    following = (NextAction("drift_boundaries", {"table": table.name}, "what is done there, and by whom"),)
    return Answer(f"{told}; {opened} of them without a guard", data, warnings=tuple(warnings), next=following)


def _wanted(found: Boundaries, target: str) -> Table:
    chosen = choose(found, table=target)
    if chosen:
        return chosen[0]
    raise DriftError(
        ErrorCode.SYMBOL_NOT_FOUND,
        f"No table or model is called {target}",
        Recovery(
            similar=similar_names(target, sorted({one.name for one in found.tables})),
            alternative_tools=("drift_boundaries",),
        ),
    )


def _table_data(
    reader: IndexReader, table: Table, points: Iterable[AccessPoint], ways: Sequence[Way], *, count: int
) -> ReachabilityData:
    known = {one.id: one for one in reader.symbols.many({way.symbol_id for way in ways})}
    listed = list(points)
    model = table.model
    place = (
        (model.file, model.line)
        if model and model.file
        else (listed[0].file, listed[0].line)
        if listed
        else ("", 0)
    )
    entries = tuple(
        EntryRow(
            way.kind,
            way.detail,
            shown_name(known[way.symbol_id]),
            known[way.symbol_id].path,
            way.line,
            way.depth,
            describe_path(reader, way.route),
        )
        for way in ways
    )
    told = tuple(_reached(reader, table, point, 0, ()) for point in listed[:_MOST_SHOWN])
    return ReachabilityData(
        origin=SymbolRow(table.name, "table", *place),
        direction="inverse",
        reached=len({one.symbol_id for one in listed}),
        max_depth=max((way.depth for way in ways), default=0),
        entry_point_count=count,
        symbols=(),
        entry_points=entries,
        data=told,
        data_count=len(listed),
    )
