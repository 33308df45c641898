"""What a constant means: by the modules around it, by the ancestors of the innermost, by its name alone."""

from __future__ import annotations

from collections.abc import Iterator

from drift.languages.kinds import ANY_EDITION, CODE_KINDS, TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import line_of_descent
from drift.scan.link.keys import space_key, type_key
from drift.scan.link.languages.ruby.classes import (
    IMPLIED,
    LANGUAGE,
    editions_at,
    inner_class,
    other_parts,
    whole_classes,
)
from drift.scan.link.languages.ruby.files import ACRONYMS
from drift.scan.link.languages.ruby.names import RUBY_CLASSES
from drift.scan.link.names import definition_values
from drift.scan.link.values import NOTHING, SYMBOL_MASK, Values, is_symbol, merge, symbol_of, symbol_value

_OUTERMOST = "::"


def constant_values(analysis: Analysis, name: str, scope: int) -> Values:
    """What a constant means where it stands; one that the project has not is one of a library."""
    if name.startswith(ANY_EDITION):
        path = tuple(name.removeprefix(ANY_EDITION).split(_OUTERMOST))
        return tuple(symbol_value(one) for one in editions_at(analysis, path))
    if name.startswith(_OUTERMOST):
        return _top_values(analysis, name.removeprefix(_OUTERMOST))
    around = list(_classes_around(analysis, scope))
    for owner in around:
        found = _held_by(analysis, owner, name)
        if found:
            return found
    for ancestor in line_of_descent(analysis, around[0])[1:] if around else ():
        found = _own_values(analysis, ancestor, name) if isinstance(ancestor, int) else NOTHING
        if found:
            return found
    return _top_values(analysis, name)


def _classes_around(analysis: Analysis, scope: int) -> Iterator[int]:
    """The classes and modules whose bodies a scope is in, the innermost first; a path opens only what it ends in."""
    table = analysis.program.table_of(scope)
    number = scope & SYMBOL_MASK
    while number:
        symbol = table.symbols[number]
        if symbol.kind in TYPE_KINDS and IMPLIED not in symbol.modifiers:
            yield table.first + number
        number = symbol.parent


def _held_by(analysis: Analysis, owner: int, name: str) -> Values:
    """What a class has of that name, wherever it is opened."""
    own = _own_values(analysis, owner, name)
    if own:
        return own
    inner = inner_class(analysis, owner, name)
    if inner is not None:
        return (symbol_value(inner),)
    parts = other_parts(analysis, owner)
    return whole_classes(analysis, merge(_own_values(analysis, part, name) for part in parts))


def _own_values(analysis: Analysis, owner: int, name: str) -> Values:
    program = analysis.program
    table = program.table_of(owner)
    if program.definitions(table, owner & SYMBOL_MASK, name) is None:
        return NOTHING
    found = definition_values(analysis, owner, name)
    # A method may be called like a constant; `Integer` alone is none of it.
    kept = tuple(
        value
        for value in found
        if not is_symbol(value) or program.symbol(symbol_of(value)).kind not in CODE_KINDS
    )
    return whole_classes(analysis, kept)


def _top_values(analysis: Analysis, name: str) -> Values:
    found: Values = analysis.memoised(("ruby outermost", name), _find_outermost, name)
    return found


def _find_outermost(analysis: Analysis, name: str) -> Values:
    program = analysis.program
    paths = program.providing(space_key(LANGUAGE, "", name))
    found = merge(_own_values(analysis, table.first, name) for table in program.tables_at(paths))
    if found:
        return found
    if name in RUBY_CLASSES:
        return (f"ruby.{name}",)
    written = _with_acronyms(analysis, name)
    if written:
        return written
    # A class of that name further inside may be in sight by what is evaluated at run time.
    return NOTHING if program.is_provided(type_key(LANGUAGE, name)) else (name,)


def _with_acronyms(analysis: Analysis, name: str) -> Values:
    """The one class that differs by its capitals alone: Rails makes `IPPool` of `ip_pool` where that is an acronym."""
    program = analysis.program
    paths = program.providing(space_key(LANGUAGE, ACRONYMS, name.lower()))
    found = {
        (table.first, symbol.name): None
        for table in program.tables_at(paths)
        for symbol in table.symbols
        if symbol.kind in TYPE_KINDS and not symbol.parent and symbol.name.lower() == name.lower()
    }
    if len({each for _, each in found}) != 1:
        return NOTHING
    return merge(_own_values(analysis, first, each) for first, each in found)
