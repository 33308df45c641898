"""The declared types of what stands inside a value: of the members of an object, of the elements of a list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from drift.languages.expressions import Expression, signature_of
from drift.languages.kinds import CODE_KINDS, TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import declared_members
from drift.scan.link.tables import Given, Path
from drift.scan.link.type_reading import value_of_type
from drift.scan.link.values import is_symbol, symbol_of

_MOST_STEPS: Final = 4  # from the name of a type to what it stands for


def types_inside(
    analysis: Analysis, form: Expression, scope: int, path: Path, *, steps: int = _MOST_STEPS
) -> Iterator[Given]:
    """The types that a declared type says what is reached by a path has, each with the scope it is written in."""
    if form is None or not steps:
        return
    if not path:
        yield form, scope
    elif form[0] == "either":
        for part in form[1:]:
            yield from types_inside(analysis, part, scope, path, steps=steps)
    elif form[0] == "own":
        yield from types_inside(analysis, form[2], scope, path, steps=steps)
    elif form[0] == "instance":
        for value in analysis.evaluate(form[1], scope):
            if is_symbol(value):
                yield from _of_type(analysis, symbol_of(value), path, steps=steps - 1)
    else:
        for part in _parts(form, path[0]):
            yield from types_inside(analysis, value_of_type(part), scope, path[1:])


def _parts(form: Expression, key: str | None) -> list[Expression]:
    """The types that a type which is written out has for a key, or for the elements of a list."""
    if form is None:
        return []
    if form[0] == "list":
        return list(form[1:]) if key is None else []
    return [part for name, part in form[1:] if name in (None, key)] if form[0] == "dict" and key else []


def _of_type(analysis: Analysis, number: int, path: Path, *, steps: int) -> Iterator[Given]:
    program, name = analysis.program, path[0]
    symbol = program.symbol(number)
    if symbol.kind not in TYPE_KINDS:
        return
    if symbol.value_type is not None:
        yield from types_inside(analysis, symbol.value_type, program.parent(number), path, steps=steps)
    for member in declared_members(analysis, number, name) if name is not None else ():
        found, scope = program.symbol(member), program.parent(member)
        if found.kind not in CODE_KINDS:
            yield from types_inside(analysis, found.value_type, scope, path[1:])
        elif len(path) == 1:
            yield signature_of(parameter.type for parameter in found.parameters), scope
