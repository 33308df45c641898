"""Tests that come to functions through a request or a command line: by method and path, and by group of commands.

Known limits: a path of fewer than three characters is not in the index, and one that is built at run time is told by
the constant part it begins with.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.running.edges import Run
from drift.index.ids import FileId, SymbolId, file_of_symbol

if TYPE_CHECKING:
    from drift.index import IndexReader

_WHOLE: Final = 0.9  # method and path are those of the route
_PATH: Final = 0.7  # the path is, the method is not said beside it
_PART: Final = 0.4  # the path begins like that of the route and is built further
_COMMAND: Final = 0.6  # a command, by what runs its group
_ANY: Final = "any"
_ORIGIN: Final = re.compile(r"https?://[^/]+")
# {id}, <int:id>, :id, *rest, [id], $id: a part of a path that any text fits; so does one with (?P<id>…) inside.
_OPEN_BEGINNINGS: Final = ("{", "<", ":", "*", "[", "$")
_EDGES: Final = "/^$"


_Parts = tuple[str | None, ...]
"""The parts of a path; None for one that any text fits."""


class _Route(NamedTuple):
    handler: SymbolId
    method: str | None
    parts: _Parts


_Routes = Mapping[tuple[int, str | None], list[_Route]]
"""Routes by how many parts they have and the first of them."""


def client_runs(reader: "IndexReader") -> Iterator[Run]:
    """Which tests run which handlers of routes, and which groups which commands."""
    yield from _request_runs(reader)
    yield from _command_runs(reader)


def _request_runs(reader: "IndexReader") -> Iterator[Run]:
    routes: dict[tuple[int, str | None], list[_Route]] = defaultdict(list)
    for route in _read_routes(reader):
        routes[len(route.parts), route.parts[0] if route.parts else None].append(route)
    if not routes:
        return
    # Most texts that look like paths fit no route, so few files are asked for their calls.
    every = frozenset({_ANY})
    paths = [
        (one, path)
        for one in reader.running.paths_in_tests()
        if (path := _ORIGIN.sub("", one.value).partition("?")[0]).startswith("/")
        and any(True for _ in _fitting(routes, path, every))
    ]
    methods = _methods(reader, {file_of_symbol(one.symbol_id) for one, _ in paths})
    for one, path in paths:
        said = methods.get(one.symbol_id)
        if not said:
            continue
        beside = said.get(one.line, set()) if one.times == 1 else set()
        asked = beside or {each for some in said.values() for each in some}
        for route, confidence in _fitting(routes, path, asked):
            is_sure = bool(beside - {_ANY}) and route.method is not None
            yield Run(one.symbol_id, route.handler, confidence if is_sure else min(confidence, _PATH))


def _fitting(routes: _Routes, path: str, methods: Collection[str]) -> Iterator[tuple[_Route, float]]:
    """The routes that a path may lead to: whole, those with most equal parts, else those it begins."""
    parts = _read_parts(path)
    asked = [
        one
        for one in _alike(routes, parts, len(parts))
        if (one.method is None or _ANY in methods or one.method in methods) and _fits(one.parts, parts)
    ]
    most = max((_equal_parts(one.parts, parts) for one in asked), default=0)
    yield from ((one, _WHOLE) for one in asked if _equal_parts(one.parts, parts) == most)
    if not asked and path.endswith("/") and parts:
        for one in _alike(routes, parts, len(parts) + 1):
            if one.parts[-1] is None and _fits(one.parts[:-1], parts):
                yield one, _PART


def _alike(routes: _Routes, parts: _Parts, length: int) -> list[_Route]:
    """The routes of this length that begin as the path does."""
    first = parts[0] if parts else None
    found = routes.get((length, first), [])
    return found if first is None else [*found, *routes.get((length, None), ())]


def _fits(route: _Parts, path: _Parts) -> bool:
    pairs = zip(route, path, strict=True)
    return all(mine is None or asked is None or mine == asked for mine, asked in pairs)


def _is_open(part: str) -> bool:
    return part.startswith(_OPEN_BEGINNINGS) or "(" in part or "{" in part


def _equal_parts(route: _Parts, path: _Parts) -> int:
    return sum(mine == asked for mine, asked in zip(route, path, strict=True))


def _read_parts(path: str) -> _Parts:
    parts = (each.strip(_EDGES) for each in path.strip(_EDGES).split("/"))
    return tuple(None if _is_open(each) else each for each in parts if each)


def _read_routes(reader: "IndexReader") -> Iterator[_Route]:
    for entry in reader.graph.product_entries():
        method, _, path = entry.detail.rpartition(" ")
        if entry.kind != "http" or not path:
            continue
        parts = _read_parts(path)
        handlers = {entry.symbol_id, entry.member_id} - {None}
        for handler in handlers:
            if handler is not None:
                yield _Route(handler, method if method in _rules().verbs else None, parts)


def _methods(reader: "IndexReader", test_files: Iterable[FileId]) -> dict[SymbolId, dict[int, set[str]]]:
    """The methods of the requests that each symbol of test files sends, by line."""
    wanted = sorted(test_files)
    words: dict[int, str] = {}
    verbs: dict[str, str] = {}
    for word, text in reader.testing.call_texts(wanted).items():
        last = re.split(r"[.:>]", text)[-1].partition("<")[0].strip()
        verb = next((verb for verb, pattern in _rules().verbs.items() if pattern.fullmatch(last)), None)
        if verb is not None:
            words[word], verbs[text] = text, verb
    found: dict[SymbolId, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for call in reader.testing.calls_written(wanted, words) if words else ():
        found[call.caller_id][call.line].add(verbs[call.text])
    return found


def _command_runs(reader: "IndexReader") -> Iterator[Run]:
    registering = _rules().registering
    names = [name for name in reader.running.decorator_names() if name.rpartition(".")[2] in registering]
    marked = [one for one in reader.running.decorated(names) if "." in one.decorator]
    by_place = {(file_of_symbol(one.symbol_id), one.name): one.symbol_id for one in marked}
    for one in marked:
        group = by_place.get((file_of_symbol(one.symbol_id), one.decorator.rpartition(".")[0]))
        if group is not None and group != one.symbol_id:
            yield Run(group, one.symbol_id, _COMMAND)


class _Rules(NamedTuple):
    verbs: Mapping[str, re.Pattern[str]]
    registering: frozenset[str]


@cache
def _rules() -> _Rules:
    tables = tomllib.loads(files("drift.analyses.running").joinpath("clients.toml").read_text("utf-8"))
    verbs = {verb: re.compile(pattern) for verb, pattern in tables["requests"].items()}
    return _Rules(verbs, frozenset(tables["commands"]["registering"]))
