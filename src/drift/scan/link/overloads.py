"""Which of several functions of one class and name a call means: by the arguments it gives."""

from __future__ import annotations

from typing import Final

from drift.languages.facts import Call, Parameter
from drift.languages.kinds import CODE_KINDS, TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.bodies import declarations_of
from drift.scan.link.hierarchy import line_of_descent
from drift.scan.link.values import Value, Values, is_instance, is_reference, symbol_of

_WORDS: Final = {"str": "string", "int": "int", "float": "float", "bool": "bool"}
_WIDENED: Final = {"int": "int", "integer": "int", "long": "int", "double": "float", "boolean": "bool"}


def fitting_overloads(
    analysis: Analysis, call: Call, scope: int, *, symbols: tuple[int, ...]
) -> tuple[int, ...]:
    """Those of the functions that take what the call gives; all where that leaves none."""
    if len(symbols) < 2:  # noqa: PLR2004  # one is no choice
        return symbols
    return analysis.program.semantics_at(scope).chosen_overloads(analysis, call, scope, functions=symbols)


def counted_overloads(analysis: Analysis, call: Call, functions: tuple[int, ...]) -> tuple[int, ...]:
    """Those of the functions that take as many arguments as the call gives."""
    return tuple(one for one in functions if takes_as_many(analysis, one, len(call.arguments)))


def without_deleted(analysis: Analysis, functions: tuple[int, ...]) -> tuple[int, ...]:
    """Without what is there to be refused, never to be called; all where that leaves none."""
    symbol = analysis.program.symbol
    return tuple(one for one in functions if "deleted" not in symbol(one).modifiers) or functions


def has_keywords(call: Call) -> bool:
    """Whether a call gives arguments by their names."""
    return any(keyword is not None for keyword, _ in call.arguments)


def chosen_values(analysis: Analysis, call: Call, scope: int, *, values: Values) -> Values:
    """Of what has the name that is called, what the call means, where the language lets arguments decide that."""
    return analysis.program.semantics_at(scope).chosen_values(analysis, call, scope, values=values)


def methods_among(analysis: Analysis, call: Call, values: Values) -> Values:
    """The methods of a name, without what properties of that name hold; all where there is no such method."""
    callee = call.callee
    if len(values) < 2 or callee is None or callee[0] != "member" or call.text.endswith(")"):  # noqa: PLR2004  # one is no choice
        return values  # `($this->callback)()` calls what the property holds
    name = callee[2].lower()
    methods = tuple(
        value
        for value in values
        if is_reference(value) and analysis.program.symbol(symbol_of(value)).name.lower() == name
    )
    outside = (value for value in values if isinstance(value, str) and value.lower().endswith(f".{name}"))
    return (*methods, *outside) if methods else values


def may_override(analysis: Analysis, method: int, overridden: int) -> bool:
    """Whether a method of a class below takes the place of one of the same name above it."""
    program = analysis.program
    semantics = program.semantics_at(method)
    if not semantics.has_overloads:
        return True
    kinds = {program.symbol(method).kind, program.symbol(overridden).kind}
    if not kinds <= CODE_KINDS or "property" in kinds:
        return True
    return semantics.has_same_parameters(analysis, method, overridden)


def takes_count(parameters: tuple[Parameter, ...], count: int) -> bool:
    """Whether a function with these parameters takes so many arguments."""
    plain = [parameter for parameter in parameters if parameter.kind == "plain"]
    needed = sum(1 for parameter in plain if parameter.default_text is None)
    has_rest = any(parameter.kind == "rest" for parameter in parameters)
    return needed <= count and (has_rest or count <= len(plain))


def takes_as_many(analysis: Analysis, function: int, count: int) -> bool:
    """Whether a function takes so many arguments; its declaration may say what the last ones are by default."""
    program = analysis.program
    parameters = program.symbol(function).parameters
    if takes_count(parameters, count):
        return True
    plain = sum(1 for one in parameters if one.kind == "plain")
    if count >= plain or not program.semantics_at(function).has_defaults_in_declarations:
        return False
    declarations = declarations_of(analysis, function)
    return any(takes_count(program.symbol(one).parameters, count) for one in declarations)


def accepts(analysis: Analysis, function: int, given: list[Values]) -> bool:
    """Whether a function may take these values."""
    program = analysis.program
    parameters = [one for one in program.symbol(function).parameters if one.kind == "plain"]
    scope, semantics = program.parent(function), program.semantics_at(function)
    return all(
        _is_possible(
            analysis,
            values,
            semantics.declared_for_choice(
                analysis.evaluate(parameter.type, scope), parameter.type_text or ""
            ),
            takes_any_number=semantics.takes_any_number,
        )
        for values, parameter in zip(given, parameters, strict=False)
    )


def _is_possible(analysis: Analysis, given: Values, declared: Values, *, takes_any_number: bool) -> bool:
    """Whether one of the values may be of the type; what is not known may be anything."""
    if not given or not declared:
        return True
    return any(
        _may_be(analysis, value, kind, takes_any_number=takes_any_number)
        for value in by_name(given)
        for kind in by_name(declared)
    )


def by_name(values: Values) -> Values:
    """Without the containers that a type of another name stands for: functions are chosen by that name."""
    if not any(map(is_instance, values)):
        return values
    return tuple(one for one in values if not isinstance(one, tuple) or one[0] != "container")


def _may_be(analysis: Analysis, value: Value, kind: Value, *, takes_any_number: bool) -> bool:
    if isinstance(value, int) and isinstance(kind, int):
        is_object = is_instance(value) and analysis.program.symbol(symbol_of(kind)).kind in TYPE_KINDS
        return not is_object or symbol_of(kind) in line_of_descent(analysis, symbol_of(value))
    word, other = _word(value), _word(kind)
    if word is not None and other is not None:
        return word == other or (
            takes_any_number and isinstance(value, tuple) and "string" not in {word, other}
        )
    return (
        word is None
        or not isinstance(kind, int)
        or analysis.program.semantics_at(symbol_of(kind)).converts(analysis, symbol_of(kind))
    )


def _word(value: Value) -> str | None:
    """The everyday type of a value, if it is of one."""
    if isinstance(value, tuple):
        return _WORDS.get(value[1]) if value[0] == "literal" else None
    if isinstance(value, str):
        last = value.rpartition(".")[2].lower()
        return last if last == "string" else _WIDENED.get(last)
    return None
