"""How the hashes of a file's statements are kept: three runs of numbers, which take a fifth of what rows would."""

import sys
from array import array
from collections.abc import Sequence
from itertools import accumulate
from typing import Final, NamedTuple

_BYTES_EACH: Final = 7
_MOST_LINES_BETWEEN: Final = 65_535  # beyond, lines are told too low; no code has been seen to come near


class StatementHash(NamedTuple):
    """A statement: equal ones have an equal hash, whatever names and literals stand in it."""

    hash: int  # of 32 bits
    line: int  # its first
    tokens: int  # at most 255


def pack_statements(statements: Sequence[tuple[int, int, int]]) -> bytes:
    """The statements of a file, in the order of their lines, as the index keeps them: alike on every machine."""
    hashes = array("I", [each[0] for each in statements])
    lines = [each[1] for each in statements]
    steps = array("H", [min(b - a, _MOST_LINES_BETWEEN) for a, b in zip([0, *lines], lines, strict=False)])
    for numbers in (hashes, steps):
        _settle_order(numbers)
    return hashes.tobytes() + steps.tobytes() + bytes([each[2] for each in statements])


def unpack_statements(packed: bytes) -> list[StatementHash]:
    """What `pack_statements` made bytes of. Raises ValueError for bytes of another length."""
    count, rest = divmod(len(packed), _BYTES_EACH)
    if rest:
        raise ValueError("no packed statements")
    hashes, steps = array("I"), array("H")
    hashes.frombytes(packed[: 4 * count])
    steps.frombytes(packed[4 * count : 6 * count])
    for numbers in (hashes, steps):
        _settle_order(numbers)
    return list(map(StatementHash, hashes, accumulate(steps), packed[6 * count :]))


def _settle_order(numbers: "array[int]") -> None:
    """Turn the machine's order of bytes into that of the file, or back."""
    if sys.byteorder == "big":
        numbers.byteswap()
