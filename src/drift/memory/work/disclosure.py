"""How much of a memory is told: its id, one line, the gist, or all of it."""

import re
from collections.abc import Iterable
from enum import IntEnum
from typing import Any, Final

import orjson

from drift.kernel.text import shorten
from drift.memory.records import Memory
from drift.memory.search.matching import plain
from drift.memory.stems import stem

_LINE_CHARS: Final = 140
_GIST_CHARS: Final = 600
_LEAD: Final = 0.3  # the share of an excerpt that stands before the first word looked for
_WORD: Final = re.compile(r"[^\W_]+")
_SPACES: Final = re.compile(r"\s+")


class Level(IntEnum):
    """Steps of telling; each holds what the one below it tells."""

    REFERENCE = 0
    LINE = 1
    GIST = 2
    FULL = 3


def disclose(memory: Memory, level: Level) -> str:
    """What is told of a memory at a level. Nothing at all as a reference: its id stands beside it anyway."""
    if level is Level.REFERENCE:
        return ""
    line = shorten(_on_one_line(memory.title), _LINE_CHARS)
    if level is Level.LINE:
        return line
    said = full_text(memory)
    if level is Level.GIST:
        said = shorten(_on_one_line(said), _GIST_CHARS)
    elif len(memory.title) > len(line):
        line = memory.title
    if said.startswith(line.removesuffix("…")) or not said:
        return said or line
    return f"{line}\n{said}" if level is Level.FULL else f"{line}: {said}"


def full_text(memory: Memory) -> str:
    """The text of a memory and every field of its content, each on a line of its own."""
    fields = (
        f"{name}: {written}" for name, value in memory.content.items() if (written := _write_value(value))
    )
    return "\n".join(part for part in (memory.text, *fields) if part)


def excerpt(memory: Memory, words: Iterable[str], *, chars: int) -> str:
    """The part of a memory around the first of the words, on one line; its beginning where none is there."""
    said = _on_one_line(full_text(memory))
    said = said[_titled_chars(memory.title, said) :].lstrip(" .:;,-")
    at = _find_word(said, words)
    start = max(0, at - int(chars * _LEAD))
    if start:
        start = said.find(" ", start) + 1
    return ("…" if start else "") + shorten(said[start:], chars)


def _titled_chars(title: str, said: str) -> int:
    """How much of a text its title says already, to the end of a word."""
    known = title.removesuffix("…")
    if not said.startswith(known):
        return 0
    is_whole = known == title or said[len(known) : len(known) + 1] in ("", " ")
    return len(known) if is_whole else known.rfind(" ") + 1


def _find_word(said: str, words: Iterable[str]) -> int:
    wanted = {stem(plain(word)) for word in words}
    lowered = plain(said)
    if not wanted or len(lowered) != len(said):
        return 0
    return next((found.start() for found in _WORD.finditer(lowered) if stem(found[0]) in wanted), 0)


def _write_value(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return "; ".join(value)
    return orjson.dumps(value).decode() if value not in (None, {}, []) else ""


def _on_one_line(text: str) -> str:
    return _SPACES.sub(" ", text).strip()
