"""The calls of tests that clients make requests with, as `clients.toml` lists them."""

import re
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import cache, partial
from importlib.resources import files
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.running.built_requests import BUILT, building, settle
from drift.analyses.running.routes import ANY
from drift.index.ids import FileId, SymbolId, file_of_symbol

if TYPE_CHECKING:
    from drift.index import IndexReader

_LAST_PART: Final = re.compile(r"[.:>]")
_LINES_OF_CALL: Final = 4  # a path may stand below the name of the call that asks for it

Said = Mapping[SymbolId, Mapping[int, set[str]]]
"""What symbols of tests ask for, by line."""


def requests_by_line(reader: "IndexReader", symbols: Collection[SymbolId]) -> Said:
    """The requests that symbols of tests make, by line: themselves, and by what tests share to make them."""
    verbs = {BUILT: building(), **client_rules().verbs}
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


def requests_beside(asking: Mapping[int, set[str]], line: int, with_paths: Collection[int]) -> set[str]:
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


def calls_by_line(
    reader: "IndexReader", test_files: Iterable[FileId], kinds: Mapping[str, re.Pattern[str]]
) -> Said:
    """The calls of these kinds that each symbol of test files has, by line."""
    wanted = sorted(test_files)
    words: dict[int, str] = {}
    meant: dict[str, str] = {}
    for word, text in reader.testing.call_texts(wanted).items() if wanted else ():
        last = called_name(text)
        kind = next((kind for kind, pattern in kinds.items() if pattern.fullmatch(last)), None)
        if kind is not None:
            words[word], meant[text] = text, kind
    found: dict[SymbolId, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    none = {text for text in meant if client_rules().none.fullmatch(text)}
    python = reader.running.python_test_files().keys() if none else frozenset()
    for call in reader.testing.calls_written(wanted, words) if words else ():
        if call.text not in none or file_of_symbol(call.caller_id) not in python:
            found[call.caller_id][call.line].add(meant[call.text])
    return found


def called_name(text: str) -> str:
    """The name of what a call calls, of how it is written."""
    return _LAST_PART.split(text.partition("<")[0])[-1].strip()


class Rules(NamedTuple):
    """What `clients.toml` says, with its patterns compiled."""

    verbs: Mapping[str, re.Pattern[str]]
    bare: tuple[str, ...]
    naming: re.Pattern[str]
    expecting: re.Pattern[str]
    viewing: re.Pattern[str]
    registering: frozenset[str]
    command: str
    running: re.Pattern[str]
    own_hosts: re.Pattern[str]
    made_endings: tuple[str, ...]
    fields: re.Pattern[str]
    none: re.Pattern[str]


@cache
def client_rules() -> Rules:
    tables = tomllib.loads(files("drift.analyses.running").joinpath("clients.toml").read_text("utf-8"))
    commands = tables["commands"]
    return Rules(
        {verb: re.compile(pattern) for verb, pattern in tables["requests"].items()},
        tuple(tables["paths"]["bare"]),
        re.compile(tables["names"]["calls"]),
        re.compile(tables["names"]["expecting"]),
        re.compile(tables["views"]["calls"]),
        frozenset(commands["registering"]),
        commands["word"],
        re.compile(commands["calls"]),
        re.compile(tables["paths"]["own_hosts"]),
        tuple(tables["names"]["made_endings"]),
        re.compile(tables["names"]["fields"]),
        re.compile(tables["none"]["python"]),
    )
