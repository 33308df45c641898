"""What is thrown, caught and left alone, in bulk: for the question where an error ends that is thrown somewhere."""

import json
from collections.abc import Iterable
from typing import Final, NamedTuple, cast

from drift.index.ids import CallId, SymbolId
from drift.index.link_words import word_text
from drift.index.selection import Selection, as_list

_HANDLINGS: Final = """
    SELECT symbol_id, line, end_line, kind, types, is_empty, variable, traits FROM handlings
    ORDER BY symbol_id >> 16, position
"""
_BASES: Final = """
    SELECT bases.symbol_id, symbols.name, bases.text FROM bases CROSS JOIN symbols ON symbols.id = bases.symbol_id
"""
_FILES: Final = "SELECT id, path, coalesce(language, ''), role FROM files"
# A call that says nothing about itself has no details.
_CALLED_FROM: Final = """
    SELECT edges.callee_id, edges.caller_id, edges.line, edges.confidence / 10000.0, coalesce(call_details.traits, 0)
    FROM json_each(?1) AS frontier
    CROSS JOIN edges ON edges.callee_id = frontier.value
    LEFT JOIN call_details ON call_details.id = edges.call_id
    WHERE edges.confidence >= ?2
    ORDER BY edges.callee_id, edges.caller_id, edges.line
"""
_USED_CALLS: Final = f"""
    SELECT calls.id, calls.caller_id, calls.line, {word_text("calls.text")}, calls.argument_count,
        call_details.traits, call_details.literal, {word_text("calls.external_name")}
    FROM json_each(?3) AS wanted
    CROSS JOIN call_details ON call_details.id BETWEEN wanted.value << 20 AND wanted.value << 20 | 1048575
    CROSS JOIN calls ON calls.id = call_details.id
    WHERE call_details.traits & ?1 = ?2
"""  # noqa: S608 - our own names
_WRITTEN: Final = f"""
    SELECT calls.id, calls.caller_id, calls.line, {word_text("calls.text")}, calls.argument_count,
        coalesce(call_details.traits, 0), call_details.literal, {word_text("calls.external_name")}
    FROM calls LEFT JOIN call_details ON call_details.id = calls.id
    WHERE calls.text IN (SELECT words.id FROM words WHERE words.text LIKE ?1)
"""  # noqa: S608 - our own names
_ENDS: Final = """
    SELECT edges.call_id, edges.callee_id FROM json_each(?1) AS wanted
    CROSS JOIN edges INDEXED BY edges_by_caller ON edges.caller_id = wanted.value
    WHERE edges.call_id <> 0 AND edges.confidence >= ?2
"""
_MARKS: Final = """
    SELECT symbol_id, kind, line, coalesce(detail, '') FROM constructs
    WHERE kind IN (SELECT value FROM json_each(?)) ORDER BY symbol_id, position
"""
_KEYED: Final = "SELECT DISTINCT symbol_id FROM members WHERE key IN (SELECT value FROM json_each(?))"
_TAKING: Final = """
    SELECT id FROM symbols WHERE kind IN ('function', 'method') AND parameters IS NOT NULL
        AND json_array_length(parameters) = ?
"""
# Modifiers are words with a blank between two.
_MODIFIED: Final = "SELECT id FROM symbols WHERE instr(' ' || modifiers || ' ', ' ' || ? || ' ')"
_CALLER_COUNTS: Final = """
    SELECT edges.callee_id, count(DISTINCT edges.caller_id) FROM json_each(?) AS wanted
    CROSS JOIN edges ON edges.callee_id = wanted.value GROUP BY edges.callee_id
"""
_OPEN: Final = """
    SELECT count(*), coalesce(sum(outcome = 1), 0),
        coalesce(sum(outcome = (SELECT words.id FROM words WHERE words.text = 'external')), 0) FROM calls
"""


class PlacedError(NamedTuple):
    """A try region, a handler, a check or a throw."""

    symbol: SymbolId
    line: int
    end_line: int
    kind: str
    types: tuple[str, ...]
    is_empty: bool
    variable: str | None
    traits: int  # languages.facts.HandlingTrait


class CalledFrom(NamedTuple):
    """A call of a function, seen from the function."""

    callee: SymbolId
    caller: SymbolId
    line: int
    confidence: float
    traits: int  # languages.facts.CallTrait


class UsedCall(NamedTuple):
    """A call and what becomes of its result."""

    id: CallId
    caller: SymbolId
    line: int
    text: str
    argument_count: int
    traits: int
    literal: str | None
    external: str | None


class MarkedPlace(NamedTuple):
    """A construct that matters for errors: a result thrown away, an error kept quiet."""

    symbol: SymbolId
    kind: str
    line: int
    detail: str


class ErrorFile(NamedTuple):
    """What is asked of a file that something stands in."""

    path: str
    language: str
    role: str


class ErrorQueries:
    """Questions about errors all over the project."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def handlings(self) -> list[PlacedError]:
        """Every region, handler, check and throw, in the order of the text of its file."""
        rows = self._selection.rows(_HANDLINGS)
        return [
            PlacedError(
                symbol, line, end, kind, tuple(json.loads(types or "[]")), bool(is_empty), name, traits
            )
            for symbol, line, end, kind, types, is_empty, name, traits in rows
        ]

    def bases(self) -> list[tuple[SymbolId, str, str]]:
        """Every class, its name, and a parent of it as written."""
        return cast("list[tuple[SymbolId, str, str]]", self._selection.rows(_BASES))

    def files(self) -> dict[int, ErrorFile]:
        """Every file by its id."""
        return {number: ErrorFile(*rest) for number, *rest in self._selection.rows(_FILES)}

    def called_from(self, symbols: Iterable[SymbolId], *, min_confidence: float) -> list[CalledFrom]:
        """The calls that lead to these functions."""
        values = (as_list(sorted(symbols)), int(min_confidence * 10_000))
        return list(map(CalledFrom._make, self._selection.rows(_CALLED_FROM, values)))

    def used_calls(self, asked: int, wanted: int, *, files: Iterable[int]) -> list[UsedCall]:
        """The calls in these files that of the traits `asked` have just those that are `wanted`."""
        values = (asked, wanted, json.dumps(sorted(files)))
        return list(map(UsedCall._make, self._selection.rows(_USED_CALLS, values)))

    def calls_ending(self, ending: str) -> list[UsedCall]:
        """The calls whose text ends so."""
        return list(map(UsedCall._make, self._selection.rows(_WRITTEN, (f"%{ending}",))))

    def ends(self, callers: Iterable[SymbolId], *, min_confidence: float) -> dict[CallId, SymbolId]:
        """Where the calls in these symbols lead, of several ways one."""
        values = (as_list(sorted(callers)), int(min_confidence * 10_000))
        return dict(self._selection.rows(_ENDS, values))

    def marks(self, kinds: Iterable[str]) -> list[MarkedPlace]:
        """The constructs of some kinds."""
        rows = self._selection.rows(_MARKS, (json.dumps(sorted(kinds)),))
        return list(map(MarkedPlace._make, rows))

    def keyed(self, keys: Iterable[str]) -> list[SymbolId]:
        """The constants that hold something under one of these keys."""
        return [found for (found,) in self._selection.rows(_KEYED, (json.dumps(sorted(keys)),))]

    def taking(self, count: int) -> list[SymbolId]:
        """The functions of so many parameters."""
        return [found for (found,) in self._selection.rows(_TAKING, (count,))]

    def modified(self, modifier: str) -> list[SymbolId]:
        """The symbols that have a modifier."""
        return [found for (found,) in self._selection.rows(_MODIFIED, (modifier,))]

    def caller_counts(self, symbols: Iterable[SymbolId]) -> dict[SymbolId, int]:
        """How many call each of these; those that none calls are left out."""
        return dict(self._selection.rows(_CALLER_COUNTS, (as_list(sorted(symbols)),)))

    def call_counts(self) -> tuple[int, int, int]:
        """How many calls there are, how many lead nobody knows where, and how many out of the project."""
        row = self._selection.row(_OPEN)
        return (int(row[0]), int(row[1]), int(row[2])) if row else (0, 0, 0)
