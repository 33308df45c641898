"""Routes, mounts and what they are named after, as the join of prefixes reads them, and the writing of its result."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:  # what reads files knows the rows, and needs no database
    import sqlite3

_ROUTES: Final = """
    SELECT entry_points.symbol_id, entry_points.position, detail, method, path, routers.router_id, guards,
        coalesce(handlers.handler_id, entry_points.symbol_id)
    FROM entry_points LEFT JOIN routers USING (symbol_id, position) LEFT JOIN handlers USING (symbol_id, position)
    WHERE kind = 'http' AND path IS NOT NULL ORDER BY entry_points.symbol_id, entry_points.position
"""
_MOUNTS: Final = """
    SELECT kind, prefix, file, router_id, into_id, symbol_id, guards FROM mounts ORDER BY symbol_id, position
"""
_TESTS: Final = "SELECT id FROM files WHERE role = 'test'"
_FILES: Final = "SELECT id, path FROM files WHERE language IS NOT NULL ORDER BY id"
_NAMED: Final = """
    SELECT name, min(value) FROM constants
    WHERE name IS NOT NULL AND kind = 'string' AND name IN (SELECT value FROM json_each(?))
    GROUP BY name HAVING min(value) = max(value)
"""
# Of classes: what they descend from outside the project, and what they and their parents in it declare.
_VIEW_SETS: Final = """
    WITH RECURSIVE line (root, id, depth) AS (
        SELECT value, value, 0 FROM json_each(?1)
        UNION SELECT root, target_symbol_id, depth + 1 FROM line CROSS JOIN bases ON bases.symbol_id = line.id
            WHERE target_symbol_id IS NOT NULL AND depth < 8
    )
    SELECT root, 1, '', coalesce(external_name, text), depth FROM line CROSS JOIN bases ON bases.symbol_id = line.id
        WHERE target_symbol_id IS NULL
    UNION ALL
    SELECT root, 0, name, signature, depth FROM line CROSS JOIN symbols ON symbols.parent_id = line.id
    ORDER BY depth
"""
_OWNERS: Final = """
    SELECT symbols.id, owners.name, symbols.name FROM json_each(?1) AS wanted CROSS JOIN symbols ON symbols.id = wanted.value
    CROSS JOIN symbols AS owners ON owners.id = symbols.parent_id
"""
ANY_METHOD: Final = "ANY"
"""The word for a route whose methods nothing says."""
NAMED_PART: Final = re.compile(r"<(?:\w{1,80}\.){0,8}([A-Z][A-Z0-9_]{1,80})>")
"""A constant in the path of a route, as extraction writes it; a parameter such as `<int:id>` has small letters."""
_SET_WHOLE: Final = "UPDATE entry_points SET detail = ?1, guards = ?2 WHERE symbol_id = ?3 AND position = ?4"


class RouteRow(NamedTuple):
    """A route, and the router it is added to."""

    symbol_id: int
    position: int
    detail: str
    method: str
    path: str
    router_id: int | None
    guards: str | None = None  # JSON: what is said to stand before it where its router is mounted
    handler_id: int | None = None


class ViewSetRow(NamedTuple):
    """A parent outside of a class that routes lead to, or a member of it or of a parent inside, the nearest first."""

    handler_id: int
    is_parent: int
    name: str
    text: str
    depth: int


class MountedRow(NamedTuple):
    """A mount, as in `mounts`."""

    kind: str
    prefix: str
    file: str
    router_id: int | None
    into_id: int | None
    symbol_id: int  # where it stands
    guards: str | None = None  # JSON


class RouteRows(NamedTuple):
    """All that whole routes are made of. `constants` are those that prefixes name, with one value each."""

    routes: tuple[RouteRow, ...]
    mounts: tuple[MountedRow, ...]
    files: tuple[tuple[int, str], ...]
    tests: frozenset[int]  # files of tests
    constants: dict[str, str]
    view_sets: tuple[ViewSetRow, ...] = ()
    # Of handlers, where a prefix names them: the names of their class and their own.
    owners: Mapping[int, tuple[str, str]] = MappingProxyType({})


def read_route_rows(connection: sqlite3.Connection) -> RouteRows:
    """The routes and mounts of an index."""
    mounts = tuple(map(MountedRow._make, connection.execute(_MOUNTS)))
    routes = tuple(map(RouteRow._make, connection.execute(_ROUTES)))
    names = {each.prefix.strip("<>").rpartition(".")[2] for each in mounts if each.prefix[:1] == "<"}
    named = sorted(names.union(*(NAMED_PART.findall(each.path) for each in routes if "<" in each.path)))
    # One registration that stands for several methods is mostly that of a view set, one for any that of a view.
    classes = sorted(
        {
            each.handler_id
            for each in routes
            if each.handler_id and ("," in each.method or each.method == ANY_METHOD)
        }
    )
    found = connection.execute(_VIEW_SETS, (json.dumps(classes),)) if classes else ()
    is_named = any("[" in each.prefix for each in mounts)
    handlers = sorted({each.handler_id for each in routes if each.router_id and each.handler_id})
    return RouteRows(
        routes,
        mounts,
        tuple(connection.execute(_FILES)) if any(each.file or each.kind == "all" for each in mounts) else (),
        frozenset(file for (file,) in connection.execute(_TESTS)) if mounts else frozenset(),
        dict(connection.execute(_NAMED, (json.dumps(named),))) if named else {},
        tuple(map(ViewSetRow._make, found)),
        _owners(connection, handlers) if is_named else {},
    )


def _owners(connection: sqlite3.Connection, handlers: list[int]) -> dict[int, tuple[str, str]]:
    rows = connection.execute(_OWNERS, (json.dumps(handlers),))
    return {handler: (owner, name) for handler, owner, name in rows}


def write_whole(connection: sqlite3.Connection, route: RouteRow) -> None:
    """Say another detail of a route, or other guards."""
    connection.execute(_SET_WHOLE, (route.detail, route.guards, route.symbol_id, route.position))
