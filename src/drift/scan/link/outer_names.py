"""What names mean that are called like a variable, and are none: a path begins with a module, `x := x()` calls a function."""

from __future__ import annotations

from drift.scan.link.analysis import Analysis
from drift.scan.link.names import name_values
from drift.scan.link.scopes import find_name
from drift.scan.link.tables import Definition
from drift.scan.link.values import SYMBOL_MASK, Values


def outer_values(analysis: Analysis, name: str, scope: int) -> Values:
    """The values of a name that is no variable of the functions around it, though it may be called like one."""
    found = find_name(analysis, name, scope)
    while found is not None and found.scope & SYMBOL_MASK and _are_variables(found.definitions):
        scope = analysis.program.parent(found.scope)
        found = find_name(analysis, name, scope)
    return name_values(analysis, name, scope)


def _are_variables(definitions: list[Definition]) -> bool:
    return bool(definitions) and all(one.kind in {"parameter", "value"} for one in definitions)
