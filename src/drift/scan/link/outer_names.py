"""What names mean that are called like a variable, and are none: a path begins with a module, `x := x()` calls a function."""

from __future__ import annotations

from drift.languages.kinds import CODE_KINDS, TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.names import name_values
from drift.scan.link.scopes import find_name
from drift.scan.link.tables import Definition
from drift.scan.link.values import SYMBOL_MASK, Values


def outer_values(analysis: Analysis, name: str, scope: int) -> Values:
    """The values of a name that is no variable of the functions around it, though it may be called like one."""
    if analysis.program.semantics_at(scope).are_class_bodies_apart:
        if analysis.program.symbol(scope).kind in CODE_KINDS:  # the default of a parameter
            scope = analysis.program.parent(scope)
        return name_values(analysis, name, _scope_around_classes(analysis, scope))
    found = find_name(analysis, name, scope)
    while found is not None and found.scope & SYMBOL_MASK and _are_variables(found.definitions):
        scope = analysis.program.parent(found.scope)
        found = find_name(analysis, name, scope)
    return name_values(analysis, name, scope)


def _are_variables(definitions: list[Definition]) -> bool:
    return bool(definitions) and all(one.kind in {"parameter", "value"} for one in definitions)


def _scope_around_classes(analysis: Analysis, scope: int) -> int:
    """The function or file that a class is in: the bodies of classes see no names of classes around them."""
    program = analysis.program
    while scope & SYMBOL_MASK and program.symbol(scope).kind in TYPE_KINDS:
        scope = program.parent(scope)
    return scope
