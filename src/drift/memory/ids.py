"""Ids of memories: short, in the order of time, unique among processes without asking."""

import os
import re
from typing import Final

from drift.kernel.errors import invalid

# Base 32 without letters that read like digits; in the order of ASCII, so that ids sort by time.
_DIGITS: Final = "0123456789abcdefghjkmnpqrstvwxyz"
_BITS: Final = 5
_TIME_DIGITS: Final = 9  # 45 bits of milliseconds: enough until the year 3084
_RANDOM_DIGITS: Final = 6  # 30 bits for each millisecond; the store makes another id if one is taken
_RANDOM_BYTES: Final = 4
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}", re.ASCII)


def make_id(now_ms: int, prefix: str = "m_") -> str:
    """An id such as `m_1hf3c8z0kq7w2x9`: the time, then chance."""
    chance = int.from_bytes(os.urandom(_RANDOM_BYTES), "big")
    return prefix + _write(now_ms, _TIME_DIGITS) + _write(chance, _RANDOM_DIGITS)


def check_id(given: str) -> str:
    """The same id, if it can be one: those that imports bring are kept as they are."""
    if _ID.fullmatch(given):
        return given
    raise invalid(
        "id",
        f"{given[:60]!r} is no id",
        hint="An id has 1 to 100 letters, digits and _ . : - and begins with a letter or digit.",
    )


def _write(value: int, digits: int) -> str:
    return "".join(_DIGITS[value >> _BITS * place & 31] for place in reversed(range(digits)))
