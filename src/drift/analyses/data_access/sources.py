"""The text around a call: its file, the function it stands in, and what a variable there is made of."""

import re
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Final, NamedTuple

from drift.index.path_text import text_to_path
from drift.kernel.reading import read_file

_MOST_BYTES: Final = 2_000_000
_MOST_BEFORE: Final = 4_000
_MOST_PLACES: Final = 60
_MOST_AHEAD: Final = 200
_MOST_TYPE: Final = 90
_BLANKS: Final = frozenset({" ", "\t", "&", "*"})
_CALL: Final = re.compile(r"\s{0,4}\(")
# What stands behind a name, and whether it is a type.
_BEHIND: Final = (
    # user := &User{…}, user = User(…), $user = User::find(…), let user = …
    (
        re.compile(
            r"\s{0,4}(?::\s{0,2}[\w<>\[\], |.?]{1,80})?(?:,\s{0,2}\w{1,40}){0,3}\s{0,4}:?=(?![=>])\s{0,4}"
            r"([^\n]{1,300}(?:\n[^\n]{1,160}){0,2})"
        ),
        False,
    ),
    # user: User, user?: User
    (re.compile(r"\??\s{0,4}:\s{0,4}([\w<>\[\], |.?]{2,120})"), True),
    # user *User, var user User, users []User
    (re.compile(r"\s{1,4}([*&\[\]]{0,4}[\w.]{2,80})"), True),
    # for user in User.objects…, for (const user of users)
    (re.compile(r"\s{1,4}(?:in|of|:)\s{1,4}([^\n]{1,200})"), False),
)
# And before it.
_AHEAD: Final = (
    # User user, User $user, []User users
    (re.compile(r"([\w<>\[\]?.\\]{2,80})\s{1,4}[&*]{0,2}$"), True),
    # foreach ($users as $user)
    (re.compile(r"([^\n(]{1,160})\s{1,4}as\s{1,4}(?:\$\w{1,40}\s{0,2}=>\s{0,2})?$"), False),
)


class Source:
    """A file as text, with the place of each line."""

    def __init__(self, content: bytes) -> None:
        self._lines = content.split(b"\n")
        self.text = content.decode("utf-8", "replace")
        is_plain = content.isascii()
        lengths = (len(line) if is_plain else len(line.decode("utf-8", "replace")) for line in self._lines)
        self._starts = list(accumulate((length + 1 for length in lengths), initial=0))[:-1]

    def place(self, line: int, column: int) -> int | None:
        """Where in the text a line and a column in bytes are."""
        if not 0 < line <= len(self._lines):
            return None
        here = self._lines[line - 1][:column]
        return self._starts[line - 1] + len(here.decode("utf-8", "replace"))

    def line_of(self, place: int) -> int:
        """The line of a place."""
        low, high = 0, len(self._starts)
        while low + 1 < high:
            middle = (low + high) // 2
            if self._starts[middle] <= place:
                low = middle
            else:
                high = middle
        return low + 1

    def start_of(self, line: int) -> int:
        """Where a line begins."""
        return self._starts[min(max(line, 1), len(self._starts)) - 1]


def open_source(root: Path, path: str) -> Source | None:
    """The text of a file; None where it cannot be read."""
    try:
        return Source(read_file(root, text_to_path(path), _MOST_BYTES))
    except OSError:
        return None


class Origin(NamedTuple):
    """What a variable is said to be: the text of its type or of what it is made from."""

    text: str
    is_type: bool


def origins_of(name: str, source: Source, *, first_line: int, before: int) -> Iterator[Origin]:
    """What stands nearest before a place about a variable: its declaration, its assignment, the loop that fills it."""
    word = name.lstrip("$@&")
    begin = max(source.start_of(first_line), before - _MOST_BEFORE)
    text = source.text[begin:before]
    seen: set[int] = set()
    place = len(text)
    for _ in range(_MOST_PLACES):
        place = text.rfind(word, 0, place) if word else -1
        if place < 0 or len(seen) == len(_BEHIND) + len(_AHEAD):
            return
        end = place + len(word)
        start = place - 1 if text[place - 1 : place] in {"$", "@"} else place
        if _is_part(text, start - 1) or _is_part(text, end):
            continue
        for number, origin in _told(text, start, end):
            if number not in seen:
                seen.add(number)
                yield origin


def _is_part(text: str, at: int) -> bool:
    return 0 <= at < len(text) and (text[at].isalnum() or text[at] == "_")


def _told(text: str, start: int, end: int) -> Iterator[tuple[int, Origin]]:
    """What stands around one place of a name, under the number of the form it has."""
    is_member = text[start - 1 : start] in {".", ">", ":"} and start > 0
    if not is_member:
        for number, (pattern, is_type) in enumerate(_BEHIND):
            if match := pattern.match(text, end):
                yield number, Origin(match.group(1), is_type)
    if _CALL.match(text, end):
        return
    line = text[max(0, start - _MOST_AHEAD) : start]
    if line[-1:] not in _BLANKS:
        return
    # Each is tried only where it can fit: a search from every place to the end costs most of all.
    declared, listed = _AHEAD
    if match := declared[0].search(line, max(0, len(line) - _MOST_TYPE)):
        yield len(_BEHIND), Origin(match.group(1), declared[1])
    if " as " in line and (match := listed[0].search(line)):
        yield len(_BEHIND) + 1, Origin(match.group(1), listed[1])
