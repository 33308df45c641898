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
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Final

from drift.index.ids import FileId, SymbolId, file_of_symbol, symbol_id
from drift.index.route_rows import NAMED_PART, MountedRow, RouteRow, RouteRows
from drift.index.row_texts import encode_types
from drift.scan.view_sets import NO_ROUTE, ViewSets

if TYPE_CHECKING:  # what reads files splits routes, and needs no database
    from drift.index.transaction import IndexTransaction

_MOST_MOUNTS: Final = 8  # of one router; more are made by loops, and a list of all would say nothing
_MOST_DEPTH: Final = 12  # of routers in routers: mounts may lead in circles
_TO_HANDLER: Final = " -> "
_TILDE: Final = "/~"
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
    prefixes, applications, view_sets = _Prefixes(rows), _Applications(rows), ViewSets(rows.view_sets)
    for route in rows.routes:
        guards = () if route.router_id is None else prefixes.guards_of(route.router_id)
        path, method = _with_values(route.path, rows.constants), view_sets.method_of(route)
        named = route._replace(path=path, method=method)
        outer = applications.before(named)
        whole = route._replace(
            detail=_whole_detail(named, prefixes, outer=outer, owners=rows.owners),
            guards=encode_types(guards),
        )
        if whole != route:
            transaction.set_route(whole)


def _whole_detail(
    route: RouteRow, prefixes: _Prefixes, *, outer: str, owners: Mapping[int, tuple[str, str]]
) -> str:
    _, arrow, handler = route.detail.partition(_TO_HANDLER)
    route = route if route.method else route._replace(method=NO_ROUTE)
    if route.router_id is None:  # as its file says it
        return f"{route.method} {_unless(route.path, '')}".rstrip() + arrow + handler
    path = route.path.removesuffix("/") if outer else route.path
    befores = [_after(outer, prefix) for prefix in prefixes.of(route.router_id)]
    paths = dict.fromkeys(join_path(prefix, _unless(path, prefix)) for prefix in befores)
    found = f"{route.method} {', '.join(paths)}{arrow}{handler}"
    owner = owners.get(route.handler_id or 0)
    if owner is None:
        return found
    return _ACTION.sub(owner[1], _OWNER.sub(owner[0].removesuffix("Controller"), found))


def _unless(path: str, prefix: str) -> str:
    """A path; one behind a tilde is that of a route for which nothing else says one."""
    if not path.startswith(_TILDE):
        return path
    return "" if prefix else f"/{path.removeprefix(_TILDE)}"


def join_path(prefix: str, path: str) -> str:
    """A path after its prefix, with one slash between; marks of regular expressions at their ends are left out."""
    plain = path.removeprefix("^").removesuffix("$")
    head = prefix.removeprefix("^").strip("/")
    if not head:
        return f"/{plain.lstrip('/')}"
    return f"/{head}/{plain.lstrip('/')}" if plain else f"/{head}"


class _Applications:
    """What an application puts before the routes of all controllers beneath the folder of the file that says so."""

    def __init__(self, rows: RouteRows) -> None:
        self._files = dict(rows.files)
        self._prefixes: dict[str, str] = {}
        self._left: set[tuple[str, str]] = set()
        for mount in rows.mounts:
            file = file_of_symbol(SymbolId(mount.symbol_id))
            folder = self._files.get(file, "").rpartition("/")[0]
            prefix = _constant(mount.prefix, rows.constants)
            if file in rows.tests or prefix.startswith("<"):
                continue  # what is not known adds nothing
            if mount.kind == "all":
                self._prefixes[folder] = prefix
            elif mount.kind == "except":
                self._left.add((folder, join_path("", prefix)))

    def before(self, route: RouteRow) -> str:
        """The prefix of the nearest application around the file that a route is a part of."""
        if not self._prefixes or route.router_id is None:
            return ""
        file = file_of_symbol(SymbolId(route.router_id))
        folder = self._files.get(file, "") if route.router_id == symbol_id(file, 0) else ""
        while folder:
            folder = folder.rpartition("/")[0]
            if folder in self._prefixes:
                is_left = (folder, join_path("", route.path)) in self._left
                return "" if is_left else self._prefixes[folder]
        return ""


class _Prefixes:
    """The prefixes of routers, each found once."""

    def __init__(self, rows: RouteRows) -> None:
        self._mounts: defaultdict[int, list[MountedRow]] = defaultdict(list)
        self._own: dict[int, str] = {}
        self._known: dict[int, tuple[str, ...]] = {}
        self._guards: dict[int, tuple[str, ...]] = {}
        files = _FileEnds(rows.files)
        for mount in rows.mounts:
            prefix = _constant(mount.prefix, rows.constants)
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
            inner = mount.prefix if mount.kind == "instead" and mount.prefix else _after(mount.prefix, own)
            found.update(dict.fromkeys(_after(prefix, inner) for prefix in outer))
        self._known[router] = tuple(found) or (own,)
        return self._known[router]


def _is_tried(mount: MountedRow, router: int, tests: Collection[int]) -> bool:
    """Whether a test mounts a router of the product, which says nothing of where that is reached."""
    return (
        file_of_symbol(SymbolId(mount.symbol_id)) in tests and file_of_symbol(SymbolId(router)) not in tests
    )


def _after(prefix: str, path: str) -> str:
    return join_path(prefix, path) if prefix and path else prefix or path


def _constant(prefix: str, constants: Mapping[str, str]) -> str:
    """The value of a prefix that is named, if the project has one string of that name."""
    if not prefix.startswith("<"):
        return prefix
    return constants.get(prefix.strip("<>").rpartition(".")[2], prefix)


def _with_values(path: str, constants: Mapping[str, str]) -> str:
    """A path with the values of the constants it names, as far as the project has one of that name."""
    if "<" not in path:
        return path
    said = NAMED_PART.sub(lambda found: constants.get(found[1], found[0]), path)
    return said if said == path else said.replace("//", "/")


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
