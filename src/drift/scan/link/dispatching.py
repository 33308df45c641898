"""Calls that hand something over to a framework, which runs a method of the project for it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from drift.languages.expressions import Expression
from drift.languages.facts import Call, Symbol
from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.handlers import (
    ANY,
    Dispatch,
    dispatches,
    first_parameter,
    handlings,
    said_names,
    sending_names,
)
from drift.scan.link.hierarchy import line_of_descent, own_members
from drift.scan.link.keys import handling_key
from drift.scan.link.links import DISPATCH_CONFIDENCE, Target
from drift.scan.link.tables import FileTable
from drift.scan.link.values import is_instance, is_symbol, symbol_of, symbol_value

_AROUND: Final = frozenset({"any", "made"})  # what runs beside the handlers
_HANDLING: Final = 0.5  # of what is told to be done
_LISTENING: Final = 0.31  # of what is told to have happened: too little to say that a test runs it
_WORDS: Final = re.compile(r"\w+")
_MOST_HANDLERS: Final = 40  # an event has listeners by the dozen; more of them are no answer
MOST_FILES: Final = 40  # that handle what has one name


def dispatch_targets(
    analysis: Analysis, call: Call, scope: int, outside: Iterable[str]
) -> tuple[Target, ...]:
    """The methods that run for what a call hands over: all of one class run, of several classes one is handed over."""
    found = _by_class(analysis, call, scope, outside)
    shares: dict[int, float] = {}
    for methods in found:
        for one in methods:
            shares[one] = shares.get(one, 0.0) + DISPATCH_CONFIDENCE / len(found)
    return tuple(Target(analysis.program.place(one), share, "dispatched") for one, share in shares.items())


def may_hand_over(table: FileTable, call: Call) -> bool:
    """Whether a call has a name by which frameworks are handed something; nearly all calls have others."""
    callee = call.callee
    return (
        callee is not None
        and callee[0] in {"name", "member"}
        and callee[-1] in sending_names(table.file_semantics.frameworks)
    )


def dispatched(analysis: Analysis, call: Call, scope: int, outside: Iterable[str]) -> tuple[int, ...]:
    """The methods whose results a call of something outside gives for what it hands over; none where that is not known."""
    return tuple(
        dict.fromkeys(
            one for methods in _by_class(analysis, call, scope, outside, later=False) for one in methods
        )
    )


def _by_class(
    analysis: Analysis, call: Call, scope: int, outside: Iterable[str], *, later: bool = True
) -> tuple[tuple[int, ...], ...]:
    """The methods that run for each class that may be handed over and has such methods; what runs `later` gives nothing."""
    callee, table = call.callee, analysis.program.table_of(scope)
    if not may_hand_over(table, call):
        return ()
    found: defaultdict[int, dict[int, None]] = defaultdict(dict)
    for row in dispatches(table.file_semantics.frameworks):
        if row.takes == "function":
            for one in _decorated(analysis, callee, scope, row):
                found[one][one] = None
        elif row.takes == "named":
            if later and any(is_sender(name, row) for name in outside):
                found.update((one, {one: None}) for one in _of_same_name(analysis, callee, scope, row))
        elif row.takes not in _AROUND and any(is_sender(name, row) for name in outside):
            for owner in handed_over_classes(analysis, call, scope, row):
                found[owner].update(dict.fromkeys(_handling(analysis, table, owner, row)))
    some = tuple(tuple(methods) for methods in found.values() if methods)
    return some if sum(map(len, some)) <= _MOST_HANDLERS else ()


def _decorated(analysis: Analysis, callee: Expression, scope: int, row: Dispatch) -> Iterator[int]:
    """The functions of the project that a decorator gave the member which is called: a function has none of its own."""
    if callee is None or callee[0] != "member" or callee[2] not in row.senders:
        return
    for value in analysis.evaluate(callee[1], scope):
        if is_symbol(value):
            symbol = analysis.program.symbol(symbol_of(value))
            if symbol.kind in {"function", "method"} and symbol.decorators:
                yield symbol_of(value)


def _of_same_name(analysis: Analysis, callee: Expression, scope: int, row: Dispatch) -> Iterator[int]:
    """The methods of classes that are said to handle what the member is said to give which the call is of."""
    program = analysis.program
    for name in sorted(_names_given(analysis, callee, scope, row)):
        paths = program.providing(
            handling_key(program.table_of(scope).facts.language, name.rpartition(".")[2])
        )
        for table in program.tables_at(paths) if len(paths) <= MOST_FILES else ():
            for number, symbol in enumerate(table.symbols):
                if symbol.decorators and any(one.name == name for one in handlings(symbol, (row,))):
                    yield from methods_of(analysis, table.first + number, row)
                    yield from _marked(table, number, row)


def _names_given(analysis: Analysis, callee: Expression, scope: int, row: Dispatch) -> set[str]:
    """What the member that a call is of is said to give: `mail` of `@InjectQueue("mail") queue`, for `this.queue.add(…)`."""
    given = callee[1] if callee is not None and callee[0] == "member" else None
    if given is None or given[0] != "member":
        return set()
    owners = {symbol_of(one) for one in analysis.evaluate(given[1], scope) if is_instance(one)}
    return {
        name
        for owner in owners
        for above in line_of_descent(analysis, owner)
        for member in (own_members(analysis, above, given[2]) if isinstance(above, int) else ())
        for name in said_names(analysis.program.symbol(member), row.giving)
    }


def _marked(table: FileTable, owner: int, row: Dispatch) -> Iterator[int]:
    """The methods of a class that a decorator says to run."""
    for number, symbol in enumerate(table.symbols):
        if symbol.parent == owner and any(
            one.name.rpartition(".")[2] in row.marks for one in symbol.decorators
        ):
            yield table.first + number


def is_sender(name: str, row: Dispatch) -> bool:
    """Whether a full name, or a name of any owner, is one of what hands over by a row."""
    parts = name.rsplit(".", 2)
    return ".".join(parts[-2:]) in row.senders or name in row.senders or f"{ANY}.{parts[-1]}" in row.senders


def through_own_bus(analysis: Analysis, call: Call, scope: int) -> tuple[Target, ...]:
    """The handlers of what is handed to a method of the project that is named like one that hands on to them."""
    table = analysis.program.table_of(scope)
    if not may_hand_over(table, call) or call.callee is None:
        return ()
    found = dispatch_targets(analysis, call, scope, (f"{ANY}.{call.callee[-1]}",))
    return tuple(one._replace(confidence=one.confidence * _share(analysis, one)) for one in found)


def _share(analysis: Analysis, handler: Target) -> float:
    """How surely a handler runs by a bus of the project, for which tests often have a stand-in."""
    is_listener = bool(analysis.program.symbol(analysis.program.number(handler.place)).decorators)
    return _LISTENING if is_listener else _HANDLING


def handed_over_classes(analysis: Analysis, call: Call, scope: int, row: Dispatch) -> Iterator[int]:
    """The classes of what is handed over."""
    given: Expression = None
    if row.of == "argument":
        given = call.arguments[0][1] if call.arguments else None
    elif call.callee is not None and call.callee[0] == "member":
        given = _without_settings(analysis, call.callee[1], scope, row)
        given = ("item", given) if row.of == "element" else given
    symbol = analysis.program.symbol
    each: tuple[Expression, ...] = given[1:] if given is not None and given[0] == "list" else (given,)
    for value in (value for one in each if one is not None for value in analysis.evaluate(one, scope)):
        is_class = is_symbol(value) and symbol(symbol_of(value)).kind in TYPE_KINDS
        if isinstance(value, int) and (is_instance(value) or is_class):
            yield symbol_of(value)


def _without_settings(analysis: Analysis, given: Expression, scope: int, row: Dispatch) -> Expression:
    """`Job` of `Job.set(wait: 1)`."""
    if not row.through or given is None or given[0] not in {"result", "first"}:
        return given
    result = given[1] if given[0] == "first" else given
    calls = analysis.program.table_of(scope).facts.calls
    if result is None or result[0] != "result" or not isinstance(result[1], int):
        return given
    callee = calls[result[1]].callee
    is_setting = callee is not None and callee[0] == "member" and callee[2] in row.through
    return callee[1] if is_setting and callee is not None and callee[0] == "member" else given


def _handling(analysis: Analysis, here: FileTable, owner: int, row: Dispatch) -> Iterator[int]:
    if row.takes == "itself":
        yield from methods_of(analysis, owner, row)
        return
    program = analysis.program
    name = program.symbol(owner).name
    paths = program.providing(handling_key(here.facts.language, name))
    for table in program.tables_at(paths) if len(paths) <= MOST_FILES else ():
        for number, symbol in enumerate(table.symbols):
            for one in (
                handlings(symbol, (row,)) if symbol.bases or symbol.decorators or symbol.parameters else ()
            ):
                is_meant = one.name.rpartition(".")[2] == name
                if is_meant and (not one.is_by_other or _descends(analysis, table.first + number, row)):
                    yield from _confirmed(analysis, table.first + number, owner, row, named=one.name)


def _descends(analysis: Analysis, handler: int, row: Dispatch) -> bool:
    """Whether a class is below one of those outside that the framework asks for."""
    line = line_of_descent(analysis, handler)
    return any(isinstance(one, str) and one.rpartition(".")[2] in row.bases for one in line)


def _confirmed(analysis: Analysis, handler: int, owner: int, row: Dispatch, *, named: str) -> Iterator[int]:
    """The methods of a handler, if what it names is the class that is handed over."""
    program = analysis.program
    if row.takes == "parameter":
        declared = analysis.evaluate(first_parameter(program.symbol(handler)), program.parent(handler))
        if any(is_instance(value) and symbol_of(value) == owner for value in declared):
            yield handler
        return
    if symbol_value(owner) in analysis.evaluate(_path(named), handler):
        methods = list(methods_of(analysis, handler, row))
        # A class may handle several, each by an overload of its own.
        name = program.symbol(owner).name
        taking = [one for one in methods if name in _WORDS.findall(_first_type(program.symbol(one)))]
        yield from taking or methods


def _first_type(symbol: Symbol) -> str:
    plain = [one for one in symbol.parameters if one.kind == "plain"]
    return plain[0].type_text or "" if plain else ""


def methods_of(analysis: Analysis, owner: int, row: Dispatch) -> Iterator[int]:
    """The methods of a class or its parents that run."""
    for name in sorted(row.methods):
        for ancestor in line_of_descent(analysis, owner):
            members = own_members(analysis, ancestor, name) if isinstance(ancestor, int) else []
            methods = [one for one in members if analysis.program.symbol(one).kind == "method"]
            if methods:
                yield from methods
                break


def _path(named: str) -> Expression:
    first, *rest = named.split(".")
    form: Expression = ("name", first)
    for part in rest:
        form = ("member", form, part)
    return form
