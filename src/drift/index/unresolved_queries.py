"""Questions about calls that lead nobody knows where."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from drift.index.link_words import word_text
from drift.index.selection import Selection

# No index leads from a text to its calls, so the whole table is read, for all names at once.
_TEXTS: Final = f"""
    SELECT files.path, found.line, {word_text("found.text")}, found.times FROM (
        SELECT calls.text, min(calls.id) AS id, calls.line, count(*) AS times FROM calls
        WHERE calls.outcome = (SELECT words.id FROM words WHERE words.text = 'unknown')
        GROUP BY calls.text
    ) AS found JOIN files ON files.id = found.id >> 20
    ORDER BY found.id
"""  # noqa: S608 - our own names
_SEPARATOR: Final = re.compile(r"[.:>\\]")
_MOST_KEPT: Final = 4
_MOST_EXAMPLES: Final = 3


class UnresolvedCall(NamedTuple):
    """A call that leads nobody knows where, as written."""

    path: str
    line: int
    text: str


class UnresolvedName(NamedTuple):
    """How many unresolved calls have a name, and some of them that are written in different ways."""

    times: int
    examples: tuple[UnresolvedCall, ...]


NameCounts = Mapping[str, UnresolvedName]

# By index and its state. It takes 40 ms to make for 200,000 calls, and every question about callers needs it.
_kept: dict[tuple[Path, int], NameCounts] = {}


class UnresolvedQueries:
    """Questions about calls that lead nobody knows where."""

    def __init__(self, selection: Selection, path: Path, generation: Callable[[], int]) -> None:
        self._selection = selection
        self._path = path
        self._generation = generation

    def by_name(self) -> NameCounts:
        """The names such calls are written with, without what they are called on."""
        key = self._path, self._generation()
        found = _kept.get(key)
        if found is None:
            found = self._count()
            while len(_kept) >= _MOST_KEPT:
                _kept.pop(next(iter(_kept)), None)
            _kept[key] = found
        return found

    def _count(self) -> NameCounts:
        found: dict[str, UnresolvedName] = {}
        for path, line, text, times in self._selection.rows(_TEXTS):
            name = _SEPARATOR.split(text)[-1]
            known = found.get(name, UnresolvedName(0, ()))
            examples = known.examples
            if len(examples) < _MOST_EXAMPLES:
                examples = (*examples, UnresolvedCall(path, line, text))
            found[name] = UnresolvedName(known.times + times, examples)
        return found
