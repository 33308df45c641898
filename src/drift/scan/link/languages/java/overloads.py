"""Java's choice among methods of one name: first without boxing, then with it, then with surplus arguments.

Of those that are left the most specific is called. What counts are the types that arguments are declared to have:
`Object o = "x"; print(o)` calls the method for objects. Where such a type is not known, whatever it might decide
stays open, and so several methods are named.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from drift.languages.expressions import Expression, last_name
from drift.languages.facts import Call, Symbol
from drift.languages.kinds import CODE_KINDS, TYPE_KINDS, VALUE_KINDS
from drift.scan.link.analysis import MOST_COMPARED, MOST_OVERLOADS, Analysis
from drift.scan.link.declared_types import DeclaredType, class_type, parameter_type, type_of_form
from drift.scan.link.hidden_types import named_types
from drift.scan.link.hierarchy import class_around, class_of
from drift.scan.link.languages.csharp.platform import COUNTS
from drift.scan.link.languages.csharp.platform import RESULTS as CSHARP_RESULTS
from drift.scan.link.languages.java.assignability import is_assignable
from drift.scan.link.languages.java.platform import BOXED, FACTORIES, RESULTS, UNBOXED, WIDENED
from drift.scan.link.languages.java.receivers import (
    accessible_methods,
    crowded_methods,
    inherited_methods,
    is_declared_above,
    methods_in_line,
    receiving_classes,
)
from drift.scan.link.referenced_symbols import referenced_symbols
from drift.scan.link.scopes import find_name
from drift.scan.link.tables import Definition
from drift.scan.link.values import (
    SYMBOL_MASK,
    Value,
    Values,
    is_instance,
    is_reference,
    symbol_of,
    tag_of,
    tagged_value,
)

Type = DeclaredType | None

_PLAIN, _BOXING, _SURPLUS = 0, 1, 2
_INTEGER: Final = DeclaredType("primitive", "int")


class _Fit(NamedTuple):
    """How a function takes the arguments of a call: in which round it is found, and by which types."""

    function: int
    round: int
    is_certain: bool
    types: tuple[Type, ...]


def applicable_overloads(
    analysis: Analysis, call: Call, scope: int, *, functions: tuple[int, ...]
) -> tuple[int, ...]:
    """The functions that a call may mean, one where its arguments decide; none where they fit nothing."""
    if len(functions) > MOST_OVERLOADS:
        return functions
    given = [declared_type(analysis, value, scope) for _, value in call.arguments]
    fits = [fit for one in functions for fit in _fits(analysis, one, given)]
    certain = [fit.round for fit in fits if fit.is_certain]
    if certain:
        fits = [fit for fit in fits if fit.round <= min(certain)]
    alike = {fit.types: fit for fit in fits}  # one of each, as each is compared with all others
    kept = {
        types
        for types, fit in alike.items()
        if len(alike) > MOST_COMPARED
        or not any(
            _is_narrower(analysis, other, fit, given) and not _is_narrower(analysis, fit, other, given)
            for other in alike.values()
            if other is not fit
        )
    }
    return tuple(dict.fromkeys(fit.function for fit in fits if fit.types in kept))


def _fits(analysis: Analysis, function: int, given: list[Type]) -> list[_Fit]:
    parameters = analysis.program.symbol(function).parameters
    types = [parameter_type(analysis, function, one) for one in parameters]
    if not parameters or parameters[-1].kind != "rest":
        fit = _fit(analysis, function, given, types) if len(types) == len(given) else None
        return [fit] if fit is not None else []
    *plain, rest = types
    if len(given) < len(plain):
        return []
    if len(given) == len(types):
        whole = _fit(analysis, function, given, [*plain, DeclaredType("array", element=rest)])
        if whole is not None and whole.is_certain:
            return [whole]
    surplus = [rest] * (len(given) - len(plain))
    fit = _fit(analysis, function, given, [*plain, *surplus])
    return [fit._replace(round=_SURPLUS)] if fit is not None else []


def _fit(analysis: Analysis, function: int, given: list[Type], types: list[Type]) -> _Fit | None:
    last, is_certain = _PLAIN, True
    for one, wanted in zip(given, types, strict=True):
        takes = _takes(analysis, one, wanted)
        if takes is False:
            if not _is_boxed(analysis, one, wanted):
                return None
            last = _BOXING
        is_certain = is_certain and takes is not None
    return _Fit(function, last, is_certain, tuple(types))


def _takes(analysis: Analysis, given: Type, wanted: Type) -> bool | None:
    if given is None:
        return None
    return None if wanted is None else is_assignable(analysis, given, wanted)


def _is_boxed(analysis: Analysis, given: Type, wanted: Type) -> bool:
    if given is None or wanted is None:
        return False
    if given.kind == "primitive" and wanted.kind != "primitive":
        box = DeclaredType("outside", UNBOXED.get(given.name, "Object"))
        return is_assignable(analysis, box, wanted) is not False
    if given.kind == "outside" and wanted.kind == "primitive" and given.name in BOXED:
        return is_assignable(analysis, DeclaredType("primitive", BOXED[given.name]), wanted) is True
    return False


def _is_narrower(analysis: Analysis, fit: _Fit, other: _Fit, given: list[Type]) -> bool:
    """Whether all that one function takes the other takes as well."""
    for argument, one, wider in zip(given, fit.types, other.types, strict=True):
        if one == wider:
            continue
        if argument is None or one is None or wider is None:
            return False
        if one != argument and is_assignable(analysis, one, wider) is not True:
            return False
    return True


def chosen_methods(analysis: Analysis, call: Call, scope: int, *, values: Values) -> Values:
    """What a Java call calls, of all that has the name: also of what the parents of the class declare."""
    alike: dict[tuple[int, str], list[int]] = {}
    values = _declared_methods(analysis, call, scope, values) or crowded_methods(analysis, call, scope)
    for value in values:
        if is_reference(value):
            symbol = analysis.program.symbol(symbol_of(value))
            owner = class_of(analysis, symbol_of(value)) if symbol.kind == "method" else None
            if owner is not None:
                alike.setdefault((owner, symbol.name), []).append(value)
    chosen: dict[Value, None] = {}
    replaced: set[Value] = set()
    receivers = receiving_classes(analysis, call, scope) if len(alike) > 1 else frozenset()
    for (owner, name), group in alike.items():
        if receivers and owner not in receivers:
            replaced.update(group)  # a field of that name was given what reads like a method
            continue
        own = tuple(symbol_of(value) for value in group)
        inherited = inherited_methods(analysis, owner, name, own=own)
        functions = accessible_methods(analysis, scope, (*own, *inherited))
        tag = tag_of(group[0])
        for function in _applicable(analysis, call, scope, functions):
            chosen[tagged_value(function, tag)] = None
        replaced.update(group)
    if not chosen:
        return values
    name = last_name(call.callee)
    others = (value for value in values if value not in replaced and _is_called(value, name))
    return (*chosen, *others)


def _declared_methods(analysis: Analysis, call: Call, scope: int, values: Values) -> Values:
    """The methods of the class that the object is declared to be of, though it be known to be of one below.

    That is what the call is compiled to; what runs in its place overrides it.
    """
    callee = call.callee
    if callee is None or callee[0] != "member" or callee[1] is None or callee[1][0] in {"this", "super"}:
        return values
    if values and not any(is_declared_above(analysis, value, callee[2]) for value in values):
        return values
    kind = declared_type(analysis, callee[1], scope)
    if kind is None or kind.kind != "class":
        return values
    return methods_in_line(analysis, kind.symbol, callee[2]) or values


def _is_called(value: Value, name: str) -> bool:
    """Whether a value is what has a name that is called, rather than what a field of that name holds."""
    if isinstance(value, int):
        return not is_instance(value)
    if isinstance(value, str):
        return value.rpartition(".")[2] == name
    return bool(value[0] == "method" and value[2] == name)


def _applicable(analysis: Analysis, call: Call, scope: int, functions: tuple[int, ...]) -> tuple[int, ...]:
    if len(functions) == 1:
        return functions
    found = applicable_overloads(analysis, call, scope, functions=functions)
    if found:
        return found
    count = len(call.arguments)
    return tuple(one for one in functions if _has_room(analysis, one, count)) or functions


def _has_room(analysis: Analysis, function: int, count: int) -> bool:
    parameters = analysis.program.symbol(function).parameters
    has_rest = bool(parameters) and parameters[-1].kind == "rest"
    return count >= len(parameters) - 1 if has_rest else count == len(parameters)


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
    if name == "length" or name in COUNTS:
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
    is_java = table.facts.language == "java"
    if is_new:
        return class_type(analysis, values)
    if is_java:
        values = chosen_methods(analysis, call, at, values=values)
    found: dict[DeclaredType | None, None] = {}
    for value in values:
        found[_type_of_call(analysis, value, is_java=is_java)] = None
    return next(iter(found)) if len(found) == 1 else None


def _type_of_call(analysis: Analysis, value: Value, *, is_java: bool) -> DeclaredType | None:
    if isinstance(value, str):
        return _known_result(value) if is_java else _known_csharp_result(value)
    if not isinstance(value, int):
        return None
    symbol = analysis.program.symbol(symbol_of(value))
    if symbol.kind not in CODE_KINDS:
        return None
    around = analysis.program.parent(symbol_of(value))
    return type_of_form(analysis, symbol.return_type, around, symbol.return_text)


def _known_result(name: str) -> DeclaredType | None:
    """What the everyday methods of the platform give back."""
    if not name.startswith("java."):
        return None
    owner, _, method = name.rpartition(".")
    result = owner.rpartition(".")[2] if method in FACTORIES else RESULTS.get(method)
    if result is None:
        return None
    if result.endswith("[]"):
        return DeclaredType("array", element=_named_type(result[:-2]))
    return _named_type(result)


def _known_csharp_result(name: str) -> DeclaredType | None:
    result = CSHARP_RESULTS.get(name.rpartition(".")[2])
    return None if result is None else _named_type(result)


def _named_type(name: str) -> DeclaredType:
    return DeclaredType("primitive" if name[:1].islower() else "outside", name)


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
