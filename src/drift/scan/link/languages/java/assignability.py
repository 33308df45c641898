"""Which types take values of which others, in Java."""

from __future__ import annotations

from typing import Final

from drift.scan.link.analysis import Analysis
from drift.scan.link.argument_types import WIDENED
from drift.scan.link.declared_types import OBJECT, DeclaredType, parameter_type
from drift.scan.link.hierarchy import line_of_descent
from drift.scan.link.languages.java.platform import (
    FINAL,
    FUNCTION_ARITIES,
    ancestors_of,
    is_known,
)
from drift.scan.link.tables import FileTable
from drift.scan.link.values import SYMBOL_MASK

_OF_ARRAYS: Final = frozenset({"Object", "Cloneable", "Serializable"})
_OF_KINDS: Final = {"enum": ("Enum", "Comparable", "Serializable")}


def have_same_parameters(analysis: Analysis, method: int, overridden: int) -> bool:
    """Whether one of two methods can stand in for the other; type variables stand for what is put in them."""
    above, below = analysis.program.symbol(overridden).parameters, analysis.program.symbol(method).parameters
    if len(above) != len(below):
        return False
    return all(
        _may_be_same(
            analysis, parameter_type(analysis, method, one), parameter_type(analysis, overridden, other)
        )
        for one, other in zip(below, above, strict=True)
    )


def _may_be_same(analysis: Analysis, below: DeclaredType | None, above: DeclaredType | None) -> bool:
    if below is None or above is None or below == above:
        return True
    if "primitive" in {below.kind, above.kind}:
        return False
    # A type variable is read as its bound, here and there.
    return is_assignable(analysis, below, above) is not False


def is_assignable(analysis: Analysis, given: DeclaredType, wanted: DeclaredType) -> bool | None:
    """Whether a value of one type is one of another, without boxing; None where that is not known."""
    if given == wanted:
        return True
    if given.kind == "either":
        answers = {is_assignable(analysis, part, wanted) for part in given.parts}
        return answers.pop() if len(answers) == 1 else None
    if given.kind == "primitive" or wanted.kind == "primitive":
        both = given.kind == wanted.kind
        return both and wanted.name in WIDENED.get(given.name, ())
    if given.kind == "null" or wanted == OBJECT:
        return True
    if given.kind == "function":
        return _is_function(analysis, given.arity, wanted)
    if given.kind in {"array", "sequence"} or wanted.kind in {"array", "sequence"}:
        return _is_sequence(analysis, given, wanted)
    if given.kind == "class":
        return _is_descendant(analysis, given.symbol, wanted)
    if wanted.kind == "class" or wanted.name in FINAL:
        return False  # nothing outside descends from a class of the project
    if wanted.name in ancestors_of(given.name):
        return True
    return False if is_known(given.name) else None


def _is_descendant(analysis: Analysis, symbol: int, wanted: DeclaredType) -> bool | None:
    line = line_of_descent(analysis, symbol)
    if wanted.kind == "class":
        return wanted.symbol in line
    if wanted.name in FINAL:
        return False
    outside = [one.rpartition(".")[2] for one in line if isinstance(one, str)]
    outside += _OF_KINDS.get(analysis.program.symbol(symbol).kind, ())
    if any(wanted.name in ancestors_of(one) for one in outside):
        return True
    return False if all(map(is_known, outside)) else None


def _is_sequence(analysis: Analysis, given: DeclaredType, wanted: DeclaredType) -> bool | None:
    if given.kind == "sequence" or wanted.kind == "sequence":
        other = wanted if given.kind == "sequence" else given
        if other.kind == "class" or other.name in FINAL:
            return False
        if given.element is None or wanted.element is None:
            return None
        return None if _may_be_same(analysis, given.element, wanted.element) else False
    if given.kind != "array":
        return False
    if wanted.kind != "array":
        return wanted.kind == "outside" and wanted.name in _OF_ARRAYS
    if given.element is None or wanted.element is None:
        return None
    return is_assignable(analysis, given.element, wanted.element) if _are_alike(given, wanted) else False


def _are_alike(given: DeclaredType, wanted: DeclaredType) -> bool:
    """Whether two arrays can be of one type: those of primitives are only of their own."""
    kinds = {one.element.kind for one in (given, wanted) if one.element is not None}
    return "primitive" not in kinds or given == wanted


def _is_function(analysis: Analysis, arity: int, wanted: DeclaredType) -> bool | None:
    """Whether a lambda or method reference can be given for a type: an interface with one method left open."""
    if wanted.kind in {"array", "sequence"}:
        return False
    if wanted.kind == "outside":
        taken = FUNCTION_ARITIES.get(wanted.name)
        if taken is None:
            return False if is_known(wanted.name) else None
        return None if arity < 0 else taken == arity
    table = analysis.program.table_of(wanted.symbol)
    if analysis.program.symbol(wanted.symbol).kind != "interface":
        return False
    open_arities = _open_arities(analysis, wanted.symbol, table)
    if not open_arities and len(line_of_descent(analysis, wanted.symbol)) == 1:
        return False
    if not open_arities or arity < 0:
        return None  # what it asks for may be its parents'
    return arity in open_arities


def _open_arities(analysis: Analysis, interface: int, table: FileTable) -> set[int]:
    analysis.program.note_members(table, interface & SYMBOL_MASK)
    found = set()
    for definitions in table.names[interface & SYMBOL_MASK].values():
        for definition in definitions:
            if definition.kind == "symbol":
                symbol = analysis.program.symbol(table.first + definition.number)
                if symbol.kind == "method" and "abstract" in symbol.modifiers:
                    found.add(len(symbol.parameters))
    return found
