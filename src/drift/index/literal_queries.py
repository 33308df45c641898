"""Questions about literals and constants of the whole project, in bulk."""

import json
from collections.abc import Iterable
from typing import Final, NamedTuple

from drift.index.ids import SymbolId
from drift.index.records import SymbolRecord
from drift.index.selection import Selection, as_list
from drift.index.symbol_queries import COLUMN_COUNT, COLUMNS

_LITERAL_CALLS: Final = """
    SELECT edges.callee_id, edges.caller_id, files.path, files.role, edges.line, call_details.literal
    FROM json_each(?) AS wanted
    CROSS JOIN edges ON edges.callee_id = wanted.value
    CROSS JOIN call_details ON call_details.id = edges.call_id
    JOIN files ON files.id = edges.caller_id >> 16
    WHERE call_details.literal IS NOT NULL ORDER BY edges.caller_id, edges.line
"""
_DECLARED: Final = f"""
    SELECT {COLUMNS} FROM symbols INDEXED BY symbols_by_kind JOIN files ON files.id = symbols.file_id
    WHERE symbols.kind = 'constant' ORDER BY symbols.id
"""  # noqa: S608 - our own names
_NAMED_VALUES: Final = """
    SELECT symbol_id, name, line, kind, value FROM constants INDEXED BY constants_by_name
    WHERE name IS NOT NULL AND kind IN ('string', 'number') ORDER BY symbol_id, position
"""
# In one pass over the table: what is sought is in no index, and groups of values need all of them. Migrations tell what
# was, and repeat it by design.
_REPEATED: Final = """
    SELECT constants.kind, constants.value, sum(constants.times), count(DISTINCT constants.symbol_id),
        count(DISTINCT constants.symbol_id >> 16)
    FROM files CROSS JOIN constants
        ON constants.symbol_id BETWEEN files.id << 16 AND (files.id << 16) + 65535
    WHERE files.role = 'source' AND files.path NOT GLOB '*migrations/*' AND constants.name IS NULL AND constants.kind IN (SELECT value FROM json_each(?1))
        AND (?2 IS NULL OR files.language = ?2)
    GROUP BY constants.kind, constants.value
    HAVING sum(constants.times) >= ?3 AND count(DISTINCT constants.symbol_id) >= 2
    ORDER BY sum(constants.times) DESC, constants.value
"""
_UNUSED: Final = f"""
    SELECT {COLUMNS} FROM symbols INDEXED BY symbols_by_kind JOIN files ON files.id = symbols.file_id
    WHERE symbols.kind = 'constant' AND files.role = 'source'
        AND NOT EXISTS (SELECT 1 FROM refs WHERE refs.target_symbol_id = symbols.id
            AND (SELECT role FROM files WHERE id = refs.symbol_id >> 16) <> 'test')
        AND NOT EXISTS (SELECT 1 FROM edges WHERE edges.callee_id = symbols.id
            AND (SELECT role FROM files WHERE id = edges.caller_id >> 16) <> 'test')
        AND NOT EXISTS (SELECT 1 FROM imports WHERE imports.target_symbol_id = symbols.id
            AND (SELECT role FROM files WHERE id = imports.symbol_id >> 16) <> 'test')
    ORDER BY symbols.id
"""  # noqa: S608 - our own names
_HELD: Final = """
    SELECT wanted.value, members.line, members.key, members.value FROM json_each(?) AS wanted
    CROSS JOIN members ON members.symbol_id = wanted.value ORDER BY members.symbol_id, members.position
"""


class LiteralCall(NamedTuple):
    """A call of a function with a text among its arguments."""

    callee: SymbolId
    caller: SymbolId
    path: str
    role: str
    line: int
    literal: str


class NamedValue(NamedTuple):
    """A literal that is, or is a part of, the value of a constant which its holder declares under the name."""

    holder: SymbolId
    name: str
    line: int
    kind: str
    value: str


class RepeatedLiteral(NamedTuple):
    """A value that stands in several functions, how often, in how many functions and files."""

    kind: str
    value: str
    times: int
    functions: int
    files: int


class HeldValue(NamedTuple):
    """An element of a constant list or table."""

    constant: SymbolId
    line: int
    key: str | None
    value: str


class LiteralQueries:
    """Questions about literals and constants, in bulk."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def calls_with_text(self, functions: Iterable[SymbolId]) -> list[LiteralCall]:
        """The calls of these functions that are given a text."""
        rows = self._selection.rows(_LITERAL_CALLS, (as_list(sorted(functions)),))
        return list(map(LiteralCall._make, rows))

    def declared(self) -> list[SymbolRecord]:
        """Every constant that is declared: of modules and classes, and members of enumerations."""
        return [SymbolRecord._make(row[:COLUMN_COUNT]) for row in self._selection.rows(_DECLARED)]

    def named_values(self) -> list[NamedValue]:
        """The literals in the values of constants, by holder and place."""
        return list(map(NamedValue._make, self._selection.rows(_NAMED_VALUES)))

    def repeated(
        self, kinds: Iterable[str], *, min_times: int, language: str | None = None
    ) -> list[RepeatedLiteral]:
        """Values without a name that stand in at least two functions of the product, the most frequent first."""
        rows = self._selection.rows(_REPEATED, (json.dumps(sorted(kinds)), language, min_times))
        return list(map(RepeatedLiteral._make, rows))

    def unused(self) -> list[SymbolRecord]:
        """Constants of the product that no code of the product refers to or imports."""
        return [SymbolRecord._make(row[:COLUMN_COUNT]) for row in self._selection.rows(_UNUSED)]

    def held_by(self, constants: Iterable[SymbolId]) -> list[HeldValue]:
        """What constant lists and tables hold, in order."""
        rows = self._selection.rows(_HELD, (as_list(sorted(constants)),))
        return list(map(HeldValue._make, rows))
