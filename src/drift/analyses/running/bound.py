"""Methods of the project that run where an interface of a library is called: of the class that is bound to it.

Example: `AddScoped<IMediatorHandler, InMemoryBus>()` makes `handler.SendCommand(…)` run `InMemoryBus.SendCommand`, though
`IMediatorHandler` is declared by a package.
What counts: that a container is told to hand it over, by a registration of both or by an annotation of the only such class.
Known limits: what is registered by a function or by scanning; interfaces of the standard library are left out.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.running.edges import Run
from drift.analyses.running.started_rules import annotated_rules
from drift.index.ids import SymbolId

if TYPE_CHECKING:
    from drift.index import IndexReader

_REGISTERED: Final = 0.8
_ALONE: Final = (
    0.6  # nothing of the project but this class can be meant, but something else of the library may be
)
_PAIR: Final = re.compile(
    r"(?:[^<>]{0,300}\.)?(\w{1,60})<\s{0,9}([\w.]{1,120})(?:<[^<>]{0,200}>)?\s{0,9},\s{0,9}([\w.]{1,120})>"
)


class _Bound(NamedTuple):
    """The classes of the product below an interface outside, by the interface's name."""

    name: str
    classes: tuple[SymbolId, ...]
    is_registered: bool


def bound_runs(reader: "IndexReader") -> Iterator[Run]:
    """Which callers of interfaces outside run which methods of the project."""
    bound = {one.name: one for one in _bound(reader)}
    called: dict[int, tuple[_Bound, str]] = {}
    for word, text in reader.running.outside_names() if bound else ():
        owner, _, method = text.rpartition(".")
        one = bound.get(owner.rpartition(".")[2])
        if one is not None:
            called[word] = (one, method)
    if not called:
        return
    methods: Mapping[SymbolId, dict[str, list[SymbolId]]] = _methods(
        reader, {each for one, _ in called.values() for each in one.classes}
    )
    for caller, word, is_parents in reader.running.callers_of_outside(called):
        one, name = called[word]
        found = [each for owner in one.classes for each in methods[owner].get(name, ())]
        if len(found) == 1 and not is_parents:
            yield from (
                Run(caller, each, _REGISTERED if one.is_registered else _ALONE)
                for each in found
                if each != caller
            )


def _bound(reader: "IndexReader") -> Iterator[_Bound]:
    below: dict[str, set[SymbolId]] = defaultdict(set)
    left_out = _rules().left_out
    for child, _, name in reader.running.parents():
        if name is not None and not left_out.match(name):
            below[name.partition("<")[0].rpartition(".")[2]].add(child)
    classes = reader.symbols.many({each for some in below.values() for each in some})
    product = {
        one.id: one.name
        for one in classes
        if one.role == "source" and one.kind == "class" and one.language in _rules().languages
    }
    registered = _registered(reader) if product else {}
    components = {name for rules in annotated_rules() for name in rules.components}
    handed_over = {one.symbol_id for one in reader.running.decorated(components)} if product else set()
    for name, some in below.items():
        here = sorted(each for each in some if each in product)
        told = [each for each in here if product[each] in registered.get(name, ())]
        if told or (len(here) == 1 and here[0] in handed_over):
            yield _Bound(name, tuple(told or here), bool(told))


def _registered(reader: "IndexReader") -> Mapping[str, set[str]]:
    """The names of the classes that containers are told to hand over for a name."""
    found: dict[str, set[str]] = defaultdict(set)
    for text in reader.starts.with_two_arguments():
        pair = _PAIR.fullmatch(text)
        if pair is not None and _rules().registering.fullmatch(pair[1]):
            found[pair[2].rpartition(".")[2]].add(pair[3].rpartition(".")[2])
    return found


def _methods(
    reader: "IndexReader", classes: Iterable[SymbolId]
) -> Mapping[SymbolId, dict[str, list[SymbolId]]]:
    found: dict[SymbolId, dict[str, list[SymbolId]]] = {}
    for owner in classes:
        found[owner] = defaultdict(list)
        for one in reader.symbols.members(owner):
            if one.kind == "method":
                found[owner][one.name].append(one.id)
    return found


class _Rules(NamedTuple):
    languages: frozenset[str]
    registering: re.Pattern[str]
    left_out: re.Pattern[str]


@cache
def _rules() -> _Rules:
    table = tomllib.loads(files("drift.analyses.running").joinpath("bound.toml").read_text("utf-8"))
    return _Rules(
        frozenset(table["languages"]), re.compile(table["registering"]), re.compile(table["left_out"])
    )
