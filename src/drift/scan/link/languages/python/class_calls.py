"""Calls of metaclasses: the classes they make, and the constructors that `super().__call__()` of one runs."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from drift.languages.expressions import Expression
from drift.languages.facts import Call
from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import line_of_descent
from drift.scan.link.metaclasses import CALLING, calls_of_class

_PLAIN_CALL: Final = (
    "builtins.type.__call__"  # what runs where no metaclass of the project says something else
)

_CLASS_OF_CLASSES: Final = "builtins.type"
_MAKING_ARGUMENTS: Final = 3  # the name of a class that is made, its parents and its members


def made_parents(analysis: Analysis, owner: int, call: Call) -> tuple[Expression, ...]:
    """The parents of the class that calling a metaclass makes, `Meta("Box", (Base,), {})`: it has what they have."""
    given = [value for keyword, value in call.arguments if keyword is None]
    if len(given) != _MAKING_ARGUMENTS or analysis.program.symbol(owner).kind not in TYPE_KINDS:
        return ()
    parents = given[1] if _CLASS_OF_CLASSES in line_of_descent(analysis, owner) else None
    return () if parents is None else (("item", parents),)


def classes_made(analysis: Analysis, scope: int, outside: Collection[str | None]) -> tuple[int, ...]:
    """The classes of a file whose metaclass has the method at hand, where that goes on to make them."""
    if _PLAIN_CALL not in outside or analysis.program.symbol(scope).name != CALLING:
        return ()
    table = analysis.program.table_of(scope)
    classes = (table.first + number for number, one in enumerate(table.symbols) if one.kind in TYPE_KINDS)
    return tuple(one for one in classes if scope in calls_of_class(analysis, one))
