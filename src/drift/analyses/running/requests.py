"""What runs with the requests of tests: handlers, and middleware, guards and filters that stand before them."""

import re
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from drift.analyses.guarding import find_guarding
from drift.analyses.middleware import find_middleware_symbols
from drift.analyses.running.clients import client_runs
from drift.analyses.running.edges import Run, reached_from
from drift.analyses.running.modules import Modules
from drift.analyses.running.shown import page_companions
from drift.index.ids import FileId, SymbolId, file_of_symbol
from drift.index.records import SymbolRecord

if TYPE_CHECKING:
    from drift.index import IndexReader

_BEFORE: Final = 0.9  # what stands before a handler runs with it
_BEFORE_ANY: Final = 0.5  # which requests it stands before is not known
_MOST_LOADERS: Final = 5_000
_BESIDE_HANDLERS: Final = ("ModelAttribute", "InitBinder")
"""Decorators of methods that run before all handlers of their class."""
_AROUND_ALL: Final = frozenset(
    {"middleware", "filter", "interceptor", "guard", "before requests", "after requests"}
)
"""Words of frameworks for what may stand before all requests; the others run in cases of their own."""


def request_runs(reader: "IndexReader") -> Iterator[Run]:
    """Which tests run which handlers and commands, and what stands before the handlers."""
    before: Mapping[SymbolId, Mapping[SymbolId, float]] | None = None
    modules: Modules | None = None
    alone: Collection[FileId] = ()
    for run in client_runs(reader):
        yield run
        if before is None:
            before, alone = _read_before(reader), _alone(reader)
        for guard, confidence in before.get(run.used, {}).items():
            if confidence == _BEFORE_ANY:  # of those requests that come to where its code is
                modules = modules or Modules(reader)
                if file_of_symbol(run.user) in alone:
                    continue
                if not modules.can_have(*map(file_of_symbol, (run.user, run.used, guard))):
                    continue
            yield Run(run.user, guard, run.confidence * confidence)


def _alone(reader: "IndexReader") -> Collection[FileId]:
    """The files of tests whose clients run no filters: they say so, or their classes descend from those that do."""
    table = _table("alone")
    saying, calling = re.compile(table["saying"]), re.compile(table["calls"])
    found = {
        file_of_symbol(one.symbol_id)
        for one in reader.running.decorated(table["annotations"])
        if saying.search(one.text)
    }
    tests = reader.testing.test_files()
    words = {
        word: text
        for word, text in (reader.testing.call_texts(tests) if tests else {}).items()
        if calling.fullmatch(text.rpartition(".")[2])
    }
    for call in reader.testing.calls_written(tests, words) if words else ():
        found.add(file_of_symbol(call.caller_id))
    below: dict[FileId, list[FileId]] = defaultdict(list)
    for child, parent, _ in reader.running.parents() if found else ():
        if parent is not None:
            below[file_of_symbol(parent)].append(file_of_symbol(child))
    return set().union(*(reached_from(file, below) for file in found))


def _read_before(reader: "IndexReader") -> Mapping[SymbolId, Mapping[SymbolId, float]]:
    """What stands before each handler: of a class also the methods that the framework can call."""
    guarding = find_guarding(reader)
    placed = {one.guard for one in guarding}
    hooked = tuple(_hooked(reader))
    around = _read_around(reader, placed | {one for _, one, is_for_others in hooked if not is_for_others})
    around |= _advising(reader)
    methods: dict[SymbolId, list[SymbolId]] = defaultdict(list)
    for owner, above in _lines_of(reader, {*placed, *around}).items():
        for _, method in reader.guards.methods(above):
            methods[owner].append(method)
    # What stands before a handler calls what it was handed: how to know a token, what to say without one.
    for variable, function in reader.guards.handed_to(placed):
        methods[variable].append(function)
    # A decorator runs once; what it gives runs with the handler.
    for owner, inner in reader.guards.inner({*placed, *around}):
        methods[owner].append(inner)
    before: dict[SymbolId, dict[SymbolId, float]] = defaultdict(dict)
    for handler, number in _around_each(reader, around):
        before[handler].update(dict.fromkeys((number, *methods[number]), _BEFORE_ANY))
    for handler, function, _ in hooked:
        before[handler][function] = _BEFORE
    functions = {one.id for one in reader.symbols.many(placed) if one.kind == "function"}
    for one in guarding:
        # A function that decorates runs when the file is imported; what it gives runs with the handler.
        own = () if one.is_decorator and one.guard in functions else (one.guard,)
        before[one.handler].update(dict.fromkeys((*own, *methods[one.guard]), _BEFORE))
    for handler, companion in _companions(reader):
        before[handler][companion] = _BEFORE
    return before


def _around_each(
    reader: "IndexReader", around: Mapping[SymbolId, str | None]
) -> Iterator[tuple[SymbolId, SymbolId]]:
    """Each handler with what may stand before it of its language."""
    for handler, language in reader.guards.handlers() if around else ():
        yield from ((handler, one) for one, of in around.items() if of == language and one != handler)


def _hooked(reader: "IndexReader") -> Iterator[tuple[SymbolId, SymbolId, bool]]:
    """Handlers with what decorators of their router put around them, in any file, and whether it may stand before others, too.

    `@auth.before_app_request` is around all handlers.
    """
    names = reader.running.decorator_names()
    for_all, of_router = (
        [one for one in names if one.rpartition(".")[2] in _names("around", key) and one.count(".") == 1]
        for key in ("all", "router")
    )
    marked = [one.symbol_id for one in reader.running.decorated(for_all)] if for_all else []
    everywhere = [one.id for one in reader.symbols.many(marked) if one.role != "test"]
    for handler, _ in reader.guards.handlers() if everywhere else ():
        yield from ((handler, each, False) for each in everywhere)
    yield from reader.guards.hooked(of_router) if of_router else ()


def handed_runs(reader: "IndexReader") -> Iterator[Run]:
    """What stands behind a mark of an object runs what other marks of it were handed: `@auth.verify_password`."""
    taking, marking = _names("around", "handed"), _names("around", "asking")
    names = [one for one in reader.running.decorator_names() if one.rpartition(".")[2] in {*taking, *marking}]
    handed: dict[tuple[FileId, str], list[SymbolId]] = defaultdict(list)
    asking: list[tuple[tuple[FileId, str], SymbolId]] = []
    for one in reader.running.decorated(names) if names else ():
        receiver, _, last = one.decorator.rpartition(".")
        place = (file_of_symbol(one.symbol_id), receiver)
        if receiver and last in taking:
            handed[place].append(one.symbol_id)
        elif receiver:
            asking.append((place, one.symbol_id))
    for place, user in asking:
        yield from (Run(user, each, _BEFORE) for each in handed.get(place, ()) if each != user)


def _read_around(reader: "IndexReader", placed: Collection[SymbolId]) -> dict[SymbolId, str | None]:
    """What may stand before any request, with its language: middleware that somebody registers, and what settings name."""
    around = {
        one.id: one.language
        for one, role in find_middleware_symbols(reader)
        if role in _AROUND_ALL and one.id not in placed
    }
    for child, _, parent in reader.running.parents():
        if parent is not None and child in around and parent.startswith(_names("settings", "of_settings")):
            del around[child]  # which no code makes or names
    around = {each: around[each] for each in reader.guards.registered(around)}
    return around | reader.guards.in_settings(_names("settings", "around_all"))


def _advising(reader: "IndexReader") -> dict[SymbolId, str]:
    """Methods of classes that advise all controllers, with their language."""
    marked = [one for name in _BESIDE_HANDLERS for one in reader.symbols.decorated_with(name)]
    names = _names("pages", "advising") if marked else ()
    advising = {one.id for name in sorted(names) for one in reader.symbols.decorated_with(name)}
    return {one.id: one.language for one in marked if one.parent_id in advising and one.language}


def _lines_of(
    reader: "IndexReader", classes: Collection[SymbolId]
) -> Mapping[SymbolId, Collection[SymbolId]]:
    """Each of these with the classes above it, whose methods it has, too."""
    parents: dict[SymbolId, list[SymbolId]] = defaultdict(list)
    for child, parent, _ in reader.running.parents():
        if parent is not None:
            parents[child].append(parent)
    return {one: reached_from(one, parents) for one in classes}


@cache
def _table(name: str) -> Mapping[str, Any]:
    """A table of `clients.toml`."""
    text = files("drift.analyses.running").joinpath("clients.toml").read_text("utf-8")
    found: Mapping[str, Any] = tomllib.loads(text)[name]
    return found


def _names(table: str, key: str) -> tuple[str, ...]:
    """A list of names of `clients.toml`."""
    return tuple(_table(table)[key])


def _companions(reader: "IndexReader") -> Iterator[tuple[SymbolId, SymbolId]]:
    """What runs of a class before each of its handlers: how it is made, and methods that say so by a decorator."""
    handlers = reader.symbols.many({handler for handler, _ in reader.guards.handlers()})
    owners = {one.parent_id for one in handlers if one.kind == "method" and one.parent_id is not None}
    beside: dict[SymbolId, list[SymbolId]] = defaultdict(list)
    for one in (each for name in _BESIDE_HANDLERS for each in reader.symbols.decorated_with(name)):
        if one.parent_id in owners and one.kind == "method":
            beside[one.parent_id].append(one.id)
    for owner in owners:
        beside[owner] += [one.id for one in reader.symbols.members(owner) if one.kind == "constructor"]
    yield from _loaders(reader, handlers)
    yield from page_companions(reader)
    for handler in handlers:
        for companion in beside.get(handler.parent_id, ()) if handler.parent_id is not None else ():
            if companion != handler.id:
                yield handler.id, companion


def _loaders(reader: "IndexReader", handlers: Iterable[SymbolRecord]) -> Iterator[tuple[SymbolId, SymbolId]]:
    """What a framework runs beside a page of the same file, to load what the page shows."""
    loaders: dict[FileId, list[SymbolId]] = defaultdict(list)
    for name in sorted(_names("pages", "loaders")):
        for one in reader.symbols.named(name, limit=_MOST_LOADERS):
            if one.kind == "function" and "exported" in one.modifiers:
                loaders[file_of_symbol(one.id)].append(one.id)
    for handler in handlers:
        for loader in loaders.get(file_of_symbol(handler.id), ()):
            if loader != handler.id:
                yield handler.id, loader
