"""What a memory names: other memories by id or title, and things of the code."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from drift.kernel.connections import Connection
from drift.memory.content import texts_in
from drift.memory.overlap import is_same_text
from drift.memory.records import Draft, Memory
from drift.memory.storage.rows import read_by_id, read_by_number
from drift.memory.storage.words import find_titled as find_by_title

_LOOKED_AT: Final = 20_000
_MOST_NAMES: Final = 200
_MOST_TITLES: Final = 20
_FEWEST_TITLE_WORDS: Final = 2
_WORD: Final = re.compile(r"[^\W_]+")
# An id has a digit or an underscore in it: plain words are none, even where an import brought such ids.
_ID: Final = re.compile(r"(?<![\w.:-])(?=[A-Za-z.:-]{0,99}[\d_])[A-Za-z0-9][\w.:-]{2,99}", re.ASCII)
_QUOTED: Final = re.compile(
    r'"([^"\n]{4,300})"|“([^”\n]{4,300})”|«([^»\n]{4,300})»|\[\[([^\]\n]{4,300})\]\]|`([^`\n]{4,300})`'
    r"|(?<!\w)'([^'\n]{4,300})'(?!\w)"
)
# Paths, dotted and snake_case names, names in camel case, whatever stands in backticks.
_CODE: Final = re.compile(
    r"`([^`\n]{2,100})`|(?<![\w/])((?:[\w.-]{1,80}/){1,20}[\w.-]{0,80}\w|[A-Za-z]\w*(?:\.[A-Za-z_]\w*)+(?:\(\))?|\w+_\w+|[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*)"
)
_MOST_ALIKE: Final = 20


class Reference(NamedTuple):
    """A memory that a text names, and the words it is named with."""

    memory: Memory
    named: str
    is_by_id: bool


def said_of(memory: Draft) -> str:
    """Everything a memory says, as one text."""
    return "\n".join((memory.title, memory.text, *texts_in(dict(memory.content))))


def find_references(connection: Connection, text: str) -> list[Reference]:
    """The memories a text names by their id or quotes the title of; not the purged ones."""
    looked_at = text[:_LOOKED_AT]
    names = list(dict.fromkeys(name.rstrip(".:-") for name in _ID.findall(looked_at)))[:_MOST_NAMES]
    found = [
        Reference(memory, name, is_by_id=True) for name, (_, memory) in read_by_id(connection, names).items()
    ]
    quotes = ["".join(groups).strip() for groups in _QUOTED.findall(looked_at)]
    for quote in list(dict.fromkeys(quotes))[:_MOST_TITLES]:
        found += [Reference(memory, quote, is_by_id=False) for memory in find_titled(connection, quote)]
    return [one for one in found if not one.memory.is_purged]


def find_titled(connection: Connection, title: str) -> list[Memory]:
    """The memories with this title, but for case and white space; one word is no title to go by."""
    words = _WORD.findall(title)
    if len(words) < _FEWEST_TITLE_WORDS:
        return []
    numbers = find_by_title(connection, words, _MOST_ALIKE)
    return [one for one in read_by_number(connection, numbers).values() if is_same_text(one.title, title)]


def things_of(memory: Draft) -> frozenset[str]:
    """The files, functions and other things of the code that a memory links or names, in lower case."""
    linked = (
        *(link.path for link in memory.files), *memory.functions, *memory.patterns, *memory.constraints
    )  # fmt: skip
    named = ("".join(groups) for groups in _CODE.findall(said_of(memory)[:_LOOKED_AT]))
    return frozenset(one.removesuffix("()").lower() for one in (*linked, *named) if len(one) > 2)  # noqa: PLR2004 - i, x, id


def without(text: str, things: Iterable[str]) -> str:
    """The text with the names of things taken out, so that what else it says can be compared."""
    lowered = text.lower()
    names = {name for thing in things for name in (thing, thing.rpartition("/")[2]) if name}
    for thing in sorted(names, key=len, reverse=True):
        lowered = lowered.replace(thing, " ")
    return lowered
