"""Amounts with their units, so that 30 s and half a minute are the same."""

import math
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from drift.memory.truth.statement_words import statement_words

_NUMBER: Final = re.compile(r"v?(\d+(?:\.\d+)*)(%|[a-z]{1,3})?")
_MOMENT: Final = re.compile(r"\d{1,2}:\d{2}(?::\d{2})?|\d{4}-\d{2}-\d{2}")
FRAMED: Final = "frame"
"""The measure of all the values of a sentence together (frames.py), apart by spaces."""
_DIGIT: Final = re.compile(r"\d")


class Quantity(NamedTuple):
    """A value: as it was written, what it measures ('' for a bare number) and how much of that it is."""

    written: str
    measure: str
    amount: float | None  # None: a version, a time of day, a word


def read_quantity(words: Sequence[str], position: int) -> tuple[Quantity, int] | None:
    """The value at a position and how many words it takes; None where there is none."""
    word = words[position]
    if _MOMENT.fullmatch(word):
        return Quantity(word, "moment", None), 1
    found = _NUMBER.fullmatch(word)
    if found is None:
        return None
    digits, attached = found.groups()
    following = words[position + 1] if position + 1 < len(words) else ""
    unit = statement_words().units.get(attached or following)
    if attached and unit is None:
        return None
    amount = float(digits) if digits.count(".") <= 1 and not word.startswith("v") else None
    if unit is None or amount is None:
        return Quantity(digits, "", amount), 1
    taken = 1 if attached else 2
    return Quantity(" ".join(words[position : position + taken]), unit.measure, amount * unit.factor), taken


def has_number(word: str) -> bool:
    return _DIGIT.search(word) is not None


def is_same_quantity(one: Quantity, other: Quantity) -> bool:
    """Whether both may hold at once. 3.11 and 3.11.4 may: the one is only less exact."""
    if one.measure == other.measure == FRAMED:
        first, second = one.written.split(), other.written.split()
        return len(first) == len(second) and all(map(_is_less_exact, first, second))
    if one.measure or other.measure:
        if one.amount is None or other.amount is None:
            return one.written == other.written
        return math.isclose(one.amount, other.amount, rel_tol=1e-9)
    if one.amount is not None and other.amount is not None and math.isclose(one.amount, other.amount):
        return True
    return _is_less_exact(one.written, other.written)


def _is_less_exact(one: str, other: str) -> bool:
    first, second = one.split("."), other.split(".")
    shorter = min(len(first), len(second))
    return first[:shorter] == second[:shorter]
