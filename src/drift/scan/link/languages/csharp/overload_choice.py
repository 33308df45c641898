"""Which of several C# methods of one name a call means, from how many arguments it gives to which."""

from __future__ import annotations

from drift.languages import Call
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import class_of, line_of_descent, own_members
from drift.scan.link.languages.csharp.overloads import best_overloads
from drift.scan.link.overloads import (
    accepts,
    counted_overloads,
    has_keywords,
    takes_count,
    without_deleted,
)
from drift.scan.link.type_counts import arguments_behind, arity_of
from drift.scan.link.values import Value, Values, is_reference, symbol_of, tag_of, tagged_value


def chosen_overloads(
    analysis: Analysis, call: Call, scope: int, *, functions: tuple[int, ...]
) -> tuple[int, ...]:
    """Those of the functions that take what the call gives; all where that leaves none."""
    if has_keywords(call):
        return _with_keywords(analysis, call, functions)
    functions = without_deleted(analysis, _with_type_arguments(analysis, call, functions))
    counted = counted_overloads(analysis, call, functions)
    if len(counted) < 2:  # noqa: PLR2004  # one is no choice
        return counted or functions
    counted = best_overloads(analysis, call, scope, functions=counted)
    if len(counted) < 2:  # noqa: PLR2004  # one is no choice
        return counted
    given = [analysis.evaluate(value, scope) for _, value in call.arguments]
    typed = tuple(one for one in counted if accepts(analysis, one, given)) or counted
    return _without_surplus(analysis, typed, len(given))


def _with_type_arguments(analysis: Analysis, call: Call, functions: tuple[int, ...]) -> tuple[int, ...]:
    """Those of the functions that take as many type arguments as the call gives; all where it gives none."""
    count = arguments_behind(call.text) if call.kind != "new" else 0
    if not count:
        return functions
    symbol = analysis.program.symbol
    return tuple(one for one in functions if arity_of(symbol(one)) == count) or functions


def _with_keywords(analysis: Analysis, call: Call, symbols: tuple[int, ...]) -> tuple[int, ...]:
    """Those of the functions that have parameters of the names given, and room for the rest; all if none has."""
    named = {keyword for keyword, _ in call.arguments if keyword is not None}
    found = []
    for one in symbols:
        parameters = analysis.program.symbol(one).parameters
        if named <= {given.name for given in parameters} and takes_count(parameters, len(call.arguments)):
            found.append(one)
    return tuple(found) or symbols


def _without_surplus(analysis: Analysis, functions: tuple[int, ...], count: int) -> tuple[int, ...]:
    """Without functions that have more parameters than are given, where one with the same has just these."""
    texts = {
        one: tuple((given.kind, given.type_text) for given in analysis.program.symbol(one).parameters)
        for one in functions
    }
    whole = {
        text for text in texts.values() if len(text) == count and all(kind == "plain" for kind, _ in text)
    }
    return (
        tuple(one for one, text in texts.items() if text in whole or text[:count] not in whole) or functions
    )


def inherited_instead(analysis: Analysis, call: Call, values: Values) -> Values:
    """The methods that a class inherits, where its own of that name do not take as much as is given."""
    methods = _methods_of(analysis, values) if call.kind != "new" else []
    count = len(call.arguments)
    program = analysis.program
    if not methods or any(takes_count(program.symbol(symbol_of(one)).parameters, count) for one in methods):
        return values
    found: dict[Value, None] = {}
    for method in methods:
        owner, name = class_of(analysis, symbol_of(method)), program.symbol(symbol_of(method)).name
        for ancestor in line_of_descent(analysis, owner)[1:] if owner is not None else ():
            members = own_members(analysis, ancestor, name) if isinstance(ancestor, int) else ()
            taking = [one for one in members if takes_count(program.symbol(one).parameters, count)]
            if taking:
                found.update(dict.fromkeys(tagged_value(one, tag_of(method)) for one in taking))
                break
    return (*found, *(value for value in values if value not in methods)) if found else values


def _methods_of(analysis: Analysis, values: Values) -> list[int]:
    return [
        value
        for value in values
        if is_reference(value) and analysis.program.symbol(symbol_of(value)).kind == "method"
    ]
