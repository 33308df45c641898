"""The routes of a project by their names.

Where the language says them, names are known; elsewhere a text that stands beside a route may be its name.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from drift.analyses.running.route_parts import read_route_parts
from drift.analyses.running.routes import NAMING_HANDLERS, Route, Routes
from drift.analyses.running.view_set_names import ViewSetNames
from drift.index.ids import FileId, SymbolId, file_of_symbol, is_file
from drift.languages.limits import CONSTANT_LENGTHS

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.page_queries import RouteName
    from drift.index.run_records import Registered

_MOST_OF_NAME: Final = 8  # routes that one call adds; a text beside more of them names none
_LINES_OF_NAME: Final = (
    6  # ->name('orders.index') may stand below its route, each argument on a line of its own
)


def named_routes(reader: "IndexReader", routes: Routes) -> dict[str, list[Route]]:
    """The routes by what may be their name."""
    registered = reader.running.registered()
    found = _beside(reader, routes, [one for one in registered if one.language not in NAMING_HANDLERS])
    said: dict[tuple[FileId, str], list[Registered]] = defaultdict(list)
    for one in registered:
        if one.language in NAMING_HANDLERS:
            said[file_of_symbol(one.symbol), one.path].append(one)
    for name in reader.pages.route_names():
        if name.methods:
            found[name.name] += _registered_as(routes, name, said[name.file, name.path])
        else:
            # The file may be mounted behind a prefix, which a name does not show.
            found[name.name] += routes.at(name.path)
    return found


def _registered_as(routes: Routes, name: "RouteName", registered: Iterable["Registered"]) -> Iterable[Route]:
    """The routes of a name: those that its file registers with its methods and its path."""
    parts = read_route_parts(name.path)
    for one in registered:
        if is_file(one.handler) or one.methods not in {name.methods, ""}:
            continue
        methods = frozenset(one.methods.split(",")) if one.methods else None
        # A file may be mounted in several places; a path that is put together is not known, but who asks by the
        # name comes to it all the same.
        yield from [
            each
            for each in routes.of(one.handler)
            if each.methods == methods and each.parts[max(len(each.parts) - len(parts), 0) :] == parts
        ] or [Route(one.handler, methods, parts)]


def _beside(reader: "IndexReader", routes: Routes, registered: list["Registered"]) -> dict[str, list[Route]]:
    """The routes by the texts that stand beside their paths, one of which is their name."""
    places: dict[FileId, dict[int, list[SymbolId]]] = defaultdict(lambda: defaultdict(list))
    for each in registered:
        places[file_of_symbol(each.symbol)][each.line].append(each.handler)
    found: dict[str, list[Route]] = defaultdict(list)
    handlers = {handler for lines in places.values() for some in lines.values() for handler in some}
    methods = {one.id: one.name for one in reader.symbols.many(handlers) if one.kind == "method"}
    beside: dict[SymbolId, set[str]] = defaultdict(set)
    for text in reader.running.texts_of_files(sorted(places), CONSTANT_LENGTHS.start):
        lines = places[file_of_symbol(text.symbol_id)]
        at = next((one for one in range(text.line, text.line - _LINES_OF_NAME, -1) if one in lines), None)
        for handler in lines[at] if at is not None and len(lines[at]) <= _MOST_OF_NAME else ():
            if methods.get(handler) != text.value:  # [OrderController::class, 'index'] names the handler
                # A path that is put together is not known, but who asks by the name comes to it all the same.
                found[text.value] += routes.of(handler) or [Route(handler, None, ())]
                beside[handler].add(text.value)
    view_sets = ViewSetNames(reader, registered)
    for handler in handlers:
        for name in view_sets.of(handler, beside[handler]):
            for route in routes.of(handler):
                end = view_sets.end_of(route.handler, is_of_one=route.parts[-1:] == (None,))
                found[f"{name}-{end}"].append(route)
    return found
