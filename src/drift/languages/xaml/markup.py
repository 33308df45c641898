"""Markup extensions, `{Binding Path=User.Name, Converter={StaticResource Upper}}`, taken apart."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_CHARACTERS: Final = 4_000
_MOST_EXTENSIONS: Final = 32  # in one value, nested ones counted
_NAME: Final = re.compile(r"\{\s*+([\w:.]++)\s*+(.*)\}$", re.DOTALL)
_NAMED: Final = re.compile(r"\s*+([\w.:]++)\s*+=\s*+(.*)$", re.DOTALL)
_MEMBER: Final = re.compile(r"[^\W\d]\w*")


class Extension(NamedTuple):
    """One markup extension: its name with prefix, and its arguments."""

    name: str
    positional: tuple[str, ...]
    named: dict[str, str]


def read_extensions(value: str) -> Iterator[Extension]:
    """The extensions in an attribute's value, the outer before those it holds; none in plain text."""
    waiting = [value[:_MOST_CHARACTERS]]
    for _ in range(_MOST_EXTENSIONS):
        if not waiting:
            return
        text = waiting.pop().strip()
        # `{}` at the start says that the rest is plain text.
        found = _NAME.match(text) if text.startswith("{") and not text.startswith("{}") else None
        if found is None:
            continue
        positional: list[str] = []
        named: dict[str, str] = {}
        for part in _split(found[2]):
            pair = _NAMED.match(part)
            if pair is not None:
                named[pair[1]] = pair[2].strip()
            elif part.strip():
                positional.append(part.strip())
        yield Extension(found[1], tuple(positional), named)
        waiting += [each for each in (*positional, *named.values()) if each.startswith("{")]


def _split(arguments: str) -> list[str]:
    """The arguments between commas that no brace or quote encloses."""
    parts: list[str] = []
    depth = start = 0
    quote = ""
    for place, character in enumerate(arguments):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in "{}":
            depth += 1 if character == "{" else -1
        elif character == "," and not depth:
            parts.append(arguments[start:place])
            start = place + 1
    return [*parts, arguments[start:]]


def path_members(path: str) -> tuple[str, ...]:
    """The members a binding's path goes through; it ends where an indexer or an attached property begins."""
    members: list[str] = []
    for part in path.strip().split("."):
        found = _MEMBER.match(part)
        if found is None or len(members) == _MOST_EXTENSIONS:
            break
        members.append(found[0])
        if found[0] != part:
            break
    return tuple(members)
