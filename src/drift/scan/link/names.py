"""What names mean: by scope, by import, by package."""

from __future__ import annotations

from collections.abc import Iterator

from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.definition_values import assigned_values, is_plain_value, symbol_values
from drift.scan.link.destination_form import Destination
from drift.scan.link.destinations import import_destination
from drift.scan.link.given_members import given_values
from drift.scan.link.hierarchy import class_around, definitions_in
from drift.scan.link.inclusion import places_in_sight
from drift.scan.link.keys import part_key
from drift.scan.link.namespaces import defining_scopes, namespace_scopes, spaces_around
from drift.scan.link.partials import whole_classes
from drift.scan.link.scopes import find_name
from drift.scan.link.settled_types import own_object, settled_values
from drift.scan.link.tables import FileTable
from drift.scan.link.values import (
    NOTHING,
    SYMBOL_MASK,
    Value,
    Values,
    external_member,
    is_internal,
    merge,
    symbol_of,
    symbol_value,
)
from drift.scan.link.whole_imports import module_in, of_space, seen_whole


def name_values(analysis: Analysis, name: str, scope: int) -> Values:
    """The values of a name where it stands."""
    return analysis.memoised_for_file(("name", scope, name), _name_values, name, scope)


def _name_values(analysis: Analysis, name: str, scope: int) -> Values:
    table = analysis.program.table_of(scope)
    semantics = analysis.program.semantics(table)
    scoped = semantics.scoped_values(analysis, name, scope)
    if scoped is not None:
        return scoped
    found = find_name(analysis, name, scope)
    if found is None:
        return free_values(analysis, table, name) or semantics.undefined_values(analysis, name, scope)
    if not found.definitions:
        # What a class around that of the code inherits is a member of the object around.
        at = scope if found.scope == class_around(analysis, scope) else found.scope
        return analysis.evaluate(("member", ("this",), name), at)
    if semantics.are_of_other_types(table, found.definitions):
        values = free_values(analysis, table, name)
        if any(map(is_internal, values)):
            return values
        if name in semantics.builtins:
            # What the language has by that name, and what impls of this file give it.
            return merge([definition_values(analysis, found.scope, name), values])
    return definition_values(analysis, found.scope, name)


def free_values(analysis: Analysis, table: FileTable, name: str) -> Values:
    """The values of a name as it is seen from outside its file: by package and imports."""
    return analysis.memoised(("free", table.file, name), _free_values, table, name)


def _free_values(analysis: Analysis, table: FileTable, name: str) -> Values:
    rules = analysis.program.semantics(table)
    values = _neighbour_values(analysis, table, name)
    if not values or (len(values) > 1 and rules.prefers_included_names):
        values = _starred_values(analysis, table, name) or values  # of scripts the included one
    elif rules.macro_suffix:  # a macro hides no module
        values = merge([values, tuple(filter(is_internal, _starred_values(analysis, table, name)))])
    values = values or _shared_values(analysis, table, name)
    if values:
        return values
    analysis.program.note(part_key(name))
    space = rules.space(table.path, table.facts, name)
    if space is not None:
        return destination_values(analysis, space, table.facts.language)
    return (rules.builtin_prefix + name,) if name in rules.builtins else NOTHING


def _shared_values(analysis: Analysis, table: FileTable, name: str) -> Values:
    """A name from the imports that hold in a file without standing in it."""
    rules, parts = analysis.program.semantics(table), []
    for one in rules.shared_imports(table.path):
        if one.alias in {None, name}:
            destination = rules.destination(table.path, table.facts, one)
            spaces = destination_values(analysis, destination, table.facts.language)
            if one.alias:
                parts.append(spaces if one.name is None else space_member(analysis, spaces, one.name))
            elif destination.external is None:
                parts.append(seen_whole(analysis, space_member(analysis, spaces, name)))
    return merge(parts)


def definition_values(analysis: Analysis, scope: int, name: str) -> Values:
    """The values of a name in the scope that defines it."""
    if analysis.program.table_of(scope).units[scope & SYMBOL_MASK]:
        return analysis.memoised_for_file((scope, name), _definition_values, scope, name)
    return analysis.memoised((scope, name), _definition_values, scope, name)


def _definition_values(analysis: Analysis, scope: int, name: str) -> Values:
    table = analysis.program.table_of(scope)
    definitions = definitions_in(analysis, table, scope & SYMBOL_MASK, name) or ()
    if analysis.program.semantics(table).has_settled_types and (
        settled := settled_values(analysis, table, definitions)
    ):
        return settled
    if made := own_object(analysis, definitions, scope):
        return made
    # An assigned value says more than the declared type, which the definition of the symbol repeats.
    has_value = any(definition.kind == "value" for definition in definitions)
    parts: list[Values] = []
    for definition in definitions:
        if definition.kind == "symbol":
            if not (has_value and is_plain_value(analysis, table.first + definition.number)):
                parts.append(symbol_values(analysis, table, definition.number))
        elif definition.kind == "value":
            parts.append(assigned_values(analysis, definition, scope, name))
        elif definition.kind == "import":
            parts.append(imported_values(analysis, table, definition.number))
        else:
            parts.append(_parameter_values(analysis, scope, definition.number))
    return parts[0] if len(parts) == 1 else merge(parts)


def _parameter_values(analysis: Analysis, function: int, place: int) -> Values:
    return analysis.evaluate(("parameter", place), function)


def imported_values(analysis: Analysis, table: FileTable, number: int) -> Values:
    """What an import binds."""
    return analysis.memoised(("import", table.file, number), _imported_values, table, number)


def _imported_values(analysis: Analysis, table: FileTable, number: int) -> Values:
    written = table.facts.imports[number]
    values = _destination_of(analysis, table, number)
    if written.name is None or written.name == "*":
        return values
    # Inside a namespace of the file (`use super::Name`) the import binds another name than the one it means.
    if values == (symbol_value(table.first),) and not written.scope and written.name == written.alias:
        return _own_submodule(analysis, table, written.name)
    return space_member(analysis, values, written.name)


def _own_submodule(analysis: Analysis, table: FileTable, name: str) -> Values:
    """What a package imports from itself: a module inside it, as the name it binds is this very import."""
    analysis.program.note(part_key(name))
    inner = analysis.program.semantics(table).submodule(table.path, None, name)
    return destination_values(analysis, inner, table.facts.language) if inner is not None else NOTHING


def _destination_of(analysis: Analysis, table: FileTable, number: int) -> Values:
    destination = import_destination(analysis, table, number)
    return destination_values(analysis, destination, table.facts.language)


def destination_values(analysis: Analysis, destination: Destination, language: str) -> Values:
    """The module, package or outside thing that an import text names."""
    values: Values = NOTHING
    if destination.file is not None:
        file = analysis.program.files.get(destination.file)
        if file is not None:
            first = analysis.program.table(file).first
            values = (symbol_value(first),)
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
        elif analysis.program.symbol(symbol_of(space)).kind == "module":
            parts.append(module_member(analysis, symbol_of(space), name))
        else:
            parts.append(analysis.evaluate(("of", space, name), symbol_of(space)))
    return parts[0] if len(parts) == 1 else merge(parts)


def module_member(analysis: Analysis, module: int, name: str) -> Values:
    """A name of a module, as seen from outside."""
    return analysis.memoised(("module", module, name), _module_member, module, name)


def _module_member(analysis: Analysis, module: int, name: str) -> Values:
    table = analysis.program.table_of(module)
    rules, own = analysis.program.semantics(table), _own_values(analysis, table, name)
    if own and rules.has_modules_apart and table.stars and all(map(_is_module, own)):
        return merge([own, _starred_values(analysis, table, name)])
    found = own or _starred_values(analysis, table, name) or _passed_on_values(analysis, table, name)
    return found or rules.shared_variables(analysis, name)


def _is_module(value: Value) -> bool:
    return isinstance(value, int) and not symbol_of(value) & SYMBOL_MASK


def _own_values(analysis: Analysis, table: FileTable, name: str) -> Values:
    """What a module has by a name without asking those that it imports whole."""
    extra = given_values(analysis, table.first, name) or _beside_values(analysis, table, name)
    scopes = defining_scopes(analysis, table, name)
    if scopes:
        return merge([*(definition_values(analysis, scope, name) for scope in scopes), extra])
    if extra:
        return extra
    analysis.program.note(part_key(name))
    inner = analysis.program.semantics(table).submodule(table.path, None, name)
    return NOTHING if inner is None else destination_values(analysis, inner, table.facts.language)


def _beside_values(analysis: Analysis, table: FileTable, name: str) -> Values:
    """What has a name beside all else that has it: macros have names of their own."""
    beside = analysis.program.semantics(table).beside(table.path, name)
    return NOTHING if beside is None else destination_values(analysis, beside, table.facts.language)


def _passed_on_values(analysis: Analysis, table: FileTable, name: str) -> Values:
    """What a script exports of things outside, all of which it exports: who asks for a name gets it from there."""
    if not table.stars or not analysis.program.semantics(table).has_object_literals:
        return NOTHING
    numbers = (number for found in table.stars.values() for number in found)
    spaces = merge(_destination_of(analysis, table, number) for number in numbers)
    return merge(external_member(space, name) for space in spaces if isinstance(space, str))


def package_member(analysis: Analysis, package: Value, name: str) -> Values:
    """A name of a package: of one of its files, or a module inside it."""
    return analysis.memoised((package, name), _package_member, package, name)


def _package_member(analysis: Analysis, package: tuple[str, str, str], name: str) -> Values:
    _, language, key = package
    rules = analysis.program.semantics_of(language)
    tables = analysis.program.tables_at(rules.files_with(key, name))
    if rules.has_open_namespaces:
        scopes = namespace_scopes(analysis, tables, key, name=name)
    else:
        scopes = [scope for table in tables for scope in defining_scopes(analysis, table, name)]
        if rules.has_spaces_named_as_classes:
            scopes = [scope for scope in scopes if _space_at(analysis, scope) == key]
    parts = [definition_values(analysis, scope, name) for scope in scopes]
    if parts:
        return whole_classes(analysis, merge(parts))
    analysis.program.note(part_key(name))
    inner = rules.submodule(None, key, name)
    return destination_values(analysis, inner, language) if inner is not None else NOTHING


def space_of(analysis: Analysis, number: int) -> str:
    """The namespace that a symbol outside of all classes is declared in, of a file of one or of several."""
    return _space_at(analysis, analysis.program.parent(number))


def _space_at(analysis: Analysis, scope: int) -> str:
    if scope & SYMBOL_MASK:
        return analysis.program.symbol(scope).name.strip("\\")
    return analysis.program.table_of(scope).facts.package


def _starred_values(analysis: Analysis, table: FileTable, name: str) -> Values:
    """A name from what the file imports whole."""
    analysis.program.note_stars(table)
    if not table.stars:
        spaces = spaces_around(analysis, table)
        return merge(
            package_member(analysis, ("package", table.facts.language, space), name) for space in spaces
        )
    return analysis.memoised(("starred", table.file, name), _find_starred, table, name)


def _find_starred(analysis: Analysis, table: FileTable, name: str) -> Values:
    rules = analysis.program.semantics(table)
    if rules.has_open_namespaces:
        return _included_values(analysis, table, name)
    values = rules.names_seen_whole(analysis, _whole_values(analysis, table, name))
    return tuple(value for value in values if not isinstance(value, str)) or values


def _whole_values(analysis: Analysis, table: FileTable, name: str) -> Values:
    """A name from the modules imported whole, directly or through others that have no such name themselves.

    Step by step: modules that import each other whole would each be asked by all others, again and again.
    """
    parts: list[Values] = []
    bare: dict[int, FileTable] = {}
    seen: set[int] = set()
    waiting = _stars_of(analysis, table)[::-1]
    while waiting:
        spaces = waiting.pop()
        module = module_in(analysis, spaces)
        if module is None:
            parts.append(_whole_member(analysis, spaces, name))
        elif module not in seen:
            seen.add(module)
            other = analysis.program.table_of(module)
            own = _own_values(analysis, other, name)
            parts.append(own)
            if not own:
                bare[module] = other
                analysis.program.note_stars(other)
                waiting += _stars_of(analysis, other)[::-1]
    values = merge(parts) or merge(_passed_on_values(analysis, one, name) for one in bare.values())
    return seen_whole(analysis, values)


def _stars_of(analysis: Analysis, table: FileTable) -> list[Values]:
    """What of the project a file imports whole, each import apart."""
    if not table.stars:
        return []
    spaces = _plain_stars(analysis, table)
    if spaces is not None:
        return spaces
    numbers = (number for found in table.stars.values() for number in found)
    # What is outside might have any name; nothing says that it has this one.
    return [
        tuple(space for space in _destination_of(analysis, table, number) if not isinstance(space, str))
        for number in numbers
    ]


def types_imported_whole(analysis: Analysis, table: FileTable) -> Iterator[Value]:
    """The types of the project whose members a file calls by their bare names."""
    kind_of = analysis.program.symbol
    for space in (one for spaces in _stars_of(analysis, table) for one in spaces):
        if isinstance(space, int) and kind_of(symbol_of(space)).kind in TYPE_KINDS:
            yield space


def _included_values(analysis: Analysis, table: FileTable, name: str) -> Values:
    """A name from the files that a file includes."""
    values = merge(
        definition_values(analysis, one, name)
        if isinstance(one, int)
        else package_member(analysis, one, name)
        for one in places_in_sight(analysis, table, name)
    )
    return tuple(value for value in values if not isinstance(value, str)) or values


def _whole_member(analysis: Analysis, spaces: Values, name: str) -> Values:
    """A member of what is imported whole: of an enum or class what it has itself, not what its parents might have."""
    program = analysis.program
    types = [
        one for one in spaces if isinstance(one, int) and program.symbol(symbol_of(one)).kind in TYPE_KINDS
    ]
    if not types:
        return space_member(analysis, spaces, name)
    return tuple(value for value in space_member(analysis, spaces, name) if not isinstance(value, str))


def _plain_stars(analysis: Analysis, table: FileTable) -> list[Values] | None:
    """What of the project a file imports whole; None where some of it is only found by asking for members."""
    if table.plain_stars is None:
        table.plain_stars = analysis.program.read_apart(_find_plain_stars, analysis, table)
    spaces, read = table.plain_stars
    analysis.program.reads.update(read)
    return spaces


def _find_plain_stars(analysis: Analysis, table: FileTable) -> list[Values] | None:
    numbers = [number for found in table.stars.values() for number in found]
    destinations = [import_destination(analysis, table, number) for number in numbers]
    if any(one.path or one.value is not None for one in destinations):
        return None
    inside = [one for one in destinations if one.external is None]
    return [destination_values(analysis, one, table.facts.language) for one in inside]


def _neighbour_values(analysis: Analysis, table: FileTable, name: str) -> Values:
    """A name from the files of the same package."""
    scopes = neighbour_scopes(analysis, table, name)
    found = merge(definition_values(analysis, scope, name) for scope in scopes) if scopes else NOTHING
    return whole_classes(analysis, of_space(analysis, found, analysis.program.semantics(table)))


def neighbour_scopes(analysis: Analysis, table: FileTable, name: str) -> list[int]:
    """The scopes in other files of the same package that give a name a meaning."""
    program = analysis.program
    paths = program.semantics(table).neighbours_with(table.path, table.facts, name)
    scopes = [scope for other in program.tables_at(paths) for scope in defining_scopes(analysis, other, name)]
    if program.semantics(table).has_spaces_named_as_classes:
        scopes = [one for one in scopes if _space_at(analysis, one) in {"", table.facts.package}]
    return scopes
