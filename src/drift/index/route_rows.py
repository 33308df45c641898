"""Routes, mounts and what they are named after, as the join of prefixes reads them, and the writing of its result."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:  # what reads files knows the rows, and needs no database
    import sqlite3

_ROUTES: Final = """
    SELECT entry_points.symbol_id, entry_points.position, detail, method, path, routers.router_id, guards,
        coalesce(handlers.handler_id, entry_points.symbol_id),
        (SELECT owners.kind = 'class' FROM symbols CROSS JOIN symbols AS owners ON owners.id = symbols.parent_id
            WHERE symbols.id = entry_points.symbol_id AND owners.id = routers.router_id)
    FROM entry_points LEFT JOIN routers USING (symbol_id, position) LEFT JOIN handlers USING (symbol_id, position)
    WHERE kind = 'http' AND path IS NOT NULL ORDER BY entry_points.symbol_id, entry_points.position
"""
_MOUNTS: Final = """
    SELECT kind, prefix, file, router_id, into_id, symbol_id, guards FROM mounts ORDER BY symbol_id, position
"""
# What settings put before all routes of an application, the outer first.
_SITES: Final = """
    SELECT documents.file_id << 16, document_items.path, files.path
    FROM documents CROSS JOIN document_items USING (file_id) CROSS JOIN files ON files.id = documents.file_id
    WHERE documents.kind = 'spring' AND document_items.kind = 'setting' AND document_items.path IS NOT NULL
        AND files.role <> 'test'
    ORDER BY documents.file_id, document_items.type DESC, position
"""
_BELOW: Final = """
    SELECT method_id, overrider_id FROM overrides WHERE method_id IN (SELECT value FROM json_each(?))
    ORDER BY method_id, overrider_id
"""
_TESTS: Final = "SELECT id FROM files WHERE role = 'test'"
_FILES: Final = "SELECT id, path FROM files WHERE language IS NOT NULL ORDER BY id"
_NAMED: Final = """
    SELECT name, min(value) FROM constants
    WHERE name IS NOT NULL AND kind = 'string' AND name IN (SELECT value FROM json_each(?))
    GROUP BY name HAVING min(value) = max(value)
"""
# No index is named: when an index is built anew, routes are joined before it has any.
_DECLARED: Final = """
    SELECT symbols.id, qualname, signature, files.role = 'test' FROM symbols CROSS JOIN files ON files.id = symbols.id >> 16
    WHERE name COLLATE NOCASE IN (SELECT value FROM json_each(?1)) AND +kind = 'constant' AND signature IS NOT NULL
    ORDER BY symbols.id
"""
# The classes above those that stand in some files, the nearest first.
_ABOVE: Final = """
    WITH RECURSIVE line (file, id, depth) AS (
        SELECT value, target_symbol_id, 1 FROM json_each(?1) CROSS JOIN bases
            ON bases.symbol_id BETWEEN value << 16 AND (value << 16) + 65535 WHERE target_symbol_id IS NOT NULL
        UNION SELECT file, target_symbol_id, depth + 1 FROM line CROSS JOIN bases ON bases.symbol_id = line.id
            WHERE target_symbol_id IS NOT NULL AND depth < 8
    )
    SELECT file, line.id >> 16, symbols.qualname FROM line CROSS JOIN symbols ON symbols.id = line.id ORDER BY depth
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
    WITH RECURSIVE around (handler, id, depth) AS (
        SELECT value, value, 0 FROM json_each(?1)
        UNION ALL SELECT handler, symbols.parent_id, depth + 1 FROM around CROSS JOIN symbols ON symbols.id = around.id
            WHERE symbols.parent_id IS NOT NULL AND depth < 12
                AND (depth = 0 OR symbols.kind NOT IN ('class', 'struct', 'interface'))
    )
    SELECT handler, owners.name, handlers.name FROM around CROSS JOIN symbols AS handlers ON handlers.id = handler
    CROSS JOIN symbols AS owners ON owners.id = around.id
    WHERE depth > 0 AND owners.kind IN ('class', 'struct', 'interface')
"""
_DOCUMENTED: Final = """
    SELECT files.path, document_items.kind, name, type, method, document_items.path
    FROM documents CROSS JOIN document_items USING (file_id) CROSS JOIN files ON files.id = document_items.file_id
    WHERE documents.kind = 'routes' ORDER BY files.path, position
"""
_METHODS: Final = """
    SELECT symbols.id, files.package, owners.name, symbols.name, symbols.line
    FROM symbols CROSS JOIN symbols AS owners ON owners.id = symbols.parent_id CROSS JOIN files ON files.id = symbols.file_id
    WHERE symbols.name COLLATE NOCASE IN (SELECT value FROM json_each(?1)) AND +symbols.kind = 'method'
    ORDER BY symbols.id
"""
_DROP_ROUTE: Final = "DELETE FROM entry_points WHERE symbol_id = ?1 AND position = ?2"
_ADD_ROUTE: Final = """
    INSERT INTO entry_points (symbol_id, position, kind, detail, line, method, path, guards)
    VALUES (?1, ?2, 'http', ?3, ?4, ?5, ?6, NULL)
"""
FIRST_DOCUMENTED: Final = 1_000_000
"""The positions from here on are of routes that documents tell, which no file of code brings along."""
SITE: Final = "site"
"""The kind of a mount that stands before all routes of the application around its file."""
SAID: Final = "said"
"""The kind of a mount that is what a handler says of its own route: method and path."""
SAID_METHOD: Final = "SAID"
"""The word for a route whose method and path its handler says."""
ANY_METHOD: Final = "ANY"
"""The word for a route whose methods nothing says."""
GLUED: Final = "~"
"""What ends a prefix that is not known and that paths stand right behind, as extraction writes it: `<settings.BASE>~`."""
UNKNOWN_PREFIX: Final = "/<…>"
"""What stands before the path of a route that is never reached without a prefix, as long as none is known."""
NAMED_PART: Final = re.compile(r"<([^<>:]{1,200})>")
"""What may be constants in the path of a route, as extraction writes them; `<int:id>` is a parameter."""
CONSTANT_NAME: Final = re.compile(r"[A-Z][A-Z0-9_]{1,80}")
"""The name of a constant wherever it stands; others are such where a class is named before them."""
_NAME: Final = re.compile(r"(?<![\w.])(?:[A-Za-z_]\w{0,80}\.){0,8}([A-Za-z_]\w{0,80})")
_MOST_ROUNDS: Final = 4  # of constants that are made of others
_SET_WHOLE: Final = "UPDATE entry_points SET detail = ?1, guards = ?2 WHERE symbol_id = ?3 AND position = ?4"


Rows = Callable[[str, tuple[Any, ...]], Iterable[Any]]
"""What gives the rows of a query."""


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
    is_of_class: int | None = None  # whether it is added to the class that declares its handler


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


class DeclaredConstant(NamedTuple):
    """A constant as it is declared, with what it is the value of after an equals sign."""

    symbol_id: int
    qualname: str
    signature: str
    is_in_test: int = 0


class DocumentedRow(NamedTuple):
    """What a document says of routes: one with its controller, or what is taken in with a prefix."""

    document: str
    kind: str
    name: str
    controller: str | None
    method: str | None
    path: str | None


class MethodRow(NamedTuple):
    """A method with its class and namespace."""

    symbol_id: int
    package: str | None
    owner: str
    name: str
    line: int


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
    declared: tuple[DeclaredConstant, ...] = ()  # of these names, and of what they are made of
    # Of files whose routes name constants: the file and the name of each class above theirs, the nearest first.
    above: Mapping[int, tuple[tuple[int, str], ...]] = MappingProxyType({})
    documented: tuple[DocumentedRow, ...] = ()
    told_before: tuple[RouteRow, ...] = ()  # routes that documents told when routes were joined last


def read_route_rows(connection: sqlite3.Connection) -> RouteRows:
    """The routes and mounts of an index."""
    mounts = (
        *_with_overriders(connection, map(MountedRow._make, connection.execute(_MOUNTS))),
        *(
            MountedRow(SITE, path, file, None, None, place)
            for place, path, file in connection.execute(_SITES)
        ),
    )
    rows = list(map(RouteRow._make, connection.execute(_ROUTES)))
    routes = tuple(each for each in rows if each.position < FIRST_DOCUMENTED)
    documented = tuple(map(DocumentedRow._make, connection.execute(_DOCUMENTED)))
    names_files = bool(documented) or any(each.file or each.router_id is None for each in mounts)
    written = {each.prefix.strip("<>") for each in mounts if each.prefix[:1] == "<" or each.kind == "group"}
    written.update(*(NAMED_PART.findall(each.prefix) for each in mounts if "<" in each.prefix))
    written.update(*(NAMED_PART.findall(each.path) for each in routes if "<" in each.path))
    named = sorted(set().union(*map(_NAME.findall, written)))
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
        tuple(connection.execute(_FILES)) if names_files else (),
        frozenset(file for (file,) in connection.execute(_TESTS)) if mounts else frozenset(),
        dict(connection.execute(_NAMED, (json.dumps(named),))) if named else {},
        tuple(map(ViewSetRow._make, found)),
        _owners(connection, handlers) if is_named else {},
        declared_constants(connection.execute, named) if named else (),
        _classes_above(connection, {each.symbol_id >> 16 for each in routes if "<" in each.path}),
        documented,
        tuple(each for each in rows if each.position >= FIRST_DOCUMENTED),
    )


def methods_named(connection: sqlite3.Connection, names: Iterable[str]) -> list[MethodRow]:
    """The methods of these names, in whatever class."""
    return list(map(MethodRow._make, connection.execute(_METHODS, (json.dumps(sorted(names)),))))


def replace_documented(
    connection: sqlite3.Connection, before: Iterable[RouteRow], now: Iterable[tuple[RouteRow, int]]
) -> None:
    """Put the routes that documents tell, each with its line, in the place of those they told before."""
    connection.executemany(_DROP_ROUTE, [(each.symbol_id, each.position) for each in before])
    connection.executemany(
        _ADD_ROUTE,
        [(each.symbol_id, each.position, each.detail, line, each.method, each.path) for each, line in now],
    )


def _with_overriders(connection: sqlite3.Connection, mounts: Iterable[MountedRow]) -> Iterator[MountedRow]:
    """The mounts, those of a method also as ones of what may run in its place: `group.Map(app.MapGroup(group))`."""
    found = list(mounts)
    routers = sorted({one.router_id for one in found if one.router_id is not None and one.kind == "under"})
    below: dict[int, list[int]] = {}
    for method, overrider in connection.execute(_BELOW, (json.dumps(routers),)) if routers else ():
        below.setdefault(method, []).append(overrider)
    for one in found:
        yield one
        yield from (one._replace(router_id=each) for each in below.get(one.router_id or 0, ()))


def declared_constants(execute: Rows, names: Iterable[str]) -> tuple[DeclaredConstant, ...]:
    """The constants of these names, and those that their values name."""
    found: dict[int, DeclaredConstant] = {}
    asked: set[str] = set()
    wanted = sorted(names)
    for _ in range(_MOST_ROUNDS):
        asked.update(wanted)
        rows = list(map(DeclaredConstant._make, execute(_DECLARED, (json.dumps(wanted),))))
        found.update((one.symbol_id, one) for one in rows)
        wanted = sorted({each for one in rows for each in names_in(one)} - asked)
        if not wanted:
            break
    return tuple(found.values())


def names_in(constant: DeclaredConstant) -> list[str]:
    """The names that the value of a constant may be made of."""
    return _NAME.findall(constant.signature.partition("=")[2])


def _classes_above(
    connection: sqlite3.Connection, files: Iterable[int]
) -> Mapping[int, tuple[tuple[int, str], ...]]:
    found: dict[int, tuple[tuple[int, str], ...]] = {}
    for file, *above in connection.execute(_ABOVE, (json.dumps(sorted(files)),)):
        found[file] = (*found.get(file, ()), (above[0], above[1]))
    return found


def _owners(connection: sqlite3.Connection, handlers: list[int]) -> dict[int, tuple[str, str]]:
    rows = connection.execute(_OWNERS, (json.dumps(handlers),))
    return {handler: (owner, name) for handler, owner, name in rows}


def write_whole(connection: sqlite3.Connection, route: RouteRow) -> None:
    """Say another detail of a route, or other guards."""
    connection.execute(_SET_WHOLE, (route.detail, route.guards, route.symbol_id, route.position))
