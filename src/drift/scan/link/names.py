"""What names mean: by scope, by import, by package."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from drift.languages.facts import Expression
from drift.scan.link.analysis import MOST_GIVEN, Analysis
from drift.scan.link.hierarchy import line_of_descent, outside_members
from drift.scan.link.keys import part_key
from drift.scan.link.rules import Destination
from drift.scan.link.tables import (
    CLASS_KINDS,
    FUNCTION_KINDS,
    SPACE_KINDS,
    VALUE_KINDS,
    Definition,
    FileTable,
)
from drift.scan.link.values import (
    INSTANCE,
    NOTHING,
    SYMBOL,
    SYMBOL_MASK,
    Value,
    Values,
    external_member,
    is_internal,
    merge,
)

CONTAINER_LITERALS: Final = frozenset({"list", "dict", "set", "tuple"})
_PARTS: Final = re.compile(r"[^\s./\\:\"'<>]+")


class Found(NamedTuple):
    """Where a name is defined, and as what. Without definitions it is an inherited member of `scope`."""

    scope: int
    definitions: list[Definition]


def find_name(analysis: Analysis, name: str, scope: int) -> Found | None:
    """The definitions of a name in the innermost scope that has it, up to the file."""
    program = analysis.program
    table = program.table_of(scope)
    has_implicit_this = program.rules(table).has_implicit_this
    number = scope & SYMBOL_MASK
    is_first = True
    while True:
        symbol = table.symbols[number]
        is_class = symbol.kind in CLASS_KINDS
        if not is_class or is_first or has_implicit_this:
            definitions = program.definitions(table, number, name)
            if definitions is not None:
                return Found(table.first + number, definitions)
            if is_class and has_implicit_this and _is_inherited(analysis, table.first + number, name):
                return Found(table.first + number, [])
        if not number:
            return None
        is_first = False
        number = symbol.parent


def _is_inherited(analysis: Analysis, owner: int, name: str) -> bool:
    for ancestor in line_of_descent(analysis, owner):
        if isinstance(ancestor, str):
            continue
        if name in outside_members(analysis, ancestor):
            return True
        table = analysis.program.table_of(ancestor)
        if ancestor != owner and analysis.program.definitions(table, ancestor & SYMBOL_MASK, name):
            return True
    return False


def name_values(analysis: Analysis, name: str, scope: int) -> Values:
    """The values of a name where it stands."""
    return analysis.remember_here((scope, name), _name_values, name, scope)


def _name_values(analysis: Analysis, name: str, scope: int) -> Values:
    found = find_name(analysis, name, scope)
    if found is not None:
        if not found.definitions:
            return analysis.evaluate(("member", ("this",), name), scope)
        return definition_values(analysis, found.scope, name)
    table = analysis.program.table_of(scope)
    values = _neighbour_values(analysis, table, name) or _starred_values(analysis, table, name)
    if values:
        return values
    rules = analysis.program.rules(table)
    analysis.program.note(part_key(name))
    space = rules.space(table.path, table.facts, name)
    if space is not None:
        return destination_values(analysis, space, table.facts.language)
    return (rules.builtin_prefix + name,) if name in rules.builtins else NOTHING


def definition_values(analysis: Analysis, scope: int, name: str) -> Values:
    """The values of a name in the scope that defines it."""
    keep = analysis.remember_here if analysis.program.is_in_function(scope) else analysis.remember
    return keep(("defined", scope, name), _definition_values, scope, name)


def _definition_values(analysis: Analysis, scope: int, name: str) -> Values:
    table = analysis.program.table_of(scope)
    definitions = analysis.program.definitions(table, scope & SYMBOL_MASK, name) or ()
    # An assigned value says more than the declared type, which the definition of the symbol repeats.
    has_value = any(definition.kind == "value" for definition in definitions)
    parts: list[Values] = []
    for definition in definitions:
        if definition.kind == "symbol":
            if not (has_value and _is_plain_value(table, definition.number)):
                parts.append(symbol_values(analysis, table, definition.number))
        elif definition.kind == "value":
            parts.append(_assigned_values(analysis, definition, scope, name))
        elif definition.kind == "import":
            parts.append(imported_values(analysis, table, definition.number))
        else:
            parts.append(_parameter_values(analysis, scope, definition.number))
    return parts[0] if len(parts) == 1 else merge(parts)


def _is_plain_value(table: FileTable, number: int) -> bool:
    """Whether a symbol is known by its values alone; the members of an enum are objects of it."""
    symbol = table.symbols[number]
    return symbol.kind in VALUE_KINDS and table.symbols[symbol.parent].kind != "enum"


def _assigned_values(analysis: Analysis, definition: Definition, scope: int, name: str) -> Values:
    value = definition.value
    made = named_container(analysis, value, scope, key=(scope, name))
    if made is not None:
        values: Values = (made,)
        declared = analysis.evaluate(definition.type, scope)
        return merge([values, declared]) if declared else values
    values = analysis.evaluate(value, scope)
    if definition.type is None or any(map(is_internal, values)):
        return values
    return analysis.evaluate(definition.type, scope) or values


def named_container(
    analysis: Analysis, value: Expression, scope: int, *, key: tuple[int, str]
) -> Value | None:
    """The container that is kept under a name, so that what is put in later finds it; None for other values."""
    if value is None or not (
        value[0] in {"list", "dict"} or (value[0] == "literal" and value[1] in CONTAINER_LITERALS)
    ):
        return None
    found, made = analysis.container(
        (key, value, scope), value[1] if value[0] == "literal" else value[0], scope
    )
    if made is not None:
        made.name = key[1]
        if value[0] == "list":
            made.entries.extend((None, element, scope) for element in value[1:] if element is not None)
        elif value[0] == "dict":
            made.entries.extend((word, element, scope) for word, element in value[1:] if element is not None)
    return found


def symbol_values(analysis: Analysis, table: FileTable, number: int) -> Values:
    """What the name of a symbol stands for: itself, and what its decorators make of it."""
    symbol = table.symbols[number]
    value: Value = (table.first + number) << 2 | SYMBOL
    if symbol.kind in FUNCTION_KINDS or symbol.kind in CLASS_KINDS:
        if symbol.kind == "type" and symbol.value_type is not None:
            return merge([(value,), _alias_values(analysis, symbol.value_type, table.first + symbol.parent)])
        decorations = table.decorations.get(number)
        if decorations is None or symbol.kind == "property":
            return (value,)
        made = [analysis.evaluate(("result", call), table.first + symbol.parent) for call in decorations]
        return merge([(value,), *(tuple(part for part in values if is_internal(part)) for values in made)])
    if symbol.kind in SPACE_KINDS:
        return (value,)
    parent = table.symbols[symbol.parent]
    if parent.kind == "enum" and symbol.kind == "constant":
        return ((table.first + symbol.parent) << 2 | INSTANCE,)
    return analysis.evaluate(symbol.value_type, table.first + symbol.parent)


def _alias_values(analysis: Analysis, aliased: Expression, scope: int) -> Values:
    if aliased is not None and aliased[0] == "instance":
        return analysis.evaluate(aliased[1], scope)
    return NOTHING


def _parameter_values(analysis: Analysis, function: int, place: int) -> Values:
    return analysis.evaluate(("parameter", place), function)


def imported_values(analysis: Analysis, table: FileTable, number: int) -> Values:
    """What an import binds."""
    return analysis.remember(("import", table.file, number), _imported_values, table, number)


def _imported_values(analysis: Analysis, table: FileTable, number: int) -> Values:
    written = table.facts.imports[number]
    values = _destination_of(analysis, table, number)
    if written.name is None or written.name == "*":
        return values
    return space_member(analysis, values, written.name)


def _destination_of(analysis: Analysis, table: FileTable, number: int) -> Values:
    destination = import_destination(analysis, table, number)
    return destination_values(analysis, destination, table.facts.language)


def import_destination(analysis: Analysis, table: FileTable, number: int) -> Destination:
    """Where the text of an import leads."""
    found: Destination = analysis.keep(("destination", table.file, number), _find_destination, table, number)
    return found


def _find_destination(analysis: Analysis, table: FileTable, number: int) -> Destination:
    written = table.facts.imports[number]
    for part in set(_PARTS.findall(f"{written.module}.{written.name or ''}")):
        analysis.program.note(part_key(part))
        analysis.program.note_name(table, 0, part)
    return analysis.program.rules(table).destination(table.path, table.facts, written)


def destination_values(analysis: Analysis, destination: Destination, language: str) -> Values:
    """The module, package or outside thing that an import text names."""
    values: Values = NOTHING
    if destination.file is not None:
        file = analysis.program.files.get(destination.file)
        if file is not None:
            first = analysis.program.table(file).first
            values = (first << 2 | SYMBOL,)
            if destination.value is not None:
                values = analysis.evaluate(destination.value, first)
    elif destination.package is not None:
        values = (("package", language, destination.package),)
    elif destination.external is not None:
        return (".".join((destination.external, *destination.path)),)
    for name in destination.path:
        values = space_member(analysis, values, name)
    return values


def space_member(analysis: Analysis, spaces: Values, name: str) -> Values:
    """A member of modules and packages; of other things what their members are."""
    parts: list[Values] = []
    for space in spaces:
        if isinstance(space, str):
            parts.append(external_member(space, name))
        elif isinstance(space, tuple):
            parts.append(package_member(analysis, space, name) if space[0] == "package" else NOTHING)
        elif analysis.program.symbol(space >> 2).kind == "module":
            parts.append(module_member(analysis, space >> 2, name))
        else:
            parts.append(analysis.evaluate(("of", space, name), space >> 2))
    return parts[0] if len(parts) == 1 else merge(parts)


def module_member(analysis: Analysis, module: int, name: str) -> Values:
    """A name of a module, as seen from outside."""
    return analysis.remember(("module", module, name), _module_member, module, name)


def _module_member(analysis: Analysis, module: int, name: str) -> Values:
    table = analysis.program.table_of(module)
    extra = given_values(analysis, module, name)
    scopes = _defining(analysis, table, name)
    if scopes:
        return merge([*(definition_values(analysis, scope, name) for scope in scopes), extra])
    if extra:
        return extra
    analysis.program.note(part_key(name))
    inner = analysis.program.rules(table).submodule(table.path, None, name)
    if inner is not None:
        return destination_values(analysis, inner, table.facts.language)
    return _starred_values(analysis, table, name)


def package_member(analysis: Analysis, package: Value, name: str) -> Values:
    """A name of a package: of one of its files, or a module inside it."""
    return analysis.remember((package, name), _package_member, package, name)


def _package_member(analysis: Analysis, package: tuple[str, str, str], name: str) -> Values:
    _, language, key = package
    rules = analysis.program.rules_of(language)
    parts = [
        definition_values(analysis, scope, name)
        for table in analysis.program.tables_at(rules.files_with(key, name))
        for scope in _defining(analysis, table, name)
    ]
    if parts:
        return merge(parts)
    analysis.program.note(part_key(name))
    inner = rules.submodule(None, key, name)
    return destination_values(analysis, inner, language) if inner is not None else NOTHING


def _starred_values(analysis: Analysis, table: FileTable, name: str) -> Values:
    """A name from what the file imports whole."""
    analysis.program.note_stars(table)
    if not table.stars:
        return NOTHING
    return analysis.remember(("starred", table.file, name), _find_starred, table, name)


def _find_starred(analysis: Analysis, table: FileTable, name: str) -> Values:
    parts = []
    for number in (number for numbers in table.stars.values() for number in numbers):
        spaces = _destination_of(analysis, table, number)
        # What is outside might have any name; nothing says that it has this one.
        inside = tuple(space for space in spaces if not isinstance(space, str))
        parts.append(space_member(analysis, inside, name))
    return merge(parts)


def _neighbour_values(analysis: Analysis, table: FileTable, name: str) -> Values:
    """A name from the files of the same package."""
    program = analysis.program
    paths = program.rules(table).neighbours_with(table.path, table.facts, name)
    if not paths:
        return NOTHING
    return merge(
        definition_values(analysis, scope, name)
        for other in program.tables_at(paths)
        for scope in _defining(analysis, other, name)
    )


def _defining(analysis: Analysis, table: FileTable, name: str) -> list[int]:
    """The outermost scopes of a file, itself and its namespaces, that define a name."""
    return [
        table.first + number
        for number in table.spaces
        if analysis.program.definitions(table, number, name) is not None
    ]


def given_values(analysis: Analysis, owner: int, name: str) -> Values:
    """What the file of a module, class or function gives it from outside: `Class.member = …`."""
    table = analysis.program.table_of(owner)
    analysis.program.note_stores(table, name)
    if name not in table.late_stores:
        return NOTHING
    return analysis.remember(("given", owner, name), _given_values, owner, name)


def _given_values(analysis: Analysis, owner: int, name: str) -> Values:
    stores = analysis.program.table_of(owner).late_stores[name][:MOST_GIVEN]
    return merge(
        analysis.evaluate(store.value, store.scope)
        for store in stores
        if _is_of(analysis.evaluate(store.receiver, store.scope), owner)
    )


def _is_of(values: Values, owner: int) -> bool:
    return any(
        isinstance(value, int) and value >> 2 == owner and value & 3 in {SYMBOL, INSTANCE} for value in values
    )
