"""Declared types as linking reads them: as values of the type, not as its name.

Extractors of languages with declared types write the name of the type (`("name", "Store")`, `("list", T)`);
what stands in a parameter or field of that type is an object of it (`("instance", T)`).
"""

from __future__ import annotations

from typing import Final

from drift.languages.expressions import Expression, dict_of, either_of, list_of
from drift.languages.facts import Binding, FileFacts, Parameter, Symbol

PROPERTY: Final = "property"
"""The modifier of a field that is a property, in whose place that of a class below may stand."""
_MOST_LEVELS: Final = 20  # of containers in containers


def read_declared_types(facts: FileFacts, *, are_properties_fields: bool) -> FileFacts:
    """The same facts, with every declared type as a value of it. Done twice it changes no more."""
    symbols = map(_read_symbol, facts.symbols)
    return facts._replace(
        symbols=tuple(map(_read_property, symbols) if are_properties_fields else symbols),
        bindings=tuple(map(_read_binding, facts.bindings)),
    )


def _read_symbol(symbol: Symbol) -> Symbol:
    if symbol.return_type is None and symbol.value_type is None and not symbol.parameters:
        return symbol
    return symbol._replace(
        parameters=tuple(map(_read_parameter, symbol.parameters)),
        return_type=value_of_type(symbol.return_type),
        value_type=value_of_type(symbol.value_type),
    )


def _read_property(symbol: Symbol) -> Symbol:
    """A property is read like a field, also by its bare name."""
    if symbol.kind != "property" or symbol.value_type is None or PROPERTY in symbol.modifiers:
        return symbol
    return symbol._replace(kind="field", modifiers=(*symbol.modifiers, PROPERTY))


def _read_parameter(parameter: Parameter) -> Parameter:
    declared = parameter.type
    if declared is None:
        return parameter
    if parameter.kind == "rest" and declared[0] == "list" and len(declared) > 1:
        # The rest itself is the container; its type says what is in it.
        return parameter._replace(type=value_of_type(declared[1]))
    return parameter._replace(type=value_of_type(declared))


def _read_binding(binding: Binding) -> Binding:
    value, declared = binding.value, binding.type
    if declared is None and (value is None or value[0] not in {"instance", "item"}):
        return binding
    return binding._replace(value=_read_made(value), type=value_of_type(declared))


def _read_made(value: Expression) -> Expression:
    """`make([]T, n)` and `[]T{}` hold objects of T."""
    if (
        value is not None
        and value[0] == "instance"
        and value[1] is not None
        and value[1][0] in {"list", "dict", "own"}
    ):
        return value_of_type(value[1])
    if value is not None and value[0] == "item":
        return ("item", _read_made(value[1]), *value[2:])
    return value


def value_of_type(form: Expression, levels: int = _MOST_LEVELS) -> Expression:
    """A value of the type that an expression names."""
    if form is None or not levels:
        return None
    match form[0]:
        case "name" | "member" | "symbol" | "generic":
            return ("instance", form)
        case "list":
            return list_of(value_of_type(part, levels - 1) for part in form[1:])
        case "either":
            return either_of(value_of_type(part, levels - 1) for part in form[1:])
        case "own":
            return ("own", value_of_type(form[1], levels), value_of_type(form[2], levels - 1))
        case "dict":
            return dict_of((key, value_of_type(part, levels - 1)) for key, part in form[1:])
    read: Expression = form
    return read
