"""What calls of libraries run of a project though no call in the text leads to it, as `library_calls.toml` lists it.

Example: each request of Django's test client runs the middleware that the settings name, also where a view of Django's
own answers; `client.login` runs the back ends, and what listens to `user_logged_in`.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from drift.analyses.running.edges import Run, reached_from
from drift.analyses.running.signals import find_listeners
from drift.index.ids import SymbolId

if TYPE_CHECKING:
    from drift.index import IndexReader

_NEVER: Final = "(?!)"
_BESIDE: Final = 0.9


class _Rule(NamedTuple):
    tests: re.Pattern[str]
    names: re.Pattern[str]
    settings: tuple[str, ...]
    members: tuple[str, ...]
    signals: tuple[str, ...]
    any_sender: bool
    confidence: float


def library_runs(reader: "IndexReader") -> Iterator[Run]:
    """Who runs what by calling a library."""
    listening: dict[bool, Mapping[str, set[SymbolId]]] = {}
    for rule in _rules():
        led_to = _in_settings(reader, rule) if rule.settings else set()
        if rule.signals:
            if rule.any_sender not in listening:
                listening[rule.any_sender] = find_listeners(reader, of_any_sender=rule.any_sender)
            led_to |= {one for name in rule.signals for one in listening[rule.any_sender].get(name, ())}
        for caller in _callers(reader, rule) if led_to else ():
            yield from (Run(caller, one, rule.confidence) for one in led_to if one != caller)
    yield from _beside(reader)


def _beside(reader: "IndexReader") -> Iterator[Run]:
    """What runs with methods that are ways into the product: `add_arguments` with a command's `handle`."""
    names = _table()["beside"]
    entries = {one.symbol_id: names[one.kind] for one in reader.graph.product_entries() if one.kind in names}
    for one in reader.symbols.many(entries):
        if one.kind == "method" and one.parent_id is not None:
            for member in reader.symbols.members(one.parent_id):
                if member.name in entries[one.id]:
                    yield Run(one.id, member.id, _BESIDE)


def _in_settings(reader: "IndexReader", rule: _Rule) -> set[SymbolId]:
    """What the settings name, and of classes their methods and those above."""
    named = set(reader.guards.in_settings(rule.settings))
    if not named:
        return set()
    above: dict[SymbolId, list[SymbolId]] = defaultdict(list)
    for child, parent, _ in reader.running.parents():
        above[child] += [parent] if parent is not None else []
    line = {each for one in named for each in reached_from(one, above)}
    methods = {method for _, method in reader.guards.methods(line)}
    inner = {one for _, one in reader.guards.inner(named)}
    if not rule.members:
        return named | methods | inner
    return {one.id for one in reader.symbols.many(methods) if one.name in rule.members}


def _callers(reader: "IndexReader", rule: _Rule) -> set[SymbolId]:
    tests = sorted(reader.running.python_test_files())
    texts = reader.testing.call_texts(tests) if tests else {}
    words = {word: text for word, text in texts.items() if rule.tests.fullmatch(text)}
    found = {call.caller_id for call in reader.testing.calls_written(tests, words)} if words else set()
    outside = [word for word, name in reader.running.outside_names() if rule.names.fullmatch(name)]
    if outside:
        found |= {caller for caller, _, _ in reader.running.callers_of_outside(outside)}
    return found


@cache
def _rules() -> tuple[_Rule, ...]:
    return tuple(
        _Rule(
            re.compile(one.get("tests", _NEVER)),
            re.compile(one.get("names", _NEVER)),
            tuple(one.get("settings", ())),
            tuple(one.get("members", ())),
            tuple(one.get("signals", ())),
            one.get("any_sender", False),
            one["confidence"],
        )
        for one in _table()["calls"]
    )


def _table() -> Mapping[str, Any]:
    return tomllib.loads(files("drift.analyses.running").joinpath("library_calls.toml").read_text("utf-8"))
