"""What methods that are given a closure hand to it: an element, or what an optional value holds."""

from __future__ import annotations

from drift.scan.link.analysis import Analysis
from drift.scan.link.containers import entries_of
from drift.scan.link.members import value_member
from drift.scan.link.values import NOTHING, Value, Values, is_instance, is_internal, merge


def passed_values(analysis: Analysis, values: Values, method: str) -> Values:
    """An element of each container; of an object itself, as an `Option` or `Result` reads as what it holds.

    What came out of things outside says nothing, nor do objects that have such a method of their own or
    are iterators, whose elements are another thing.
    """
    return merge(_passed(analysis, value, method) for value in values)


def _passed(analysis: Analysis, value: Value, method: str) -> Values:
    if isinstance(value, tuple):
        return entries_of(analysis, (value,)) if value[0] == "container" else NOTHING
    if isinstance(value, str) or not is_instance(value):
        return NOTHING
    has_own = any(
        is_internal(one) for name in (method, "next") for one in value_member(analysis, value, name)
    )
    return NOTHING if has_own else (value,)
