"""Tests that come to functions through a request or a command line: by method and path, by name, by command.

Known limits: a path that is built at run time is told by its constant parts.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from drift.analyses.running.actions import action_runs
from drift.analyses.running.asked import Asked
from drift.analyses.running.built_paths import built_paths
from drift.analyses.running.client_calls import (
    Said,
    calls_by_line,
    client_rules,
    requests_beside,
    requests_by_line,
)
from drift.analyses.running.edges import Run
from drift.analyses.running.expected_pages import expected_page_runs
from drift.analyses.running.imported import ImportedRoutes
from drift.analyses.running.named_routes import name_runs, view_runs
from drift.analyses.running.route_functions import made_by_names
from drift.analyses.running.routes import ANY, FAINT, PAGE, Routes, RoutesOfTests, path_in
from drift.index.ids import SymbolId, file_of_symbol
from drift.index.run_records import PathText
from drift.languages.limits import CONSTANT_LENGTHS

if TYPE_CHECKING:
    from drift.index import IndexReader

_PATH: Final = 0.7  # the path is that of the route, the method is not said beside it
_COMMAND: Final = 0.6  # a command, by what runs its group
_SAID: Final = 0.9  # a command, by its name
_SAID_ELSEWHERE: Final = 0.25  # by what runs its group, where tests name it
_UNSAID: Final = "GET"  # the method of a request that says none
_GUESSED: Final = 0.5  # a part may stand behind the constant that is named
_EXPECTED: Final = (
    0.5  # a path that is asked for nowhere near, where the others are: what an answer says, likely
)
_OPEN_END: Final = "{}"  # a part of a path that any text fits
_FILLED: Final = re.compile(r"\{[^{}]*+\}|\$\w++(?:->\w++)*+")  # code in a text
_NO_PATH: Final = re.compile(r"[()<>]")


def client_runs(reader: "IndexReader") -> Iterator[Run]:
    """Which tests run which handlers of routes and commands, and which groups which commands."""
    routes, of_views = Routes(reader), Asked(reader)
    if routes:
        yield from _surely_meant(reader, _request_runs(reader, routes, of_views))
        yield from name_runs(reader, routes, of_views)
        opening = {PAGE: client_rules().verbs[PAGE]}
        yield from expected_page_runs(reader, routes, lambda tests: calls_by_line(reader, tests, opening))
    yield from action_runs(reader)
    yield from view_runs(reader, of_views)
    yield from _command_runs(reader)


def _surely_meant(reader: "IndexReader", asked: Iterable[tuple[Run, float]]) -> Iterator[Run]:
    """All of these but where a path fits faintly what tests call themselves, or ask for by a path that fits better."""
    known = list(asked)
    surely = {run.used for run, fit in known if fit > FAINT}
    faint = {run.used for run, fit in known if fit <= FAINT} - surely
    users = reader.testing.users(faint) if faint else []
    places = reader.graph.file_places({file_of_symbol(user) for _, user, _ in users})
    tests = {place.id for place in places if place.role == "test"}
    surely |= {used for used, user, _ in users if file_of_symbol(user) in tests}
    yield from (run for run, fit in known if fit > FAINT or run.used not in surely)


def _request_runs(reader: "IndexReader", routes: Routes, of_views: Asked) -> Iterator[tuple[Run, float]]:
    """Who asks for which handler, each with how well the path fits."""
    # Most texts that look like paths fit no route, so few files are asked for their calls.
    every = frozenset({ANY, PAGE})
    texts = [(one, path_in(one.value, client_rules().own_hosts)) for one in reader.running.paths_in_tests()]
    said = list(_put_together(texts, routes))
    routes.learn_bases(path for _, path in said if path is not None)
    paths = [
        (one, path, False)
        for one, path in said
        if path is not None and any(True for _ in routes.fitting(path, every))
    ]
    paths += _bare_paths(reader, routes)
    paths += [(one, one.value, True) for one in reader.running.short_paths_in_tests(CONSTANT_LENGTHS.start)]
    paths += made_by_names(reader, client_rules().made_endings)
    calls = requests_by_line(reader, {one.symbol_id for one, _, _ in paths})
    paths += _named_paths(reader, routes, calls, [one for one, _ in said])
    known = {(one.symbol_id, one.line, path) for one, path, _ in paths}
    paths += (named := _constant_paths(reader, routes, is_whole=True))
    known.update((one.symbol_id, one.line, path) for one, path, _ in named)
    paths += (longer := _constant_paths(reader, routes, is_whole=False))
    guessed = {(one.symbol_id, one.line, path) for one, path, _ in longer} - known
    paths += (built := built_paths(reader, routes))
    calls = {**calls, **requests_by_line(reader, {one.symbol_id for one, _, _ in paths} - calls.keys())}
    for one, _, _ in built:
        calls.setdefault(one.symbol_id, {one.line: {_UNSAID}})
    verbs: dict[SymbolId, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for text in reader.running.texts_in_tests(set(client_rules().verbs) - {ANY}):
        verbs[text.symbol_id][text.line].add(text.value)
    explained = _explained(reader, paths, calls)
    own, imported = RoutesOfTests(reader), ImportedRoutes(reader)
    paths_at: dict[SymbolId, set[int]] = defaultdict(set)
    for one, _, _ in paths:
        paths_at[one.symbol_id].add(one.line)
    for one, path, is_bare in paths:
        asking = calls.get(one.symbol_id)
        # A word is a path only where it is asked for.
        if not asking or (is_bare and one.line not in asking):
            continue
        beside = requests_beside(asking, one.line, paths_at[one.symbol_id]) if one.times == 1 else set()
        # request("POST", path), inject({method: "POST"}): the text says what the call does not.
        exact = (beside - {ANY}) or (verbs[one.symbol_id].get(one.line, set()) if beside else set())
        asked = exact or beside or {each for some in asking.values() for each in some}
        file = file_of_symbol(one.symbol_id)
        if own.answers(file, path):
            continue
        found = tuple(routes.fitting(path, asked))
        for route, fit in imported.of(file, found, routes.ending_in(path, asked)):
            confidence = fit * (_GUESSED if (one.symbol_id, one.line, path) in guessed else 1.0)
            confidence *= _EXPECTED if not beside and one.symbol_id in explained else 1.0
            if not beside and not any(route.parts):
                continue  # any text fits it, so only a request says that one is meant
            is_sure = bool(exact) and route.methods is not None
            confidence = confidence if is_sure else min(confidence, _PATH)
            yield from ((run, fit) for run in of_views.runs(one.symbol_id, route.handler, asked, confidence))
        for route, confidence in imported.among(file, routes.standing_before(path)) if beside else ():
            yield Run(one.symbol_id, route.handler, confidence), confidence


def _bare_paths(reader: "IndexReader", routes: Routes) -> Iterator[tuple[PathText, str, bool]]:
    """The texts that are the path of a route without the slash before it: "orders/" . $id, too."""
    for one in reader.running.bare_paths_in_tests(client_rules().bare):
        if _NO_PATH.search(_FILLED.sub("", one.value)):
            continue
        path = f"/{one.value.partition('?')[0]}"
        wholes = (f"{path}{_OPEN_END}", path) if path.endswith("/") else (path,)
        whole = next(filter(routes.has_whole, wholes), None)
        if whole is not None:
            yield one, whole, True


def _explained(
    reader: "IndexReader", paths: Iterable[tuple[PathText, str, bool]], calls: Said
) -> set[SymbolId]:
    """Who asks for a path in the line of a request, or by the name of a route: what other paths it says, it expects."""
    found = {
        one.symbol_id for one, _, _ in paths if one.times == 1 and one.line in calls.get(one.symbol_id, ())
    }
    tests = {file_of_symbol(one.symbol_id) for one, _, _ in paths}
    return found | calls_by_line(reader, tests, {"name": client_rules().naming}).keys()


def _put_together(
    said: Iterable[tuple[PathText, str | None]], routes: Routes
) -> Iterator[tuple[PathText, str | None]]:
    """The paths of texts, with what is put between them and behind them: "/orders/" + id + "/lines"."""
    by_line: dict[tuple[SymbolId, int], list[tuple[PathText, str | None]]] = defaultdict(list)
    for one, path in said:
        by_line[one.symbol_id, one.line].append((one, path))
    for (head, path), *tails in by_line.values():
        ends = [tail for _, tail in tails if tail is not None]
        whole = f"{path}{''.join(f'{_OPEN_END}{end}' for end in ends) or _OPEN_END}"
        is_put_together = (
            path is not None
            and path.endswith("/")
            and (bool(ends) or not _fits_any(routes, path))
            and _fits_any(routes, whole)
        )
        yield head, whole if is_put_together else path
        if not (is_put_together and ends):
            yield from tails


def _fits_any(routes: Routes, path: str) -> bool:
    return any(True for _ in routes.fitting(path, frozenset({ANY, PAGE})))


def _named_paths(
    reader: "IndexReader", routes: Routes, calls: Said, beside: Iterable[PathText]
) -> list[tuple[PathText, str, bool]]:
    """The paths that a function or a variable of tests says for others to ask: api_routes.order(3), with what is put behind it."""
    every = frozenset({ANY, PAGE})
    ends: dict[tuple[SymbolId, int], list[str]] = defaultdict(list)
    for one in beside:
        if one.value.startswith("/"):
            ends[one.symbol_id, one.line].append(one.value.partition("?")[0])
    return [
        (one, whole, False)
        for one, said_in in reader.running.paths_named_in_tests()
        if said_in not in calls  # who asks itself says its path to nobody
        and (path := path_in(one.value, client_rules().own_hosts)) is not None
        for whole in (path, *(f"{path}{end}" for end in ends.get((one.symbol_id, one.line), ())))
        if any(True for _ in routes.fitting(whole, every))
    ]


def _constant_paths(
    reader: "IndexReader", routes: Routes, *, is_whole: bool
) -> list[tuple[PathText, str, bool]]:
    """The paths that tests name by constants of the project, alone and one behind the other; else with a part behind them."""
    every = frozenset({ANY, PAGE})
    said = reader.running.constants_in_tests()
    ends: dict[tuple[SymbolId, int], list[str]] = defaultdict(list)
    for one in said if is_whole else ():
        ends[one.symbol_id, one.line].append(one.value.strip("/"))
    return [
        (one, whole, False)
        for one in said
        if (path := path_in(one.value, client_rules().own_hosts)) is not None
        for end in (("", *ends[one.symbol_id, one.line]) if is_whole else (_OPEN_END,))
        for whole in (f"{path.rstrip('/')}/{end}".rstrip("/"),)
        if any(True for _ in routes.fitting(whole, every))
    ]


def _command_runs(reader: "IndexReader") -> Iterator[Run]:
    said = set()
    for case, command in _commands_said(reader):
        said.add(command)
        yield Run(case, command, _SAID)
    registering = client_rules().registering
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
        if kind == client_rules().command:
            plain = symbols.get(one.symbol_id, "").replace("_", "-")
            commands[name.partition(" ")[0] or plain].add(one.symbol_id)
    texts = reader.running.texts_in_tests(commands) if commands else []
    running = calls_by_line(
        reader, {file_of_symbol(one.symbol_id) for one in texts}, {"run": client_rules().running}
    )
    for text in texts:
        if text.symbol_id in running:
            yield from ((text.symbol_id, command) for command in sorted(commands[text.value]))
