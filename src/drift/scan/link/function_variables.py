"""Type variables of functions: what stands for `T` of `T find(Class<T> type)` in one call of it.

It is what the call says (`Find<Order>()`), else what its arguments are: an object of it, the class itself, something that
holds some, or a function that gives one. Which types are functions is data: `words.callables` in `languages/frameworks`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

from drift.languages.expressions import Expression, library_shape
from drift.languages.facts import Call, Parameter
from drift.languages.frameworks import load_frameworks
from drift.scan.link.analysis import Analysis
from drift.scan.link.type_counts import arguments_of, split_arguments

_VARIABLE: Final = re.compile(r"(?<![\w.])(?:[A-Z][A-Z0-9]?|T[A-Z]\w{0,60})(?![\w.])")
_MARKS: Final = " &*?\"'"
_HOLDER: Final = re.compile(r"(?:[\w.]{0,200}\.)?(\w{1,100})\s{0,9}<")
_BOUND: Final = re.compile(r"\?\s{1,9}(?:super|extends)\s{1,9}|\b(?:in|out)\s{1,9}")
_PAIR: Final = 2  # type arguments: of keys and of what is under them
_CLASS_SAID: Final = re.compile(r"\w{1,100}<([A-Za-z_][\w.]{0,200})>")
_CLASS_GIVEN: Final = 3  # parts of the form of a class that is given as a value


class Callables(NamedTuple):
    """The types of functions in a language: those that give their last type argument, others, and what stands around them.

    Types that read as the one object they may hold, and those of classes that are values, are told beside them.
    """

    giving: frozenset[str] = frozenset()
    taking: frozenset[str] = frozenset()
    around: frozenset[str] = frozenset()
    wrappers: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()


class Written(NamedTuple):
    """A type as written, and the scope it is written in; with what stands for type variables of the function that is called."""

    text: str
    scope: int
    known: tuple[tuple[str, Expression, int], ...] = ()


class Taken(NamedTuple):
    """A type of functions: what they are given, and what they give, as written."""

    given: tuple[str, ...]
    result: str | None


@cache
def callables_of(frameworks: str) -> Callables:
    """The types of functions that a file of frameworks names; none where it names none."""
    words = load_frameworks(frameworks) if frameworks else None
    if words is None or "callables" not in words.words:
        return Callables()
    return Callables(*(words.names("callables", key) for key in Callables._fields))


def function_type(text: str, known: Callables) -> Taken | None:
    """What a type of functions says; None for any other type."""
    plain = _BOUND.sub("", text).strip(_MARKS)
    head = _HOLDER.match(plain)
    if head is None:
        return None
    given = split_arguments(plain[head.end() :])
    if head[1] in known.around and len(given) == 1:
        return function_type(given[0], known)
    if head[1] in known.giving and given:
        return Taken(tuple(given[:-1]) or (given[0],), given[-1])
    return Taken(tuple(given), None) if head[1] in known.taking else None


def variables_in(text: str | None) -> tuple[str, ...]:
    """What is written like a type variable."""
    return tuple(dict.fromkeys(_VARIABLE.findall(text))) if text and max(text) >= "T" else ()


def said_type(analysis: Analysis, function: int, variable: str, call: Call) -> str | None:
    """The type that a call says for a variable: `Order` of `Find<Order>()`."""
    if not call.text.endswith(">"):
        return None
    symbol = analysis.program.symbol(function)
    given = arguments_of(call.text, symbol.name)
    declared = arguments_of(symbol.signature, symbol.name) or ([variable] if len(given) == 1 else [])
    return given[declared.index(variable)] if variable in declared and len(declared) == len(given) else None


def of_function(analysis: Analysis, function: int, variable: str, call: Call, scope: int) -> Written | None:
    """What stands for a type variable of a function in a call of it."""
    said = said_type(analysis, function, variable, call)
    if said is not None:
        return Written(said, scope)
    form = _given(analysis, function, variable, call)
    return None if form is None else Written(variable, scope, ((variable, form, scope),))


def with_variables(analysis: Analysis, function: int, call: Call, scope: int) -> Written:
    """The type of a result with what stands for the variables of the function in a call of it."""
    text, parent = analysis.program.symbol(function).return_text or "", analysis.program.parent(function)
    told: list[tuple[str, Expression, int]] = []
    for variable in variables_in(text) if "<" in text else ():
        found = of_function(analysis, function, variable, call, scope)
        if found is not None and found.known:
            told += found.known
        elif found is not None:
            text, parent = found.text.join(re.split(rf"\b{variable}\b", text)), scope
    return Written(text, parent, tuple(told))


def _given(analysis: Analysis, function: int, variable: str, call: Call) -> Expression:
    """The expression of the objects that stand for a variable, by the arguments of a call; None where none says so."""
    program = analysis.program
    known = callables_of(program.table_of(function).file_semantics.frameworks)
    if not known.giving:
        return None
    parameters = [one for one in program.symbol(function).parameters if one.kind != "receiver"]
    for parameter, (keyword, argument) in zip(parameters, call.arguments, strict=False):
        if keyword is None and argument is not None and variable in (parameter.type_text or ""):
            form = _object_form(parameter, variable, argument, known)
            if form is not None:
                return form
    return None


def _object_form(parameter: Parameter, variable: str, argument: Expression, known: Callables) -> Expression:
    text = _BOUND.sub("", parameter.type_text or "").strip(_MARKS)
    taken = function_type(text, known)
    if text == variable:
        return argument
    if taken is not None:
        is_given = taken.result is not None and taken.result.strip(_MARKS) == variable
        return ("called", argument) if is_given else None
    head = _HOLDER.match(text)
    if head is None:
        return ("item", argument) if text.removesuffix("[]").removesuffix("...") == variable else None
    if split_arguments(text[head.end() :]) != [variable]:
        return None
    if head[1] in known.wrappers:
        return argument
    if head[1] not in known.classes:
        return ("item", argument)
    if argument is None or argument[0] != "instance" or len(argument) != _CLASS_GIVEN:
        return None
    path = _CLASS_SAID.fullmatch(str(argument[2]))
    return ("instance", _dotted(path[1])) if path is not None else None


def under_keys(text: str, declared: Expression, variables: tuple[str, ...]) -> int | None:
    """The variable of what a map holds under its keys: `V` of `Map<K, V>`."""
    shape = library_shape(declared)
    head = _HOLDER.search(text) if shape is not None and shape[0] == "dict" else None
    given = split_arguments(text[head.end() :]) if head is not None else []
    return variables.index(given[-1]) if len(given) == _PAIR and given[-1] in variables else None


def held_type(analysis: Analysis, argument: Written) -> tuple[Written, str | None] | None:
    """What a type of a library holds, and in which form: `List<Order>`, `Map<String, Order>`, `Optional<Order>`."""
    head = _HOLDER.match(argument.text.strip(_MARKS))
    if head is None:
        return None
    given = split_arguments(argument.text.strip(_MARKS)[head.end() :])
    if not given or len(given) > _PAIR:
        return None
    known = callables_of(analysis.program.table_of(argument.scope).file_semantics.frameworks)
    kind: str | None = None
    if head[1] not in known.wrappers:
        kind = "list" if len(given) < _PAIR else "dict"
    return argument._replace(text=given[-1]), kind


def _dotted(path: str) -> Expression:
    first, *rest = path.split(".")
    form: Expression = ("name", first)
    for part in rest:
        form = ("member", form, part)
    return form
