"""Classes that a file knows by a declaration alone, `class Engine;`: where they are defined is nothing it includes."""

from __future__ import annotations

from typing import Final

from drift.languages.kinds import CLASS_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import class_around
from drift.scan.link.keys import type_key
from drift.scan.link.languages.cpp.outside_classes import outside_class
from drift.scan.link.namespaces import SEPARATOR, namespace_of
from drift.scan.link.values import NOTHING, Values, symbol_value

_MOST_FILES: Final = 10  # that have a class of one name: beyond that which is meant is not told


def declared_ahead(analysis: Analysis, name: str, scope: int) -> Values:
    """The class of a name that nothing in sight defines: one of the classes around, or that of the namespaces around.

    Such a name is that of a class the file declares, or it would not be compiled; there is one definition of it.
    """
    program = analysis.program
    paths = program.providing(type_key(program.table_of(scope).facts.language, name))
    if not paths or len(paths) > _MOST_FILES:
        return NOTHING
    around = class_around(analysis, scope)
    while around is not None:
        inner = outside_class(analysis, around, name)
        if inner is not None:
            return (symbol_value(inner),)
        around = class_around(analysis, program.parent(around))
    by_space: dict[str, list[int]] = {}
    for table in program.tables_at(paths):
        for number, symbol in enumerate(table.symbols):
            holder = table.symbols[symbol.parent]
            if symbol.name == name and symbol.kind in CLASS_KINDS and holder.kind not in CLASS_KINDS:
                found = table.first + number
                by_space.setdefault(namespace_of(analysis, found), []).append(found)
    return _nearest(by_space, namespace_of(analysis, scope))


def _nearest(by_space: dict[str, list[int]], space: str) -> Values:
    """The only class of the innermost namespace around that has one."""
    while True:
        found = by_space.get(space)
        if found is not None:
            return (symbol_value(found[0]),) if len(found) == 1 else NOTHING
        if not space:
            return NOTHING
        space = space.rpartition(SEPARATOR)[0]
