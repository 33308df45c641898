"""What a function without declared types is given by the type it is written for.

serve((request) => …)                    the parameter of `serve` is declared to be such a function
serve({ on: (request) => … })            the parameter has such a member
const handle: Handler = (request) => …   the variable is
function make(): Handler { return (request) => … }
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from drift.languages.expressions import Expression
from drift.languages.facts import Call, Parameter
from drift.languages.kinds import CODE_KINDS, TYPE_KINDS
from drift.scan.link.analysis import MOST_GIVEN, Analysis
from drift.scan.link.hierarchy import constructors_of
from drift.scan.link.member_types import types_inside
from drift.scan.link.tables import FileTable, Given
from drift.scan.link.type_reading import value_of_type
from drift.scan.link.values import (
    BOUND,
    INSTANCE,
    NOTHING,
    SYMBOL,
    SYMBOL_MASK,
    Value,
    Values,
    is_symbol,
    merge,
    symbol_of,
    tag_of,
)

_MOST_STEPS: Final = 4  # from the name of a type to the function type it stands for
_DECLARING: Final = frozenset({"interface", "type"})


def contextual_values(analysis: Analysis, function: int, place: int) -> Values:
    """What a parameter may be, by the types that its function is written for."""
    table = analysis.program.table_of(function)
    if not analysis.program.semantics(table).has_contextual_types:
        return NOTHING
    parts: dict[Values, None] = {}
    for form, scope in _types_around(analysis, table, function):
        for signature, at in _signatures(analysis, form, scope, steps=_MOST_STEPS):
            given = _parameter_form(signature, place)
            if given is not None:
                parts[analysis.evaluate(value_of_type(given), at)] = None
    return merge(parts)


def _types_around(analysis: Analysis, table: FileTable, function: int) -> Iterator[Given]:
    """The declared types of the places a function stands in, each with the scope that it is written in."""
    program, own = analysis.program, function & SYMBOL_MASK
    symbol = program.symbol(function)
    outer = table.first + symbol.parent
    if symbol.value_type is not None and symbol.value_type[0] == "typed":
        yield value_of_type(symbol.value_type[1]), outer
    around = program.symbol(outer)
    if around.return_type is not None and around.kind in CODE_KINDS:
        program.note_body(outer)
        if ("symbol", own) in table.returns.get(symbol.parent, ()):
            yield around.return_type, program.parent(outer)
    program.note_calls(table, f"({symbol.name}")
    for number in table.calls_with.get(own, ())[:MOST_GIVEN]:
        call = table.facts.calls[number]
        place = _place_of(call, ("symbol", own))
        if place is None:
            continue
        for value in analysis.evaluate(call.callee, table.first + call.scope):
            yield from _taken(analysis, value, place)
    yield from _types_of_members(analysis, table, own)


def _types_of_members(analysis: Analysis, table: FileTable, own: int) -> Iterator[Given]:
    """The declared types of the places in objects and lists that a function is written in."""
    analysis.program.note_calls(table, f"{{{table.symbols[own].name}")
    for number, place, path in table.calls_holding.get(own, ())[:MOST_GIVEN]:
        call = table.facts.calls[number]
        if _place_of(call, call.arguments[place][1]) != place:
            continue
        for value in analysis.evaluate(call.callee, table.first + call.scope):
            for form, scope in _taken(analysis, value, place):
                yield from types_inside(analysis, form, scope, path)


def _place_of(call: Call, wanted: Expression) -> int | None:
    """Which argument of a call a value is; None behind one that may be several, as what is spread is noted."""
    for place, (keyword, value) in enumerate(call.arguments):
        if value == wanted:
            return place
        if keyword is not None or (value is not None and value[0] == "item"):
            return None
    return None


def _taken(analysis: Analysis, value: Value, place: int) -> Iterator[Given]:
    """The declared types of an argument of what is called."""
    if not isinstance(value, int):
        return
    program, number, tag = analysis.program, symbol_of(value), tag_of(value)
    kind = program.symbol(number).kind
    if kind in CODE_KINDS and tag in {SYMBOL, BOUND}:
        functions = [number]
    elif kind in TYPE_KINDS and tag == SYMBOL:
        functions = list(constructors_of(analysis, number))
    else:
        functions = []
    for function in functions:
        form = _parameter_type(program.symbol(function).parameters, place)
        if form is not None:
            yield form, program.parent(function)
    if kind in _DECLARING and tag == INSTANCE:
        for signature, scope in _signatures_of(analysis, number, steps=_MOST_STEPS):
            given = _parameter_form(signature, place)
            if given is not None:
                yield value_of_type(given), scope


def _parameter_type(parameters: tuple[Parameter, ...], place: int) -> Expression:
    plain = [one for one in parameters if one.kind != "receiver"]
    if place < len(plain):
        return plain[place].type
    return plain[-1].type if plain and plain[-1].kind == "rest" else None


def _parameter_form(signature: Any, place: int) -> Expression:
    """The type of a parameter of a function type; the last may take all the rest."""
    forms = signature[1:]
    if place < len(forms) and (forms[place] is None or forms[place][0] != "rest"):
        given: Expression = forms[place]
        return given
    last = forms[-1] if forms else None
    if last is None or last[0] != "rest" or last[1] is None:
        return None
    held = last[1]
    if held[0] != "list":
        return None
    at = place - len(forms) + 1
    element: Expression = held[1 + at] if 1 + at < len(held) else held[-1] if len(held) > 1 else None
    return element


def _signatures(analysis: Analysis, form: Expression, scope: int, *, steps: int) -> Iterator[Given]:
    """The function types that a declared type stands for, each with the scope it is written in."""
    if form is None or not steps:
        return
    match form[0]:
        case "signature":
            yield form, scope
        case "either":
            for part in form[1:]:
                yield from _signatures(analysis, part, scope, steps=steps)
        case "own":
            yield from _signatures(analysis, form[2], scope, steps=steps)
        case "instance":
            for value in analysis.evaluate(form[1], scope):
                if is_symbol(value):
                    yield from _signatures_of(analysis, symbol_of(value), steps=steps)


def _signatures_of(analysis: Analysis, number: int, *, steps: int) -> Iterator[Given]:
    symbol = analysis.program.symbol(number)
    if symbol.kind in _DECLARING:
        yield from _signatures(analysis, symbol.value_type, analysis.program.parent(number), steps=steps - 1)
