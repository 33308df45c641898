"""Conditions of the preprocessor that end inside a block that began before or in them.

    #if FAST
      if (a) {
    #else
      if (b) {
    #endif
      }

To the grammar both blocks begin, and all that follows in the file is inside one. Read is what the first branch says.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Final

from drift.languages.cpp.listed_conditions import DIRECTIVE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drift.languages.cpp.listed_conditions import Span

# A text without an end goes to the end of its line, so that nothing is gone over twice.
_BRACE: Final = re.compile(
    rb"\"(?:[^\"\\\n]|\\.)*+\"?|'(?:[^'\\\n]|\\.){1,12}+'|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?|([{}])"
)


def find_open_conditions(source: bytes) -> Iterator[Span]:
    """What is not to be read of such conditions: their directives, and all branches but the first."""
    levels = _Levels(source)
    waiting: list[list[tuple[bytes, Span]]] = []
    for directive in DIRECTIVE.finditer(source):
        word = directive[1]
        if word.startswith(b"if"):
            waiting.append([(word, directive.span())])
        elif waiting:
            waiting[-1].append((word, directive.span()))
            if word == b"endif":
                yield from _unread(levels, waiting.pop())


def _unread(levels: _Levels, group: list[tuple[bytes, Span]]) -> Iterator[Span]:
    spans = [span for _, span in group]
    branches = [(one[1], other[0]) for one, other in pairwise(spans)]
    changes = {levels.change(*branch) for branch in branches}
    # Without an `#else` a build may have none of it: then what closes the block stands in such a condition, too.
    is_whole = group[-2][0] == b"else" or len(branches) == 1
    if changes == {0} or len(changes) != 1 or not is_whole:
        return
    yield from spans
    yield from branches[1:]


class _Levels:
    """How deep in blocks the places of a text are."""

    def __init__(self, source: bytes) -> None:
        braces = [match for match in _BRACE.finditer(source) if match[1] is not None]
        self._places = [match.start() for match in braces]
        self._levels = [0, *accumulate(1 if match[1] == b"{" else -1 for match in braces)]

    def change(self, start: int, end: int) -> int:
        """How much deeper the end is than the start."""
        places, levels = self._places, self._levels
        return levels[bisect_left(places, end)] - levels[bisect_left(places, start)]
