"""Members that Ruby's objects have after all: of what a module is mixed into, of every object, of `method_missing`."""

from __future__ import annotations

from typing import Final

from drift.languages.facts import Access, Call, Symbol
from drift.languages.kinds import CODE_KINDS, PREPENDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import base_values, line_of_descent, own_members
from drift.scan.link.implicit import implicit_link
from drift.scan.link.keys import mixing_key, space_key
from drift.scan.link.languages.ruby.classes import LANGUAGE, other_parts
from drift.scan.link.links import CallLink
from drift.scan.link.members import value_member
from drift.scan.link.nearness import nearest
from drift.scan.link.subclass_members import MOST_BELOW, MOST_FILES, MOST_FILES_OF_TRAITS, user_members
from drift.scan.link.values import (
    NOTHING,
    Values,
    is_instance,
    is_reference,
    is_symbol,
    symbol_of,
    symbol_value,
)

_MISSING: Final = "method_missing"
_MOST_NAMESAKES: Final = 3  # functions of one name outside of all classes, of which a run loads one


def late_members(analysis: Analysis, line: tuple[int | str, ...], name: str) -> Values:
    """The methods of classes that use a module or are below a class that asks for them, or functions of every object."""
    owner = line[0] if line else ""
    if isinstance(owner, str) or not name or name.startswith("@"):
        return NOTHING
    found = _functions(analysis, owner, name)
    if found:
        return found
    is_trait = analysis.program.symbol(owner).kind == "trait"
    is_open = any(isinstance(one, str) and not one.startswith("ruby.") for one in line)
    if is_open and not is_trait:
        return NOTHING
    below = user_members(analysis, owner, name, most_files=MOST_FILES_OF_TRAITS if is_trait else MOST_FILES)
    highest = _highest(analysis, below)
    return tuple(map(symbol_value, highest)) if len(highest) <= MOST_BELOW else NOTHING


def _highest(analysis: Analysis, methods: list[int]) -> list[int]:
    """Those of the methods that override none of the others, which come with them."""
    parents = {analysis.program.parent(one) for one in methods}
    return [
        one
        for one in methods
        if not parents.intersection(line_of_descent(analysis, analysis.program.parent(one))[1:])
    ]


def _functions(analysis: Analysis, owner: int, name: str) -> Values:
    """The functions outside of all classes, which every object has; of several files the nearest, if they are few."""
    program = analysis.program
    paths = program.providing(space_key(LANGUAGE, "", name))
    if not 0 < len(paths) <= _MOST_NAMESAKES:
        return NOTHING
    table = next(iter(program.tables_at([nearest(program.table_of(owner).path, paths)])))
    return tuple(
        symbol_value(table.first + definition.number)
        for definition in program.definitions(table, 0, name) or ()
        if definition.kind == "symbol" and table.symbols[definition.number].kind == "function"
    )


def parent_members_beside(analysis: Analysis, line: tuple[int | str, ...], name: str) -> Values:
    """What `super` leads to beside parents: in methods of the class itself, and in modules from what they are mixed into."""
    program = analysis.program
    owner = line[0]
    if isinstance(owner, str):
        return NOTHING
    of_class = _first_methods(analysis, line[1:], name)
    if of_class:
        return tuple(map(symbol_value, of_class))
    paths = program.providing(mixing_key(LANGUAGE, program.symbol(owner).name))
    if not 0 < len(paths) <= MOST_FILES_OF_TRAITS:
        return NOTHING
    found: dict[int, None] = {}
    for table in program.tables_at(paths):
        for number, symbol in enumerate(table.symbols):
            users = line_of_descent(analysis, table.first + number) if symbol.bases else ()
            if owner in users:
                after = users[users.index(owner) + 1 :]
                found.update(dict.fromkeys(_first_methods(analysis, (*after, users[0]), name)))
    return tuple(map(symbol_value, found)) if len(found) <= MOST_BELOW else NOTHING


def prepended_methods(analysis: Analysis, owner: int, method: int) -> tuple[int, ...]:
    """The methods of modules that are prepended to a class, which run in the place of one of its own."""
    program = analysis.program
    symbol = program.symbol(method)
    if not _is_of_objects(symbol):
        return ()
    found: dict[int, None] = {}
    for part in (owner, *other_parts(analysis, owner)):
        for position, base in enumerate(program.symbol(part).bases):
            for value in base_values(analysis, part, position) if base.kind == PREPENDS else ():
                members = own_members(analysis, symbol_of(value), symbol.name) if is_symbol(value) else ()
                found.update(dict.fromkeys(one for one in members if _is_of_objects(program.symbol(one))))
    found.pop(method, None)
    return tuple(found)


def _is_of_objects(symbol: Symbol) -> bool:
    return symbol.kind in CODE_KINDS and "classmethod" not in symbol.modifiers


def _first_methods(analysis: Analysis, line: tuple[int | str, ...], name: str) -> list[int]:
    for owner in line:
        if isinstance(owner, int):
            members = own_members(analysis, owner, name)
            methods = [one for one in members if analysis.program.symbol(one).kind in CODE_KINDS]
            if methods:
                return methods
    return []


def missing_method_values(analysis: Analysis, call: Call, scope: int) -> Values:
    """The `method_missing` that runs for a method that no class in the line of the object has."""
    callee = call.callee
    if callee is None or callee[0] != "member" or callee[1] is None or callee[1][0] == "super":
        return NOTHING
    for value in analysis.evaluate(callee[1], scope):
        if is_instance(value) or is_symbol(value):
            found = value_member(analysis, value, _MISSING)
            if any(is_reference(one) for one in found):
                return tuple(one for one in found if is_reference(one))
    return NOTHING


def access_link(analysis: Analysis, access: Access, scope: int) -> CallLink | None:
    """What an operator or an element in brackets runs: the method of that name."""
    found: dict[int, None] = {}
    for value in analysis.evaluate(access.receiver, scope):
        if isinstance(value, int):
            members = value_member(analysis, value, access.name)
            found.update(dict.fromkeys(symbol_of(one) for one in members if is_reference(one)))
    methods = tuple(one for one in found if analysis.program.symbol(one).kind in CODE_KINDS)
    return implicit_link(analysis, methods, is_virtual=True) if methods else None
