"""Calls by what they are called, and fields of types in bulk: for what sends requests and what they carry."""

import json
from collections.abc import Iterable
from typing import Final, NamedTuple, TypeVar, cast

from drift.index.ids import CallId, SymbolId
from drift.index.link_words import word_text
from drift.index.selection import Selection, as_list

K = TypeVar("K")

_WORDS: Final = "SELECT id, text FROM words"
_CALLS: Final = f"""
    SELECT calls.id, calls.caller_id, calls.line, {word_text("calls.text")}, {word_text("calls.external_name")},
        call_details.literal
    FROM calls LEFT JOIN call_details ON call_details.id = calls.id
    WHERE calls.text IN (SELECT value FROM json_each(?1)) OR calls.external_name IN (SELECT value FROM json_each(?1))
    ORDER BY calls.id
"""  # noqa: S608 - our own names
_FIELDS: Final = """
    SELECT symbols.parent_id, symbols.name, fields.type, coalesce(fields.is_optional, 0), fields.wire_name,
        symbols.signature, symbols.kind, (
            SELECT group_concat(decorators.text, ' ') FROM decorators WHERE decorators.symbol_id = symbols.id
        )
    FROM json_each(?) AS wanted CROSS JOIN symbols ON symbols.parent_id = wanted.value
    LEFT JOIN fields ON fields.symbol_id = symbols.id
    WHERE symbols.kind IN ('field', 'property', 'method') AND instr(symbols.modifiers, 'static') = 0
    ORDER BY symbols.parent_id, symbols.start_byte
"""
_CONSTANT_TEXTS: Final = """
    SELECT name, value FROM constants WHERE name IS NOT NULL AND kind = 'string' AND instr(value, '/') > 0
"""
_MEMBER_TEXTS: Final = """
    SELECT symbols.name, members.key, members.value FROM members CROSS JOIN symbols ON symbols.id = members.symbol_id
    WHERE members.key IS NOT NULL AND instr(members.value, '/') > 0
"""
_GENERATED: Final = "SELECT id, path FROM files WHERE status = 'skipped' AND problem = 'generated'"
_CALLERS: Final = """
    SELECT DISTINCT edges.callee_id, edges.caller_id, edges.line FROM json_each(?) AS wanted
    CROSS JOIN edges ON edges.callee_id = wanted.value WHERE edges.call_id <> 0 AND edges.confidence >= 5000
"""


class NamedCall(NamedTuple):
    """A call by how it is written and what it leads to outside; with the first text that it is given."""

    id: CallId
    caller: SymbolId
    line: int
    text: str
    external: str | None
    literal: str | None


class WireField(NamedTuple):
    """A field of a type, or a method, which may stand for one."""

    owner: SymbolId
    name: str
    type: str | None
    is_optional: int
    wire_name: str | None
    signature: str
    kind: str
    decorators: str | None


class ContractQueries:
    """Questions about requests, in bulk."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def words(self) -> list[tuple[int, str]]:
        """Every text of a link."""
        return cast("list[tuple[int, str]]", self._selection.rows(_WORDS))

    def calls(self, words: Iterable[int]) -> list[NamedCall]:
        """The calls that are written so, or lead to what is called so."""
        rows = self._selection.rows(_CALLS, (as_list(sorted(words)),))
        return list(map(NamedCall._make, rows))

    def fields(self, types: Iterable[SymbolId]) -> list[WireField]:
        """The fields and methods of these types, in order."""
        return list(map(WireField._make, self._selection.rows(_FIELDS, (as_list(sorted(types)),))))

    def constant_texts(self) -> dict[str, str]:
        """The texts with a slash that constants are, by name; of a name with two, none."""
        return _single(cast("list[tuple[str, str]]", self._selection.rows(_CONSTANT_TEXTS)))

    def member_texts(self) -> dict[tuple[str, str], str]:
        """The texts with a slash that tables hold, by the name of the table and the key; of two, none."""
        return _single(((name, key), value) for name, key, value in self._selection.rows(_MEMBER_TEXTS))

    def generated_files(self) -> list[tuple[int, str]]:
        """The files that were not read since they are generated."""
        return cast("list[tuple[int, str]]", self._selection.rows(_GENERATED))

    def callers(self, symbols: Iterable[SymbolId]) -> list[tuple[SymbolId, SymbolId, int]]:
        """Of each call of these functions the function, who calls it, and the line."""
        rows = self._selection.rows(_CALLERS, (json.dumps(sorted(symbols)),))
        return cast("list[tuple[SymbolId, SymbolId, int]]", rows)


def _single(pairs: Iterable[tuple[K, str]]) -> dict[K, str]:
    found: dict[K, str | None] = {}
    for key, value in pairs:
        found[key] = value if found.get(key, value) == value else None
    return {key: value for key, value in found.items() if value is not None}
