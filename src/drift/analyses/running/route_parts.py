"""The parts of paths, and whether those of a request are those of a route."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

# {id}, <int:id>, :id, *rest, [id], $id: a part of a path that any text fits; so does one with (?P<id>…) inside.
_OPEN_BEGINNINGS: Final = ("{", "<", ":", "*", "[", "$")
_EDGES: Final = "/^$"
_PUT_BEFORE: Final = re.compile(r"\A(<[^<>:]{1,200}>)(?=\w)")  # <slug>.html is one part
# What is filled in between literal text, `{y}.{format}`; nothing is said of what a pattern there fits.
_FILLED: Final = re.compile(r"\{[^{}]{0,100}\}|<[^<>]{0,100}>")
_NOT_LITERAL: Final = re.compile(r"[][(){}<>*+?|\\^$:#]")


class Mixed(NamedTuple):
    """A part of a route that is filled in between literal texts: of `{y}.{format}` nothing, a dot and nothing."""

    literals: tuple[str, ...]

    def fits(self, word: str) -> bool:
        """Whether a word is that text with something in each place that is filled in."""
        first, *inner, last = self.literals
        if not word.startswith(first) or not word.endswith(last):
            return False
        at, end = len(first) + 1, len(word) - len(last)
        for literal in inner:
            found = word.find(literal, at, end)
            if found < 0:
                return False
            at = found + len(literal) + 1
        return at <= end


Parts = tuple[str | None, ...]
"""The parts of a path; None for one that any text fits."""
RouteParts = tuple[str | Mixed | None, ...]
"""The same of a route, some of which may be filled in between literal texts."""


def read_parts(path: str) -> Parts:
    """The parts of a path that is asked for."""
    return tuple(None if _is_open(each) else _plain(each) for each in _split(path))


def read_route_parts(path: str) -> RouteParts:
    """The parts of the path of a route."""
    return tuple(_read_open(each) if _is_open(each) else _plain(each) for each in _split(path))


def _split(path: str) -> list[str]:
    # What is not known of a prefix is a part of its own: <settings.BASE>orders/ is reached as shop/orders/.
    path = _PUT_BEFORE.sub(r"\1/", path.lstrip(_EDGES)) if "<" in path else path
    return [part for each in path.strip(_EDGES).split("/") if (part := each.strip(_EDGES))]


def _plain(part: str) -> str:
    # Most frameworks tell no case apart in paths, and some write MyOrders as my-orders; no two routes differ by that alone.
    return part.lower().replace("-", "")


def _is_open(part: str) -> bool:
    return part.startswith(_OPEN_BEGINNINGS) or "(" in part or "{" in part


def _read_open(part: str) -> Mixed | None:
    literals = tuple(_plain(each) for each in _FILLED.split(part))
    is_sure = "?" not in part  # what may be left out takes the text before it along
    is_mixed = (
        is_sure
        and len(literals) > 1
        and any(literals)
        and not any(_NOT_LITERAL.search(each) for each in literals)
    )
    return Mixed(literals) if is_mixed else None


def word_of(part: str | Mixed | None) -> str | None:
    """A part that is one word; None for others."""
    return part if isinstance(part, str) else None


def _allows(mine: str | Mixed | None, asked: str) -> bool:
    return mine is None or (mine.fits(asked) if isinstance(mine, Mixed) else mine == asked)


def fits(route: RouteParts, path: Parts) -> bool:
    """Whether a path may be that of a route: what is filled in at run time is a word of it only beside another word."""
    pairs = tuple(zip(route, path, strict=True))
    if not all(asked is None or _allows(mine, asked) for mine, asked in pairs):
        return False
    is_said = any(mine is not None and mine == asked for mine, asked in pairs)
    return is_said or not any(asked is None and isinstance(mine, str) for mine, asked in pairs)


def ends_in(route: RouteParts, path: Parts) -> bool:
    """Whether the ends of two paths are the same, with a word in common: nothing filled in is taken for a word."""
    pairs = tuple(zip(route, path, strict=True))
    return any(mine is not None and mine == asked for mine, asked in pairs) and all(
        not isinstance(mine, str) if asked is None else _allows(mine, asked) for mine, asked in pairs
    )


def equal_parts(route: RouteParts, path: Parts) -> int:
    """How many parts are the same; literal text that a word has is as good as a word."""
    return sum(
        mine == asked or (isinstance(mine, Mixed) and (asked is None or mine.fits(asked)))
        for mine, asked in zip(route, path, strict=True)
    )


def words_alike(route: RouteParts, path: Parts) -> int:
    """How many words are the same."""
    return sum(mine is not None and mine == asked for mine, asked in zip(route, path, strict=True))
