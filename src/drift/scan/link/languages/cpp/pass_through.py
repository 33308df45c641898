"""Macros of C that are their argument."""

from __future__ import annotations

from typing import Final

from drift.scan.link.analysis import Analysis
from drift.scan.link.values import symbol_of

_MOST_MACROS: Final = 4  # one through another


def is_given_through(analysis: Analysis, macro: int, levels: int = _MOST_MACROS) -> bool:
    """Whether `MACRO(x)` of C is x, or x as a wide string, be it through further macros of that kind."""
    symbol = analysis.program.symbol(macro)
    if symbol.kind != "macro" or not levels:
        return False
    given = symbol.value_type
    if given is None or given[0] != "through":
        return False
    if given[1] is None:
        return True
    values = analysis.evaluate(("name", given[1]), analysis.program.parent(macro))
    return bool(values) and all(
        isinstance(value, int) and is_given_through(analysis, symbol_of(value), levels - 1)
        for value in values
    )
