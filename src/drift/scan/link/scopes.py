"""Which scope a bare name is defined in: of those around it, and of the class whose method it stands in."""

from __future__ import annotations

from typing import NamedTuple

from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import bare_definitions, class_of, line_of_descent, outside_members
from drift.scan.link.tables import Definition, FileTable, is_outside_method
from drift.scan.link.values import SYMBOL_MASK


class Found(NamedTuple):
    """Where a name is defined, and as what. Without definitions it is an inherited member of `scope`."""

    scope: int
    definitions: list[Definition]


Search = tuple[Found | None, tuple[int, ...]]
"""What a search came to, and the keys read for it."""


def find_name(analysis: Analysis, name: str, scope: int) -> Found | None:
    """The definitions of a name in the innermost scope that has it, up to the file."""
    program = analysis.program
    table = program.table_of(scope)
    if program.semantics(table).has_implicit_this:
        return _search(analysis, table, scope & SYMBOL_MASK, name)
    # Without inherited names a search rests on its own file alone, and can be kept for whoever asks.
    known: Search | None = table.searches.get((scope, name))
    if known is None:
        known = program.read_apart(_search, analysis, table, scope & SYMBOL_MASK, name)
        table.searches[scope, name] = known
    program.reads.update(known[1])
    return known[0]


def _search(analysis: Analysis, table: FileTable, number: int, name: str) -> Found | None:
    has_implicit_this = analysis.program.semantics(table).has_implicit_this
    is_first = True
    while True:
        symbol = table.symbols[number]
        # A function that is a class has variables like any other.
        is_class = symbol.kind in TYPE_KINDS and "prototype" not in symbol.modifiers
        if not is_class or is_first or has_implicit_this:
            definitions = bare_definitions(analysis, table, number, name)
            # One that stands outside its class is no name of the file, either.
            is_type = is_class or has_implicit_this
            if definitions is not None and not (is_type and _are_constructors(analysis, table, definitions)):
                return Found(table.first + number, definitions)
            if symbol.kind == "namespace" and (other := _in_other_block(analysis, table, number, name)):
                return other
            if is_class and has_implicit_this and _is_inherited(analysis, table.first + number, name):
                return Found(table.first + number, [])
        if not number:
            return None
        if has_implicit_this and is_outside_method(table.facts, number):
            owner = class_of(analysis, table.first + number)
            if owner is not None and _has_member(analysis, owner, name):
                return Found(owner, [])
        is_first = False
        number = table.outer_scopes.get(number, symbol.parent) if symbol.kind == "method" else symbol.parent


def _in_other_block(analysis: Analysis, table: FileTable, number: int, name: str) -> Found | None:
    """A name that a namespace has where the same file opens it once more."""
    if not analysis.program.semantics(table).has_open_namespaces:
        return None
    for block in table.other_blocks.get(number, ()):
        definitions = bare_definitions(analysis, table, block, name)
        if definitions is not None:
            return Found(table.first + block, definitions)
    return None


def _has_member(analysis: Analysis, owner: int, name: str) -> bool:
    table = analysis.program.table_of(owner)
    own = analysis.program.definitions(table, owner & SYMBOL_MASK, name)
    is_own = own is not None and not _are_constructors(analysis, table, own)
    return is_own or _is_inherited(analysis, owner, name)


def _is_inherited(analysis: Analysis, owner: int, name: str) -> bool:
    # Asked for each name in each method; nothing is inherited from a class while its parents are looked for.
    return bool(analysis.cached(("inherits", owner, name), _inherits, owner, name))


def _inherits(analysis: Analysis, owner: int, name: str) -> bool:
    for ancestor in line_of_descent(analysis, owner):
        if isinstance(ancestor, str):
            continue
        outside = outside_members(analysis, ancestor).get(name, ())
        if any(analysis.program.symbol(one).kind != "constructor" for one in outside):
            return True
        table = analysis.program.table_of(ancestor)
        definitions = analysis.program.definitions(table, ancestor & SYMBOL_MASK, name)
        if ancestor != owner and definitions and not _are_constructors(analysis, table, definitions):
            return True
    return False


def _are_constructors(analysis: Analysis, table: FileTable, definitions: list[Definition]) -> bool:
    """Whether all that has a name is constructors: what has the name in the text is then their class."""
    symbol = analysis.program.symbol
    return all(
        definition.kind == "symbol" and symbol(table.first + definition.number).kind == "constructor"
        for definition in definitions
    )
