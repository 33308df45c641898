"""Which of several functions of one class and name a call means: by the arguments it gives."""

from __future__ import annotations

from typing import Final

from drift.languages.facts import Call, Parameter
from drift.languages.kinds import CODE_KINDS, TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.bodies import declarations_of
from drift.scan.link.hierarchy import class_of, constructors_of, line_of_descent, own_members
from drift.scan.link.languages.cpp.numbers import certain_values, full_type, is_number
from drift.scan.link.languages.cpp.overloads import closest_overloads, without_withheld
from drift.scan.link.languages.cpp.temporaries import overloads_for_forms
from drift.scan.link.languages.csharp.overloads import best_overloads
from drift.scan.link.languages.java.assignability import have_same_parameters
from drift.scan.link.languages.java.overloads import applicable_overloads, chosen_methods
from drift.scan.link.type_counts import arguments_behind, arity_of
from drift.scan.link.values import BOUND, INSTANCE, SYMBOL, Value, Values

OVERLOADING: Final = frozenset({"cpp", "csharp", "java"})
"""The languages in which it depends on the arguments what a call means."""
_CALLING_METHODS: Final = frozenset({"php", "rust"})  # `x.f()` never calls what a field holds
_CHOOSING: Final = OVERLOADING | {
    "rust"
}  # the same name in impls for other type arguments may take more or less

_WORDS: Final = {"str": "string", "int": "int", "float": "float", "bool": "bool"}
_CPP_PREFIX: Final = "std."
_WIDENED: Final = {"int": "int", "integer": "int", "long": "int", "double": "float", "boolean": "bool"}


def fitting_overloads(
    analysis: Analysis, call: Call, scope: int, *, symbols: tuple[int, ...]
) -> tuple[int, ...]:
    """Those of the functions that take what the call gives; all where that leaves none."""
    program = analysis.program
    language = program.table_of(scope).facts.language
    if len(symbols) < 2 or language not in _CHOOSING:  # noqa: PLR2004  # one is no choice
        return symbols
    if language == "rust":
        return _with_count(analysis, call, symbols)
    if any(keyword is not None for keyword, _ in call.arguments):
        return _with_keywords(analysis, call, symbols) if language == "csharp" else symbols
    symbols = _callable_ones(analysis, call, symbols, language=language)
    counted = tuple(one for one in symbols if takes_as_many(analysis, one, len(call.arguments)))
    if len(counted) < 2:  # noqa: PLR2004  # one is no choice
        return counted or symbols
    if language == "java":
        return applicable_overloads(analysis, call, scope, functions=counted) or counted
    if language == "csharp":
        counted = best_overloads(analysis, call, scope, functions=counted)
        if len(counted) < 2:  # noqa: PLR2004  # one is no choice
            return counted
    given = [analysis.evaluate(value, scope) for _, value in call.arguments]
    if language == "cpp":
        return _cpp_overloads(analysis, call, scope, functions=counted, given=given)
    typed = tuple(one for one in counted if _accepts(analysis, one, given)) or counted
    return _without_surplus(analysis, typed, len(given)) if language == "csharp" else typed


def _callable_ones(
    analysis: Analysis, call: Call, symbols: tuple[int, ...], *, language: str
) -> tuple[int, ...]:
    """Those of the functions that a call can mean whatever it gives; all where that leaves none."""
    program = analysis.program
    if language == "csharp" and call.kind != "new" and (given_count := arguments_behind(call.text)):
        symbols = tuple(one for one in symbols if arity_of(program.symbol(one)) == given_count) or symbols
    # What is deleted is there to be refused, never to be called.
    symbols = tuple(one for one in symbols if "deleted" not in program.symbol(one).modifiers) or symbols
    return without_withheld(analysis, symbols) if language == "cpp" else symbols


def _cpp_overloads(
    analysis: Analysis, call: Call, scope: int, *, functions: tuple[int, ...], given: list[Values]
) -> tuple[int, ...]:
    forms = [value for _, value in call.arguments]
    certain = [
        certain_values(analysis, form, values, scope=scope) for form, values in zip(forms, given, strict=True)
    ]
    typed = tuple(one for one in functions if _accepts(analysis, one, certain)) or functions
    typed = overloads_for_forms(analysis, typed, forms, given=certain, scope=scope)
    return closest_overloads(analysis, typed, certain) if len(typed) > 1 and any(certain) else typed


def _with_count(analysis: Analysis, call: Call, symbols: tuple[int, ...]) -> tuple[int, ...]:
    """Those of the functions that take as much as is given, the object too where a path names the method; all if none."""
    count = len(call.arguments)
    is_path = "::" in call.text.rpartition(".")[2]
    found = []
    for one in symbols:
        parameters = analysis.program.symbol(one).parameters
        counts = is_path or not any(given.kind == "receiver" for given in parameters)
        if len(parameters) - (not counts) == count or any(given.kind == "rest" for given in parameters):
            found.append(one)
    return tuple(found) or symbols


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


def chosen_values(analysis: Analysis, call: Call, scope: int, *, values: Values) -> Values:
    """Of what has the name that is called, what the call means, where the language lets arguments decide that."""
    language = analysis.program.table_of(scope).facts.language
    if language == "java":
        return chosen_methods(analysis, call, scope, values=values)
    if language == "csharp":
        return _inherited_instead(analysis, call, values)
    return _methods_among(analysis, call, values) if language in _CALLING_METHODS else values


def _inherited_instead(analysis: Analysis, call: Call, values: Values) -> Values:
    """The methods that a class inherits, where its own of that name do not take as much as is given."""
    methods = _methods_of(analysis, values) if call.kind != "new" else []
    count = len(call.arguments)
    program = analysis.program
    if not methods or any(takes_count(program.symbol(one >> 2).parameters, count) for one in methods):
        return values
    found: dict[Value, None] = {}
    for method in methods:
        owner, name = class_of(analysis, method >> 2), program.symbol(method >> 2).name
        for ancestor in line_of_descent(analysis, owner)[1:] if owner is not None else ():
            members = own_members(analysis, ancestor, name) if isinstance(ancestor, int) else ()
            taking = [one for one in members if takes_count(program.symbol(one).parameters, count)]
            if taking:
                found.update(dict.fromkeys(one << 2 | method & 3 for one in taking))
                break
    return (*found, *(value for value in values if value not in methods)) if found else values


def _methods_of(analysis: Analysis, values: Values) -> list[int]:
    return [
        value
        for value in values
        if isinstance(value, int)
        and value & 3 in {SYMBOL, BOUND}
        and analysis.program.symbol(value >> 2).kind == "method"
    ]


def _methods_among(analysis: Analysis, call: Call, values: Values) -> Values:
    """The methods of a name, without what properties of that name hold; all where there is no such method."""
    callee = call.callee
    if len(values) < 2 or callee is None or callee[0] != "member" or call.text.endswith(")"):  # noqa: PLR2004  # one is no choice
        return values  # `($this->callback)()` calls what the property holds
    name = callee[2].lower()
    methods = tuple(
        value
        for value in values
        if isinstance(value, int)
        and value & 3 in {SYMBOL, BOUND}
        and analysis.program.symbol(value >> 2).name.lower() == name
    )
    outside = (value for value in values if isinstance(value, str) and value.lower().endswith(f".{name}"))
    return (*methods, *outside) if methods else values


def may_override(analysis: Analysis, method: int, overridden: int) -> bool:
    """Whether a method of a class below takes the place of one of the same name above it."""
    program = analysis.program
    if program.table_of(method).facts.language not in OVERLOADING:
        return True
    kinds = {program.symbol(method).kind, program.symbol(overridden).kind}
    if not kinds <= CODE_KINDS or "property" in kinds:
        return True
    if program.table_of(method).facts.language == "java":
        return have_same_parameters(analysis, method, overridden)
    return len(program.symbol(method).parameters) == len(program.symbol(overridden).parameters)


def takes_count(parameters: tuple[Parameter, ...], count: int) -> bool:
    """Whether a function with these parameters takes so many arguments."""
    plain = [parameter for parameter in parameters if parameter.kind == "plain"]
    needed = sum(1 for parameter in plain if parameter.default_text is None)
    has_rest = any(parameter.kind == "rest" for parameter in parameters)
    return needed <= count and (has_rest or count <= len(plain))


def takes_as_many(analysis: Analysis, function: int, count: int) -> bool:
    """Whether a function takes so many arguments; in C++ its declaration says what the last ones are by default."""
    program = analysis.program
    parameters = program.symbol(function).parameters
    if takes_count(parameters, count):
        return True
    plain = sum(1 for one in parameters if one.kind == "plain")
    if count >= plain or program.table_of(function).facts.language != "cpp":
        return False
    declarations = declarations_of(analysis, function)
    return any(takes_count(program.symbol(one).parameters, count) for one in declarations)


def _accepts(analysis: Analysis, function: int, given: list[Values]) -> bool:
    parameters = [one for one in analysis.program.symbol(function).parameters if one.kind == "plain"]
    scope = analysis.program.parent(function)
    return all(
        _is_possible(
            analysis, values, _told(analysis.evaluate(parameter.type, scope), parameter.type_text or "")
        )
        for values, parameter in zip(given, parameters, strict=False)
    )


def _told(declared: Values, text: str) -> Values:
    """What is told of a parameter: nothing of a pointer to numbers by a name of their own, which may be a string."""
    is_hidden = "*" in text and any(is_number(kind) and "*" in full_type(kind, text) for kind in declared)
    return () if is_hidden else declared


def _is_possible(analysis: Analysis, given: Values, declared: Values) -> bool:
    """Whether one of the values may be of the type; what is not known may be anything."""
    if not given or not declared:
        return True
    return any(_may_be(analysis, value, kind) for value in given for kind in declared)


def _may_be(analysis: Analysis, value: Value, kind: Value) -> bool:
    if isinstance(value, int) and isinstance(kind, int):
        is_object = value & 3 == INSTANCE and analysis.program.symbol(kind >> 2).kind in TYPE_KINDS
        return not is_object or kind >> 2 in line_of_descent(analysis, value >> 2)
    word, other = _word(value), _word(kind)
    if word is not None and other is not None:
        return word == other or ("string" not in {word, other} and _is_of_cpp(value))
    return word is None or not isinstance(kind, int) or _converts(analysis, kind >> 2)


def _is_of_cpp(value: Value) -> bool:
    """Whether a number is one of C++, which takes any for any other."""
    return isinstance(value, tuple) and value[0] == "literal" and value[2] == _CPP_PREFIX


def _converts(analysis: Analysis, owner: int) -> bool:
    """Whether a value that is no object of a class becomes one by being given: C++ calls a constructor for it."""
    program = analysis.program
    if program.table_of(owner).facts.language != "cpp":
        return False
    if program.symbol(owner).kind == "type":
        return True  # another name for what nothing is known of
    constructors = [program.symbol(one) for one in constructors_of(analysis, owner)]
    return any("explicit" not in one.modifiers and takes_count(one.parameters, 1) for one in constructors)


def _word(value: Value) -> str | None:
    """The everyday type of a value, if it is of one."""
    if isinstance(value, tuple):
        return _WORDS.get(value[1]) if value[0] == "literal" else None
    if isinstance(value, str):
        last = value.rpartition(".")[2].lower()
        return last if last == "string" else _WIDENED.get(last)
    return None
