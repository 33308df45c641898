"""Which declared symbols an expression names, as a reader of the code would say: the thing, not its value."""

from __future__ import annotations

from typing import Final

from drift.languages.expressions import Expression
from drift.languages.kinds import TYPE_KINDS, VALUE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.destinations import import_destination
from drift.scan.link.hierarchy import declared_members
from drift.scan.link.names import destination_values, imported_values, neighbour_scopes
from drift.scan.link.scopes import find_name
from drift.scan.link.tables import FileTable
from drift.scan.link.values import (
    INSTANCE,
    SYMBOL,
    SYMBOL_MASK,
    Value,
    Values,
    instance_value,
    is_symbol,
    symbol_of,
    symbol_value,
    tag_of,
)

# That are followed from one to the next; each is three frames of the thousand there are.
_MOST_IMPORTS: Final = 100

Seen = set[tuple[int, int]]
"""The imports already followed: re-exports may lead in circles."""


def referenced_symbols(analysis: Analysis, expression: Expression, scope: int) -> tuple[int, ...]:
    """The symbols named, none for locals and for what is outside the project."""
    form = expression
    if form is None:
        return ()
    if form[0] == "name":
        return _designate_name(analysis, form[1], scope)
    if form[0] == "member":
        found: dict[int, None] = {}
        for owner in analysis.evaluate(form[1], scope):
            found.update(dict.fromkeys(member_symbols(analysis, owner, form[2], set())))
        return tuple(found)
    return tuple(symbol_of(value) for value in analysis.evaluate(expression, scope) if is_symbol(value))


def _designate_name(analysis: Analysis, name: str, scope: int) -> tuple[int, ...]:
    found = find_name(analysis, name, scope)
    if found is not None and found.definitions:
        return _defined_symbols(analysis, found.scope, name, set())
    if found is not None:
        return member_symbols(analysis, instance_value(found.scope), name, set())
    variables = _variables_of_package(analysis, name, scope)
    if variables:
        return variables
    return _declared_values(analysis, analysis.evaluate(("name", name), scope))


def _variables_of_package(analysis: Analysis, name: str, scope: int) -> tuple[int, ...]:
    """The variables that another file of the package declares: they are named, not what they hold."""
    scopes = neighbour_scopes(analysis, analysis.program.table_of(scope), name)
    found = [one for each in scopes for one in _defined_symbols(analysis, each, name, set())]
    return tuple(one for one in found if analysis.program.symbol(one).kind in VALUE_KINDS)


def imported_symbols(
    analysis: Analysis, table: FileTable, number: int, seen: Seen | None = None
) -> tuple[int, ...]:
    """The symbols an import names: the module where no name is given."""
    seen = set() if seen is None else seen
    if (table.file, number) in seen or len(seen) >= _MOST_IMPORTS:
        return ()
    seen.add((table.file, number))
    written = table.facts.imports[number]
    destination = import_destination(analysis, table, number)
    spaces = destination_values(analysis, destination, table.facts.language)
    if written.name is None or written.name == "*":
        return _declared_values(analysis, spaces)
    found: dict[int, None] = {}
    for space in spaces:
        found.update(dict.fromkeys(member_symbols(analysis, space, written.name, seen)))
    if not found and spaces == (symbol_value(table.first),):
        # A package takes in a module of its own: the name it looks for is this very import.
        return _declared_values(analysis, imported_values(analysis, table, number))
    return tuple(found)


def member_symbols(analysis: Analysis, owner: Value, name: str, seen: Seen) -> tuple[int, ...]:
    """The symbols that declare a member of a value."""
    program = analysis.program
    if isinstance(owner, str):
        return ()
    if isinstance(owner, tuple):
        return _declared_values(analysis, analysis.evaluate(("of", owner, name), 0))
    kind, tag = program.symbol(symbol_of(owner)).kind, tag_of(owner)
    if kind in TYPE_KINDS and tag in {SYMBOL, INSTANCE}:
        declared = declared_members(analysis, symbol_of(owner), name)
        return declared or _said_members(analysis, symbol_of(owner), name)
    if kind in {"module", "namespace"} and tag == SYMBOL:
        table = program.table_of(symbol_of(owner))
        if program.definitions(table, (symbol_of(owner)) & SYMBOL_MASK, name) is not None:
            found = _defined_symbols(analysis, symbol_of(owner), name, seen)
            if not program.semantics(table).has_modules_apart or any(one & SYMBOL_MASK for one in found):
                return found
        found = _declared_values(analysis, analysis.evaluate(("of", owner, name), symbol_of(owner)))
        return found or _handed_on(analysis, table, name, seen)
    return ()


def _said_members(analysis: Analysis, owner: int, name: str) -> tuple[int, ...]:
    """What settings say that objects of a class look up by their names."""
    return _declared_values(
        analysis, analysis.program.semantics_at(owner).said_members(analysis, owner, name)
    )


def _handed_on(analysis: Analysis, table: FileTable, name: str, seen: Seen) -> tuple[int, ...]:
    """The variables of a name that a file hands on with all that another exports: what they hold is no symbol."""
    found: dict[int, None] = {}
    for number in table.stars.get(0, ()):
        if (table.file, number) in seen or len(seen) >= _MOST_IMPORTS:
            continue
        seen.add((table.file, number))
        destination = import_destination(analysis, table, number)
        for space in destination_values(analysis, destination, table.facts.language):
            found.update(dict.fromkeys(member_symbols(analysis, space, name, seen)))
    return tuple(found)


def _defined_symbols(analysis: Analysis, scope: int, name: str, seen: Seen) -> tuple[int, ...]:
    table = analysis.program.table_of(scope)
    found: dict[int, None] = {}
    for definition in analysis.program.definitions(table, scope & SYMBOL_MASK, name) or ():
        if definition.kind == "symbol":
            found[table.first + definition.number] = None
        elif definition.kind == "import":
            found.update(dict.fromkeys(imported_symbols(analysis, table, definition.number, seen)))
    return tuple(found)


def _declared_values(_analysis: Analysis, values: Values) -> tuple[int, ...]:
    return tuple(dict.fromkeys(symbol_of(value) for value in values if is_symbol(value)))
