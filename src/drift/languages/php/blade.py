"""Pages of Blade as a script: expressions in braces, directives and blocks of PHP keep their place, all else is blank.

What a directive is given becomes a list, which takes whatever arguments may be; loops and conditions stay what they are,
as they bind variables.
"""

from __future__ import annotations

import re
from typing import Final

from drift.languages.markup import blanked

ENDING: Final = ".blade.php"

_OPENING: Final = re.compile(
    rb"(?P<escaped>@@|@\{\{|@\{!!)|(?P<comment>\{\{--)|(?P<raw>\{!!)|(?P<shown>\{\{)|(?P<tag><\?(?:php|=)?)"
    rb"|(?P<verbatim>@verbatim\b)|(?P<code>@php\b(?!\s*\())|(?<![\w.])@(?P<directive>[a-zA-Z]{2,40})\s*+\("
    rb"|(?<=\s):[\w.-]{1,60}=(?P<bound>\"(?=\$))"
)
_CLOSINGS: Final = {
    "comment": b"--}}",
    "raw": b"!!}",
    "shown": b"}}",
    "tag": b"?>",
    "verbatim": b"@endverbatim",
    "code": b"@endphp",
    "bound": b'"',
}
_BLIND: Final = frozenset({"comment", "verbatim"})
_AS_WRITTEN: Final = frozenset({b"if", b"for", b"foreach", b"while", b"switch"})
_LOOPS: Final = {b"forelse": b"foreach"}
_STYLES: Final = frozenset({b"media", b"supports", b"import", b"container", b"layer", b"font", b"page"})
"""What stands behind the same sign in a style sheet."""
_BRACKET: Final = re.compile(rb"[()]|'(?:[^'\\]|\\.)*+(?:'|\Z)|\"(?:[^\"\\]|\\.)*+(?:\"|\Z)", re.DOTALL)
_LONGEST_ARGUMENTS: Final = 20_000
_MOST_OPEN: Final = 20  # directives without an end: each costs a look


def script_of(source: bytes) -> bytes:
    """The page as a script of the same length."""
    return _Reading(source).script()


class _Reading:
    def __init__(self, source: bytes) -> None:
        self._source = source
        self._text = blanked(source)
        self._first: int | None = None
        self._open = 0
        self._without_end: set[str] = set()

    def script(self) -> bytes:
        rest = 0
        while found := _OPENING.search(self._source, rest):
            rest = self._read(found)
        if self._first is not None:
            self._text[self._first : self._first + 2] = b"<?"
        return bytes(self._text)

    def _read(self, found: re.Match[bytes]) -> int:
        """Take over what begins at a place: where to go on."""
        kind = str(found.lastgroup)
        if kind == "directive":
            return self._directive(found)
        if kind == "escaped" or kind in self._without_end:
            return found.end()
        closing = self._source.find(_CLOSINGS[kind], found.end())
        if closing < 0:
            self._without_end.add(kind)
            return found.end()
        if kind not in _BLIND:
            self._keep(found.start(), found.end(), closing)
        return closing + len(_CLOSINGS[kind])

    def _directive(self, found: re.Match[bytes]) -> int:
        name, start = found["directive"], found.end()
        if name in _STYLES or self._open > _MOST_OPEN:
            return start
        end = self._closing_bracket(start)
        if end is None:
            self._open += 1
            return start
        self._keep(found.start(), start, end)
        written = _LOOPS.get(name, name)
        if written in _AS_WRITTEN:
            self._text[start - 1 : start], self._text[end : end + 1] = b"(", b")"
            self._text[found.start() + 1 : found.start() + 1 + len(written)] = written
            if self._text[end + 1 : end + 2] == b" ":
                self._text[end + 1] = ord(";")
        else:
            self._text[start - 1 : start], self._text[end : end + 1] = b"[", b"]"
        return end + 1

    def _closing_bracket(self, start: int) -> int | None:
        depth = 1
        for mark in _BRACKET.finditer(self._source, start, start + _LONGEST_ARGUMENTS):
            depth += {b"(": 1, b")": -1}.get(mark[0], 0)
            if not depth:
                return mark.start()
        return None

    def _keep(self, opening: int, start: int, end: int) -> None:
        """A statement of its own: what opens it ends the one before."""
        if self._first is None:
            self._first = opening
        self._text[opening] = ord(";")
        self._text[start:end] = self._source[start:end]
        if end < len(self._text):
            self._text[end] = ord(";")
