"""What routes are added to and where that is mounted, by symbol, so that prefixes can be joined across files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from drift.languages.expressions import Expression
from drift.scan.link.analysis import Analysis
from drift.scan.link.calling import follow_call
from drift.scan.link.destinations import import_destination
from drift.scan.link.links import MountLink, Place
from drift.scan.link.referenced_symbols import referenced_symbols
from drift.scan.link.tables import FileTable

_THE_FILE: Final = 0  # the symbol of a file as a whole
_MOST_STEPS: Final = 8  # back along what a router is made of


def router_links(analysis: Analysis, table: FileTable) -> Iterator[tuple[int, Place]]:
    """The router that each route is added to, where it is one."""
    for number, entry in enumerate(table.facts.entry_points):
        if entry.router is not None:
            found = _place_of(analysis, table, entry.router, entry.symbol)
            if found is not None:
                yield number, found


def mount_links(analysis: Analysis, table: FileTable) -> Iterator[MountLink]:
    """The routers of each mount."""
    for mount in table.facts.mounts:
        yield MountLink(
            _place_of(analysis, table, mount.router, mount.scope),
            _place_of(analysis, table, mount.into, mount.scope),
        )


def _place_of(analysis: Analysis, table: FileTable, router: Expression, scope: int) -> Place | None:
    """The variable or function that a router is; the file where only that is known of it."""
    if router is None:
        return None
    if router[0] == "symbol":
        return analysis.program.place(table.first + router[1])
    found = referenced_symbols(analysis, router, table.first + scope)
    if len(found) == 1:
        return analysis.program.place(found[0])
    return None if found else _file_of(analysis, table, router) or _function_of(analysis, table, router)


def _function_of(analysis: Analysis, table: FileTable, router: Expression) -> Place | None:
    """The one function that a call runs, which adds its routes to what it is given."""
    if router is None or router[0] != "result":
        return None
    call = table.facts.calls[router[1]]
    runs = {run.symbol for run in follow_call(analysis, call, table.first + call.scope)}
    (only, *others) = runs or {None}
    return None if only is None or others else analysis.program.place(only)


def _file_of(analysis: Analysis, table: FileTable, router: Expression) -> Place | None:
    """The file that a router is imported from, if what it is there has no name."""
    for _ in range(_MOST_STEPS):
        if router is None or router[0] not in {"member", "name", "result"}:
            return None
        if router[0] == "name":
            break
        router = table.facts.calls[router[1]].callee if router[0] == "result" else router[1]
    for number, each in enumerate(table.facts.imports):
        if router is not None and router[0] == "name" and each.alias == router[1]:
            file = import_destination(analysis, table, number).file
            return None if file is None else Place(file, _THE_FILE)
    return None
