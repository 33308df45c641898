"""The types that arguments are declared to have, where those decide which of several methods is called."""

from __future__ import annotations

from typing import Any, Final

from drift.languages.expressions import Expression
from drift.languages.facts import Symbol
from drift.languages.kinds import CODE_KINDS, TYPE_KINDS, VALUE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.declared_types import DeclaredType, class_type, parameter_type, type_of_form
from drift.scan.link.hidden_types import named_types
from drift.scan.link.hierarchy import class_around
from drift.scan.link.referenced_symbols import referenced_symbols
from drift.scan.link.scopes import find_name
from drift.scan.link.semantics import Semantics
from drift.scan.link.tables import Definition
from drift.scan.link.values import SYMBOL_MASK, Value, Values, symbol_of

BOXED: Final = {
    "Boolean": "boolean", "Byte": "byte", "Character": "char", "Double": "double",
    "Float": "float", "Integer": "int", "Long": "long", "Short": "short",
}  # fmt: skip
"""The classes of primitive values."""

WIDENED: Final = {
    "byte": ("short", "int", "long", "float", "double"),
    "short": ("int", "long", "float", "double"),
    "char": ("int", "long", "float", "double"),
    "int": ("long", "float", "double"),
    "long": ("float", "double"),
    "float": ("double",),
}
"""The primitive types that a value of one may become without a cast, the nearest first."""

Type = DeclaredType | None

_INTEGER: Final = DeclaredType("primitive", "int")
_COUNTS: Final = frozenset(
    {"Count", "Length", "length"}
)  # the members of arrays and collections that are numbers


def declared_type(analysis: Analysis, expression: Expression, scope: int) -> DeclaredType | None:
    """The type that a value is declared to be of; None where that is not known."""
    found: Any = analysis.memoised_for_file(("declared", scope, expression), _find_types, expression, scope)
    return found[0] if found else None


def _find_types(analysis: Analysis, expression: Expression, scope: int) -> Any:
    found = _find_type(analysis, expression, scope)
    return () if found is None else (found,)


def _find_type(analysis: Analysis, expression: Expression, scope: int) -> DeclaredType | None:
    if expression is None:
        return None
    match expression[0]:
        case "name":
            return _type_of_name(analysis, expression[1], scope)
        case "member":
            return _type_of_member(analysis, expression, scope, owner=expression[1], name=expression[2])
        case "result":
            return _type_of_result(analysis, expression[1], scope)
        case "item":
            owner = declared_type(analysis, expression[1], scope)
            return None if owner is None else owner.element
        case "this":
            owner_class = class_around(analysis, scope)
            return None if owner_class is None else DeclaredType("class", symbol=owner_class)
        case "symbol":
            return _type_of_symbol(analysis, (scope & ~SYMBOL_MASK) + expression[1])
        case "partial":
            return DeclaredType("function")
        case "either":
            return _joined([declared_type(analysis, part, scope) for part in expression[1:]])
    return type_of_form(analysis, expression, scope)


def _type_of_name(analysis: Analysis, name: str, scope: int) -> DeclaredType | None:
    found = find_name(analysis, name, scope)
    if found is None:
        return _constant_type(analysis.evaluate(("name", name), scope))
    if not found.definitions:
        return _type_of_fields(analysis, referenced_symbols(analysis, ("name", name), scope))
    # Blocks are no scopes of their own here, so that a name may have several declarations.
    declarations = [one for one in found.definitions if one.kind != "value" or one.type is not None]
    types = [
        _type_of_definition(analysis, found.scope, name, one) for one in declarations or found.definitions
    ]
    return _joined(types)


def _type_of_definition(analysis: Analysis, scope: int, name: str, definition: Definition) -> Type:
    program = analysis.program
    if definition.kind == "parameter":
        parameter = program.symbol(scope).parameters[definition.number]
        kind = parameter_type(analysis, scope, parameter)
        return DeclaredType("array", element=kind) if parameter.kind == "rest" else kind
    if definition.kind == "symbol":
        return _type_of_fields(analysis, (program.table_of(scope).first + definition.number,))
    if definition.kind == "value":
        if definition.type is not None:
            return type_of_form(analysis, definition.type, scope)
        return declared_type(analysis, definition.value, scope)
    return _type_of_fields(analysis, referenced_symbols(analysis, ("name", name), scope))


def _type_of_member(
    analysis: Analysis, expression: Expression, scope: int, *, owner: Expression, name: str
) -> DeclaredType | None:
    found = referenced_symbols(analysis, expression, scope)
    if found:
        return _type_of_fields(analysis, found)
    if name in _COUNTS:
        holder = declared_type(analysis, owner, scope)
        if holder is not None and holder.kind in {"array", "sequence"}:
            return _INTEGER
    return _constant_type(analysis.evaluate(expression, scope))


def _type_of_fields(analysis: Analysis, symbols: tuple[int, ...]) -> DeclaredType | None:
    fields = [symbol for symbol in symbols if analysis.program.symbol(symbol).kind in VALUE_KINDS]
    if len(fields) != 1:
        return None
    symbol, around = analysis.program.symbol(fields[0]), analysis.program.parent(fields[0])
    if symbol.kind == "constant" and analysis.program.symbol(around).kind == "enum":
        return DeclaredType("class", symbol=around)
    return type_of_form(analysis, symbol.value_type, around, _written_type(symbol))


def _written_type(field: Symbol) -> str | None:
    """What is written before the name of a field, which ends with its type; None where others share it."""
    head, name, behind = field.signature.partition("=")[0].rstrip().rpartition(f" {field.name}")
    return head if name and not behind else None


def _constant_type(values: Values) -> DeclaredType | None:
    """Of `Integer.MAX_VALUE` and the like, the primitive."""
    if len(values) != 1 or not isinstance(values[0], str):
        return None
    owner, _, constant = values[0].rpartition(".")
    if constant == "TYPE":
        return DeclaredType("outside", "Class")
    name = BOXED.get(owner.rpartition(".")[2])
    return None if name is None else DeclaredType("primitive", name)


def _type_of_symbol(analysis: Analysis, symbol: int) -> DeclaredType:
    found = analysis.program.symbol(symbol)
    if found.kind in TYPE_KINDS:
        return DeclaredType("class", symbol=symbol)
    return DeclaredType("function", arity=len(found.parameters))


def _type_of_result(analysis: Analysis, number: int, scope: int) -> DeclaredType | None:
    table = analysis.program.table_of(scope)
    call = table.facts.calls[number]
    at = table.first + call.scope
    is_new = call.kind == "new"
    values = named_types(analysis, call.callee, at) if is_new else analysis.evaluate(call.callee, at)
    if is_new:
        return class_type(analysis, values)
    semantics = analysis.program.semantics(table)
    if semantics.chooses_by_declared_types:
        values = semantics.chosen_values(analysis, call, at, values=values)
    found: dict[DeclaredType | None, None] = {}
    for value in values:
        found[_type_of_call(analysis, value, semantics)] = None
    return next(iter(found)) if len(found) == 1 else None


def _type_of_call(analysis: Analysis, value: Value, semantics: Semantics) -> DeclaredType | None:
    if isinstance(value, str):
        return semantics.result_type(value)
    if not isinstance(value, int):
        return None
    symbol = analysis.program.symbol(symbol_of(value))
    if symbol.kind not in CODE_KINDS:
        return None
    around = analysis.program.parent(symbol_of(value))
    return type_of_form(analysis, symbol.return_type, around, symbol.return_text)


def _joined(types: list[DeclaredType | None]) -> DeclaredType | None:
    """The type of one of several values: theirs, or of numbers the widest."""
    known = [one for one in dict.fromkeys(types) if one is None or one.kind != "null"]
    if len(known) == 1:
        return known[0]
    if known and all(one is not None and one.kind == "primitive" for one in known):
        for one in known:
            if one is not None and all(
                other == one or (other is not None and one.name in WIDENED.get(other.name, ()))
                for other in known
            ):
                return one
    parts = tuple(one for one in known if one is not None)
    return DeclaredType("either", parts=parts) if parts and len(parts) == len(known) else None


def named_type(name: str) -> DeclaredType:
    """A type of the platform by its name: primitives are written small."""
    return DeclaredType("primitive" if name[:1].islower() else "outside", name)
