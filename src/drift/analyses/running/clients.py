"""Tests that come to functions through a request or a command line: by method and path, by name, by command.

Known limits: a path that is built at run time is told by its constant parts.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache, partial
from importlib.resources import files
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.running.actions import action_runs
from drift.analyses.running.built_paths import built_paths
from drift.analyses.running.built_requests import BUILT, building, settle
from drift.analyses.running.edges import Run
from drift.analyses.running.imported import ImportedRoutes
from drift.analyses.running.route_functions import made_by_names
from drift.analyses.running.routes import ANY, FAINT, PAGE, Route, Routes, RoutesOfTests, path_in
from drift.analyses.running.views import answering_members
from drift.index.ids import FileId, SymbolId, file_of_symbol
from drift.index.run_records import PathText
from drift.languages.limits import CONSTANT_LENGTHS

if TYPE_CHECKING:
    from drift.index import IndexReader

_PATH: Final = 0.7  # the path is that of the route, the method is not said beside it
_NAMED: Final = 0.7  # the name is that of the route
_VIEWED: Final = 0.9  # the test makes a request of the method, and hands it to the class
_COMMAND: Final = 0.6  # a command, by what runs its group
_SAID: Final = 0.9  # a command, by its name
_SAID_ELSEWHERE: Final = 0.25  # by what runs its group, where tests name it
_LINES_OF_CALL: Final = 4  # a path may stand below the name of the call that asks for it
_UNSAID: Final = "GET"  # the method of a request that says none
_GUESSED: Final = 0.5  # a part may stand behind the constant that is named
_EXPECTED: Final = (
    0.5  # a path that is asked for nowhere near, where the others are: what an answer says, likely
)
_OPEN_END: Final = "{}"  # a part of a path that any text fits
_FILLED: Final = re.compile(r"\{[^{}]*+\}|\$\w++(?:->\w++)*+")  # code in a text
_NO_PATH: Final = re.compile(r"[()<>]")
_LAST_PART: Final = re.compile(r"[.:>]")

_Said = Mapping[SymbolId, Mapping[int, set[str]]]
"""What symbols of tests ask for, by line."""


def client_runs(reader: "IndexReader") -> Iterator[Run]:
    """Which tests run which handlers of routes and commands, and which groups which commands."""
    routes = Routes(reader)
    if routes:
        yield from _surely_meant(reader, _request_runs(reader, routes))
        yield from _name_runs(reader, routes)
    yield from action_runs(reader)
    yield from _view_runs(reader)
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


def _request_runs(reader: "IndexReader", routes: Routes) -> Iterator[tuple[Run, float]]:
    """Who asks for which handler, each with how well the path fits."""
    # Most texts that look like paths fit no route, so few files are asked for their calls.
    every = frozenset({ANY, PAGE})
    texts = [(one, path_in(one.value, _rules().own_hosts)) for one in reader.running.paths_in_tests()]
    said = list(_put_together(texts, routes))
    routes.learn_bases(path for _, path in said if path is not None)
    paths = [
        (one, path, False)
        for one, path in said
        if path is not None and any(True for _ in routes.fitting(path, every))
    ]
    paths += _bare_paths(reader, routes)
    paths += [(one, one.value, True) for one in reader.running.short_paths_in_tests(CONSTANT_LENGTHS.start)]
    paths += made_by_names(reader, _rules().made_endings)
    calls = _requests(reader, {one.symbol_id for one, _, _ in paths})
    paths += _named_paths(reader, routes, calls, [one for one, _ in said])
    known = {(one.symbol_id, one.line, path) for one, path, _ in paths}
    paths += (named := _constant_paths(reader, routes, is_whole=True))
    known.update((one.symbol_id, one.line, path) for one, path, _ in named)
    paths += (longer := _constant_paths(reader, routes, is_whole=False))
    guessed = {(one.symbol_id, one.line, path) for one, path, _ in longer} - known
    paths += (built := built_paths(reader, routes))
    calls = {**calls, **_requests(reader, {one.symbol_id for one, _, _ in paths} - calls.keys())}
    for one, _, _ in built:
        calls.setdefault(one.symbol_id, {one.line: {_UNSAID}})
    verbs: dict[SymbolId, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for text in reader.running.texts_in_tests(set(_rules().verbs) - {ANY}):
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
        beside = _beside(asking, one.line, paths_at[one.symbol_id]) if one.times == 1 else set()
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
            yield Run(one.symbol_id, route.handler, confidence if is_sure else min(confidence, _PATH)), fit
        for route, confidence in imported.among(file, routes.standing_before(path)) if beside else ():
            yield Run(one.symbol_id, route.handler, confidence), confidence


def _bare_paths(reader: "IndexReader", routes: Routes) -> Iterator[tuple[PathText, str, bool]]:
    """The texts that are the path of a route without the slash before it: "orders/" . $id, too."""
    for one in reader.running.bare_paths_in_tests(_rules().bare):
        if _NO_PATH.search(_FILLED.sub("", one.value)):
            continue
        path = f"/{one.value.partition('?')[0]}"
        wholes = (f"{path}{_OPEN_END}", path) if path.endswith("/") else (path,)
        whole = next(filter(routes.has_whole, wholes), None)
        if whole is not None:
            yield one, whole, True


def _explained(
    reader: "IndexReader", paths: Iterable[tuple[PathText, str, bool]], calls: _Said
) -> set[SymbolId]:
    """Who asks for a path in the line of a request, or by the name of a route: what other paths it says, it expects."""
    found = {
        one.symbol_id for one, _, _ in paths if one.times == 1 and one.line in calls.get(one.symbol_id, ())
    }
    tests = {file_of_symbol(one.symbol_id) for one, _, _ in paths}
    return found | calls_by_line(reader, tests, {"name": _rules().naming}).keys()


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


def _beside(asking: Mapping[int, set[str]], line: int, with_paths: Collection[int]) -> set[str]:
    """The requests of the line of a path, else of the nearest line above that its call may have begun on.

    Where that is not the line before, the path may as well be kept for the request of a line below.
    """
    near = next((each for each in range(line, line - _LINES_OF_CALL, -1) if asking.get(each)), None)
    is_its_own = near is not None and (near == line or near not in with_paths)
    above = asking[near] if near is not None and is_its_own else set()
    if near is not None and line - near <= 1:
        return above
    below = next((each for each in range(line + 1, line + _LINES_OF_CALL) if asking.get(each)), None)
    return above | asking[below] if below is not None and above and below not in with_paths else above


def _named_paths(
    reader: "IndexReader", routes: Routes, calls: _Said, beside: Iterable[PathText]
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
        and (path := path_in(one.value, _rules().own_hosts)) is not None
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
        if (path := path_in(one.value, _rules().own_hosts)) is not None
        for end in (("", *ends[one.symbol_id, one.line]) if is_whole else (_OPEN_END,))
        for whole in (f"{path.rstrip('/')}/{end}".rstrip("/"),)
        if any(True for _ in routes.fitting(whole, every))
    ]


def _requests(reader: "IndexReader", symbols: Collection[SymbolId]) -> _Said:
    """The requests that symbols of tests make, by line: themselves, and by what tests share to make them."""
    verbs = {BUILT: building(), **_rules().verbs}
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
    settle(reader, said, partial(calls_by_line, reader), ANY)
    return said


def _name_runs(reader: "IndexReader", routes: Routes) -> Iterator[Run]:
    """reverse("orders"), route('orders.index'): who asks for a route by its name."""
    named = routes.named(reader)
    texts = reader.running.names_in_tests(named, CONSTANT_LENGTHS.start)
    wanted = {file_of_symbol(one.symbol_id) for one in texts}
    asking = calls_by_line(reader, wanted, {"name": _rules().naming})
    calls = calls_by_line(reader, wanted, _rules().verbs)
    # self.url = reverse("orders"): not what says it asks, but who uses the field.
    users: dict[tuple[SymbolId, int], set[SymbolId]] = defaultdict(set)
    for said_in, line, user in reader.running.users_of_named(named):
        users[said_in, line].update([user] if user is not None else [said_in] if said_in in calls else [])
    for one in texts:
        # The name may stand below the call that asks for it, but not below another such call.
        if not _beside(asking.get(one.symbol_id, {}), one.line, ()):
            continue
        for user in users.get((one.symbol_id, one.line), (one.symbol_id,)):
            methods = {each for some in calls.get(user, {}).values() for each in some} or {ANY}
            for route in _in_space(named, one.value):
                if route.answers(methods):
                    yield Run(user, route.handler, _NAMED)
    for owner, name, field in reader.objects.names_of_classes(named):
        if _rules().fields.fullmatch(field.lower()):  # what its tests inherit asks for it
            yield from (Run(owner, route.handler, _NAMED) for route in _in_space(named, name))


def _view_runs(reader: "IndexReader") -> Iterator[Run]:
    """`OrderView.as_view()(request)`: who hands requests to a class without a client."""
    making = _rules().viewing
    words = {
        word for word, name in reader.running.outside_names() if making.fullmatch(name.rpartition(".")[2])
    }
    makers = {caller for caller, _, _ in reader.running.callers_of_outside(words)} if words else set()
    tests = reader.running.python_test_files().keys() & {file_of_symbol(one) for one in makers}
    if not tests:
        return
    made = calls_by_line(reader, tests, {"view": making})
    asked = calls_by_line(reader, tests, _rules().verbs)
    above: dict[SymbolId, list[SymbolId]] = defaultdict(list)
    for child, parent, _ in reader.running.parents():
        above[child] += [parent] if parent is not None else []
    for maker, view, line in reader.objects.named():
        if line not in made.get(maker, {}):
            continue
        verbs = {each for some in asked.get(maker, {}).values() for each in some}
        for member, verb in answering_members(reader, (view,), above):
            if verb in verbs or not verbs - {ANY}:
                yield Run(maker, member.id, _VIEWED if verb in verbs else _PATH)


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
    viewing: re.Pattern[str]
    registering: frozenset[str]
    command: str
    running: re.Pattern[str]
    own_hosts: re.Pattern[str]
    made_endings: tuple[str, ...]
    fields: re.Pattern[str]


@cache
def _rules() -> _Rules:
    tables = tomllib.loads(files("drift.analyses.running").joinpath("clients.toml").read_text("utf-8"))
    commands = tables["commands"]
    return _Rules(
        {verb: re.compile(pattern) for verb, pattern in tables["requests"].items()},
        tuple(tables["paths"]["bare"]),
        re.compile(tables["names"]["calls"]),
        re.compile(tables["views"]["calls"]),
        frozenset(commands["registering"]),
        commands["word"],
        re.compile(commands["calls"]),
        re.compile(tables["paths"]["own_hosts"]),
        tuple(tables["names"]["made_endings"]),
        re.compile(tables["names"]["fields"]),
    )
