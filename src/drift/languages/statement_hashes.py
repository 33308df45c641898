"""Hashes of statements with their names and literals made alike, for finding copies in which something was changed.

A statement is what stands on one line, with the lines that go on with it: those in brackets that are not closed
yet, and those that begin as no statement does. Braces begin anew, so that the body of a function which is handed
over is statements, too. What one line has of several statements is one.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise
from typing import TYPE_CHECKING, Final
from zlib import crc32

from drift.languages.vocabulary import BRACKETS, FIRST_BRACKET_CODE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from drift.languages.syntax import SourceText

    Statement = tuple[int, int, int]  # hash, line, tokens

FEWEST_TOKENS: Final = 2
"""A statement has: what is less is a brace, or a word that every function has."""

MOST_TOKENS: Final = 255
"""That are counted of one statement."""

_OPENING: Final = frozenset({FIRST_BRACKET_CODE + BRACKETS.index(each) for each in "(["})
_CLOSING: Final = frozenset({FIRST_BRACKET_CODE + BRACKETS.index(each) for each in ")]"})
_BRACE: Final = FIRST_BRACKET_CODE + BRACKETS.index("{")
_END_OF_BRACE: Final = FIRST_BRACKET_CODE + BRACKETS.index("}")
_NO_BRACKETS: Final = bytes({*range(256)} - {FIRST_BRACKET_CODE + each for each in range(len(BRACKETS))})
_CLOSED: Final = bytes(FIRST_BRACKET_CODE + BRACKETS.index(each) for each in "()")
# Begins a line that goes on with the one before it: a chain of calls, an operator.
_GOING_ON: Final = frozenset(b".?&|:,")
_ENDS: Final = _CLOSING | {_END_OF_BRACE}
_MOST_OF_AN_END: Final = 3  # tokens, as of `});`


def statement_hashes(codes: bytes, tokens: Sequence[Node], text: SourceText) -> tuple[Statement, ...]:
    """Hash, line and number of tokens of each statement. `codes` has one byte for each token, names being alike."""
    if not tokens:
        return ()
    begins = [*_beginnings(codes, tokens, text), (len(tokens), 0)]
    found = []
    for (first, line), (end, _line) in pairwise(begins):
        count = end - first
        if count < FEWEST_TOKENS or (count <= _MOST_OF_AN_END and codes[first] in _ENDS):
            continue
        found.append((crc32(codes[first:end]), line, min(count, MOST_TOKENS)))
    return tuple(found)


def _beginnings(codes: bytes, tokens: Sequence[Node], text: SourceText) -> Iterator[tuple[int, int]]:
    """The tokens that begin a statement, each with its line."""
    places = [token.start_byte for token in tokens]
    starts, source, count = text.line_starts, text.source, len(places)
    depths = [0]  # of brackets, within each brace
    former = token = 0
    for line, start in enumerate(starts, 1):
        if places[token] < start:
            token = bisect_left(places, start, token)
            if token == count:
                return
        if line < len(starts) and places[token] >= starts[line]:
            continue  # no token begins on this line
        brackets = codes[former:token].translate(None, _NO_BRACKETS).replace(_CLOSED, b"")
        former = token
        if brackets:
            _follow(brackets, depths)
        # A text may end on the line; what follows it there goes on with its statement.
        goes_on = depths[-1] or source[places[token]] in _GOING_ON or tokens[token - 1].end_byte > start
        if not (token and goes_on):
            yield token, line


def _follow(brackets: bytes, depths: list[int]) -> None:
    for bracket in brackets:
        if bracket in _OPENING:
            depths[-1] += 1
        elif bracket in _CLOSING:
            depths[-1] = max(0, depths[-1] - 1)
        elif bracket == _BRACE:
            depths.append(0)
        elif len(depths) > 1:
            depths.pop()
