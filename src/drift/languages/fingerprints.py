"""Winnowing: a few hashes of a token stream such that any long enough copy shares one of them.

After Schleimer, Wilkerson and Aiken (2003): of every `_WINDOW` successive grams of `_GRAM` tokens the one
with the smallest key is kept, so two copies of `_GRAM + _WINDOW - 1` (50) tokens have one in common.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

_GRAM: Final = 25
_WINDOW: Final = 26
_KEY: Final = 8  # tokens, so that a key is one machine word
_FEWEST_DISTINCT: Final = 4  # below, it is a table of values: every two such tables would look alike
_MASK_63_BITS: Final = (1 << 63) - 1  # SQLite integers are signed
# Token codes are handed out in some order; which gram is smallest must not follow it. Any permutation does.
_SCATTER: Final = bytes(code * 167 + 13 & 255 for code in range(256))


def winnow(tokens: bytes) -> list[tuple[int, int, int]]:
    """The chosen (hash, first token, last token) of a stream with one byte for each normalised token.

    The hashes depend on nothing but the bytes, so they agree across processes and machines.
    """
    grams = [(tokens[start : start + _GRAM], start) for start in _choose(_keys(tokens))]
    return [
        (_name(gram), start, start + _GRAM - 1) for gram, start in grams if len(set(gram)) >= _FEWEST_DISTINCT
    ]


def _keys(tokens: bytes) -> list[int]:
    """For each gram the number that its first tokens make.

    The whole gram is named later, and only if chosen: the promise holds for any key that equal grams share.
    """
    count = max(0, len(tokens) - _GRAM + 1)
    scattered = tokens.translate(_SCATTER)
    keys = [0] * count
    for offset in range(min(_KEY, count)):
        length = len(range(offset, count, _KEY))
        # In the machine's byte order: one of the other kind would choose other grams, each as good.
        words = memoryview(scattered[offset : offset + length * _KEY]).cast("Q")
        keys[offset::_KEY] = words.tolist()
    return keys


def _choose(keys: list[int]) -> list[int]:
    """The places of the window minima, each once; of equals the one already chosen, else the rightmost."""
    if not keys:
        return []
    place = _rightmost_least(keys, 0, _WINDOW)
    chosen = [place]
    start, last = _WINDOW, len(keys) - _WINDOW
    while place < last:
        place = _next_place(keys, place, start)
        chosen.append(place)
        start = place + 1
    # What is left is too short to let the last one go, but may still hold a smaller one.
    for later in range(max(place + 1, _WINDOW), len(keys)):
        if keys[later] < keys[place]:
            place = later
            chosen.append(place)
    return chosen


def _next_place(keys: list[int], place: int, start: int) -> int:
    """The next minimum: the first smaller key from `start` on, or the least after `place` once it is left."""
    end, least = place + _WINDOW, keys[place]
    ahead = keys[start : end + 1]
    if min(ahead) < least:
        for later, key in enumerate(ahead, start):
            if key < least:
                return later
    return _rightmost_least(keys, place + 1, end + 1)


def _rightmost_least(keys: list[int], start: int, end: int) -> int:
    window = keys[start:end]
    return start + len(window) - 1 - window[::-1].index(min(window))


def _name(gram: bytes) -> int:
    return int.from_bytes(blake2b(gram, digest_size=8).digest(), "big") & _MASK_63_BITS
