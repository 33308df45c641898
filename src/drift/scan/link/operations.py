"""What operators make of their operands."""

from __future__ import annotations

from typing import Final

from drift.scan.link.analysis import Analysis
from drift.scan.link.members import value_member
from drift.scan.link.returns import gives_itself, returned_values
from drift.scan.link.values import BOUND, INSTANCE, SYMBOL, Values, external_member, merge

_JOINING: Final = frozenset({"__add__", "__or__", "__and__", "__sub__"})  # of containers


def operated_values(
    analysis: Analysis, operands: tuple[Values, Values], *, method: str, turned_method: str
) -> Values:
    """What the method of one of the operands gives; of containers one like them; outside, something outside."""
    left, right = operands
    found = _results(analysis, left, method) or _results(analysis, right, turned_method)
    if found:
        return found
    if method in _JOINING:
        containers = [one for one in (*left, *right) if isinstance(one, tuple) and one[0] == "container"]
        if containers:
            return tuple(dict.fromkeys(containers))
    return merge(external_member(one, method) for one in left if isinstance(one, str))


def _results(analysis: Analysis, values: Values, method: str) -> Values:
    parts: list[Values] = []
    for value in values:
        if not isinstance(value, int) or value & 3 != INSTANCE:
            continue
        for one in value_member(analysis, value, method):
            if isinstance(one, int) and one & 3 in {BOUND, SYMBOL}:
                parts.append(returned_values(analysis, one >> 2))
                if gives_itself(analysis, one >> 2):
                    parts.append((value,))
    return merge(parts)
