"""Which of two C++ methods of one name and the same parameters runs: for objects that may be changed, or not."""

from __future__ import annotations

import re
from typing import Final

from drift.languages import Call
from drift.languages.expressions import Expression
from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import class_of, declared_members, method_around
from drift.scan.link.values import SYMBOL_MASK, is_instance, is_reference, symbol_of

_CONST: Final = re.compile(r"\bconst\b")
_POINTING: Final = re.compile(r"[*&]|\b(?:shared_ptr|unique_ptr|weak_ptr)\b")
_DECLARED: Final = frozenset({"const", "instance"})


def is_constant_object(analysis: Analysis, named: Expression, scope: int) -> bool | None:
    """Whether the object that an expression names may not be changed; None where that is not known."""
    if named == ("this",):
        method = method_around(analysis, scope)
        return None if method is None else "const" in analysis.program.symbol(method).modifiers
    if named is None:
        return None
    if named[0] == "member":
        values = analysis.evaluate(named[1], scope)
        owners = {symbol_of(value) for value in values if is_instance(value)}
        return _is_constant_field(analysis, owners, named[1], scope, name=named[2])
    if named[0] == "result":
        return _is_constant_result(analysis, named[1], scope)
    return _is_constant_name(analysis, named[1], scope) if named[0] == "name" else None


def _is_constant_name(analysis: Analysis, name: str, scope: int) -> bool | None:
    """The same of a parameter, a variable of the function, or a field of the object whose method it is."""
    parameters = analysis.program.symbol(scope).parameters
    texts = [one.type_text for one in parameters if one.name == name and one.kind == "plain"]
    if texts:
        return None if texts[0] is None else _CONST.search(texts[0]) is not None
    table = analysis.program.table_of(scope)
    definitions = analysis.program.definitions(table, scope & SYMBOL_MASK, name)
    if definitions is not None:
        types = [one.type[0] for one in definitions if one.kind == "value" and one.type is not None]
        return types[0] == "const" if types and types[0] in _DECLARED else None
    method = method_around(analysis, scope)
    owner = None if method is None or method != scope else class_of(analysis, method)
    return None if owner is None else _is_constant_field(analysis, {owner}, ("this",), scope, name=name)


def _is_constant_field(
    analysis: Analysis, owners: set[int], holder: Expression, scope: int, *, name: str
) -> bool | None:
    """The same of a field: one that is declared so, or is part of an object that may not be changed."""
    program = analysis.program
    found = [program.symbol(one) for owner in owners for one in declared_members(analysis, owner, name)]
    if len(found) != 1 or found[0].kind != "field":
        return None
    text = found[0].signature.partition("=")[0]
    if _CONST.search(text):
        return True
    # What a pointer points to may be changed, whatever holds the pointer.
    return False if _POINTING.search(text) else is_constant_object(analysis, holder, scope)


def _is_constant_result(analysis: Analysis, number: int, scope: int) -> bool | None:
    """The same of what a call gives back, where all that it may run agree."""
    program = analysis.program
    callee = program.table_of(scope).facts.calls[number].callee
    values = [value for value in analysis.evaluate(callee, scope) if isinstance(value, int)]
    symbols = [program.symbol(symbol_of(value)) for value in values if is_reference(value)]
    found = {one.kind not in TYPE_KINDS and bool(_CONST.search(one.return_text or "")) for one in symbols}
    is_told = all(one.kind in TYPE_KINDS or one.return_text not in {None, "auto"} for one in symbols)
    return found.pop() if len(found) == 1 and is_told else None


def is_for_constant(analysis: Analysis, call: Call, scope: int) -> bool | None:
    """Whether a call is of a method of an object that may not be changed; None where that is not known."""
    callee = call.callee
    if callee is None or callee[0] not in {"name", "member"}:
        return None
    return is_constant_object(analysis, ("this",) if callee[0] == "name" else callee[1], scope)


def methods_for(analysis: Analysis, methods: tuple[int, ...], *, is_constant: bool | None) -> tuple[int, ...]:
    """Without methods that cannot run on a constant object; of any other, without those it has a twin for."""
    if len(methods) < 2 or is_constant is None:  # noqa: PLR2004  # one is no choice
        return methods
    symbol = analysis.program.symbol
    constant = {one for one in methods if "const" in symbol(one).modifiers}
    if is_constant:
        return tuple(one for one in methods if one in constant) or methods
    types = {one: [given.type_text for given in symbol(one).parameters] for one in methods}
    changing = [types[one] for one in methods if one not in constant]
    return tuple(one for one in methods if one not in constant or types[one] not in changing)
