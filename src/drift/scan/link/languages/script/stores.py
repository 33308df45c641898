"""Stores of state: what a function makes of another one, and gives back whenever it is asked for the state.

`const useCart = create((set, get) => ({ add() {} }))` makes a hook whose result is what the function gives, `useCart(select)` gives
what `select` picks of it, and `useCart.getState()` the whole of it. Which libraries do so is `words.stores` of the frameworks.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple, cast

from drift.languages import Call
from drift.languages.expressions import Expression
from drift.scan.link.analysis import Analysis
from drift.scan.link.referenced_symbols import referenced_symbols
from drift.scan.link.tables import FileTable
from drift.scan.link.values import NOTHING, SYMBOL_MASK, Form, Value, Values, merge

_MOST_WRAPPINGS: Final = 6
_MOST_PARTS: Final = 100  # of what a selector gives


class StoreWords(NamedTuple):
    """How a library speaks of its stores."""

    packages: tuple[str, ...]
    makers: frozenset[str]
    givers: frozenset[str]  # members of a store that give its state
    called_sections: frozenset[str]  # of an object that describes the state: functions that give a part of it
    sections: frozenset[str]  # likewise: objects that are a part of it
    wrappers: frozenset[str]  # functions that hand on what they are given


def store_state(analysis: Analysis, name: str, call: Call, scope: int) -> Values:
    """What a call of a store gives; nothing where it is a call of something else."""
    words = next((one for one in store_words() if name.startswith(one.packages)), None)
    callee = call.callee
    if words is None or callee is None:
        return NOTHING
    if callee[0] == "member":
        return _made_state(analysis, words, callee[1], scope) if callee[2] in words.givers else NOTHING
    if callee[0] != "name":
        return NOTHING
    state = _made_state(analysis, words, callee, scope)
    if not state:
        return NOTHING
    selector = (
        _unwrapped(analysis.program.table_of(scope), words, call.arguments[0][1]) if call.arguments else None
    )
    return _selected(analysis, selector, state, scope) if selector is not None else state


@cache
def store_words() -> tuple[StoreWords, ...]:
    """What the frameworks of scripts say of stores."""
    from drift.languages.frameworks import (
        load_frameworks,
    )  # only projects with scripts pay for reading the words

    return tuple(
        StoreWords(
            tuple(f"{package}{end}" for package in row["packages"] for end in (".", "/")),
            frozenset(row["makers"]),
            frozenset(row.get("givers", ())),
            frozenset(row.get("called_sections", ())),
            frozenset(row.get("sections", ())),
            frozenset(row.get("wrappers", ())),
        )
        for row in load_frameworks("typescript").words["stores"]
    )


def _made_state(analysis: Analysis, words: StoreWords, store: Expression, scope: int) -> Values:
    """The state of the store that an expression names."""
    program = analysis.program
    found: list[Values] = []
    for symbol in referenced_symbols(analysis, store, scope):
        table, around = program.table_of(symbol), program.parent(symbol)
        for definition in program.definitions(table, around & SYMBOL_MASK, program.symbol(symbol).name) or ():
            value = definition.value
            if value is None or value[0] != "result":
                continue
            made = table.facts.calls[value[1]]
            maker = made.text.removesuffix("(…)").removesuffix("()").rpartition(".")[2]
            if maker in words.makers and made.arguments:
                creator = _unwrapped(table, words, made.arguments[-1 if words.sections else 0][1])
                found.append(_created(analysis, words, creator, around))
    return merge(found)


def _created(analysis: Analysis, words: StoreWords, creator: Expression, scope: int) -> Values:
    if creator is None or creator[0] != "dict":
        return analysis.evaluate(("called", creator), scope) if creator is not None else NOTHING
    parts: list[Form] = [
        ("called", value) if key in words.called_sections else value
        for key, value in creator[1:]
        if key in words.called_sections | words.sections and value is not None
    ]
    return merge([analysis.evaluate(part, scope) for part in parts])


def _unwrapped(table: FileTable, words: StoreWords, value: Expression) -> Expression:
    """What is inside the functions that only hand it on: `persist(create, options)`."""
    for _ in range(_MOST_WRAPPINGS):
        if value is None or value[0] != "result":
            return value
        call = table.facts.calls[value[1]]
        if call.text.rpartition(".")[2] not in words.wrappers or not call.arguments:
            return value
        value = call.arguments[0][1]
    return value


def _selected(analysis: Analysis, selector: Expression, state: Values, scope: int) -> Values:
    """What a function that is written in place picks of the state; the state where it says no more of it."""
    table = analysis.program.table_of(scope)
    if selector is None or selector[0] != "symbol":
        return NOTHING
    parameters = table.symbols[selector[1]].parameters
    if not parameters:
        return NOTHING
    picked = [
        analysis.evaluate(form, table.first + selector[1])
        for expression in table.returns.get(selector[1], ())
        for value in state
        if (form := _picked(expression, parameters[0].name, value)) is not None
    ]
    return merge(picked)


def _picked(expression: Expression, parameter: str, state: Value) -> Form | None:
    """An expression with the state in the place of a parameter; None where it is of something else."""
    if expression is None or len(expression) > _MOST_PARTS:
        return None
    if expression[0] == "member" and expression[1] == ("name", parameter):
        return ("of", state, str(expression[2]))
    if expression[0] == "member":
        owner = _picked(expression[1], parameter, state)
        return cast("Form", ("member", owner, expression[2])) if owner is not None else None
    if expression[0] == "dict":
        parts = tuple((key, _picked(value, parameter, state)) for key, value in expression[1:])
        return cast("Form", ("dict", *parts))
    if expression[0] == "list":
        return cast("Form", ("list", *(_picked(value, parameter, state) for value in expression[1:])))
    return None
