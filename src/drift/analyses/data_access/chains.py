"""A chain of calls as it stands in the source: what it begins with, and each link with what it is given.

Read by brackets, quotes and connectors alone, which languages share, so that no parser is needed when a question is
asked. Work is bounded: a chain longer than that is read as far as it goes.
"""

import re
from typing import Final, NamedTuple

_MOST: Final = 6_000
_TRIPLE: Final = 5  # the least distance between a triple quote and its end
_BRACKET: Final = re.compile(r"\s{0,10}\(")
_MOST_LINKS: Final = 40
_JOINTS: Final = frozenset({".", ">", ":"})
_OPEN: Final = {"(": ")", "[": "]", "{": "}"}
_CLOSE: Final = {closing: opening for opening, closing in _OPEN.items()}
_NAME: Final = re.compile(r"[A-Za-z_][\w]{0,100}[!?]?")
_GENERIC: Final = re.compile(r"(?:::)?<[\w\s,.<>?\[\]:&*']{1,200}>(?=\s{0,10}\()")
_CONNECTOR: Final = re.compile(r"(?:\s|\\\n){0,200}(?:\?\.|!\.|\?->|->|::|&?\.)(?:\s|\\\n){0,200}")
_CONNECTOR_BEFORE: Final = re.compile(r"(?:\?\.|!\.|\?->|->|::|&?\.)(?:\s|\\\n){0,200}$")
_NAME_BEFORE: Final = re.compile(r"[$@&]{0,2}[A-Za-z_][\w]{0,100}[!?]?$")
_GENERIC_BEFORE: Final = re.compile(r"(?:::)?<[\w\s,.<>?\[\]:&*']{1,200}>$")


class Link(NamedTuple):
    """A part of a chain. `given` is what stands in its brackets, None of a property."""

    name: str
    given: str | None = None
    types: str = ""
    """What stands in its angle brackets."""


class Chain(NamedTuple):
    """Links from the first name on; `start` is where it begins in the text, `end` the place behind it."""

    start: int
    end: int
    links: tuple[Link, ...]

    @property
    def head(self) -> str:
        return self.links[0].name


def read_chain(text: str, at: int) -> Chain:
    """The chain around the name at a place."""
    backward, start = _before(text, at)
    forward, end = _behind(text, at)
    return Chain(start, end, (*backward, *forward)[:_MOST_LINKS])


def _behind(text: str, at: int) -> tuple[list[Link], int]:
    links: list[Link] = []
    limit = min(len(text), at + _MOST)
    while len(links) < _MOST_LINKS:
        name = _NAME.match(text, at, limit)
        if name is None:
            break
        at = name.end()
        types = ""
        if generic := _GENERIC.match(text, at, limit):
            types, at = generic.group().strip(":<>"), generic.end()
        given = None
        opening = _BRACKET.match(text, at, limit)
        if opening is not None:
            closing = _closing(text, opening.end() - 1, limit)
            given, at = text[opening.end() : closing], min(closing + 1, limit)
        links.append(Link(name.group(), given, types))
        while at < limit and text[at] == "[":  # an element of what came before
            at = _closing(text, at, limit) + 1
        connector = _CONNECTOR.match(text, at, limit)
        if connector is None:
            break
        at = connector.end()
    return links, at


def _before(text: str, at: int) -> tuple[list[Link], int]:
    links: list[Link] = []
    floor = max(0, at - _MOST)
    while len(links) < _MOST_LINKS:
        near = text[max(floor, at - 260) : at]
        # Most names stand behind something else: the last sign tells without a search.
        connector = _CONNECTOR_BEFORE.search(near) if near.rstrip(" \t\r\n\\")[-1:] in _JOINTS else None
        if connector is None or ("\n" in connector.group() and _is_remark(text, at - len(connector.group()))):
            break
        here = at - len(connector.group())
        here = floor + len(text[floor:here].rstrip()) if here > floor else here
        given: str | None = None
        types = ""
        while here > floor and text[here - 1] == "]":
            here = _opening(text, here - 1, floor)
        if here > floor and text[here - 1] == ")":
            opening = _opening(text, here - 1, floor)
            given, here = text[opening + 1 : here - 1], opening
            if generic := _GENERIC_BEFORE.search(text[max(floor, here - 220) : here]):
                types, here = generic.group().strip(":<>"), here - len(generic.group())
        name = _NAME_BEFORE.search(text[max(floor, here - 110) : here])
        if name is None:
            links.insert(0, Link("", given, types))
            return links, here
        at = here - len(name.group())
        links.insert(0, Link(name.group().lstrip("&"), given, types))
    return links, at


def _is_remark(text: str, at: int) -> bool:
    """Whether a place is in a comment, whose full stop connects nothing."""
    line = text[text.rfind("\n", 0, at) + 1 : at].lstrip()
    return line.startswith(("#", "//", "*", "/*")) or " // " in line or "  # " in line


def _closing(text: str, at: int, limit: int) -> int:
    """The place of the bracket that closes the one at a place, or the limit."""
    depth = 0
    while at < limit:
        sign = text[at]
        if sign in _OPEN:
            depth += 1
        elif sign in _CLOSE:
            depth -= 1
            if depth <= 0:
                return at
        elif sign in "\"'`":
            at = _quote_end(text, at, limit)
        at += 1
    return limit


def _quote_end(text: str, at: int, limit: int) -> int:
    """The place of the quote that ends the text beginning here; here itself where none does, as of a lifetime in Rust."""
    sign = text[at]
    if text.startswith(sign * 3, at) and sign != "`":
        end = text.find(sign * 3, at + 3, limit)
        return end + 2 if end >= 0 else at + 1
    here = at + 1
    while here < limit:
        if text[here] == "\\":
            here += 2
            continue
        if text[here] == sign:
            return here
        if text[here] == "\n" and sign != "`":
            # PHP and Ruby let a text go on over lines: it does where a quote comes before the brackets end.
            end = text.find(sign, here, min(limit, here + 2_000))
            return end if end >= 0 and sign == '"' else at
        here += 1
    return at


def _opening(text: str, at: int, floor: int) -> int:
    """The place of the bracket that the one at a place closes, or the floor."""
    depth = 0
    while at >= floor:
        sign = text[at]
        if sign in _CLOSE:
            depth += 1
        elif sign in _OPEN:
            depth -= 1
            if depth <= 0:
                return at
        elif sign in "\"'`":
            begin = text.rfind(sign, floor, at)
            if begin >= 0 and "\n" not in text[begin:at]:
                at = begin
        at -= 1
    return floor


def _next_text(written: str, at: int) -> tuple[str, int, int] | None:
    """The next literal text from a place on: what it holds, where it begins and the place behind it."""
    while at < len(written):
        if written[at] in "\"'`":
            end = _quote_end(written, at, len(written))
            if end > at:
                width = 3 if written.startswith(written[at] * 3, at) and end - at >= _TRIPLE else 1
                return written[at + width : end - width + 1], at, end + 1
        at += 1
    return None


def first_text(given: str) -> str | None:
    """The first literal text in what a call is given, joined with those that directly follow it."""
    found = _next_text(given, 0)
    if found is None:
        return None
    parts = [found[0]]
    while following := _next_text(given, found[2]):
        if given[found[2] : following[1]].strip(" \t\r\n\\.+fFrRbB"):
            break
        parts.append(following[0])
        found = following
    return "".join(parts)


def all_texts(written: str) -> str:
    """The literal texts of an expression, with a blank place for what stands between them."""
    parts, at = [], 0
    while found := _next_text(written, at):
        parts.append(found[0])
        at = found[2]
    return " {} ".join(parts)


def top_parts(given: str) -> list[str]:
    """What a call is given, split at the commas that stand in no bracket and no text."""
    parts, start, at = [], 0, 0
    while at < len(given):
        sign = given[at]
        if sign in _OPEN:
            at = _closing(given, at, len(given))
        elif sign in "\"'`":
            at = _quote_end(given, at, len(given))
        elif sign == ",":
            parts.append(given[start:at].strip())
            start = at + 1
        at += 1
    rest = given[start:].strip()
    return [*parts, rest] if rest else parts
