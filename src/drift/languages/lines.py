"""What kind of line each line of a file is: code, comment or blank."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from drift.languages.syntax import SourceText

_BLANK: Final = 0
_COMMENT: Final = 1
_CODE: Final = 2
_REST_IS_BLANK = re.compile(rb"[^\S\n]*(?:\n|\Z)")


class LineKinds:
    """The kind of every line, given the byte spans of comments and doc strings.

    A line with code and a comment is code. A blank line is blank even inside a comment or a string.
    """

    __slots__ = ("_kinds",)

    def __init__(self, text: SourceText, comment_spans: Iterable[tuple[int, int]]) -> None:
        self._kinds = bytearray([_CODE if line.strip() else _BLANK for line in text.source.split(b"\n")])
        # A file that ends in a line feed has no line after it.
        if text.source.endswith(b"\n") or not text.source:
            self._kinds.pop()
        before = 0
        for start, end in _joined(comment_spans, text.source):
            self._mark(text, start, end, before=before)
            before = end

    @property
    def code_lines(self) -> int:
        return self._kinds.count(_CODE)

    @property
    def comment_lines(self) -> int:
        return self._kinds.count(_COMMENT)

    @property
    def blank_lines(self) -> int:
        return self._kinds.count(_BLANK)

    def code_between(self, line: int, end_line: int) -> int:
        """How many of these lines, counted from 1 and both included, hold code."""
        return self._kinds.count(_CODE, line - 1, end_line)

    def _mark(self, text: SourceText, start: int, end: int, *, before: int) -> None:
        """Make comment lines of the lines of a span; `before` is where the span before it ends."""
        source = text.source
        first, last = text.line_of(start), text.line_of(max(start, end - 1))
        line_start = text.line_start(first)
        # Between two spans that were not joined is code: a long line is not read again for each of them.
        if before > line_start or source[line_start:start].strip():
            first += 1
        is_last_of_line = source[end - 1 : end] == b"\n" or _REST_IS_BLANK.match(source, end)
        if not is_last_of_line:
            last -= 1
        for index in range(first - 1, min(last, len(self._kinds))):
            if self._kinds[index]:
                self._kinds[index] = _COMMENT


def _joined(spans: Iterable[tuple[int, int]], source: bytes) -> list[tuple[int, int]]:
    """Spans with only white space between them made one, so that two comments on a line are seen whole."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and not source[joined[-1][1] : start].strip():
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
