"""Members that classes of PHP have after all: in another case, and those of classes that use a trait."""

from __future__ import annotations

from functools import cache

from drift.languages.kinds import CODE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import own_members
from drift.scan.link.members import member_values
from drift.scan.link.subclass_members import MOST_FILES_OF_TRAITS, user_members
from drift.scan.link.values import (
    NOTHING,
    SYMBOL_MASK,
    Values,
    as_instance,
    is_internal,
    is_symbol,
    merge,
    symbol_value,
)


def late_members(analysis: Analysis, line: tuple[int | str, ...], name: str) -> Values:
    """The methods of that name that a line of descent has after all, as functions of their classes."""
    if not line or isinstance(line[0], str):
        return NOTHING
    found = _folded_members(analysis, line, name)
    if not found and (behind := _members_behind(analysis, line, name)):
        return behind
    if not found and analysis.program.symbol(line[0]).kind == "trait":
        found = user_members(analysis, line[0], name, most_files=MOST_FILES_OF_TRAITS)
    return tuple(symbol_value(symbol) for symbol in found)


def _members_behind(analysis: Analysis, line: tuple[int | str, ...], name: str) -> Values:
    """The members of the object that a facade stands for."""
    bases, accessors = _facades()
    if bases.isdisjoint(one for one in line if isinstance(one, str)) or name in accessors:
        return NOTHING
    owner = line[0]
    assert isinstance(owner, int)
    named = [one for accessor in accessors for one in own_members(analysis, owner, accessor)]
    values = merge(_objects_behind(analysis, one) for one in named)
    return tuple(one for one in member_values(analysis, values, name) if is_internal(one))


def _objects_behind(analysis: Analysis, accessor: int) -> Values:
    """What a method names that is to be asked of the container: a class, or what is bound to a name."""
    analysis.program.note_body(accessor)
    returned = analysis.program.table_of(accessor).returns.get(accessor & SYMBOL_MASK, ())
    found = merge(analysis.evaluate(value, accessor) for value in returned)
    return tuple(as_instance(one) if is_symbol(one) else one for one in found)


@cache
def _facades() -> tuple[frozenset[str], frozenset[str]]:
    # Only projects with PHP pay for reading the words.
    from drift.languages.frameworks import load_frameworks

    frameworks = load_frameworks("php")
    return frameworks.names("facades", "bases"), frameworks.names("facades", "accessors")


def _folded_members(analysis: Analysis, line: tuple[int | str, ...], name: str) -> list[int]:
    """The method whose name differs in case alone, of the first class that has one."""
    program = analysis.program
    wanted = name.lower()
    for owner in line:
        if isinstance(owner, str):
            continue
        table, number = program.table_of(owner), owner & SYMBOL_MASK
        program.note_members(table, number)
        for other in table.names[number]:
            if other.lower() != wanted or other == name:
                continue
            for definition in program.definitions(table, number, other) or ():
                symbol = table.first + definition.number
                if definition.kind == "symbol" and program.symbol(symbol).kind in CODE_KINDS:
                    return [symbol]
    return []
