"""Rows that graph tools share, and how they are made from what the analyses found."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from drift.analyses.callables import CALLABLE_KINDS, CLASS_KINDS, call_target
from drift.analyses.definitions import find_declaration
from drift.analyses.middleware import middleware_warnings
from drift.analyses.outside_parents import find_outside_calls, hooking_caller, unseen_caller
from drift.analyses.spelled_warnings import spelled_warnings
from drift.analyses.unresolved import OpenName, find_open_names
from drift.analyses.unseen_calls import is_harmless, runs_by_name
from drift.index import IndexReader
from drift.index.ids import SymbolId
from drift.index.records import SymbolRecord
from drift.kernel.answer import NextAction
from drift.kernel.text import plural

ARROW: Final = " > "


_MOST_EXAMPLES = 3
_MOST_CONSTANTS: Final = 50  # of one class, whose uses are looked at
_MOST_LOOKED_AT: Final = 200  # users, for what may call them from outside


@dataclass(frozen=True, slots=True)
class SymbolRow:
    """A symbol and where it is defined."""

    symbol: str
    kind: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class FarRow:
    """A symbol some calls away. `path` is one shortest way, in the direction of the calls."""

    symbol: str
    file: str
    line: int
    depth: int
    path: str


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An entry point that is reached: its kind, what opens it, and one shortest way in the direction of calls.

    `confidence` is that of the whole way, where it is known to be in doubt.
    """

    kind: str
    detail: str
    symbol: str
    file: str
    line: int
    depth: int
    path: tuple[str, ...]
    confidence: float | None = None


def symbol_row(symbol: SymbolRecord) -> SymbolRow:
    """A symbol as a row."""
    return SymbolRow(shown_name(symbol), symbol.kind, symbol.path, symbol.line)


def shown_name(symbol: SymbolRecord) -> str:
    """The name a reader knows a symbol by: for a file, its path."""
    return symbol.path if symbol.kind == "module" else symbol.qualname


def describe_path(reader: IndexReader, path: Sequence[SymbolId]) -> tuple[str, ...]:
    """A way of calls as lines: each symbol with the place where it calls the next, the last where it is defined."""
    known = {one.id: one for one in reader.symbols.many(path)}
    steps = []
    for here, following in zip(path, [*path[1:], None], strict=True):
        symbol = known.get(here)
        if symbol is None:
            continue
        hop = reader.graph.hop(here, following) if following is not None else None
        steps.append(f"{shown_name(symbol)} {symbol.path}:{hop.line if hop else symbol.line}")
    return tuple(steps)


def name_path(symbols: Iterable[SymbolRecord]) -> str:
    """A way of calls as names."""
    return ARROW.join(map(shown_name, symbols))


def open_name_warnings(found: Iterable[OpenName]) -> tuple[str, ...]:
    """That silence is no proof, for each name with unresolved calls near what was asked about."""
    return tuple(map(_open_name_warning, found))


def silence_warnings(reader: IndexReader, symbol: SymbolRecord) -> tuple[str, ...]:
    """That callers of a symbol which are not told may be among calls of its name, or of a parent outside."""
    return (
        *open_name_warnings(find_open_names(reader, [symbol])),
        *outside_warnings(reader, symbol),
        *_member_warnings(reader, symbol),
        *spelled_warnings(reader, [symbol]),
        *middleware_warnings(reader, [symbol]),
    )


def _member_warnings(reader: IndexReader, symbol: SymbolRecord) -> tuple[str, ...]:
    """That a class which nobody else makes is used through its members: makers of its own, static ones, constants."""
    target = call_target(reader, symbol) if symbol.kind in CLASS_KINDS else None
    if target is None:
        return ()
    members = {one.id: one for one in reader.symbols.members(symbol.id)}
    made = reader.callers.places(target.ids, named=target.named)
    if any(one.caller_id not in members for one in made):
        return ()
    called = tuple(each for each, one in members.items() if one.kind in CALLABLE_KINDS)
    calls = [
        (one.path, one.line)
        for one in reader.callers.places(called, named=None)
        if one.path != symbol.path or one.caller_id not in members
    ]
    named = _named_constants(reader, members)
    if not calls and not named:
        return ()
    some = ", ".join(f"{path}:{line}" for path, line in [*dict.fromkeys(calls or named)][:_MOST_EXAMPLES])
    uses = [f"called in {plural(len(calls), 'place')}"] if calls else []
    uses += [f"named as constants in {plural(len(named), 'place')}"] if named else []
    alone = "only its own members make" if made else "nothing makes or calls"
    itself = f"{shown_name(symbol)} ({place_of(symbol)}){'' if made else ' itself'}"
    return (f"{alone} {itself}; its members are {' and '.join(uses)}: {some}",)


def _named_constants(reader: IndexReader, members: Mapping[SymbolId, SymbolRecord]) -> list[tuple[str, int]]:
    """Where others name the constants of a class."""
    constants = [each for each, one in members.items() if one.kind == "constant"][:_MOST_CONSTANTS]
    uses = [use for each in constants for use in reader.facts.references_to(each)]
    return [(use.path, use.line) for use in uses if use.symbol_id not in members]


def outside_warnings(reader: IndexReader, symbol: SymbolRecord) -> tuple[str, ...]:
    """That calls of a parent outside the project may run the symbol, with some of them, or that parent itself."""
    warnings = []
    for name, calls in find_outside_calls(reader, symbol):
        some = calls[:_MOST_EXAMPLES]
        paths = {one.id: one.path for one in reader.symbols.many({each.caller_id for each in some})}
        at = ", ".join(f"{each.text} at {paths[each.caller_id]}:{each.line}" for each in some)
        count = f"{len(calls):,} call{'' if len(calls) == 1 else 's'}"
        warnings.append(f"{count} of {name}, which it implements, may run {shown_name(symbol)}: {at}")
    places = reader.callers.places((symbol.id,), named=None)
    if any(not place.is_test for place in places):
        hooking = hooking_caller(reader, symbol)
        beside = f"{hooking} may call {shown_name(symbol)}, too: such calls are not in the project"
        return (*warnings, beside) if hooking is not None else tuple(warnings)
    made = _made_warnings(reader, symbol) if symbol.kind == "constructor" else []
    caller = _unseen_caller(reader, symbol) if not made else None
    warnings += made
    if caller is not None:
        does = "make objects of" if symbol.kind in CLASS_KINDS else "call"
        warnings.append(f"{caller} may {does} {shown_name(symbol)}: such calls are not in the project")
    elif not runs_by_name(symbol):
        warnings += _named_warnings(reader, symbol)
    if places:
        return tuple(warnings)
    warnings += _of_object_warnings(reader, symbol)
    if caller is None and runs_by_name(symbol):
        warnings.append(
            f"{shown_name(symbol)} has a name by which the language or a library calls it: such calls are not in the project"
        )
    warnings += [
        f"{shown_name(above)} at {place_of(above)} is overridden by it: what calls that may run it"
        for above in _overridden(reader, symbol)[:_MOST_EXAMPLES]
    ]
    return tuple(warnings)


def _unseen_caller(reader: IndexReader, symbol: SymbolRecord) -> str | None:
    """What may call a symbol from outside; of a class that others name, they say who makes it."""
    if symbol.kind in CLASS_KINDS and any(
        one.path != symbol.path for one in reader.facts.references_to(symbol.id)
    ):
        return None
    return unseen_caller(reader, symbol)


def _named_warnings(reader: IndexReader, symbol: SymbolRecord) -> list[str]:
    """That what nobody calls is named in a string, handed to a decorator or of a class that is handed on."""
    if symbol.kind not in _CALLED_BY_NAME or reader.facts.entry_points_at(symbol.id):
        return []
    place = (
        reader.unused.strings_equal_to(json.dumps([symbol.name])).get(symbol.name)
        if _SEVERAL_WORDS.search(symbol.name)
        else None
    )
    if place is not None:
        return [
            f"{shown_name(symbol)} is named in a string at {place[0]}:{place[1]}: what is given it may call it"
        ]
    handing = [one.name for one in reader.symbols.decorators(symbol.id) if not is_harmless(one.name)]
    if handing and symbol.language in _WITH_RUNNING_DECORATORS:
        return [f"@{handing[0]} is handed {shown_name(symbol)}: what keeps it may call it"]
    owner = reader.symbols.get(symbol.parent_id) if symbol.parent_id is not None else None
    if owner is None or owner.kind not in _HANDED_ON or symbol.visibility == "private":
        return []
    uses = [one for one in reader.facts.references_to(owner.id) if one.kind == "value"]
    tests = {one.id for one in reader.symbols.many({each.symbol_id for each in uses}) if one.role == "test"}
    places = [f"{one.path}:{one.line}" for one in uses if one.symbol_id not in tests]
    if not places:
        return []
    where = ", ".join(places[:_MOST_EXAMPLES])
    return [f"{shown_name(owner)} is handed on at {where}: what is given it may call {shown_name(symbol)}"]


def _of_object_warnings(reader: IndexReader, symbol: SymbolRecord) -> list[str]:
    """That a method of an object which is written in place runs for whoever is handed the object."""
    if symbol.kind != "method" or symbol.parent_id is None:
        return []
    (around,) = reader.symbols.many([symbol.parent_id])
    is_of_type = around.kind == "module" and "." in symbol.qualname  # the type is declared in another file
    if around.kind not in _WRITING_OBJECTS or is_of_type:
        return []
    where = around.path if around.kind == "module" else shown_name(around)
    return [f"{shown_name(symbol)} is of an object that {where} hands on: who is given it may call it"]


def _made_warnings(reader: IndexReader, constructor: SymbolRecord) -> list[str]:
    """That a class which is named as a value or asked for by its type may be made by a container, say."""
    owner = reader.symbols.get(constructor.parent_id) if constructor.parent_id is not None else None
    uses = reader.facts.references_to(owner.id) if owner else []
    tests = {one.id for one in reader.symbols.many({each.symbol_id for each in uses}) if one.role == "test"}
    for kind, says in _MADE_BY.items():
        places = [
            f"{one.path}:{one.line}"
            for one in uses
            if one.kind == kind and one.symbol_id not in tests and one.path != constructor.path
        ]
        if owner is not None and places:
            return [f"{shown_name(owner)} {says.format(', '.join(places[:_MOST_EXAMPLES]))}"]
    return []


_MADE_BY: Final = {
    "value": "is handed on at {}: what is given it may make objects of it",
    "type": "is asked for by its type at {}: a container may make it",
}


_CALLED_BY_NAME: Final = frozenset({"function", "method"})
_HANDED_ON: Final = frozenset({"class", "trait", "struct"})
_WITH_RUNNING_DECORATORS: Final = frozenset({"javascript", "python", "typescript"})
_SEVERAL_WORDS: Final = re.compile(r"[^_]_[^_]|[a-z][A-Z]")  # one word alone is a string of many meanings
_WRITING_OBJECTS: Final = frozenset({"module", "function", "method", "constructor"})


def unseen_way_warnings(reader: IndexReader, reached: Sequence[SymbolId]) -> tuple[str, ...]:
    """That those of the users whom nobody in the project is seen to call may be called from outside of it."""
    return tuple(
        f"{may_call}, through which it runs: what begins there is not told"
        for may_call in _unseen_calls(reader, reached)
    )


def unseen_member_warnings(
    reader: IndexReader, changed: Sequence[SymbolId], *, with_classes: bool
) -> tuple[str, ...]:
    """The same of what a file or a class has; where others use it, they say who makes its classes."""
    told = _unseen_calls(reader, changed, with_classes=with_classes)
    return tuple(f"{may_call}: such calls are not in the project" for may_call in told)


def _unseen_calls(
    reader: IndexReader, numbers: Sequence[SymbolId], *, with_classes: bool = True
) -> list[str]:
    """Who outside may call which of these that nobody in the project is seen to call."""
    symbols = [
        one
        for one in reader.symbols.many(numbers[:_MOST_LOOKED_AT])
        if one.role != "test" and (with_classes or one.kind not in CLASS_KINDS)
    ]
    called = {place.callee_id for place in reader.callers.places([one.id for one in symbols], named=None)}
    entered = {each.symbol_id for each in reader.graph.product_entries()}
    entered |= {each.member_id for each in reader.graph.product_entries() if each.member_id is not None}
    if any(one.kind == "module" for one in symbols):  # what stands in a file may be registered there
        entered |= {one.symbol for one in reader.running.registered()}
    found: dict[str, list[str]] = {}
    for one in symbols:
        if one.id in called or one.id in entered or (caller := unseen_caller(reader, one)) is None:
            continue
        found.setdefault(caller, []).append(shown_name(one))
    return [
        f"{caller} may call {', '.join(names[:_MOST_EXAMPLES])}{', …' if len(names) > _MOST_EXAMPLES else ''}"
        for caller, names in list(found.items())[:_MOST_EXAMPLES]
    ]


def _overridden(reader: IndexReader, symbol: SymbolRecord) -> list[SymbolRecord]:
    """The methods of the project that a method overrides; C++ says so in the header."""
    offered = find_declaration(reader, symbol) if symbol.kind == "method" else None
    own = {symbol.id} | ({offered.id} if offered is not None else set())
    pairs = reader.graph.overrides_of(own) if symbol.kind == "method" else []
    return reader.symbols.many(sorted({above for above, below in pairs if below in own} - own))


def _open_name_warning(one: OpenName) -> str:
    calls = "1 unresolved call" if one.calls.times == 1 else f"{one.calls.times:,} unresolved calls"
    where = "" if one.depth == 0 else f", {one.depth} up"
    some = ", ".join(f"{each.text} at {each.path}:{each.line}" for each in one.calls.examples)
    return f"{calls} named {one.symbol.name} may lead to {shown_name(one.symbol)}{where}: {some}"


def suggest_impact(symbol: SymbolRecord, why: str) -> NextAction:
    """A following call that weighs a change of the symbol."""
    return NextAction("drift_impact_analysis", {"target": place_of(symbol)}, why)


def place_of(symbol: SymbolRecord) -> str:
    """The text by which a following call means the same symbol and no other."""
    return f"{symbol.path}:{symbol.line}"
