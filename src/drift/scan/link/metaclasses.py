"""The class of a class: what makes it, and runs for what is done with the class itself."""

from __future__ import annotations

from typing import Final

from drift.languages.facts import METACLASS
from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import declared_members, line_of_descent, own_members
from drift.scan.link.languages.python.descriptors import naming_hooks
from drift.scan.link.names import definition_values
from drift.scan.link.values import SYMBOL, SYMBOL_MASK

_MAKERS: Final = ("__new__", "__init__")
_INHERITED_HOOK: Final = "__init_subclass__"
_CALLING: Final = "__call__"

PLAIN_CALL: Final = "builtins.type.__call__"
"""What calling a class runs of which no metaclass of the project says something else."""


def members_of_class(analysis: Analysis, owner: int, name: str) -> tuple[int, ...]:
    """What runs where a class itself is asked for a member: that of its metaclass."""
    found = metaclasses(analysis, owner)
    return tuple(member for one in found for member in declared_members(analysis, one, name))


def calls_of_class(analysis: Analysis, owner: int) -> tuple[int, ...]:
    """What a metaclass of the project runs where the class is called."""
    if analysis.program.table_of(owner).facts.language != "python":
        return ()
    found: tuple[int, ...] = analysis.cached(("calls of class", owner), _calls_of_class, owner)
    return found


def _calls_of_class(analysis: Analysis, owner: int) -> tuple[int, ...]:
    found = members_of_class(analysis, owner, _CALLING)
    return tuple(one for one in found if analysis.program.symbol(one).kind == "method")


def classes_made_here(analysis: Analysis, scope: int) -> tuple[int, ...]:
    """The classes of a file whose metaclass has the method at hand, where that is what runs when they are called."""
    if analysis.program.symbol(scope).name != _CALLING:
        return ()
    table = analysis.program.table_of(scope)
    classes = (table.first + number for number, one in enumerate(table.symbols) if one.kind in TYPE_KINDS)
    return tuple(one for one in classes if scope in calls_of_class(analysis, one))


def makers_of_class(analysis: Analysis, owner: int) -> tuple[int, ...]:
    """What runs where a class is made: its metaclass, the hooks of what its body holds, and that of its parents."""
    found = metaclasses(analysis, owner)
    made_by = [
        member for one in found for name in _MAKERS for member in declared_members(analysis, one, name)
    ]
    return (*made_by, *naming_hooks(analysis, owner), *_inherited_hook(analysis, owner))


def metaclasses(analysis: Analysis, owner: int) -> tuple[int, ...]:
    """The metaclass of the project that a class or the first of its ancestors that has one names."""
    program = analysis.program
    for ancestor in line_of_descent(analysis, owner):
        if isinstance(ancestor, str):
            continue
        if program.definitions(program.table_of(ancestor), ancestor & SYMBOL_MASK, METACLASS) is not None:
            values = definition_values(analysis, ancestor, METACLASS)
            symbols = (value >> 2 for value in values if isinstance(value, int) and value & 3 == SYMBOL)
            return tuple(symbol for symbol in symbols if program.symbol(symbol).kind in TYPE_KINDS)
    return ()


def _inherited_hook(analysis: Analysis, owner: int) -> tuple[int, ...]:
    for ancestor in line_of_descent(analysis, owner)[1:]:
        if isinstance(ancestor, int):
            found = own_members(analysis, ancestor, _INHERITED_HOOK)
            if found:
                return tuple(found)
    return ()
