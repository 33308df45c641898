"""Methods of object literals that stand for those of a declared type: `const text: Format = { read() {} }`."""

from __future__ import annotations

from collections.abc import Iterator

from drift.languages.expressions import Expression
from drift.languages.kinds import CODE_KINDS, TYPE_KINDS, VALUE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import line_of_descent, own_members
from drift.scan.link.tables import FileTable
from drift.scan.link.values import is_instance, is_symbol, symbol_of


def typed_object_overrides(analysis: Analysis, table: FileTable) -> Iterator[tuple[int, int]]:
    """Each method of a type of the project, with the one of an object of that type which may run in its place."""
    types: dict[int, list[int]] = {}
    for number, symbol in enumerate(table.symbols):
        if symbol.kind != "method" or not symbol.parent:
            continue
        declared = _declared_type(table, number)
        if declared is None:
            continue
        if symbol.parent not in types:
            types[symbol.parent] = _types_of(analysis, declared, table.first + symbol.parent)
        for one in types[symbol.parent]:
            for above in own_members(analysis, one, symbol.name):
                if analysis.program.symbol(above).kind in CODE_KINDS:
                    yield above, table.first + number


def _declared_type(table: FileTable, method: int) -> Expression:
    """What the object is said to be that a method is written in, by its variable or by the function that gives it back."""
    parent = table.symbols[method].parent
    owner = table.symbols[parent]
    if owner.kind in VALUE_KINDS:
        return owner.value_type
    if owner.kind not in CODE_KINDS or owner.return_type is None:
        return None
    written = table.written_objects.get(method)
    return (
        owner.return_type if written is not None and written.scope == parent and not written.called else None
    )


def _types_of(analysis: Analysis, declared: Expression, scope: int) -> list[int]:
    program = analysis.program
    found: dict[int, None] = {}
    for value in analysis.evaluate(declared, program.parent(scope)):
        if (is_symbol(value) or is_instance(value)) and program.symbol(symbol_of(value)).kind in TYPE_KINDS:
            found |= dict.fromkeys(
                one for one in line_of_descent(analysis, symbol_of(value)) if isinstance(one, int)
            )
    return list(found)
