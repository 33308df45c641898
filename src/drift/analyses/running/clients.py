"""Tests that come to functions through a request or a command line: by method and path, by name, by command.

Known limits: a path of fewer than three characters is not in the index, and one that is built at run time is told by
its constant parts.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.running.edges import Run
from drift.analyses.running.routes import ANY, Route, Routes, RoutesOfTests, path_in
from drift.index.ids import FileId, SymbolId, file_of_symbol
from drift.index.run_queries import PathText

if TYPE_CHECKING:
    from drift.index import IndexReader

_PATH: Final = 0.7  # the path is that of the route, the method is not said beside it
_NAMED: Final = 0.7  # the name is that of the route
_COMMAND: Final = 0.6  # a command, by what runs its group
_SAID: Final = 0.9  # a command, by its name
_SAID_ELSEWHERE: Final = 0.25  # by what runs its group, where tests name it
_LINES_OF_CALL: Final = 4  # a path may stand below the name of the call that asks for it
_LAST_PART: Final = re.compile(r"[.:>]")

_Said = Mapping[SymbolId, Mapping[int, set[str]]]
"""What symbols of tests ask for, by line."""


def client_runs(reader: "IndexReader") -> Iterator[Run]:
    """Which tests run which handlers of routes and commands, and which groups which commands."""
    routes = Routes(reader)
    if routes:
        yield from _request_runs(reader, routes)
        yield from _name_runs(reader, routes)
    yield from _command_runs(reader)


def _request_runs(reader: "IndexReader", routes: Routes) -> Iterator[Run]:
    # Most texts that look like paths fit no route, so few files are asked for their calls.
    every = frozenset({ANY})
    said = [(one, path_in(one.value, _rules().own_hosts)) for one in reader.running.paths_in_tests()]
    routes.learn_bases(path for _, path in said if path is not None)
    paths = [
        (one, path, False)
        for one, path in said
        if path is not None and any(True for _ in routes.fitting(path, every))
    ]
    paths += [
        (one, path, True)
        for one in reader.running.bare_paths_in_tests(_rules().bare)
        if routes.has_whole(path := f"/{one.value.partition('?')[0]}")
    ]
    calls = _requests(reader, {one.symbol_id for one, _, _ in paths})
    paths += _named_paths(reader, routes, calls, [one for one, _ in said])
    calls = {**calls, **_requests(reader, {one.symbol_id for one, _, _ in paths} - calls.keys())}
    verbs: dict[SymbolId, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for text in reader.running.texts_in_tests(set(_rules().verbs) - {ANY}):
        verbs[text.symbol_id][text.line].add(text.value)
    own = RoutesOfTests(reader)
    paths_at: dict[SymbolId, set[int]] = defaultdict(set)
    for one, _, _ in paths:
        paths_at[one.symbol_id].add(one.line)
    for one, path, is_bare in paths:
        asking = calls.get(one.symbol_id)
        # A word is a path only where it is asked for.
        if not asking or (is_bare and one.line not in asking):
            continue
        beside = _beside(asking, one.line, paths_at[one.symbol_id]) if one.times == 1 else set()
        # request("POST", path), inject({method: "POST"}): the text says what the call does not.
        exact = (beside - {ANY}) or (verbs[one.symbol_id].get(one.line, set()) if beside else set())
        asked = exact or beside or {each for some in asking.values() for each in some}
        if own.answers(file_of_symbol(one.symbol_id), path):
            continue
        for route, confidence in routes.fitting(path, asked):
            if not beside and not any(route.parts):
                continue  # any text fits it, so only a request says that one is meant
            is_sure = bool(exact) and route.methods is not None
            yield Run(one.symbol_id, route.handler, confidence if is_sure else min(confidence, _PATH))


def _beside(asking: Mapping[int, set[str]], line: int, with_paths: Collection[int]) -> set[str]:
    """The requests of the line of a path, else of the nearest line above that its call may have begun on."""
    near = next((each for each in range(line, line - _LINES_OF_CALL, -1) if asking.get(each)), None)
    is_its_own = near is not None and (near == line or near not in with_paths)
    return asking[near] if near is not None and is_its_own else set()


def _named_paths(
    reader: "IndexReader", routes: Routes, calls: _Said, beside: Iterable[PathText]
) -> list[tuple[PathText, str, bool]]:
    """The paths that a function or a variable of tests says for others to ask: api_routes.order(3), with what is put behind it."""
    every = frozenset({ANY})
    ends: dict[tuple[SymbolId, int], list[str]] = defaultdict(list)
    for one in beside:
        if one.value.startswith("/"):
            ends[one.symbol_id, one.line].append(one.value.partition("?")[0])
    return [
        (one, whole, False)
        for one, said_in in reader.running.paths_named_in_tests()
        if said_in not in calls  # who asks itself says its path to nobody
        and (path := path_in(one.value, _rules().own_hosts)) is not None
        for whole in (path, *(f"{path}{end}" for end in ends.get((one.symbol_id, one.line), ())))
        if any(True for _ in routes.fitting(whole, every))
    ]


def _requests(reader: "IndexReader", symbols: Collection[SymbolId]) -> _Said:
    """The requests that symbols of tests make, by line: themselves, and by what tests share to make them."""
    verbs = _rules().verbs
    said = {
        symbol: {line: set(some) for line, some in lines.items()}
        for symbol, lines in calls_by_line(reader, {file_of_symbol(one) for one in symbols}, verbs).items()
    }
    edges = reader.graph.edges_of(symbols)
    files = {file_of_symbol(edge.callee_id) for edge in edges}
    tests = [place.id for place in reader.graph.file_places(files) if place.role == "test"]
    shared = calls_by_line(reader, tests, verbs)
    for edge in edges:
        made = {each for some in shared.get(edge.callee_id, {}).values() for each in some}
        if made and edge.line not in said.get(edge.caller_id, {}):
            said.setdefault(edge.caller_id, {}).setdefault(edge.line, set()).update(made)
    return said


def _name_runs(reader: "IndexReader", routes: Routes) -> Iterator[Run]:
    """reverse("orders"), route('orders.index'): who asks for a route by its name."""
    named = routes.named(reader)
    texts = reader.running.names_in_tests(named)
    wanted = {file_of_symbol(one.symbol_id) for one in texts}
    asking = calls_by_line(reader, wanted, {"name": _rules().naming})
    calls = calls_by_line(reader, wanted, _rules().verbs)
    for one in texts:
        if one.line not in asking.get(one.symbol_id, {}):
            continue
        methods = {each for some in calls.get(one.symbol_id, {}).values() for each in some} or {ANY}
        for route in _in_space(named, one.value):
            if route.answers(methods):
                yield Run(one.symbol_id, route.handler, _NAMED)


def _in_space(named: Mapping[str, list[Route]], asked: str) -> list[Route]:
    """The routes of a name, as far as a namespace before it tells them apart: most are the first part of a path."""
    space, _, name = asked.rpartition(":")
    found = named[name]
    words = set(space.lower().split(":"))
    inside = [route for route in found if not words.isdisjoint(part for part in route.parts if part)]
    return inside or found


def calls_by_line(
    reader: "IndexReader", test_files: Iterable[FileId], kinds: Mapping[str, re.Pattern[str]]
) -> _Said:
    """The calls of these kinds that each symbol of test files has, by line."""
    wanted = sorted(test_files)
    words: dict[int, str] = {}
    meant: dict[str, str] = {}
    for word, text in reader.testing.call_texts(wanted).items() if wanted else ():
        last = _LAST_PART.split(text.partition("<")[0])[-1].strip()
        kind = next((kind for kind, pattern in kinds.items() if pattern.fullmatch(last)), None)
        if kind is not None:
            words[word], meant[text] = text, kind
    found: dict[SymbolId, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for call in reader.testing.calls_written(wanted, words) if words else ():
        found[call.caller_id][call.line].add(meant[call.text])
    return found


def _command_runs(reader: "IndexReader") -> Iterator[Run]:
    said = set()
    for case, command in _commands_said(reader):
        said.add(command)
        yield Run(case, command, _SAID)
    registering = _rules().registering
    names = [name for name in reader.running.decorator_names() if name.rpartition(".")[2] in registering]
    marked = [one for one in reader.running.decorated(names) if "." in one.decorator]
    by_place = {(file_of_symbol(one.symbol_id), one.name): one.symbol_id for one in marked}
    for one in marked:
        group = by_place.get((file_of_symbol(one.symbol_id), one.decorator.rpartition(".")[0]))
        if group is not None and group != one.symbol_id:
            yield Run(group, one.symbol_id, _SAID_ELSEWHERE if one.symbol_id in said else _COMMAND)


def _commands_said(reader: "IndexReader") -> Iterator[tuple[SymbolId, SymbolId]]:
    """Who runs which command by its name: call_command("tidy"), invoke(cli, ["pay"]), artisan('shop:tidy')."""
    commands: dict[str, set[SymbolId]] = defaultdict(set)
    entries = [one for one in reader.graph.product_entries() if one.kind == "cli"]
    symbols = {one.id: one.name for one in reader.symbols.many({one.symbol_id for one in entries})}
    for one in entries:
        kind, _, name = one.detail.partition(" ")
        if kind == _rules().command:
            plain = symbols.get(one.symbol_id, "").replace("_", "-")
            commands[name.partition(" ")[0] or plain].add(one.symbol_id)
    texts = reader.running.texts_in_tests(commands) if commands else []
    running = calls_by_line(
        reader, {file_of_symbol(one.symbol_id) for one in texts}, {"run": _rules().running}
    )
    for text in texts:
        if text.symbol_id in running:
            yield from ((text.symbol_id, command) for command in sorted(commands[text.value]))


class _Rules(NamedTuple):
    verbs: Mapping[str, re.Pattern[str]]
    bare: tuple[str, ...]
    naming: re.Pattern[str]
    registering: frozenset[str]
    command: str
    running: re.Pattern[str]
    own_hosts: re.Pattern[str]


@cache
def _rules() -> _Rules:
    tables = tomllib.loads(files("drift.analyses.running").joinpath("clients.toml").read_text("utf-8"))
    commands = tables["commands"]
    return _Rules(
        {verb: re.compile(pattern) for verb, pattern in tables["requests"].items()},
        tuple(tables["paths"]["bare"]),
        re.compile(tables["names"]["calls"]),
        frozenset(commands["registering"]),
        commands["word"],
        re.compile(commands["calls"]),
        re.compile(tables["paths"]["own_hosts"]),
    )
