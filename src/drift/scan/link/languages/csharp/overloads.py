"""C#'s choice among methods of one name: those that take the arguments, and of these the best.

One is better than another where no argument has to be turned into something further from its declared type, and
one argument into something nearer. Where a type is not known, whatever it might decide stays open, and
so several methods are named.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from drift.languages import Call
from drift.languages.expressions import Expression
from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import MOST_COMPARED, MOST_OVERLOADS, Analysis
from drift.scan.link.argument_types import declared_type
from drift.scan.link.declared_types import DELEGATES, OBJECT, DeclaredType, parameter_type
from drift.scan.link.hierarchy import line_of_descent, own_members
from drift.scan.link.languages.csharp.platform import SEALED, SEQUENCES, WIDENED, descends, is_no_function
from drift.scan.link.values import SYMBOL_MASK, is_symbol, symbol_of

Type = DeclaredType | None

_TYPE: Final = DeclaredType("outside", "Type")
_CONVERSION: Final = re.compile(r"operator \w")
_ROWS: Final = frozenset({"array", "sequence"})


class _Fit(NamedTuple):
    """How a function takes the arguments of a call: as which types, and whether some are put into one array."""

    function: int
    types: tuple[Type, ...]
    is_expanded: bool


def best_overloads(
    analysis: Analysis, call: Call, scope: int, *, functions: tuple[int, ...]
) -> tuple[int, ...]:
    """The functions that a call may mean, one where its arguments decide; all where they fit nothing."""
    if len(functions) > MOST_OVERLOADS:
        return functions
    given = [_given_type(analysis, value, scope) for _, value in call.arguments]
    fits = [fit for one in functions if (fit := _fit(analysis, one, given)) is not None]
    kept = [
        fit.function
        for fit in fits
        if len(fits) > MOST_COMPARED
        or not any(_is_better(analysis, other, fit, given) for other in fits if other is not fit)
    ]
    return tuple(kept) or functions


def refuses(analysis: Analysis, call: Call, scope: int, *, function: int) -> bool:
    """Whether one of the arguments is known to be nothing that a function takes."""
    return _fit(analysis, function, [_given_type(analysis, one, scope) for _, one in call.arguments]) is None


def _given_type(analysis: Analysis, value: Expression, scope: int) -> Type:
    """The type that an argument is declared to be of; a class among arguments stands for `typeof` of it."""
    found = declared_type(analysis, value, scope)
    if found is not None or value is None or value[0] not in {"generic", "member", "name"}:
        return found
    values = analysis.evaluate(value, scope)
    is_class = bool(values) and all(
        is_symbol(one) and analysis.program.symbol(symbol_of(one)).kind in TYPE_KINDS for one in values
    )
    return _TYPE if is_class else None


def _fit(analysis: Analysis, function: int, given: list[Type]) -> _Fit | None:
    parameters = analysis.program.symbol(function).parameters
    types = [parameter_type(analysis, function, one) for one in parameters]
    if not parameters or parameters[-1].kind != "rest":
        taken = tuple(types[: len(given)])
        return _Fit(function, taken, is_expanded=False) if _fits(analysis, given, taken) else None
    *plain, rest = types
    if len(given) == len(types) and given[-1] is not None and given[-1].kind in {*_ROWS, "null"}:
        whole = (*plain, DeclaredType("array", element=rest))
        if _fits(analysis, given, whole):
            return _Fit(function, whole, is_expanded=False)
    spread = (*plain, *[rest] * (len(given) - len(plain)))[: len(given)]
    return _Fit(function, spread, is_expanded=True) if _fits(analysis, given, spread) else None


def _fits(analysis: Analysis, given: list[Type], types: tuple[Type, ...]) -> bool:
    return all(
        one is None or wanted is None or converts(analysis, one, wanted) is not False
        for one, wanted in zip(given, types, strict=False)
    )


def _is_better(analysis: Analysis, fit: _Fit, other: _Fit, given: list[Type]) -> bool:
    """Whether one way to take the arguments is as near to them as another for each, and nearer for one."""
    is_nearer = False
    for argument, one, further in zip(given, fit.types, other.types, strict=False):
        if one == further:
            if one is None:
                return False
            continue
        if argument is None or one is None or further is None:
            return False
        if one != argument and not _is_narrower(analysis, one, further, argument):
            return False
        is_nearer = True
    return is_nearer or (other.is_expanded and not fit.is_expanded)


def _is_narrower(analysis: Analysis, one: DeclaredType, further: DeclaredType, given: DeclaredType) -> bool:
    return (
        converts(analysis, given, one) is True
        and converts(analysis, one, further) is True
        and converts(analysis, further, one) is not True
    )


def converts(analysis: Analysis, given: DeclaredType, wanted: DeclaredType) -> bool | None:
    """Whether a value of one type is taken for one of another without a cast; None where that is not known."""
    if wanted in {given, OBJECT}:
        return True
    if given.kind == "either":
        answers = {converts(analysis, part, wanted) for part in given.parts}
        return answers.pop() if len(answers) == 1 else None
    if given.kind == "null":
        return None if wanted.kind == "primitive" else True
    if given.kind == "primitive" and wanted.kind == "primitive":
        return wanted.name in WIDENED.get(given.name, ()) or _is_constant(given, wanted)
    if given.kind == "function":
        return _takes_functions(given, wanted)
    if wanted.kind == "class":
        return _becomes(analysis, given, wanted.symbol)
    if given.kind in _ROWS or wanted.kind in _ROWS:
        return _is_row(given, wanted)
    if given.kind == "class":
        return _descends(analysis, given.symbol, wanted)
    if given.kind == "outside" and wanted.kind == "outside":
        is_none = wanted.name in SEALED or _takes_other_count(given, wanted)
        return False if is_none else descends(given.name, wanted.name)
    # What is left is a number, a truth or a character on one side: those are of a few interfaces, and of no class.
    is_none = wanted.kind == "outside" and descends("Guid", wanted.name) is False
    return False if is_none or wanted.name in SEALED or wanted.kind == "primitive" else None


def _is_constant(given: DeclaredType, wanted: DeclaredType) -> bool | None:
    """A number that is written out becomes any type of whole numbers that has room for it."""
    is_whole = wanted.name in WIDENED and wanted.name not in {"char", "float"}
    return None if given.name == "int" and is_whole else False


def _takes_other_count(given: DeclaredType, wanted: DeclaredType) -> bool:
    """Whether a function is given where one is wanted that takes another number of arguments, or gives nothing back."""
    if wanted.kind != "outside" or wanted.name not in DELEGATES:
        return False
    is_other = given.kind == "outside" and given.name in DELEGATES and given.name != wanted.name
    return is_other or (given.arity >= 0 and wanted.arity >= 0 and given.arity != wanted.arity)


def _takes_functions(given: DeclaredType, wanted: DeclaredType) -> bool | None:
    if wanted.kind in {"array", "class", "primitive", "sequence"} or _takes_other_count(given, wanted):
        return False
    return False if is_no_function(wanted.name) else None


def _becomes(analysis: Analysis, given: DeclaredType, owner: int) -> bool | None:
    """Whether a value is of a class of the project, or may be made one by an operator that the class declares."""
    if given.kind == "class" and owner in line_of_descent(analysis, given.symbol):
        return True
    made = f"operator {analysis.program.symbol(owner).name}"
    classes = [owner, given.symbol] if given.kind == "class" else [owner]
    return None if any(own_members(analysis, one, made) for one in classes) else False


def _is_row(given: DeclaredType, wanted: DeclaredType) -> bool | None:
    if given.kind in _ROWS and wanted.kind in _ROWS:
        is_open = given.element is None or wanted.element is None or given.element == OBJECT
        kinds = {one.element.kind for one in (given, wanted) if one.element is not None}
        return (
            None if is_open or "primitive" not in kinds or "sequence" in {given.kind, wanted.kind} else False
        )
    if given.kind in _ROWS and wanted.kind == "outside":
        if given.kind == "array" and wanted.name in SEQUENCES:
            return True
        return False if wanted.name in SEALED else None
    return (
        None if given.kind == "outside" and wanted.kind == "sequence" and given.name not in SEALED else False
    )


def _descends(analysis: Analysis, symbol: int, wanted: DeclaredType) -> bool | None:
    """Whether a class of the project is also of a type outside it."""
    outside = [one.rpartition(".")[2] for one in line_of_descent(analysis, symbol) if isinstance(one, str)]
    answers = {descends(one, wanted.name) for one in outside} if wanted.kind == "outside" else set()
    if True in answers:
        return True
    is_enum = analysis.program.symbol(symbol).kind == "enum"
    is_open = None in answers and wanted.name not in SEALED
    return None if is_enum or is_open else _by_operator(analysis, symbol)


def _by_operator(analysis: Analysis, symbol: int) -> bool | None:
    """An object may become something outside by an operator of its class, whatever that is called."""
    table = analysis.program.table_of(symbol)
    analysis.program.note_members(table, symbol & SYMBOL_MASK)
    own = f"operator {analysis.program.symbol(symbol).name}"
    names = table.names[symbol & SYMBOL_MASK]
    is_operator = any(_CONVERSION.match(name) and name != own for name in names)
    return None if is_operator else False
