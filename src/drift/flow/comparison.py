"""Whether a function does the same as before, so that who calls it need not be looked at again."""

from __future__ import annotations

from collections.abc import Mapping

from drift.flow.ir import Function
from drift.flow.run import Summary
from drift.flow.values import Value


def same_summary(left: Summary, right: Summary) -> bool:
    """Whether two runs of a function came to the same, up to the lines data comes by."""
    return left is right or (
        left.is_known == right.is_known
        and left.parameters == right.parameters
        and left.has_receiver == right.has_receiver
        and left.first_rest == right.first_rest
        and left.hits == right.hits
        and left.effects.keys() == right.effects.keys()
        and _same(left.returns, right.returns)
        and all(_same(value, right.effects[place]) for place, value in left.effects.items())
    )


def same_values(left: Mapping[str, Value], right: Mapping[str, Value]) -> bool:
    """Whether names mean the same."""
    return left.keys() == right.keys() and all(_same(value, right[name]) for name, value in left.items())


def _same(left: Value, right: Value) -> bool:
    if left is right:
        return True
    if left.type != right.type or left.is_whole != right.is_whole:
        return False
    if not _same_function(left.closure, right.closure):
        return False
    if type(left.constant) is not type(right.constant) or left.constant != right.constant:
        return False
    if (left.fields is None) != (right.fields is None) or left.taints != right.taints:
        return False
    return left.fields is None or right.fields is None or same_values(left.fields, right.fields)


def _same_function(left: Function | None, right: Function | None) -> bool:
    """Whether two functions are written the same, at the same place."""
    if left is None or right is None:
        return left is right
    return left is right or (
        left.line == right.line
        and left.parameters == right.parameters
        and repr(left.body) == repr(right.body)
    )
