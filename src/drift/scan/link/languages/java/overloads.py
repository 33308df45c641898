"""Java's choice among methods of one name: first without boxing, then with it, then with surplus arguments.

Of those that are left the most specific is called. What counts are the types that arguments are declared to have:
`Object o = "x"; print(o)` calls the method for objects. Where such a type is not known, whatever it might decide
stays open, and so several methods are named.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from drift.languages import Call
from drift.languages.expressions import last_name
from drift.scan.link.analysis import MOST_COMPARED, MOST_OVERLOADS, Analysis
from drift.scan.link.argument_types import BOXED, declared_type
from drift.scan.link.declared_types import DeclaredType, parameter_type
from drift.scan.link.hierarchy import class_of
from drift.scan.link.languages.java.assignability import is_assignable
from drift.scan.link.languages.java.platform import UNBOXED
from drift.scan.link.languages.java.receivers import (
    accessible_methods,
    crowded_methods,
    inherited_methods,
    is_declared_above,
    methods_in_line,
    receiving_classes,
)
from drift.scan.link.values import (
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
