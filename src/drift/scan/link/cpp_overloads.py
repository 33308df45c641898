"""Which of several C++ functions that take the arguments of a call takes them best."""

from __future__ import annotations

from typing import Final

from drift.languages.facts import Parameter
from drift.scan.link.analysis import MOST_OVERLOADS, Analysis
from drift.scan.link.hierarchy import line_of_descent
from drift.scan.link.values import INSTANCE, Value, Values

_AS_IT_IS: Final = 0
_AS_KIN: Final = 1  # a number as another, an object as one of a class above
_CONVERTED: Final = 2  # by a constructor, or one that is made outside the project

_Rank = int | str  # the type's text where it is not known how well it takes what is given


def closest_overloads(analysis: Analysis, functions: tuple[int, ...], given: list[Values]) -> tuple[int, ...]:
    """Those of the functions that no other takes the arguments better than.

    One takes them better if it takes none of them worse and one of them better. Where that is not known of an
    argument, only functions that have the same type there are compared.
    """
    if len(functions) > MOST_OVERLOADS:
        return functions
    ranks = {one: _ranks(analysis, one, given) for one in functions}
    return tuple(
        one for one in functions if not any(_is_better(other, ranks[one]) for other in ranks.values())
    )


def _is_better(ranks: list[_Rank], others: list[_Rank]) -> bool:
    if len(ranks) != len(others) or ranks == others:
        return False
    for rank, other in zip(ranks, others, strict=True):
        if rank != other and (isinstance(rank, str) or isinstance(other, str) or rank > other):
            return False
    return True


def _ranks(analysis: Analysis, function: int, given: list[Values]) -> list[_Rank]:
    parameters = [one for one in analysis.program.symbol(function).parameters if one.kind == "plain"]
    scope = analysis.program.parent(function)
    return [
        _rank(analysis, values, parameter, scope)
        for values, parameter in zip(given, parameters, strict=False)
    ]


def _rank(analysis: Analysis, given: Values, parameter: Parameter, scope: int) -> _Rank:
    """How well a parameter takes a value; the text of its type where either is unknown."""
    text = parameter.type_text or ""
    declared = analysis.evaluate(parameter.type, scope)
    if not given or not declared:
        return text
    ranks = {_rank_of(analysis, value, declared) for value in given}
    known = ranks.pop()
    return text if ranks or known is None else known


def _rank_of(analysis: Analysis, value: Value, declared: Values) -> int | None:
    if isinstance(value, tuple):
        return _rank_of_literal(value[1], declared) if value[0] == "literal" else None
    if isinstance(value, str):
        return _AS_IT_IS if value in declared else None
    if value & 3 != INSTANCE:
        return None
    classes = {kind >> 2 for kind in declared if isinstance(kind, int)}
    if value >> 2 in classes:
        return _AS_IT_IS
    return _AS_KIN if classes.intersection(line_of_descent(analysis, value >> 2)) else _CONVERTED


def _rank_of_literal(word: str, declared: Values) -> int:
    words = {kind[1] for kind in declared if isinstance(kind, tuple) and kind[0] == "literal"}
    if word in words:
        return _AS_IT_IS
    return _AS_KIN if words else _CONVERTED
