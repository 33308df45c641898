"""Start tags of markup with their attributes: HTML, what template engines make of it, JSX, and markup of components.

No tree is made: what is asked of a page is which elements it puts where. Expressions of template engines may stand
anywhere, also in quotes and with quotes of their own; they are passed over as wholes. Every look ahead is bounded.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final, NamedTuple

_MOST_SPAN: Final = 8_000
"""Characters of an attribute's value, or of an expression of a template engine."""
_MOST_ATTRIBUTES: Final = 200

_TAG: Final = re.compile(r"<([A-Za-z][\w:.-]{0,100})")
_NAME: Final = re.compile(r"[^\s\"'<>/={}]{1,200}")
_EQUALS: Final = re.compile(r"\s{0,200}=\s{0,200}")
_UNQUOTED: Final = re.compile(r"[^\s\"'<>]{1,2000}")
_BLANKS: Final = re.compile(r"[\s/]{1,2000}")
_BRACE: Final = re.compile(r"[{}\"'`\\]")
_ENGINE: Final = re.compile(r"\{\{|\{%|\{#|<%|<\?")
_ENGINE_ENDS: Final = {"{{": "}}", "{%": "%}", "{#": "#}", "<%": "%>", "<?": "?>"}
_QUOTED_MARKS: Final = {
    quote: re.compile(quote + r"|\{\{|\{%|<%|<\?")
    for quote in "\"'"
}  # fmt: skip
_SKIPPED: Final = {"<!--": "-->", "<%": "%>", "<?": "?>"}
_OPENINGS: Final = re.compile(r"<!--|<%|<\?|<(?=[A-Za-z])")
_RAW: Final = {
    name: re.compile(rf"</{name}(?=[\s>/])", re.IGNORECASE) for name in ("script", "style", "textarea")
}
SPREAD: Final = "..."
"""The name of attributes that an expression gives, whichever these are."""


class Attribute(NamedTuple):
    """An attribute as written; an expression in braces keeps them, and one without a value has none."""

    name: str
    value: str | None


class Tag(NamedTuple):
    """A start tag: where it begins, and what it says. `content` is the span of a script or a style."""

    start: int
    name: str
    attributes: tuple[Attribute, ...]
    content: tuple[int, int] | None = None


def read_tags(text: str, start: int = 0, end: int | None = None) -> Iterator[Tag]:
    """The start tags between two places of a text, in its order; comments and the content of scripts have none."""
    end = len(text) if end is None else end
    at = start
    while (opening := _OPENINGS.search(text, at, end)) is not None:
        at = opening.end()
        if opening[0] in _SKIPPED:
            at = _beyond(text, _SKIPPED[opening[0]], at, end)
            continue
        found = _TAG.match(text, opening.start(), end)
        if found is None:
            continue
        attributes, at = read_attributes(text, found.end(), end)
        raw = _RAW.get(found[1].lower())
        content = None
        if raw is not None and text[at - 2 : at] != "/>":
            closing = raw.search(text, at, end)
            content = (at, closing.start() if closing else end)
            at = content[1]
        yield Tag(opening.start(), found[1], attributes, content)


def read_attributes(text: str, at: int, end: int) -> tuple[tuple[Attribute, ...], int]:
    """The attributes that stand from a place on, and the place behind the tag."""
    found: list[Attribute] = []
    while at < end and len(found) < _MOST_ATTRIBUTES:
        if blanks := _BLANKS.match(text, at, end):
            at = blanks.end()
            continue
        mark = text[at]
        if mark == ">":
            return tuple(found), at + 1
        if engine := _ENGINE.match(text, at, end):
            at = _behind_engine(text, engine, end)
        elif mark == "{":
            closing = _closing_brace(text, at, end)
            inside = text[at + 1 : closing - 1].strip()
            found.append(Attribute(SPREAD, None) if inside.startswith(SPREAD) else _shorthand(inside))
            at = closing
        elif mark == "<":
            return tuple(found), at  # a tag that is not closed
        elif name := _NAME.match(text, at, end):
            value, at = _read_value(text, name.end(), end)
            found.append(Attribute(name[0], value))
        else:
            at += 1
    return tuple(found), at


def line_starts(text: str) -> list[int]:
    """Where lines begin, for `line_at`."""
    starts = [0]
    at = text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return starts


def line_at(starts: list[int], place: int) -> int:
    """The number of the line that a place stands in."""
    return bisect_right(starts, place)


def _shorthand(inside: str) -> Attribute:
    """Svelte's `{name}` for `name={name}`."""
    return Attribute(inside, f"{{{inside}}}") if inside.isidentifier() else Attribute(SPREAD, None)


def _read_value(text: str, at: int, end: int) -> tuple[str | None, int]:
    equals = _EQUALS.match(text, at, end)
    if equals is None:
        return None, at
    at = equals.end()
    mark = text[at : at + 1]
    if mark in _QUOTED_MARKS:
        closing = _closing_quote(text, at, end)
        return text[at + 1 : closing], closing + 1
    if engine := _ENGINE.match(text, at, end):
        closing = _behind_engine(text, engine, end)
        return text[at:closing], closing
    if mark == "{":
        closing = _closing_brace(text, at, end)
        return text[at:closing], closing
    plain = _UNQUOTED.match(text, at, end)
    return (plain[0], plain.end()) if plain else ("", at)


def _closing_quote(text: str, at: int, end: int) -> int:
    """The place of the quote that closes the one at a place; expressions may hold others."""
    marks = _QUOTED_MARKS[text[at]]
    last = min(end, at + _MOST_SPAN)
    place = at + 1
    while (found := marks.search(text, place, last)) is not None:
        if len(found[0]) == 1:
            return found.start()
        place = _behind_engine(text, found, last)
    return last


def _behind_engine(text: str, opening: re.Match[str], end: int) -> int:
    """The place behind an expression of a template engine; behind its opening where it is not closed."""
    closing = _ENGINE_ENDS[opening[0]]
    found = text.find(closing, opening.end(), min(end, opening.end() + _MOST_SPAN))
    return found + len(closing) if found >= 0 else opening.end()


def _closing_brace(text: str, at: int, end: int) -> int:
    """The place behind the brace that closes the one at a place, quotes looked through."""
    depth, quote = 0, ""
    last = min(end, at + _MOST_SPAN)
    place = at
    while (found := _BRACE.search(text, place, last)) is not None:
        mark, place = found[0], found.end()
        if mark == "\\":
            place += 1
        elif quote:
            quote = "" if mark == quote else quote
        elif mark in "{}":
            depth += 1 if mark == "{" else -1
            if not depth:
                return place
        else:
            quote = mark
    return last


def _beyond(text: str, mark: str, at: int, end: int) -> int:
    found = text.find(mark, at, end)
    return end if found < 0 else found + len(mark)
