"""Questions about calls that lead nobody knows where."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from drift.index.schema import UNKNOWN_WORD
from drift.index.selection import Selection, as_list

# Written out, not bound: only then SQLite sees that calls_unresolved fits.
_IS_OPEN: Final = f"calls.outcome = {UNKNOWN_WORD}"
# How each such call is written, with how many arguments, the first that is, and how many are; in the order of the files.
_TEXTS: Final = f"""
    SELECT words.text, found.id, found.times, found.argument_count FROM (
        SELECT calls.text, min(calls.id) AS id, count(*) AS times, calls.argument_count FROM calls
        WHERE {_IS_OPEN} GROUP BY calls.text, calls.argument_count
    ) AS found JOIN words ON words.id = found.text
    ORDER BY found.id
"""  # noqa: S608 - our own names
_TEXTS_ENDING: Final = f"""
    SELECT words.text, min(calls.id), count(*), calls.argument_count FROM words
    CROSS JOIN calls ON calls.text = words.id AND {_IS_OPEN}
    WHERE substr(words.text, -length(?1)) = ?1
    GROUP BY words.id, calls.argument_count ORDER BY 2
"""  # noqa: S608 - our own names
_PLACES: Final = """
    SELECT calls.id, files.path, calls.line FROM json_each(?) AS wanted
    CROSS JOIN calls ON calls.id = wanted.value
    JOIN files ON files.id = calls.id >> 20
"""
_SEPARATOR: Final = re.compile(r"[.:>\\]")
_MOST_KEPT: Final = 4
MOST_EXAMPLES: Final = 3
"""Of each name: where there are fewer, there is no other way such a call is written."""
# To count all names takes as long as to look for eight of them: 40 ms for 200,000 calls.
_FEW_NAMES: Final = 8

T = TypeVar("T")


class UnresolvedCall(NamedTuple):
    """A call that leads nobody knows where, as written."""

    path: str
    line: int
    text: str


class UnresolvedName(NamedTuple):
    """How many unresolved calls have a name, and some of them that are written in different ways."""

    times: int
    examples: tuple[UnresolvedCall, ...]
    by_arguments: tuple[
        tuple[int, int, tuple[UnresolvedCall, ...]], ...
    ] = ()  # by how many they give, in order


NameCounts = Mapping[str, UnresolvedName]

# By index and its state: every question about callers needs them.
_kept: dict[tuple[Path, int], NameCounts] = {}
_looked_for: dict[tuple[Path, int], int] = {}


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
            found = self._count(self._selection.rows(_TEXTS))
            _keep(_kept, key, found)
        return found

    def of_names(self, names: Collection[str]) -> NameCounts:
        """The same for at least these names: after a change of the index, a few are looked for one by one."""
        key = self._path, self._generation()
        looked_for = _looked_for.get(key, 0) + len(names)
        if key in _kept or looked_for > _FEW_NAMES or not all(names):
            return self.by_name()
        _keep(_looked_for, key, looked_for)
        found = {name: self._count(self._selection.rows(_TEXTS_ENDING, (name,))).get(name) for name in names}
        return {name: one for name, one in found.items() if one is not None}

    def _count(self, texts: Iterable[tuple[str, int, int, int]]) -> NameCounts:
        times: dict[str, dict[int, int]] = {}
        examples: dict[tuple[str, int], list[tuple[str, int]]] = {}
        for text, call, count, arguments in texts:
            name = _SEPARATOR.split(text)[-1]
            counted = times.setdefault(name, {})
            counted[arguments] = counted.get(arguments, 0) + count
            shown = examples.setdefault((name, arguments), [])
            if len(shown) < MOST_EXAMPLES:
                shown.append((text, call))
        wanted = as_list(call for shown in examples.values() for _, call in shown)
        places = {call: (path, line) for call, path, line in self._selection.rows(_PLACES, (wanted,))}
        return {
            name: _unresolved_name(
                [
                    (arguments, count, [(call, text) for text, call in examples[name, arguments]])
                    for arguments, count in sorted(counted.items())
                ],
                places,
            )
            for name, counted in times.items()
        }


def _unresolved_name(
    groups: list[tuple[int, int, list[tuple[int, str]]]], places: Mapping[int, tuple[str, int]]
) -> UnresolvedName:
    each = [
        (arguments, count, tuple(UnresolvedCall(*places[call], text) for call, text in shown))
        for arguments, count, shown in groups
    ]
    first: dict[str, int] = {}
    for call, text in sorted(one for _, _, shown in groups for one in shown):
        first.setdefault(text, call)
    some = tuple(UnresolvedCall(*places[call], text) for text, call in list(first.items())[:MOST_EXAMPLES])
    return UnresolvedName(sum(count for _, count, _ in each), some, tuple(each))


def _keep(kept: dict[tuple[Path, int], T], key: tuple[Path, int], value: T) -> None:
    while len(kept) >= _MOST_KEPT and key not in kept:
        kept.pop(next(iter(kept)), None)
    kept[key] = value
