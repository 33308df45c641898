"""Conditions of the preprocessor inside a list, such as one around an initializer of a constructor.

The grammar has them between statements and members alone. Without its directives such a list has all that any build puts
into it, and the function or table around it can be read.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

DIRECTIVE: Final = re.compile(
    rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b(?:[^\n\\]|\\\r?\n|\\)*",
    re.MULTILINE,
)
_COMMENT: Final = re.compile(rb"(?://[^\n]*|/\*(?:[^*]|\*(?!/))*\*/|\s)+")
_MOST_LOOK_BACK: Final = 500
_COMMA: Final = b","

Span = tuple[int, int]


def find_listed_conditions(source: bytes) -> Iterator[Span]:
    """Where the directives stand of conditions that choose elements of a list."""
    waiting: list[list[Span]] = []
    for directive in DIRECTIVE.finditer(source):
        word = directive[1]
        if word.startswith(b"if"):
            waiting.append([directive.span()])
        elif waiting:
            waiting[-1].append(directive.span())
            if word == b"endif":
                group = waiting.pop()
                if _is_listed(source, group):
                    yield from group


def _is_listed(source: bytes, group: list[Span]) -> bool:
    """Whether a comma stands before a condition, or begins or ends one of its parts."""
    if _last_before(source, group[0][0]) == _COMMA:
        return True
    parts = pairwise(group)
    return any(
        _first_behind(source, start[1], end[0]) == _COMMA or _last_before(source, end[0]) == _COMMA
        for start, end in parts
    )


def _first_behind(source: bytes, start: int, end: int) -> bytes:
    blank = _COMMENT.match(source, start, end)
    first = blank.end() if blank is not None else start
    return source[first : min(first + 1, end)]


def _last_before(source: bytes, place: int) -> bytes:
    """The last character of code before a place, as far as a line tells code from comments."""
    lines = source[max(0, place - _MOST_LOOK_BACK) : place].split(b"\n")
    for line in reversed(lines):
        code = line.partition(b"//")[0].strip()
        if code and not code.startswith((b"#", b"*", b"/*")):
            return code[-1:]
    return b""
