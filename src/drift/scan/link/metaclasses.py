"""The class of a class: what makes it, and runs for what is done with the class itself."""

from __future__ import annotations

from typing import Final

from drift.languages.facts import METACLASS
from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import declared_members, line_of_descent, own_members
from drift.scan.link.names import definition_values
from drift.scan.link.values import SYMBOL_MASK, is_symbol, symbol_of

_MAKERS: Final = ("__new__", "__init__")
_INHERITED_HOOK: Final = "__init_subclass__"
CALLING: Final = "__call__"
"""The method that runs where an object of its class is called, so of a metaclass a class."""


def members_of_class(analysis: Analysis, owner: int, name: str) -> tuple[int, ...]:
    """What runs where a class itself is asked for a member: that of its metaclass."""
    found = metaclasses(analysis, owner)
    return tuple(member for one in found for member in declared_members(analysis, one, name))


def calls_of_class(analysis: Analysis, owner: int) -> tuple[int, ...]:
    """What a metaclass of the project runs where the class is called."""
    if not analysis.program.semantics_at(owner).has_class_of_classes:
        return ()
    found: tuple[int, ...] = analysis.cached(("calls of class", owner), _calls_of_class, owner)
    return found


def _calls_of_class(analysis: Analysis, owner: int) -> tuple[int, ...]:
    found = members_of_class(analysis, owner, CALLING)
    return tuple(one for one in found if analysis.program.symbol(one).kind == "method")


def makers_of_class(analysis: Analysis, owner: int) -> tuple[int, ...]:
    """What runs where a class is made: its metaclass, the hooks of what its body holds, and that of its parents."""
    found = metaclasses(analysis, owner)
    made_by = [
        member for one in found for name in _MAKERS for member in declared_members(analysis, one, name)
    ]
    return (
        *made_by,
        *analysis.program.semantics_at(owner).naming_hooks(analysis, owner),
        *_inherited_hook(analysis, owner),
    )


def metaclasses(analysis: Analysis, owner: int) -> tuple[int, ...]:
    """The metaclass of the project that a class or the first of its ancestors that has one names; of all where each counts."""
    program = analysis.program
    has_many = program.semantics_at(owner).has_many_metaclasses
    found: list[int] = []
    for ancestor in line_of_descent(analysis, owner):
        if isinstance(ancestor, str):
            continue
        if program.definitions(program.table_of(ancestor), ancestor & SYMBOL_MASK, METACLASS) is not None:
            values = definition_values(analysis, ancestor, METACLASS)
            symbols = (symbol_of(value) for value in values if is_symbol(value))
            found += [symbol for symbol in symbols if program.symbol(symbol).kind in TYPE_KINDS]
            if not has_many:
                break
    return tuple(dict.fromkeys(found))


def _inherited_hook(analysis: Analysis, owner: int) -> tuple[int, ...]:
    for ancestor in line_of_descent(analysis, owner)[1:]:
        if isinstance(ancestor, int):
            found = own_members(analysis, ancestor, _INHERITED_HOOK)
            if found:
                return tuple(found)
    return ()
