"""What operators make of their operands."""

from __future__ import annotations

from typing import Final

from drift.scan.link.analysis import Analysis
from drift.scan.link.members import value_member
from drift.scan.link.returns import gives_itself, returned_values
from drift.scan.link.values import Values, external_member, is_instance, is_reference, merge, symbol_of

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
        if not is_instance(value):
            continue
        for one in value_member(analysis, value, method):
            if is_reference(one):
                parts.append(returned_values(analysis, symbol_of(one)))
                if gives_itself(analysis, symbol_of(one)):
                    parts.append((value,))
    return merge(parts)
