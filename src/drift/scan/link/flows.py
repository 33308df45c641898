"""What flows into the parameters of functions, from the calls in their own file.

Calls in other files are left out: their values would make the links of a file depend on everyone who uses it,
tests not least. Measured on Django, which declares no types, that costs two in a hundred true calls and wins
as much in precision.
"""

from __future__ import annotations

from collections.abc import Iterator

from drift.languages.facts import Call, Parameter
from drift.languages.kinds import CODE_KINDS, TYPE_KINDS
from drift.scan.link.analysis import MOST_GIVEN, Analysis
from drift.scan.link.call_sites import ALIASED, RESULT
from drift.scan.link.contextual_types import contextual_values
from drift.scan.link.definition_values import decorated
from drift.scan.link.hierarchy import class_of, constructors_of
from drift.scan.link.outside_results import elements_given
from drift.scan.link.returns import is_abstract, returned_values, yielded_values
from drift.scan.link.tables import FileTable
from drift.scan.link.values import (
    NOTHING,
    SYMBOL_MASK,
    Arguments,
    Form,
    Value,
    Values,
    is_bound,
    is_generated,
    is_internal,
    is_reference,
    is_symbol,
    merge,
    symbol_of,
)
from drift.scan.link.variable_results import closure_objects

Placed = tuple[Form, int]
Flow = tuple[int, str | None, Form]
"""A parameter's place, the keyword among surplus ones, and what is given."""


def parameter_values(analysis: Analysis, function: int, place: int) -> Values:
    """What a parameter may be: of its declared type, else whatever is seen to flow in."""
    parameter = analysis.program.symbol(function).parameters[place]
    if parameter.kind == "receiver":
        return analysis.evaluate(("this",), function)
    if parameter.kind in {"rest", "keywords"}:
        return (_collected(analysis, function, place, parameter),)
    declared = analysis.evaluate(parameter.type, analysis.program.parent(function))
    if declared and not is_abstract(analysis, declared):
        return declared
    provided = _provided_values(analysis, function, parameter.name)
    if provided and not (declared and is_abstract(analysis, provided)):
        return provided
    if declared:
        return declared
    given = merge(analysis.evaluate(*given) for _, given in given_arguments(analysis, function, place))
    if any(map(is_internal, given)):
        return given
    # What something outside gave says less than what the function is declared to be handed.
    contextual = contextual_values(analysis, function, place)
    if any(map(is_internal, contextual)):
        return contextual
    return given or contextual or closure_objects(analysis, function, place)


def given_arguments(analysis: Analysis, function: int, place: int) -> list[tuple[str | None, Placed]]:
    """What calls in the function's file give for a parameter, with the keyword where it is a surplus one."""
    found: list[tuple[str | None, Placed]] | tuple[()] = analysis.cached(
        ("arguments", function, place), _find_arguments, function, place
    )
    return found or []


def _find_arguments(analysis: Analysis, function: int, place: int) -> list[tuple[str | None, Placed]]:
    parameters = analysis.program.symbol(function).parameters
    found: dict[tuple[str | None, Placed], None] = {}
    for arguments, scope, has_receiver in _calls_to(analysis, function):
        for at, keyword, value in flows(parameters, arguments, is_bound=has_receiver):
            if at == place:
                found[keyword, (value, scope)] = None
    return list(found)[:MOST_GIVEN]


def _calls_to(analysis: Analysis, function: int) -> Iterator[tuple[Arguments, int, bool]]:
    """What calls of a function in its own file give it, each with its scope and whether the receiver is given apart."""
    program = analysis.program
    table = program.table_of(function)
    symbol = program.symbol(function)
    owner = class_of(analysis, function)
    own = function & SYMBOL_MASK
    names: dict[str | tuple[int, str], None] = {symbol.name: None}
    if owner is not None and symbol.kind == "constructor":
        names[program.symbol(owner).name] = None
    if program.is_in_function(table.first + symbol.parent):
        names[RESULT] = None
    if symbol.name.startswith("<"):
        names = {(own, ALIASED): None, RESULT: None}
    for name in names:
        program.note_calls(table, name if isinstance(name, str) else f"{table.identities[own]}({ALIASED}")
        for number in table.calls_of.get(name, ())[:MOST_GIVEN]:
            call = table.facts.calls[number]
            scope = table.first + call.scope
            for value in analysis.evaluate(call.callee, scope):
                if isinstance(value, int) and _runs(analysis, value, function):
                    given = call.arguments if call.kind != "decorator" else decorated(analysis, table, number)
                    yield given, scope, is_bound(value) or symbol_of(value) != function
    if table.file_semantics.calls_given_closures:
        program.note_calls(table, f"{table.identities[own]}(")
        for number in table.calls_of.get((own, ""), ()):
            call = table.facts.calls[number]
            yield call.arguments, table.first + call.scope, True
    yield from _callbacks(analysis, table, function)


def _runs(analysis: Analysis, value: int, function: int) -> bool:
    if symbol_of(value) == function:
        return is_reference(value)
    if not is_symbol(value) or analysis.program.symbol(symbol_of(value)).kind not in TYPE_KINDS:
        return False
    return function in constructors_of(analysis, symbol_of(value))


def _callbacks(analysis: Analysis, table: FileTable, function: int) -> Iterator[tuple[Arguments, int, bool]]:
    """Calls that go through elements with the function: `map(function, elements)`."""
    own = function & SYMBOL_MASK
    name = table.symbols[own].name
    analysis.program.note_calls(table, f"({name}")
    sites = [*table.calls_with.get(own, ()), *table.calls_with.get(name, ())][:MOST_GIVEN]
    for number in sites:
        call = table.facts.calls[number]
        scope = table.first + call.scope
        for value in analysis.evaluate(call.callee, scope):
            for place, elements in elements_given(analysis, value, call, scope):
                given = call.arguments[place][1]
                for passed in analysis.evaluate(given, scope):
                    if isinstance(passed, int) and symbol_of(passed) == function:
                        yield elements, scope, is_bound(passed)
            if is_reference(value):
                yield from _passed_on(analysis, call, scope, value=value, function=function)


def _passed_on(
    analysis: Analysis, call: Call, scope: int, *, value: int, function: int
) -> Iterator[tuple[Arguments, int, bool]]:
    """The calls that a function makes of a parameter for which the other function is given."""
    program = analysis.program
    taker = symbol_of(value)
    symbol = program.symbol(taker)
    if symbol.kind not in CODE_KINDS:
        return
    table = program.table_of(taker)
    for place, _, given in flows(symbol.parameters, call.arguments, is_bound=is_bound(value)):
        passed = [
            one
            for one in analysis.evaluate(given, scope)
            if isinstance(one, int) and symbol_of(one) == function
        ]
        if not passed:
            continue
        own, name = taker & SYMBOL_MASK, symbol.parameters[place].name
        program.note_calls(table, f"{table.identities[own]}({name}")
        for number in table.calls_of.get((own, name), ()):
            yield table.facts.calls[number].arguments, taker, is_bound(passed[0])


def flows(parameters: tuple[Parameter, ...], arguments: Arguments, *, is_bound: bool) -> Iterator[Flow]:
    """Which argument each parameter takes. Literals are left out: they say nothing about which code runs."""
    positional = [
        place
        for place, parameter in enumerate(parameters)
        if parameter.kind == "plain" or (parameter.kind == "receiver" and not is_bound)
    ]
    rest = next((place for place, parameter in enumerate(parameters) if parameter.kind == "rest"), None)
    at = 0
    for keyword, value in arguments:
        if keyword is None:
            place = positional[at] if at < len(positional) else rest
            at += 1
            if place is not None and _says_something(value):
                yield place, None, value
        elif not _says_something(value):
            continue
        elif keyword == "*":
            for place in (*positional[at:], *([rest] if rest is not None else [])):
                yield place, None, ("item", value)
        elif keyword == "**":
            yield from _spread(parameters, value)
        else:
            yield from _by_keyword(parameters, keyword, value)


def _says_something(value: Form) -> bool:
    return value is not None and value[0] != "literal"


def _by_keyword(parameters: tuple[Parameter, ...], keyword: str, value: Form) -> Iterator[Flow]:
    for place, parameter in enumerate(parameters):
        if parameter.name == keyword and parameter.kind not in {"rest", "keywords"}:
            yield place, None, value
            return
    for place, parameter in enumerate(parameters):
        if parameter.kind == "keywords":
            yield place, keyword, value


def _spread(parameters: tuple[Parameter, ...], value: Form) -> Iterator[Flow]:
    for place, parameter in enumerate(parameters):
        if parameter.kind in {"plain", "keyword"}:
            yield place, None, ("key", value, parameter.name)
        elif parameter.kind == "keywords":
            yield place, None, ("item", value)


def _collected(analysis: Analysis, function: int, place: int, parameter: Parameter) -> Value:
    """The container that collects the surplus arguments of a function."""
    kind = "dict" if parameter.kind == "keywords" else "tuple"
    value, made = analysis.container(("collected", function, place), kind, function)
    if made is not None:
        made.name = parameter.name
        made.function = (function, place)
        if parameter.type is not None:
            made.entries.append((None, parameter.type, analysis.program.parent(function)))
    return value


def _provided_values(analysis: Analysis, function: int, name: str) -> Values:
    """What a framework gives to a parameter: the result of the function that provides it."""
    program = analysis.program
    table = program.table_of(function)
    place = program.semantics(table).provider(table.path, function & SYMBOL_MASK, name)
    if place is None or place[0] not in program.files:
        return NOTHING
    provider = program.table(program.files[place[0]]).first + place[1]
    values = returned_values(analysis, provider)
    generators = [value for value in values if is_generated(value)]
    if not generators:
        return values
    return yielded_values(analysis, provider)
