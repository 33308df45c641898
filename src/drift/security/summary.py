"""The state of a project's security in one answer: what is held, who reaches it, what is open, what could not be told."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from drift.analyses.data_access import AccessPoint
from drift.index import IndexReader
from drift.kernel.text import plural
from drift.security.boundaries import Boundaries, Table, TableAccess, access_row, find_boundaries
from drift.security.routes import OpenRoute, Routes, all_route_guards
from drift.security.rules import BoundaryRule, Crossing, find_crossings
from drift.security.sensitive import SENSITIVITIES, SensitiveField

Focus = Literal["all", "critical", "data-access", "auth"]

# A route is told beside others that have a guard; the same limits as the gate's.
MIN_ROUTES: Final = 5
MIN_GUARDED: Final = 0.9
_MOST_FOR_ALL: Final = 4


@dataclass(frozen=True, slots=True)
class Overview:
    """How much there is of everything."""

    total_tables: int
    total_access_points: int
    tables_without_fields: int
    """Of which no field is known, so whether they hold anything sensitive is not either."""
    sensitive_fields: int | None
    """Null where no table has a field that is known."""
    violations: int
    routes: int
    guarded_routes: int
    open_routes: int
    """Without a guard where those beside them have one."""
    raw_sql: int
    secrets: int
    """Of the product, of medium confidence and above."""
    flows: int
    """Weaknesses by flow of data, of medium confidence and above."""


@dataclass(frozen=True, slots=True)
class TopTable:
    """A table worth a look."""

    table: str
    priority: str
    places: int
    changes: int
    sensitive: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Violation:
    """A place that goes round a guard or crosses a boundary."""

    rule: str
    file: str
    line: int
    message: str


@dataclass(frozen=True, slots=True)
class SecurityData:
    """The overview, and of each list the first."""

    overview: Overview
    sensitive_data: dict[str, int]
    """Fields of each kind."""
    by_framework: dict[str, int]
    top_tables: tuple[TopTable, ...] | None = None
    top_sensitive_fields: tuple[SensitiveField, ...] | None = None
    raw_sql: tuple[TableAccess, ...] | None = None
    violations: tuple[Violation, ...] | None = None


def summarize(
    reader: IndexReader,
    root: Path,
    rules: Sequence[BoundaryRule],
    *,
    focus: Focus,
    limit: int,
    secrets: int,
    flows: int,
) -> SecurityData:
    """What is known of a project's security. `secrets` and `flows` are counted by analyses of their own."""
    found = find_boundaries(reader, root)
    routes = Routes(reader)
    opened = routes.open_beside_guarded(min_routes=MIN_ROUTES, min_guarded=MIN_GUARDED)
    crossings = list(find_crossings(reader, found.data, rules))
    raw = [one for one in found.data.points if one.is_raw_sql]
    kinds = Counter(one.kind for one in found.sensitive)
    unknown = sum(one.model is None or not one.model.fields for one in found.tables)
    overview = Overview(
        len(found.tables),
        len(found.data.points),
        unknown,
        None if found.tables and unknown == len(found.tables) else len(found.sensitive),
        len(opened) + len(crossings),
        len(routes.entries),
        routes.guarded,
        len(opened),
        len(raw),
        secrets,
        flows,
    )
    wants_data, wants_auth = focus != "auth", focus != "data-access"
    return SecurityData(
        overview,
        {kind: kinds[kind] for kind in SENSITIVITIES},
        dict(Counter(one.framework for one in found.data.points).most_common()),
        _tables(found, focus, limit) if wants_data else None,
        _fields(found, focus, limit) if wants_data else None,
        _raw(raw, limit) if wants_data else None,
        _violations(opened, crossings)[:limit] if wants_auth else None,
    )


def _tables(found: Boundaries, focus: Focus, limit: int) -> tuple[TopTable, ...]:
    wanted = [one for one in found.tables if focus != "critical" or one.priority in {"P0", "P1"}]
    return tuple(map(_top, wanted[:limit]))


def _top(table: Table) -> TopTable:
    changes = sum(one.operation in {"write", "delete"} for one in table.points)
    named = tuple(f"{one.field} ({one.kind})" for one in table.sensitive[:5])
    return TopTable(table.name, table.priority, len(table.points), changes, named)


def _fields(found: Boundaries, focus: Focus, limit: int) -> tuple[SensitiveField, ...]:
    wanted = [one for one in found.sensitive if focus != "critical" or one.kind != "personal"]
    return tuple(wanted[:limit])


def _raw(points: Sequence[AccessPoint], limit: int) -> tuple[TableAccess, ...]:
    ranked = sorted(
        points, key=lambda one: (one.table is not None, one.operation == "read", one.file, one.line)
    )
    return tuple(map(access_row, ranked[:limit]))


def _violations(opened: Sequence[OpenRoute], crossings: Sequence[Crossing]) -> tuple[Violation, ...]:
    routes = (
        Violation(
            "security/unguarded-route",
            one.place,
            one.entry.line,
            f"{one.entry.detail} has no guard; {one.guarded} of {one.beside} routes beside it have one",
        )
        for one in opened
    )
    rules = (Violation(f"boundaries/{one.rule.id}", one.file, one.line, one.told) for one in crossings)
    return (*rules, *routes)


def security_summary(data: SecurityData) -> str:
    """A line on the state."""
    told = data.overview
    parts = [
        f"{plural(told.total_tables, 'table')} reached from {plural(told.total_access_points, 'place')}",
        _told_sensitive(told),
        f"{told.guarded_routes} of {plural(told.routes, 'route')} with a guard of their own",
        f"{plural(told.violations, 'violation')}",
        f"{plural(told.secrets, 'secret')}",
        f"{plural(told.flows, 'flow')}",
    ]
    return ", ".join(parts)


def security_warnings(reader: IndexReader, data: SecurityData) -> tuple[str, ...]:
    """What the counts leave out: guards that no single route has."""
    if data.overview.guarded_routes == data.overview.routes:
        return ()
    found = all_route_guards(reader)
    shown = ", ".join(found[:_MOST_FOR_ALL]) + (
        f" and {len(found) - _MOST_FOR_ALL} more" if len(found) > _MOST_FOR_ALL else ""
    )
    return (f"{shown} may guard all routes at once, which is not counted: read there",) if found else ()


def _told_sensitive(told: Overview) -> str:
    if told.sensitive_fields is None:
        return "sensitive fields not known (no table has fields that are known)"
    unknown = told.tables_without_fields
    return plural(told.sensitive_fields, "sensitive field") + (
        f" ({plural(unknown, 'table')} without known fields)" if unknown else ""
    )
