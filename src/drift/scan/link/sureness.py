"""Expressions that are known for sure: all that they can be is in sight.

Linking says what an expression may be; that is enough to name what a call runs, and too little to say that there is
nothing it could run. Here an expression counts where it is a class by its own name, an object that is made in plain
sight, or of a declared type.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from drift.languages.expressions import Expression
from drift.languages.facts import Call
from drift.languages.kinds import CODE_KINDS, TYPE_KINDS, VALUE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.calling import callee_values
from drift.scan.link.destinations import import_destination
from drift.scan.link.hierarchy import class_around, declared_members, line_of_descent
from drift.scan.link.scopes import Found, find_name
from drift.scan.link.tables import Definition, FileTable
from drift.scan.link.values import (
    FILE_SHIFT,
    SYMBOL,
    SYMBOL_MASK,
    Value,
    Values,
    as_instance,
    is_instance,
    is_symbol,
    symbol_of,
)
from drift.scan.link.wholeness import has_metaclass

_MOST_STEPS: Final = 5  # from an expression to what it was given, which may be one again
_SPACES: Final = TYPE_KINDS | {"module", "namespace"}
_CLASSES: Final = TYPE_KINDS - {"type"}  # another name of a type says little of what it has


def sure_values(analysis: Analysis, form: Expression, scope: int, steps: int = _MOST_STEPS) -> Values | None:
    """All that an expression can be; None where it may be something that is not in sight."""
    if form is None or not steps:
        return None
    match form[0]:
        case "this" | "super":
            return _own_object(analysis, form, scope)
        case "name" | "outer" if form[0] == "name" or form[0] == "outer":
            return _named(analysis, form[1], scope, steps)
        case "member" if form[0] == "member":
            return _member(analysis, form[1], form[2], scope, steps=steps)
        case "result" if form[0] == "result":
            return _result(analysis, form[1], scope, steps)
        case "generic" if form[0] == "generic":
            return sure_values(analysis, form[1], scope, steps)
        case "instance" if analysis.program.semantics_at(scope).has_asked_objects:
            return None
        case "instance" | "narrowed":
            return _all_inside(analysis, analysis.evaluate(form, scope))
        case "symbol" | "literal":
            return analysis.evaluate(form, scope) or None
    return None


def _own_object(analysis: Analysis, form: Expression, scope: int) -> Values | None:
    owner = class_around(analysis, scope)
    if owner is None or analysis.program.symbol(owner).kind not in {"class", "struct", "enum"}:
        return None  # a trait, an interface or a mixin by that kind is of whatever class has it
    if is_in_object(analysis, scope):
        return None
    values = analysis.evaluate(form, scope)
    return values if len(values) == 1 else None


def is_in_object(analysis: Analysis, scope: int) -> bool:
    """Whether a scope is in a method of an object that is written out, which may be the `this` of what it does."""
    program = analysis.program
    while (symbol := program.symbol(scope)).kind not in _SPACES:
        parent = program.parent(scope)
        if symbol.kind == "method" and program.symbol(parent).kind in CODE_KINDS:
            return True
        scope = parent
    return False


def _named(analysis: Analysis, name: str, scope: int, steps: int) -> Values | None:
    if name.endswith(")"):
        return None  # what an import gives that is made where it stands is a promise of a module
    found = find_name(analysis, name, scope)
    if found is None or not found.definitions:
        return _of_spaces(analysis, analysis.evaluate(("name", name), scope))
    parts: list[Value] = []
    for definition in _without_headings(analysis, found):
        values = _defined(analysis, definition, found, steps)
        if values is None:
            return None
        parts.extend(values)
    return _without_none(parts)


def _without_headings(analysis: Analysis, found: Found) -> Sequence[Definition]:
    """The definitions of a name without the symbol of a constant of no declared type: what it is given says more."""
    table = analysis.program.table_of(found.scope)

    def is_heading(one: Definition) -> bool:
        symbol = table.symbols[one.number] if one.kind == "symbol" else None
        return symbol is not None and symbol.kind == "constant" and symbol.value_type is None

    given = [one for one in found.definitions if not is_heading(one)]
    return given if any(one.kind == "value" for one in given) else found.definitions


def _defined(analysis: Analysis, definition: Definition, found: Found, steps: int) -> Values | None:
    program = analysis.program
    table = program.table_of(found.scope)
    if definition.kind == "import":
        named = table.facts.imports[definition.number].alias
        spaces = _of_spaces(analysis, analysis.evaluate(("name", named), found.scope) if named else ())
        return spaces or _imported(analysis, table, definition.number, steps)
    if definition.kind == "parameter":
        parameter = program.symbol(found.scope).parameters[definition.number]
        if parameter.kind not in {"plain", "keyword"}:
            return None
        return _declared(analysis, parameter.type, program.parent(found.scope))
    if definition.kind == "symbol":
        symbol = program.symbol(table.first + definition.number)
        if symbol.kind in VALUE_KINDS:
            return _declared(analysis, symbol.value_type, table.first + symbol.parent)
        return (table.first + definition.number << 2 | SYMBOL,) if not symbol.decorators else None
    if definition.type is not None:
        return _declared(analysis, definition.type, found.scope)
    return sure_values(analysis, definition.value, found.scope, steps - 1)


def _imported(analysis: Analysis, table: FileTable, number: int, steps: int) -> Values | None:
    """What an import certainly gives: what the file that it leads to says of the name at its top."""
    program, name = analysis.program, table.facts.imports[number].name
    destination = import_destination(analysis, table, number)
    if destination.file is None or name in {None, "*", "default"} or destination.file not in program.files:
        return None
    scope = program.files[destination.file] << FILE_SHIFT
    is_there = name in program.table_of(scope).names[0]
    return sure_values(analysis, ("name", name), scope, steps - 1) if is_there else None


def _declared(analysis: Analysis, form: Expression, scope: int) -> Values | None:
    """What a declared type says; None where it may be something that is not of the project."""
    if not _is_plain_type(form) or not _are_known(analysis, form, scope):
        return None
    values = _all_inside(analysis, analysis.evaluate(form, scope))
    named = _named_types(form)
    symbol = analysis.program.symbol
    # A type parameter is found as what it is bound by, and may be more; so may another name of a type.
    is_plain = values is None or all(
        symbol(symbol_of(one)).name in named for one in values if isinstance(one, int)
    )
    return values if is_plain or _are_imported(analysis, named, scope) else None


def _are_known(analysis: Analysis, form: Expression, scope: int) -> bool:
    """Whether something is known of each part of a type: one that leads nowhere may have any members."""
    if form is None:
        return False
    if form[0] == "either":
        return all(_are_known(analysis, part, scope) for part in form[1:])
    if form[0] == "instance" and form[1] is not None and form[1][0] == "either":
        return all(_are_known(analysis, ("instance", part), scope) for part in form[1][1:])
    return form[0] != "instance" or bool(analysis.evaluate(form, scope))


def _named_types(form: Expression) -> frozenset[str]:
    """The last parts of the names that a plain type is written with."""
    if form is None or form[0] not in {"either", "instance", "name", "member"}:
        return frozenset()
    if form[0] in {"name", "member"}:
        return frozenset({str(form[-1])})
    return frozenset(name for part in form[1:] if isinstance(part, tuple) for name in _named_types(part))


def _are_imported(analysis: Analysis, names: frozenset[str], scope: int) -> bool:
    """Whether names are given by imports, which may call a type as they like."""
    found = (find_name(analysis, name, scope) for name in names)
    return all(
        each is not None and bool(each.definitions) and all(one.kind == "import" for one in each.definitions)
        for each in found
    )


def _is_plain_type(form: Expression) -> bool:
    if form is None:
        return False
    if form[0] == "either":
        return all(_is_plain_type(part) for part in form[1:])
    return form[0] in {"instance", "literal", "const"} and (form[0] != "instance" or len(form) == 2)  # noqa: PLR2004 - not a cast to a collection


def _all_inside(analysis: Analysis, values: Values) -> Values | None:
    kept, symbol = _without_none(values), analysis.program.symbol
    if kept is None or not all(is_instance(one) and symbol(symbol_of(one)).kind in _CLASSES for one in kept):
        return None
    return kept


def _of_spaces(analysis: Analysis, values: Values) -> Values | None:
    """The values where all are modules, classes or packages by their own name."""
    symbol = analysis.program.symbol
    are_spaces = all(
        (is_symbol(one) and symbol(symbol_of(one)).kind in _SPACES)
        or (isinstance(one, tuple) and one[0] == "package")
        or isinstance(one, str)
        for one in values
    )
    return values if values and are_spaces else None


def _member(analysis: Analysis, owner: Expression, name: str, scope: int, *, steps: int) -> Values | None:
    owners = sure_values(analysis, owner, scope, steps - 1)
    if owners is None:
        return None
    if _of_spaces(analysis, owners) is not None:
        return _of_spaces(analysis, analysis.evaluate(("member", owner, name), scope))
    parts: list[Value] = []
    for one in owners:
        values = _field(analysis, one, name, steps) if isinstance(one, int) else None
        if values is None:
            return None
        parts.extend(values)
    return tuple(dict.fromkeys(parts)) or None


def _field(analysis: Analysis, owner: int, name: str, steps: int) -> Values | None:
    """What a member of an object certainly holds: its declared type, else all that its class gives it."""
    program = analysis.program
    if not is_instance(owner):
        return None
    for symbol in declared_members(analysis, symbol_of(owner), name):
        found = program.symbol(symbol)
        if found.kind in VALUE_KINDS or found.kind == "field":
            return _declared(analysis, found.value_type, program.parent(symbol))
        return None
    parts: list[Value] = []
    for ancestor in line_of_descent(analysis, symbol_of(owner)):
        if isinstance(ancestor, str):
            return None
        table = program.table_of(ancestor)
        if name in table.late_stores:
            return None
        for value, at in table.fields.get(ancestor & SYMBOL_MASK, {}).get(name, ()):
            values = sure_values(analysis, value, at, steps - 1)
            if values is None:
                return None
            parts.extend(values)
    return _without_none(parts)


def _without_none(values: Iterable[Value]) -> Values | None:
    """The values without the one that has no members; None where that is all."""
    kept = (one for one in values if not (isinstance(one, tuple) and one[:2] == ("literal", "none")))
    return tuple(dict.fromkeys(kept)) or None


def _result(analysis: Analysis, number: int, scope: int, steps: int) -> Values | None:
    """What a call certainly gives: an object of a class that is called by name, or of the declared type."""
    program = analysis.program
    table = program.table_of(scope)
    call = table.facts.calls[number]
    at = table.first + call.scope
    if call.kind not in {"call", "new"} or not _is_sure_callee(analysis, call, at, steps):
        return None
    parts: list[Value] = []
    for value in callee_values(analysis, call, at):
        if not isinstance(value, int):
            return None
        symbol = program.symbol(symbol_of(value))
        if symbol.kind in _CLASSES and is_symbol(value):
            if declared_members(analysis, symbol_of(value), "__new__") or has_metaclass(
                analysis, symbol_of(value)
            ):
                return None
            parts.append(as_instance(value))
        elif (
            symbol.kind in CODE_KINDS
            and "async" not in symbol.modifiers
            and "generator" not in symbol.modifiers
            and not symbol.decorators
        ):
            declared = _declared(analysis, symbol.return_type, program.parent(symbol_of(value)))
            if declared is None:
                return None
            parts.extend(declared)
        else:
            return None
    return tuple(dict.fromkeys(parts)) or None


def _is_sure_callee(analysis: Analysis, call: Call, scope: int, steps: int) -> bool:
    callee = call.callee
    if callee is None:
        return False
    if call.kind == "new":
        return True
    if callee[0] == "member":
        return sure_values(analysis, callee[1], scope, steps - 1) is not None
    if callee[0] != "name":
        return False
    found = find_name(analysis, callee[1], scope)
    return found is None or all(one.kind in {"import", "symbol"} for one in found.definitions)
