"""The text around a call: its file, the function it stands in, and what a variable there is made of."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from drift.index.path_text import text_to_path
from drift.kernel.reading import read_file

_MOST_BYTES: Final = 2_000_000
_MOST_BEFORE: Final = 4_000


class Source:
    """A file as text, with the place of each line."""

    def __init__(self, content: bytes) -> None:
        self._lines = content.split(b"\n")
        self.text = content.decode("utf-8", "replace")
        self._starts: list[int] = []
        place = 0
        for line in self._lines:
            self._starts.append(place)
            place += len(line.decode("utf-8", "replace")) + 1

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
    word = re.escape(name.lstrip("$@&"))
    begin = max(source.start_of(first_line), before - _MOST_BEFORE)
    text = source.text[begin:before]
    if name.lstrip("$@&") not in text:
        return
    patterns = (
        # user := &User{…}, user = User(…), $user = User::find(…), let user = …
        (rf"(?<![\w.>:])[$@]?{word}\s{{0,4}}(?::\s{{0,2}}[\w<>\[\], |.?]{{1,80}})?(?:,\s{{0,2}}\w{{1,40}}){{0,3}}\s{{0,4}}:?=(?![=>])\s{{0,4}}([^\n]{{1,300}}(?:\n[^\n]{{1,160}}){{0,2}})", False),
        # user: User, user?: User
        (rf"(?<![\w.])\$?{word}\??\s{{0,4}}:\s{{0,4}}([\w<>\[\], |.?]{{2,120}})", True),
        # User user, User $user, []User users
        (rf"([\w<>\[\]?.\\]{{2,80}})\s{{1,4}}[$&*]{{0,2}}{word}\b(?!\s{{0,4}}\()", True),
        # user *User, var user User, users []User
        (rf"(?<![\w.]){word}\s{{1,4}}([*&\[\]]{{0,4}}[\w.]{{2,80}})", True),
        # for user in User.objects…, foreach ($users as $user), for (const user of users)
        (rf"(?<![\w.]){word}\s{{1,4}}(?:in|of|:)\s{{1,4}}([^\n]{{1,200}})", False),
        (rf"([^\n(]{{1,200}}?)\s{{1,4}}as\s{{1,4}}(?:\$\w{{1,40}}\s{{0,2}}=>\s{{0,2}})?\$?{word}\b", False),
    )  # fmt: skip
    found: list[tuple[int, Origin]] = []
    for pattern, is_type in patterns:
        matches = [*re.finditer(pattern, text)]
        if matches:
            found.append((matches[-1].start(), Origin(matches[-1].group(1), is_type)))
    for _, origin in sorted(found, key=lambda one: -one[0]):
        yield origin
