"""Which C++ functions of one name cannot take an argument because it is a string, a number, a list or a lambda."""

from __future__ import annotations

import re
from typing import Final

from drift.languages.cpp.type_forms import DICTS, LISTS
from drift.languages.expressions import Expression
from drift.languages.facts import Parameter
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import constructors_of, line_of_descent
from drift.scan.link.languages.cpp.conversions import converts
from drift.scan.link.languages.cpp.numbers import full_type, is_number
from drift.scan.link.values import Value, Values, is_instance, symbol_of

_STRING, _NUMBER, _LIST, _FUNCTION, _LISTED = "string", "number", "list", "function", "listed"
_OBJECT: Final = "object"  # of a class of the project that nothing becomes
# What cannot be made of what, by what is given.
_REFUSED: Final = {
    _STRING: frozenset({_NUMBER, _LIST, _FUNCTION, _LISTED, _OBJECT}),
    _NUMBER: frozenset({_STRING, _LIST, _FUNCTION, _LISTED, _OBJECT}),
    _LIST: frozenset({_STRING, _NUMBER, _FUNCTION, _LISTED, _OBJECT}),
    _FUNCTION: frozenset({_STRING, _NUMBER, _LIST, _LISTED, _OBJECT}),
}
_STRINGS: Final = frozenset(
    {"string", "string_view", "u16string", "u32string", "u8string", "wstring", "wstring_view"}
)
_LIST_NAMES: Final = LISTS | DICTS
_LIST_OF_ARGUMENTS: Final = "initializer_list"
_NOISE: Final = re.compile(r"\b(?:class|const|struct|typename|volatile)\b|&")
_PATH: Final = re.compile(r"(?:\w++\s*+::\s*+)*+(\w++)\s*+(<[^;]*>)?\s*+(\*?)\Z")


def overloads_by_shape(
    analysis: Analysis, functions: tuple[int, ...], forms: list[Expression], *, given: list[Values]
) -> tuple[int, ...]:
    """Those of the functions that may take what is given, by its shape alone; all where that leaves none."""
    found = functions
    for place, form in enumerate(forms):
        if len(found) < 2:  # noqa: PLR2004  # one is no choice
            return found
        wanted = {one: _shape_taken(analysis, one, place) for one in found}
        if form is not None and form[0] == "list":
            # Of functions that may be given `{a, b}` the one that says so is taken.
            found = tuple(one for one in found if wanted[one] == _LISTED) or found
            continue
        refused = _REFUSED.get(_shape_given(form, given[place]) or "", frozenset())
        found = tuple(one for one in found if wanted[one] not in refused) or found
    return found


def _shape_given(form: Expression, values: Values) -> str | None:
    if form is None:
        return None
    if form[0] == "symbol":
        return _FUNCTION
    if form[0] not in {"literal", "name", "member", "instance", "own", "result", "either"}:
        return None
    shapes = {_shape_of(value) for value in values}
    return shapes.pop() if len(shapes) == 1 else None


def _shape_of(value: Value) -> str | None:
    if is_number(value):
        full = full_type(value)
        if full.endswith("*"):
            return _STRING if full in {"char*", "wchar_t*"} else None
        return _NUMBER
    if isinstance(value, tuple):
        return _LIST if value[0] == "container" else None
    if isinstance(value, str):
        return _STRING if value.rpartition(".")[2] in _STRINGS else None
    return None


def _shape_taken(analysis: Analysis, function: int, place: int) -> str | None:
    """The shape of what a function takes at a place; None where it takes more than one shape, or that is not known."""
    symbol = analysis.program.symbol(function)
    plain = [one for one in symbol.parameters if one.kind == "plain"]
    if place >= len(plain):
        return None
    found: str | None = analysis.cached(
        ("shape taken", function, place), _shape_declared, function, plain[place]
    )
    return found or None


def _shape_declared(analysis: Analysis, function: int, parameter: Parameter) -> str:
    text = _NOISE.sub(" ", parameter.type_text or "").strip()
    match = _PATH.match(text)
    if match is not None and match[2] is not None:
        if match[3]:
            return ""
        if match[1] == _LIST_OF_ARGUMENTS:
            return _LISTED
        return _FUNCTION if match[1] == "function" else _LIST if match[1] in _LIST_NAMES else ""
    declared = analysis.evaluate(parameter.type, analysis.program.parent(function))
    shapes = {_shape_of(value) or _shape_of_object(analysis, value) for value in declared}
    found = shapes.pop() if len(shapes) == 1 else None
    if text.endswith("*"):
        return _STRING if found == _STRING else ""
    return found or ""


def _shape_of_object(analysis: Analysis, value: Value) -> str | None:
    if not is_instance(value) or analysis.program.symbol(symbol_of(value)).kind not in {"class", "struct"}:
        return None
    owner = symbol_of(value)
    line = [one for one in line_of_descent(analysis, owner) if isinstance(one, int)]
    # One without a constructor may have those of a class above it.
    is_open = not constructors_of(analysis, owner) and len(line) > 1
    return None if is_open or converts(analysis, owner) else _OBJECT
