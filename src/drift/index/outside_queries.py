"""Questions about calls that leave the project: which names are called, from where, and who calls the callers."""

from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from drift.index.ids import SymbolId
from drift.index.selection import Selection, as_list

_NAMES: Final = """
    SELECT words.id, words.text FROM (
        SELECT DISTINCT external_name AS id FROM calls WHERE external_name IS NOT NULL
    ) AS used JOIN words ON words.id = used.id
"""
_CALLS: Final = """
    SELECT calls.caller_id, calls.external_name, calls.line
    FROM json_each(?) AS wanted CROSS JOIN calls ON calls.external_name = wanted.value
"""
_PLACED: Final = """
    SELECT words.text, files.path, calls.line, symbols.qualname, files.language, files.role
    FROM calls JOIN words ON words.id = calls.external_name
    JOIN files ON files.id = calls.id >> 20
    JOIN symbols ON symbols.id = calls.caller_id
    WHERE calls.external_name IS NOT NULL AND files.role <> 'vendored'
    ORDER BY calls.id
"""
_SIZES: Final = """
    SELECT symbols.id, count(calls.id) FROM json_each(?) AS wanted
    CROSS JOIN symbols ON symbols.id = wanted.value
    LEFT JOIN calls ON calls.id BETWEEN (symbols.id >> 16) << 20 AND ((symbols.id >> 16) + 1 << 20) - 1
        AND calls.caller_id = symbols.id
    GROUP BY symbols.id
"""
_CALLERS: Final = """
    SELECT edges.callee_id, edges.caller_id, edges.line FROM json_each(?1) AS wanted
    CROSS JOIN edges ON edges.callee_id = wanted.value
    WHERE edges.call_id AND edges.confidence >= ?2
"""
_DRAWING: Final = """
    SELECT DISTINCT elements.symbol_id FROM json_each(?) AS wanted
    CROSS JOIN elements ON elements.symbol_id = wanted.value
"""


class OutsideCall(NamedTuple):
    """A call of something outside; `name` is the number of its full name."""

    caller_id: SymbolId
    name: int
    line: int


class PlacedCall(NamedTuple):
    """A call of something outside by its full name, with where it stands and in what."""

    name: str
    file: str
    line: int
    caller: str
    language: str | None
    role: str


class UsedBy(NamedTuple):
    """A call of one function of the project by another."""

    callee_id: SymbolId
    caller_id: SymbolId
    line: int


class OutsideQueries:
    """What a project calls that is not its own."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def names(self) -> dict[int, str]:
        """Full names of all that is called outside, by their numbers."""
        return dict(self._selection.rows(_NAMES))

    def calls(self, names: Collection[int]) -> list[OutsideCall]:
        """All calls of these names."""
        return list(map(OutsideCall._make, self._selection.rows(_CALLS, (as_list(names),))))

    def placed(self) -> Iterator[PlacedCall]:
        """All calls of what is outside, one after the other, in the order of files and lines."""
        return map(PlacedCall._make, self._selection.each(_PLACED))

    def call_counts(self, symbols: Collection[SymbolId]) -> dict[SymbolId, int]:
        """How many calls each function makes, whatever they lead to."""
        return dict(self._selection.rows(_SIZES, (as_list(symbols),)))

    def callers(self, symbols: Collection[SymbolId], *, min_confidence: float) -> list[UsedBy]:
        """Who calls these functions."""
        found = self._selection.rows(_CALLERS, (as_list(symbols), int(min_confidence * 10_000)))
        return list(map(UsedBy._make, found))

    def drawing(self, symbols: Collection[SymbolId]) -> set[SymbolId]:
        """Those of these functions that put elements on a page."""
        return {symbol for (symbol,) in self._selection.rows(_DRAWING, (as_list(symbols),))}
