"""What calls give, and what closures are handed, by type variables: `T find(Class<T> type)`, `void each(Consumer<T> then)`."""

from __future__ import annotations

from typing import Final

from drift.languages.facts import Call
from drift.languages.kinds import CODE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.function_variables import (
    Callables,
    callables_of,
    function_type,
    of_function,
    variables_in,
)
from drift.scan.link.hierarchy import class_of
from drift.scan.link.type_arguments import (
    argument_of,
    holds_many,
    member_variables,
    objects_of,
    receiver_of,
)
from drift.scan.link.values import NOTHING, SYMBOL_MASK, Values, is_reference, merge, symbol_of

_MARKS: Final = " &*?\"'"
_MOST_SOURCES: Final = 3
_MOST_STEPS: Final = 5
_MOST_ARGUMENTS: Final = 12


def call_objects(analysis: Analysis, function: int, call: Call, scope: int) -> Values | None:
    """What a call gives of a function whose result is of one of its own type variables; None where that is not so."""
    symbol = analysis.program.symbol(function)
    found = variables_in(symbol.return_text)
    if len(found) != 1 or symbol.return_text is None or symbol.kind not in CODE_KINDS:
        return None
    is_many = holds_many(symbol.return_text, symbol.return_type, found[0], "")
    if is_many is None or len(call.arguments) > _MOST_ARGUMENTS:
        return None
    argument = of_function(analysis, function, found[0], call, scope)
    return None if argument is None else objects_of(analysis, argument, is_many=is_many)


def closure_objects(analysis: Analysis, function: int, place: int) -> Values:
    """What a parameter of a function is that is written as an argument, by a type variable in the type it is taken as."""
    table, own = analysis.program.table_of(function), function & SYMBOL_MASK
    known = callables_of(table.file_semantics.frameworks)
    if not known.taking:
        return NOTHING
    analysis.program.note_calls(table, f"({table.symbols[own].name}")
    parts: list[Values] = []
    for number in table.calls_with.get(own, ())[:_MOST_SOURCES]:
        call, scope = table.facts.calls[number], table.first + table.facts.calls[number].scope
        at = next((at for at, (_, one) in enumerate(call.arguments) if one == ("symbol", own)), None)
        if at is None:
            continue
        parts += [
            _handed_to_closure(analysis, symbol_of(value), (call, at, place), scope, known)
            for value in analysis.evaluate(call.callee, scope)[:_MOST_SOURCES]
            if is_reference(value)
        ]
    return merge(parts)


def _handed_to_closure(
    analysis: Analysis, taking: int, handed: tuple[Call, int, int], scope: int, known: Callables
) -> Values:
    call, at, place = handed
    parameters = [one for one in analysis.program.symbol(taking).parameters if one.kind != "receiver"]
    taken = function_type(parameters[at].type_text or "", known) if at < len(parameters) else None
    if taken is None or place >= len(taken.given):
        return NOTHING
    text = taken.given[place].strip(_MARKS)
    owner = class_of(analysis, taking)
    variables = () if owner is None else member_variables(analysis, taking, owner)
    argument = None
    if owner is not None and text in variables:
        receiver = receiver_of(call.callee)
        argument = argument_of(analysis, (owner, variables.index(text)), receiver, scope, steps=_MOST_STEPS)
    elif text in variables_in(text):
        argument = of_function(analysis, taking, text, call, scope)
    found = None if argument is None else objects_of(analysis, argument, is_many=False)
    return found or NOTHING
