"""Questions about work that is put off: the calls that put it into a queue, and what they lead to."""

import json
from collections.abc import Collection, Iterable
from typing import Final, cast

from drift.index.ids import SymbolId
from drift.index.selection import Selection, as_list

_WRITTEN: Final = """
    SELECT DISTINCT words.id, words.text FROM files
    CROSS JOIN calls ON calls.id BETWEEN files.id << 20 AND (files.id << 20) + 1048575
    JOIN words ON words.id = calls.text WHERE files.language IN (SELECT value FROM json_each(?))
"""
_CALLERS: Final = """
    SELECT DISTINCT calls.caller_id, calls.text FROM files
    CROSS JOIN calls ON calls.id BETWEEN files.id << 20 AND (files.id << 20) + 1048575
    WHERE files.language IN (SELECT value FROM json_each(?1)) AND calls.text IN (SELECT value FROM json_each(?2))
"""
_EDGES: Final = """
    SELECT DISTINCT edges.caller_id, edges.callee_id, words.text FROM json_each(?) AS wanted
    CROSS JOIN edges ON edges.caller_id = wanted.value
    CROSS JOIN calls ON calls.id = edges.call_id
    JOIN words ON words.id = calls.text
"""
_SET: Final = """
    SELECT constants.symbol_id, files.path, files.role = 'test' FROM files
    CROSS JOIN constants ON constants.symbol_id BETWEEN files.id << 16 AND (files.id << 16) + 65535
    WHERE files.language IN (SELECT value FROM json_each(?1)) AND constants.name = ?2 AND constants.value = ?3
"""


class QueueQueries:
    """Queries for whatever shares a selection."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def written(self, languages: Iterable[str]) -> dict[int, str]:
        """How the calls in files of some languages are written, by word."""
        return dict(self._selection.rows(_WRITTEN, (json.dumps(list(languages)),)))

    def callers(self, languages: Iterable[str], words: Collection[int]) -> list[tuple[SymbolId, int]]:
        """Who calls something that is written in one of these ways, and in which."""
        given = (json.dumps(list(languages)), as_list(words))
        return cast("list[tuple[SymbolId, int]]", self._selection.rows(_CALLERS, given))

    def calls_of(self, callers: Iterable[SymbolId]) -> list[tuple[SymbolId, SymbolId, str]]:
        """What these call in the project: the caller, what it calls, and how that is written."""
        rows = self._selection.rows(_EDGES, (as_list(callers),))
        return cast("list[tuple[SymbolId, SymbolId, str]]", rows)

    def settings(self, languages: Iterable[str], name: str, value: str) -> list[tuple[SymbolId, str, bool]]:
        """Where a setting of this name is given this value: the symbol, its file, and whether that is one of tests."""
        given = (json.dumps(list(languages)), name, value)
        rows = self._selection.rows(_SET, given)
        return [(SymbolId(symbol), path, bool(is_test)) for symbol, path, is_test in rows]
