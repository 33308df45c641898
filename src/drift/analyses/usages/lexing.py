"""Where comments and strings stand in code, told by their marks alone: what a name in them means is another matter.

Known limits: regular expressions in scripts, text between tags, raw strings of C++ and heredocs are taken for code; a
lone quote in them makes the rest of its line a string.
"""

import re
from bisect import bisect_right
from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

Place = Literal["code", "comment", "string"]

_TRIPLE: Final = rb'"""(?:[^"\\]|\\.|"(?!""))*+(?:""")?|' + rb"'''(?:[^'\\]|\\.|'(?!''))*+(?:''')?"
_DOUBLE: Final = rb'"(?:[^"\\\n]|\\.)*+"?'
_SINGLE: Final = rb"'(?:[^'\\\n]|\\.)*+'?"
_CHARACTER: Final = rb"'(?:[^'\\\n]|\\[^\n]{1,10}?)'"
_BACKTICK: Final = rb"`(?:[^`\\]|\\.)*+`?"
_RAW_BACKTICK: Final = rb"`[^`]*+`?"
_VERBATIM: Final = rb'\$?@\$?"(?:[^"]|"")*+"?'
_LINE: Final = rb"//[^\n]*+"
_BLOCK: Final = rb"/\*(?:[^*]|\*(?!/))*+(?:\*/)?"
_HASH: Final = rb"#[^\n]*+"


class Marks(NamedTuple):
    """Patterns of the comments and strings of a language, to be tried in this order, with a dot for every byte."""

    comments: bytes
    strings: bytes


_C_COMMENTS: Final = _LINE + b"|" + _BLOCK
_PYTHON: Final = Marks(_HASH, _TRIPLE + b"|" + _DOUBLE + b"|" + _SINGLE)
_SCRIPT: Final = Marks(_C_COMMENTS, b"|".join((_DOUBLE, _SINGLE, _BACKTICK)))
_C: Final = Marks(_C_COMMENTS, _DOUBLE + b"|" + _CHARACTER)
MARKS: Final[Mapping[str, Marks]] = {
    "python": _PYTHON,
    "javascript": _SCRIPT,
    "typescript": _SCRIPT,
    "java": Marks(_C_COMMENTS, b"|".join((_TRIPLE, _DOUBLE, _CHARACTER))),
    "csharp": Marks(_C_COMMENTS, b"|".join((_VERBATIM, _TRIPLE, _DOUBLE, _CHARACTER))),
    "go": Marks(_C_COMMENTS, b"|".join((_DOUBLE, _CHARACTER, _RAW_BACKTICK))),
    "php": Marks(_C_COMMENTS + rb"|#(?!\[)[^\n]*+", _DOUBLE + b"|" + _SINGLE),
    "ruby": Marks(_HASH, _DOUBLE + b"|" + _SINGLE),
    "rust": _C,
    "cpp": _C,
}
_FAMILIES: Final[Mapping[str, "re.Pattern[bytes]"]] = {
    language: re.compile(
        rb"(?P<comment>" + marks.comments + rb")|(?P<string>" + marks.strings + rb")", re.DOTALL
    )
    for language, marks in MARKS.items()
}
# What stands in a string and is code all the same: the mark before the quotes, and what opens a hole in them.
_HOLES: Final[Mapping[str, tuple[bytes, bytes]]] = {
    "python": (rb"[fFtT][rR]?|[rR][fFtT]", rb"{"),
    "javascript": (rb"", rb"${"),
    "typescript": (rb"", rb"${"),
    "csharp": (rb"\$@?|@\$", rb"{"),
    "php": (rb"", rb"{$"),
    "ruby": (rb"", rb"#{"),
    "rust": (rb"", rb"{"),
}


# What stands before the quotes of an attribute that holds code: @click= and :open= of Vue, (click)= and *ngIf= of Angular.
_CODE_ATTRIBUTE: Final = re.compile(
    rb"\s(?:v-[\w:.-]{1,80}|[@:#*][\w:.\[\]-]{1,80}|\[\(?[\w.-]{1,80}\)?\]|\([\w.-]{1,80}\))=\Z"
)
_LONGEST_ATTRIBUTE: Final = 90
_MARKED_UP: Final = frozenset({"javascript", "typescript"})


class Span(NamedTuple):
    """A comment or a string, from its first byte to behind its last."""

    start: int
    end: int
    place: Place


class Regions:
    """The comments and strings of a text, found once and asked for many places."""

    def __init__(self, content: bytes, language: str | None) -> None:
        self._content = content
        self._language = language or ""
        family = _FAMILIES.get(self._language)
        self._spans = [
            Span(match.start(), match.end(), "comment" if match.lastgroup == "comment" else "string")
            for match in (family.finditer(content) if family else ())
        ]
        self._starts = [span.start for span in self._spans]

    def at(self, offset: int) -> Span | None:
        """The comment or string around an offset; None in code, and in the holes of a string, which are code."""
        number = bisect_right(self._starts, offset) - 1
        if number < 0 or offset >= self._spans[number].end:
            return None
        span = self._spans[number]
        if span.place == "string" and self._is_code_attribute(span):
            return self._in_attribute(span, offset)
        return None if span.place == "string" and self._is_in_hole(span, offset) else span

    def _is_code_attribute(self, span: Span) -> bool:
        head = self._content[max(span.start - _LONGEST_ATTRIBUTE, 0) : span.start]
        return self._language in _MARKED_UP and _CODE_ATTRIBUTE.search(head) is not None

    def _in_attribute(self, around: Span, offset: int) -> Span | None:
        """The string around an offset in the code of an attribute."""
        inner = _FAMILIES[self._language].finditer(self._content, around.start + 1, around.end - 1)
        found = (Span(match.start(), match.end(), "string") for match in inner)
        return next((one for one in found if one.start <= offset < one.end), None)

    def _is_in_hole(self, span: Span, offset: int) -> bool:
        holes = _HOLES.get(self._language)
        if holes is None:
            return False
        before, opening = holes
        head = self._content[max(span.start - 2, 0) : span.start]
        if (
            before
            and not re.search(rb"(?<!\w)(?:" + before + rb")\Z", head)
            and self._content[span.start] not in b"$@"
        ):
            return False
        if opening == rb"${" and self._content[span.start] != ord("`"):
            return False
        opened = self._content.rfind(opening, span.start, offset)
        return opened > 0 and b"}" not in self._content[opened:offset]
