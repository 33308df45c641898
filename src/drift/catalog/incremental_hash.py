"""A hash over many lines that is kept while single lines come, go and change.

SHA-256 reads its input from front to back, so after a change only what stands behind it is read again. Lines lie
in blocks, and before each block the state of the hash is kept.
"""

from __future__ import annotations  # the type of a hash has a name for type checkers only

import hashlib
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_BLOCK_LINES: Final = 128
_MOST_BLOCK_LINES: Final = 2 * _BLOCK_LINES


class _Block:
    """Lines that follow one another, their text once it was needed, and the hash of all that stands before."""

    __slots__ = ("before", "keys", "lines", "text")

    def __init__(self, keys: list[str], lines: list[str]) -> None:
        self.keys = keys
        self.lines = lines
        self.text: bytes | None = None
        self.before: hashlib._Hash | None = None


class RunningHash:
    """The SHA-256 of lines in the order of their keys, joined by a separator."""

    def __init__(self, separator: str, lines: Iterable[tuple[str, str]]) -> None:
        """Of (key, line), given in the order of the keys."""
        self._separator = separator
        pairs = list(lines)
        cuts = range(0, len(pairs), _BLOCK_LINES)
        self._blocks = [_make_block(pairs[cut : cut + _BLOCK_LINES]) for cut in cuts]
        self._firsts = [block.keys[0] for block in self._blocks]
        self._good = 0  # so many blocks know what stands before them
        self.count = len(pairs)

    def put(self, key: str, line: str) -> None:
        """Set the line of a key."""
        if not self._blocks:
            self._blocks, self._firsts = [_Block([], [])], [key]
        number = self._find(key)
        block = self._blocks[number]
        at = bisect_left(block.keys, key)
        if at < len(block.keys) and block.keys[at] == key:
            if block.lines[at] == line:
                return
            block.lines[at] = line
        else:
            block.keys.insert(at, key)
            block.lines.insert(at, line)
            self.count += 1
        self._touch(number)

    def drop(self, key: str) -> None:
        """Take the line of a key out, if there is one."""
        number = self._find(key)
        block = self._blocks[number] if self._blocks else None
        at = bisect_left(block.keys, key) if block else 0
        if block is None or at >= len(block.keys) or block.keys[at] != key:
            return
        del block.keys[at], block.lines[at]
        self.count -= 1
        self._touch(number)

    def hexdigest(self, *, has_trailing_separator: bool = False) -> str:
        """The hash as it is now."""
        separator = self._separator.encode("utf-8")
        state = self._resume()
        for number in range(max(self._good - 1, 0), len(self._blocks)):
            block = self._blocks[number]
            block.before = state.copy()
            if block.text is None:
                block.text = self._separator.join(block.lines).encode("utf-8")
            state.update(separator + block.text if number else block.text)
        self._good = len(self._blocks)
        if has_trailing_separator and self.count:
            state.update(separator)
        return state.hexdigest()

    def _resume(self) -> hashlib._Hash:
        """The hash of what stands before the last block that knows it."""
        before = self._blocks[self._good - 1].before if self._good else None
        return hashlib.sha256() if before is None else before.copy()

    def _find(self, key: str) -> int:
        return max(bisect_right(self._firsts, key) - 1, 0)

    def _touch(self, number: int) -> None:
        """A block has changed: it is cut in two if it is too long, and dropped if it is empty."""
        block = self._blocks[number]
        pairs = list(zip(block.keys, block.lines, strict=True))
        half = len(pairs) // 2
        halves = [pairs[:half], pairs[half:]] if len(pairs) > _MOST_BLOCK_LINES else [pairs]
        made = [_make_block(each) for each in halves if each]
        if made:
            made[0].before = block.before
        self._blocks[number : number + 1] = made
        self._firsts[number : number + 1] = [each.keys[0] for each in made]
        # The first of the new ones knows what stands before it, unless it has taken the place of one that did not.
        self._good = min(self._good, number + 1 if made else number)


def _make_block(pairs: list[tuple[str, str]]) -> _Block:
    return _Block([key for key, _ in pairs], [line for _, line in pairs])
