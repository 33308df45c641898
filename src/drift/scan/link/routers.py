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
from drift.scan.link.values import symbol_of

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
    if found:
        return None
    return (
        _member_place(analysis, table, router, scope)
        or _file_of(analysis, table, router)
        or _function_of(analysis, table, router)
    )


def _member_place(analysis: Analysis, table: FileTable, router: Expression, scope: int) -> Place | None:
    """What a file exports under the name of a member, or the class whose objects have it without declaring it."""
    if router is None or router[0] != "member":
        return None
    (only, *others) = analysis.evaluate(router[1], table.first + scope) or (None,)
    if others or not isinstance(only, int):
        return None
    program, owner = analysis.program, symbol_of(only)
    kind = program.symbol(owner).kind
    if kind == "module":
        holder = program.table_of(owner)
        given = program.semantics(holder).submodule(holder.path, None, router[2])
        if given is None or given.value is None or given.value[0] not in {"name", "symbol"}:
            return None
        return _place_of(analysis, holder, given.value, 0)
    is_only = program.table_of(owner) is not table or _own_routers(table) <= {router[2]}
    return program.place(owner) if kind == "class" and is_only else None


def _own_routers(table: FileTable) -> set[str]:
    """The members of objects of a file that it adds routes to: of several, the class is none of them."""
    routers = (entry.router for entry in table.facts.entry_points)
    return {each[2] for each in routers if each is not None and each[0] == "member" and each[1] == ("this",)}


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
