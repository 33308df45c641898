"""Arguments that a function gives back: what the caller passed is what it gets."""

from __future__ import annotations

from collections.abc import Iterator

from drift.languages import Call
from drift.languages.expressions import Expression
from drift.scan.link.analysis import Analysis
from drift.scan.link.values import SYMBOL_MASK


def passed_through(analysis: Analysis, function: int, call: Call) -> Iterator[Expression]:
    """The arguments of a call that a function of a script gives back as they are.

    `trace(options)(save)` is `save` where the function that `trace` gives returns its parameter, also where it
    does so only in some cases.
    """
    program = analysis.program
    table = program.table_of(function)
    if not call.arguments:
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


def _names_in(value: Expression) -> Iterator[str]:
    """The names that an expression may be of, with nothing done to them."""
    if value is None:
        return
    if value[0] == "name":
        yield value[1]
    elif value[0] == "either":
        for part in value[1:]:
            yield from _names_in(part)
