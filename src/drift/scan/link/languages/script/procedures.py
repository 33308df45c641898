"""Procedures that are called by the keys of routers: `trpc.orders.list.useQuery()`, `caller.orders.list()`.

A client says by its type argument, a caller by what it is made of, which router it is of; the keys of a chain lead through
that to the function which the procedure is given. Which libraries do so is `words.procedures` of the frameworks:

- `packages`: beginnings of the names of what is called; `clients`: calls that make a client of a type, `factories` and
  `callers`: of a router, given as an argument or as the receiver; `passing`: calls of a client that give it in another form;
- `merging`: calls that make one router of several; `ends`: members that a procedure is given its function by;
- `runs`: what is done with a procedure, and how surely it runs then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final, NamedTuple

from drift.languages import Call
from drift.languages.expressions import Expression
from drift.languages.kinds import FUNCTION_KINDS
from drift.languages.typescript.vocabulary import ALL_MEMBERS, TYPE_STOOD_FOR
from drift.scan.link.analysis import Analysis
from drift.scan.link.links import Target
from drift.scan.link.referenced_symbols import referenced_symbols
from drift.scan.link.values import SYMBOL_MASK

_MOST_KEYS: Final = 12
_MOST_STEPS: Final = 8  # from a name to what it is given
_MOST_PLACES: Final = 20  # that a key may lead to
_NO_CALL: Final = Call(0, 1, 0, None, "")
_DISPATCHED: Final = "dispatched"
_DIRECTLY: Final = 0.9


class _Words(NamedTuple):
    """How a library speaks of its procedures."""

    packages: tuple[str, ...]
    clients: frozenset[str]
    passing: frozenset[str]
    factories: frozenset[str]
    callers: frozenset[str]
    merging: frozenset[str]
    ends: frozenset[str]
    runs: dict[str, float]


class _Placed(NamedTuple):
    """An expression where it stands."""

    value: Expression
    scope: int


class _Router(NamedTuple):
    """What a client or a caller calls procedures of; a caller's keys are followed by no word for what is done."""

    place: _Placed
    is_direct: bool


@cache
def _words() -> tuple[_Words, ...]:
    from drift.languages.frameworks import (
        load_frameworks,
    )  # only projects with scripts pay for reading the words

    return tuple(
        _Words(
            tuple(row["packages"]),
            frozenset(row["clients"]),
            frozenset(row["passing"]),
            frozenset(row["factories"]),
            frozenset(row["callers"]),
            frozenset(row["merging"]),
            frozenset(row["ends"]),
            row["runs"],
        )
        for row in load_frameworks("typescript").words["procedures"]
    )


def procedure_targets(
    analysis: Analysis, call: Call, scope: int, outside: Iterable[str]
) -> tuple[Target, ...]:
    """The functions of the procedure that a call of something outside names by its keys."""
    if call.callee is None or call.callee[0] != "member":
        return ()
    names = tuple(outside)
    words = next((one for one in _words() for name in names if name.startswith(one.packages)), None)
    if words is None:
        return ()
    base, keys = _chain(call.callee)
    found: dict[int, float] = {}
    for router in _routers(analysis, words, _Placed(base, scope), _MOST_STEPS):
        wanted = keys if router.is_direct else keys[:-1]
        sure = _DIRECTLY if router.is_direct else words.runs.get(keys[-1], 0.0)
        for one in _functions(analysis, words, router.place, wanted) if wanted and sure else ():
            found[one] = sure
    share = 1 / len(found) if found else 1.0
    return tuple(
        Target(analysis.program.place(one), sure * share, _DISPATCHED) for one, sure in found.items()
    )


def _chain(callee: Expression) -> tuple[Expression, list[str]]:
    """What a chain of members begins with, and their names."""
    keys: list[str] = []
    while callee is not None and callee[0] == "member" and len(keys) < _MOST_KEYS:
        keys.append(callee[2])
        callee = callee[1]
    return callee, keys[::-1]


def _routers(analysis: Analysis, words: _Words, place: _Placed, steps: int) -> Iterator[_Router]:
    """What the client or caller that an expression gives calls procedures of."""
    value = place.value
    if value is None or not steps:
        return
    if value[0] == "name":
        for given in _given(analysis, place):
            yield from _routers(analysis, words, given, steps - 1)
    elif value[0] in {"awaited", "member"}:  # `const { useTRPC } = createTRPCContext<AppRouter>()`
        yield from _routers(analysis, words, place._replace(value=value[1]), steps - 1)
    elif value[0] == "result":
        yield from _routers_made(analysis, words, place, steps)


def _routers_made(analysis: Analysis, words: _Words, place: _Placed, steps: int) -> Iterator[_Router]:
    made = _call_of(analysis, place)
    last = _last(made)
    receiver = made.callee[1] if made.callee is not None and made.callee[0] == "member" else None
    if last in words.clients:
        types = [value for keyword, value in made.arguments if keyword == TYPE_STOOD_FOR]
        for one in types:
            yield _Router(_Placed(_of_type(one), place.scope), is_direct=False)
    elif last in words.factories and made.arguments:
        yield _Router(_Placed(made.arguments[0][1], place.scope), is_direct=True)
    elif last in words.callers and receiver is not None:
        yield _Router(_Placed(receiver, place.scope), is_direct=True)
    elif last in words.passing and receiver is not None:
        yield from _routers(analysis, words, place._replace(value=receiver), steps - 1)
    elif made.callee is not None and made.callee[0] == "name":
        yield from _routers(analysis, words, place._replace(value=made.callee), steps - 1)


def _of_type(value: Expression) -> Expression:
    """What a type stands for as a value: `typeof appRouter`, or the name of such a type."""
    while value is not None and value[0] in {"instance", "typeof"}:
        value = value[1]
    return value


def _functions(analysis: Analysis, words: _Words, router: _Placed, keys: list[str]) -> Iterator[int]:
    """The functions that the procedure at these keys is given."""
    places = [router]
    for key in keys:
        places = [below for one in places for below in _below(analysis, words, one, key, _MOST_STEPS)]
        if not places or len(places) > _MOST_PLACES:
            return
    for one in places:
        yield from _given_functions(analysis, words, one, _MOST_STEPS)


def _below(analysis: Analysis, words: _Words, place: _Placed, key: str, steps: int) -> Iterator[_Placed]:
    """What a router, or the record that one is made of, has under a key."""
    value = place.value
    if value is None or not steps:
        return
    if value[0] == "dict":
        held = dict(value[1:])
        if held.get(key) is not None:
            yield place._replace(value=held[key])
        elif held.get(ALL_MEMBERS) is not None:
            yield from _below(analysis, words, place._replace(value=held[ALL_MEMBERS]), key, steps - 1)
    elif value[0] == "result":
        made = _call_of(analysis, place)
        is_merged = _last(made) in words.merging
        for _, one in made.arguments if is_merged else made.arguments[:1]:
            yield from _below(analysis, words, place._replace(value=one), key, steps - 1)
    elif value[0] == "either":
        for one in value[1:]:
            yield from _below(analysis, words, place._replace(value=one), key, steps - 1)
    else:
        for given in _given(analysis, place):
            yield from _below(analysis, words, given, key, steps - 1)


def _given_functions(analysis: Analysis, words: _Words, place: _Placed, steps: int) -> Iterator[int]:
    value = place.value
    if value is None or not steps:
        return
    if value[0] == "result":
        made = _call_of(analysis, place)
        if _last(made) in words.ends and made.arguments:
            yield from _functions_of(analysis, place._replace(value=made.arguments[-1][1]))
    elif value[0] in {"name", "member"}:
        functions = list(_functions_of(analysis, place))  # a constant that is known as its function
        yield from functions
        for given in () if functions else _given(analysis, place):
            yield from _given_functions(analysis, words, given, steps - 1)


def _functions_of(analysis: Analysis, place: _Placed) -> Iterator[int]:
    program, value = analysis.program, place.value
    if value is not None and value[0] == "symbol":
        yield program.table_of(place.scope).first + value[1]
    elif value is not None and value[0] in {"name", "member"}:
        for symbol in referenced_symbols(analysis, value, place.scope):
            if program.symbol(symbol).kind in FUNCTION_KINDS:
                yield symbol


def _given(analysis: Analysis, place: _Placed) -> Iterator[_Placed]:
    """What a name is given, where it is: a variable of the function around, a constant of this file or of another, a type."""
    program, value = analysis.program, place.value
    table = program.table_of(place.scope)
    if value is not None and value[0] == "name":
        own = place.scope & SYMBOL_MASK
        while own:
            local = [
                each.value
                for each in program.definitions(table, own, value[1]) or ()
                if each.kind == "value" and each.value is not None
            ]
            if local:
                yield from (_Placed(each, table.first + own) for each in local)
                return
            own = table.symbols[own].parent
    for symbol in referenced_symbols(analysis, value, place.scope):
        other, around = program.table_of(symbol), program.parent(symbol)
        record = program.symbol(symbol)
        if record.kind == "type" and record.value_type is not None:
            yield _Placed(_of_type(record.value_type), around)
        for each in program.definitions(other, around & SYMBOL_MASK, record.name) or ():
            if each.value is not None:
                yield _Placed(each.value, around)


def _call_of(analysis: Analysis, place: _Placed) -> Call:
    calls, value = analysis.program.table_of(place.scope).facts.calls, place.value
    return calls[value[1]] if value is not None and value[0] == "result" else _NO_CALL


def _last(call: Call) -> str:
    return call.text.removesuffix("(…)").removesuffix("()").rpartition(".")[2]
