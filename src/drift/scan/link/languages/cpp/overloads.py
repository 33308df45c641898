"""Which of several C++ functions that take the arguments of a call takes them best."""

from __future__ import annotations

import re
from typing import Final

from drift.kernel.text import cut_between
from drift.scan.link.analysis import MOST_OVERLOADS, Analysis
from drift.scan.link.bodies import bodies_of
from drift.scan.link.hierarchy import class_of, line_of_descent
from drift.scan.link.languages.cpp.numbers import (
    AS_IT_IS,
    AS_KIN,
    CONVERTED,
    REFUSED,
    full_type,
    is_number,
    rank_of_number,
)
from drift.scan.link.values import LiteralValue, Value, Values, is_instance, symbol_of

_REFERENCE: Final = re.compile(r"\bconst\b|[&\s]")
_STRING: Final = "std.string"

_Rank = int | str  # the type's text where it is not known how well it takes what is given


def closest_overloads(analysis: Analysis, functions: tuple[int, ...], given: list[Values]) -> tuple[int, ...]:
    """Those of the functions that no other takes the arguments better than.

    One takes them better if it takes none of them worse and one of them better. Where that is not known of an
    argument, only functions that have the same type there are compared.
    """
    if len(functions) > MOST_OVERLOADS:
        return functions
    named = _types_named(analysis, functions)
    ranks = {one: _ranks(analysis, one, given, named) for one in functions}
    taking = [one for one in functions if REFUSED not in ranks[one]] or functions
    return tuple(one for one in taking if not any(_is_better(ranks[other], ranks[one]) for other in taking))


def without_withheld(analysis: Analysis, functions: tuple[int, ...]) -> tuple[int, ...]:
    """Without copying that a class keeps from everyone: declared in its private part, and defined nowhere."""
    return tuple(one for one in functions if not _is_withheld(analysis, one)) or functions


def _is_withheld(analysis: Analysis, function: int) -> bool:
    symbol = analysis.program.symbol(function)
    if symbol.visibility != "private" or "declaration" not in symbol.modifiers:
        return False
    owner = class_of(analysis, function)
    copied = [one.type_text or "" for one in symbol.parameters if one.kind == "plain"]
    if (
        owner is None
        or len(copied) != 1
        or symbol.name not in {"operator=", analysis.program.symbol(owner).name}
    ):
        return False
    is_own = _REFERENCE.sub("", cut_between(copied[0], "<", ">")) == analysis.program.symbol(owner).name
    return is_own and bodies_of(analysis, function) == (function,)


def _is_better(ranks: list[_Rank], others: list[_Rank]) -> bool:
    if len(ranks) != len(others) or ranks == others:
        return False
    for rank, other in zip(ranks, others, strict=True):
        if rank != other and (isinstance(rank, str) or isinstance(other, str) or rank > other):
            return False
    return True


def _types_named(analysis: Analysis, functions: tuple[int, ...]) -> frozenset[str]:
    """The types from outside that some of the functions take: what is of one of them is not of another by chance."""
    return frozenset(
        kind
        for function in functions
        for one in analysis.program.symbol(function).parameters
        if one.kind == "plain"
        for kind in analysis.evaluate(one.type, analysis.program.parent(function))
        if isinstance(kind, str)
    )


def _ranks(analysis: Analysis, function: int, given: list[Values], named: frozenset[str]) -> list[_Rank]:
    parameters = [one for one in analysis.program.symbol(function).parameters if one.kind == "plain"]
    scope = analysis.program.parent(function)
    return [
        _rank(analysis, values, analysis.evaluate(parameter.type, scope), parameter.type_text or "", named)
        for values, parameter in zip(given, parameters, strict=False)
    ]


def _rank(analysis: Analysis, given: Values, declared: Values, text: str, named: frozenset[str]) -> _Rank:
    """How well a parameter takes a value; the text of its type where either is unknown."""
    if not given or not declared:
        return text
    ranks = {_rank_of(analysis, value, declared, text, named) for value in given}
    known = ranks.pop()
    return text if ranks or known is None else known


def _rank_of(
    analysis: Analysis, value: Value, declared: Values, text: str, named: frozenset[str]
) -> int | None:
    if isinstance(value, tuple):
        return _rank_of_literal(analysis, value, declared, text) if value[0] == "literal" else None
    if isinstance(value, str):
        if value in declared:
            return AS_IT_IS
        if value.startswith(_STRING) and any(
            isinstance(kind, str) and kind.startswith(_STRING) for kind in declared
        ):
            return CONVERTED  # a string as a view of one
        if value == _STRING and all(is_number(kind) for kind in declared):
            return REFUSED
        return CONVERTED if value in named else None
    if not is_instance(value):
        return None
    classes = {symbol_of(kind) for kind in declared if isinstance(kind, int)}
    if symbol_of(value) in classes:
        return AS_IT_IS
    return AS_KIN if classes.intersection(line_of_descent(analysis, symbol_of(value))) else CONVERTED


def _rank_of_literal(analysis: Analysis, value: LiteralValue, declared: Values, text: str) -> int | None:
    if numbers := tuple(kind for kind in declared if is_number(kind)):
        return rank_of_number(value, numbers, text)
    symbols = [analysis.program.symbol(symbol_of(kind)) for kind in declared if isinstance(kind, int)]
    is_string = full_type(value).endswith("*")
    if symbols and "*" in text and (not is_string or all(one.kind != "type" for one in symbols)):
        return REFUSED  # neither is a number a pointer, nor a string one to an object
    if all(one.kind != "type" for one in symbols):
        return rank_of_number(value, declared, text)
    # Of another name for something outside it is told whether a pointer to it is asked for, and no more.
    if any("holder" in one.modifiers for one in symbols):
        return None
    return AS_IT_IS if is_string and "*" in text else CONVERTED
