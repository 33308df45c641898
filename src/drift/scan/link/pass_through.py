"""Arguments that a function gives back: what the caller passed is what it gets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from drift.languages.expressions import Expression
from drift.languages.facts import Call
from drift.scan.link.analysis import Analysis
from drift.scan.link.values import SYMBOL_MASK

_MOST_MACROS: Final = 4  # one through another


def passed_through(analysis: Analysis, function: int, call: Call) -> Iterator[Expression]:
    """The arguments of a call that a function of a script, or a macro of C, gives back as they are.

    `trace(options)(save)` is `save` where the function that `trace` gives returns its parameter, also where it
    does so only in some cases.
    """
    program = analysis.program
    table = program.table_of(function)
    if table.facts.language == "cpp":
        if call.arguments and _is_given_through(analysis, function, _MOST_MACROS):
            yield call.arguments[0][1]
        return
    if not call.arguments or not program.semantics(table).has_object_literals:
        return
    program.note_body(function)
    returned = table.returns.get(function & SYMBOL_MASK, ())
    names = {name for value in returned for name in _names_in(value)}
    if not names:
        return
    for place, parameter in enumerate(program.symbol(function).parameters[: len(call.arguments)]):
        keyword, value = call.arguments[place]
        if parameter.kind == "rest" or keyword is not None or (value is not None and value[0] == "item"):
            return
        if parameter.name in names:
            yield value


def _is_given_through(analysis: Analysis, macro: int, levels: int) -> bool:
    """Whether `MACRO(x)` of C is x, or x as a wide string, be it through further macros of that kind."""
    symbol = analysis.program.symbol(macro)
    if symbol.kind != "macro" or not levels:
        return False
    given = symbol.value_type
    if given is None or given[0] != "through":
        return False
    if given[1] is None:
        return True
    values = analysis.evaluate(("name", given[1]), analysis.program.parent(macro))
    return bool(values) and all(
        isinstance(value, int) and _is_given_through(analysis, value >> 2, levels - 1) for value in values
    )


def _names_in(value: Expression) -> Iterator[str]:
    """The names that an expression may be of, with nothing done to them."""
    if value is None:
        return
    if value[0] == "name":
        yield value[1]
    elif value[0] == "either":
        for part in value[1:]:
            yield from _names_in(part)
