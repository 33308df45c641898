"""Whole routes: the path that a file gives a route, after the prefixes of all that it is mounted under.

What stands before the routes of a router where it is mounted comes with them.

A router gets its prefix where it is made, where it is mounted, or both, often in other files than its routes.
Linking says which router is meant; here the prefixes are put together, for all routes after every scan, since a
mount of one file changes the routes of others. What is not known adds nothing: a route is then shown with the
path its file says.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from drift.index.ids import FileId, SymbolId, file_of_symbol, symbol_id
from drift.index.route_constants import RouteConstants
from drift.index.route_rows import (
    ANY_METHOD,
    FIRST_DOCUMENTED,
    SAID,
    SAID_METHOD,
    SITE,
    UNKNOWN_PREFIX,
    MountedRow,
    RouteRow,
    RouteRows,
)
from drift.index.row_texts import encode_types
from drift.scan.applications import Applications, after, join_path, unless
from drift.scan.designed_routes import DesignedRoutes
from drift.scan.documented_routes import DocumentedRoutes
from drift.scan.route_groups import RouteGroups
from drift.scan.route_sites import RouteSites
from drift.scan.view_sets import NO_ROUTE, ViewSets

if TYPE_CHECKING:  # what reads files splits routes, and needs no database
    from drift.index.transaction import IndexTransaction

_MOST_MOUNTS: Final = 8  # of one router; more are made by loops, and a list of all would say nothing
_MOST_DEPTH: Final = 12  # of routers in routers: mounts may lead in circles
_UNSAID: Final = "…"  # the path of a route whose handler says none
_TO_HANDLER: Final = " -> "
# In the path that a class gives to those below it.
_OWNER: Final = re.compile(r"\[controller\]", re.IGNORECASE)
_ACTION: Final = re.compile(r"\[action\]", re.IGNORECASE)


def split_route(kind: str, detail: str) -> tuple[str | None, str | None]:
    """Method and path of a route as its file says them; nothing of other entry points."""
    method, _, path = detail.partition(_TO_HANDLER)[0].partition(" ")
    return (method, path) if kind == "http" and method.isupper() else (None, None)


def join_routes(transaction: IndexTransaction) -> None:
    """Write the whole path of every route into its detail, where that is not what it says already."""
    rows = transaction.route_rows()
    constants = RouteConstants(rows.constants, rows.declared, above=rows.above)
    groups = RouteGroups(rows.mounts)
    rows = rows._replace(mounts=tuple(one._replace(prefix=groups.fill(one.prefix)) for one in rows.mounts))
    joining = _Joining(rows, constants, groups)
    said = {one.router_id: one.prefix for one in rows.mounts if one.kind == SAID}
    for route in rows.routes:
        whole = joining.whole(_as_said(route, said) if route.method == SAID_METHOD else route)
        if (whole.detail, whole.guards) != (route.detail, route.guards):
            transaction.set_route(whole)
    _write_documented(transaction, rows, joining)


def _as_said(route: RouteRow, said: Mapping[int | None, str]) -> RouteRow:
    """A route with the method and path that its handler says of itself."""
    method, _, path = said.get(route.handler_id, f"{ANY_METHOD} {_UNSAID}").partition(" ")
    return route._replace(method=method, path=after(route.path, path))


class _Joining:
    """All that stands before routes, put before one after the other."""

    def __init__(self, rows: RouteRows, constants: RouteConstants, groups: RouteGroups) -> None:
        self._rows, self._constants, self._groups = rows, constants, groups
        self._prefixes, self._applications = _Prefixes(rows, constants), Applications(rows, constants)
        self._view_sets = ViewSets(rows.view_sets)
        self._sites = RouteSites(rows.mounts, rows.files, rows.tests)
        self.documented: Final = DocumentedRoutes(rows.documented, rows.files)

    def whole(self, route: RouteRow) -> RouteRow:
        """A route with its whole path in its detail, and what stands before it."""
        guards = () if route.router_id is None else self._prefixes.guards_of(route.router_id)
        path = self._constants.path(self._groups.fill(route.path), route.symbol_id)
        named = route._replace(path=path, method=self._view_sets.method_of(route))
        befores = ("",) if route.router_id is None else self._prefixes.of(route.router_id)
        if any(befores) and named.path.startswith(UNKNOWN_PREFIX):
            named = named._replace(path=named.path.removeprefix(UNKNOWN_PREFIX))
        paths = self._applications.whole(named, befores)
        file = file_of_symbol(SymbolId(named.symbol_id))
        outer = self.documented.before(file) if named.router_id is None else ""
        site = self._sites.before(named.symbol_id)
        # Of what documents declare, the path of their server may have it already.
        has_site = route.position >= FIRST_DOCUMENTED and all(
            f"{path}/".startswith(f"/{site}/") for path in paths
        )
        paths = [join_path(site, path) for path in paths] if site and not has_site else paths
        detail = _whole_detail(named, paths, outer=after(site, outer), owners=self._rows.owners)
        return route._replace(detail=detail, guards=encode_types(guards))


def _write_documented(transaction: IndexTransaction, rows: RouteRows, joining: _Joining) -> None:
    asked = joining.documented.controllers()
    told = list(joining.documented.told(transaction.methods_named(asked))) if asked else []
    told += _designed(transaction, rows, joining, FIRST_DOCUMENTED + len(rows.documented))
    if told or rows.told_before:
        transaction.replace_documented(rows.told_before, told)


def _designed(
    transaction: IndexTransaction, rows: RouteRows, joining: _Joining, first: int
) -> list[tuple[RouteRow, int]]:
    """The routes that documents of OpenAPI declare, each with the line of the method that answers it."""
    designed = DesignedRoutes(transaction.operations())
    names = designed.names()
    if not names:
        return []
    prefixed = {
        mount.router_id for mount in rows.mounts if mount.kind == "own" and mount.router_id is not None
    }
    taken = {route.symbol_id for route in rows.routes}
    answering = transaction.answering(names, dotted=designed.dotted())
    return [(joining.whole(one.route), one.line) for one in designed.told(answering, first, prefixed, taken)]


def _whole_detail(
    route: RouteRow, paths: Sequence[str], *, outer: str, owners: Mapping[int, tuple[str, str]]
) -> str:
    _, arrow, handler = route.detail.partition(_TO_HANDLER)
    method = route.method or NO_ROUTE
    if route.router_id is None:  # as its file says it, after what documents say of the file
        path = unless(route.path, outer)
        return f"{method} {join_path(outer, path) if outer else path}".rstrip() + arrow + handler
    found = f"{method} {', '.join(paths)}{arrow}{handler}"
    owner = owners.get(route.handler_id or 0)
    if owner is None:
        return found
    return _ACTION.sub(owner[1], _OWNER.sub(owner[0].removesuffix("Controller"), found))


class _Prefixes:
    """The prefixes of routers, each found once."""

    def __init__(self, rows: RouteRows, constants: RouteConstants) -> None:
        self._mounts: defaultdict[int, list[MountedRow]] = defaultdict(list)
        self._own: dict[int, str] = {}
        self._known: dict[int, tuple[str, ...]] = {}
        self._guards: dict[int, tuple[str, ...]] = {}
        files = _FileEnds(rows.files)
        for mount in rows.mounts:
            prefix = constants.prefix(mount.prefix, mount.symbol_id)
            if mount.kind in {SAID, SITE}:
                continue
            routers = [mount.router_id] if mount.router_id is not None else files.ending(mount.file)
            for router in routers:
                if _is_tried(mount, router, rows.tests):
                    continue
                if mount.kind == "own":
                    self._own[router] = prefix
                elif router != mount.into_id:
                    self._mounts[router].append(mount._replace(prefix=prefix))

    def guards_of(self, router: int, depth: int = 0) -> tuple[str, ...]:
        """What stands before all routes of a router, wherever it is mounted; of several places what all of them say."""
        known = self._guards.get(router)
        if known is not None or depth > _MOST_DEPTH:
            return known or ()
        self._guards[router] = ()  # for mounts that lead in circles
        found: dict[str, None] | None = None
        for mount in self._mounted(router)[:_MOST_MOUNTS]:
            outer = self.guards_of(mount.into_id, depth + 1) if mount.into_id is not None else ()
            here = dict.fromkeys((*outer, *json.loads(mount.guards or "[]")))
            found = here if found is None else {each: None for each in found if each in here}
        self._guards[router] = tuple(found or ())
        return self._guards[router]

    def _mounted(self, router: int) -> list[MountedRow]:
        """The places where a router is mounted: by its name, else with all of its file."""
        return self._mounts.get(router) or self._mounts.get(
            symbol_id(file_of_symbol(SymbolId(router)), 0), []
        )

    def of(self, router: int, depth: int = 0) -> tuple[str, ...]:
        """Every prefix that the routes of a router are known to have; the empty one where none is."""
        known = self._known.get(router)
        if known is not None:
            return known
        if depth > _MOST_DEPTH:
            return ("",)
        self._known[router] = ("",)  # for mounts that lead in circles
        own = self._own.get(router, "")
        found: dict[str, None] = {}
        for mount in self._mounted(router)[:_MOST_MOUNTS]:
            outer = self.of(mount.into_id, depth + 1) if mount.into_id is not None else ("",)
            inner = mount.prefix if mount.kind == "instead" and mount.prefix else after(mount.prefix, own)
            found.update(dict.fromkeys(after(prefix, inner) for prefix in outer))
        self._known[router] = tuple(found) or (own,)
        return self._known[router]


def _is_tried(mount: MountedRow, router: int, tests: Collection[int]) -> bool:
    """Whether a test mounts a router of the product, which says nothing of where that is reached."""
    return (
        file_of_symbol(SymbolId(mount.symbol_id)) in tests and file_of_symbol(SymbolId(router)) not in tests
    )


class _FileEnds:
    """Files by the ends of their paths, found by the last part: every edit asks for each mount of the project."""

    def __init__(self, files: Iterable[tuple[int, str]]) -> None:
        self._files: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
        for file, path in files:
            stem = _stem(path)
            self._files[stem.rpartition("/")[2]].append((stem, file))

    def ending(self, end: str) -> list[int]:
        """The one file that is meant by the end of its path, as its symbol; none where several could be."""
        if not end:
            return []
        named = self._files.get(end.rpartition("/")[2], ())
        found = [file for stem, file in named if stem == end or stem.endswith(f"/{end}")]
        exact = [file for stem, file in named if stem == end]
        chosen = exact if len(exact) == 1 else found
        return [symbol_id(FileId(chosen[0]), 0)] if len(chosen) == 1 else []


def _stem(path: str) -> str:
    return path.rpartition(".")[0].removesuffix("/__init__")
