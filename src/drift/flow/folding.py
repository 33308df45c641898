"""Constants that code computes of constants, as far as branches and elements are chosen by them."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Final

from drift.flow.ir import Constant
from drift.flow.values import UNKNOWN, Unknown

_MOST_NUMBER: Final = 10**15
_MOST_TEXT: Final = 4_000
Folded = Constant | Unknown

_ARITHMETIC: Final[dict[str, Callable[[float, float], float]]] = {
    "-": operator.sub,
    "*": operator.mul,
    "+": operator.add,
}
_ORDER: Final[dict[str, Callable[[float, float], bool]]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}
_EQUAL: Final = frozenset({"==", "===", "is"})
_UNEQUAL: Final = frozenset({"!=", "!==", "is not", "<>"})


def truth(value: Folded) -> bool | None:
    """Whether a constant counts as true; None where it is not known."""
    return None if isinstance(value, Unknown) else bool(value)


def fold(sign: str, left: Folded, right: Folded) -> Folded:
    """What an operator makes of two constants."""
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return UNKNOWN
    if sign in _EQUAL:
        return type(left) is type(right) and left == right if sign != "==" else left == right
    if sign in _UNEQUAL:
        return left != right
    if isinstance(left, str) or isinstance(right, str):
        return _fold_texts(sign, left, right)
    if left is None or right is None:
        return UNKNOWN
    if sign in _ORDER:
        return _ORDER[sign](left, right)
    return _compute(sign, left, right)


def _fold_texts(sign: str, left: Constant, right: Constant) -> Folded:
    if sign in {"+", "."} and left is not None and right is not None:
        text = f"{left}{right}"
        return text if len(text) <= _MOST_TEXT else UNKNOWN
    if isinstance(left, str) and isinstance(right, str):
        if sign == "in":
            return left in right
        if sign == "not in":
            return left not in right
    return UNKNOWN


def _compute(sign: str, left: float, right: float) -> Folded:
    if sign in _ARITHMETIC:
        found = _ARITHMETIC[sign](left, right)
        return found if abs(found) <= _MOST_NUMBER else UNKNOWN
    if sign in {"/", "//", "%"} and right != 0:
        both = isinstance(left, int) and isinstance(right, int)
        if sign == "%":
            return left % right
        return left // right if both or sign == "//" else left / right
    return UNKNOWN


def call_on_constant(value: Constant, name: str, arguments: list[Folded]) -> Folded:
    """What a method of a constant text gives."""
    if not isinstance(value, str):
        return UNKNOWN
    if name in {"length", "size", "Length", "len"}:
        return len(value)
    if name in {"toLowerCase", "lower", "downcase", "ToLower"}:
        return value.lower()
    if name in {"toUpperCase", "upper", "upcase", "ToUpper"}:
        return value.upper()
    if name in {"trim", "strip", "toString", "Trim", "intern"}:
        return value.strip() if name != "toString" else value
    if len(arguments) != 1 or isinstance(arguments[0], Unknown):
        return UNKNOWN
    first = arguments[0]
    if name in {"charAt", "at"} and isinstance(first, int) and 0 <= first < len(value):
        return value[first]
    if isinstance(first, str):
        return _compare(value, name, first)
    return UNKNOWN


def _compare(value: str, name: str, other: str) -> Folded:
    if name in {"equals", "Equals", "eql?"}:
        return value == other
    if name in {"startsWith", "startswith", "StartsWith"}:
        return value.startswith(other)
    if name in {"endsWith", "endswith", "EndsWith"}:
        return value.endswith(other)
    if name in {"contains", "includes", "Contains"}:
        return other in value
    return UNKNOWN


def element(value: Constant, key: Folded) -> Folded:
    """The character of a constant text at a place."""
    if (
        isinstance(value, str)
        and isinstance(key, int)
        and not isinstance(key, bool)
        and 0 <= key < len(value)
    ):
        return value[key]
    return UNKNOWN
