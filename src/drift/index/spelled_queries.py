"""Questions about code that is called by names which are put together or read from texts."""

import json
from collections.abc import Iterable
from typing import Final, NamedTuple

from drift.index.ids import FileId, SymbolId
from drift.index.selection import Selection, as_list

_TEXTS: Final = "SELECT id, text FROM words"
# Calls that are known to lead to a symbol are given a name that is known.
_CALLS: Final = """
    SELECT calls.caller_id, symbols.parent_id, calls.line, calls.text, kinds.text, files.language
    FROM json_each(?) AS wanted CROSS JOIN calls ON calls.text = wanted.value
    JOIN words AS kinds ON kinds.id = calls.kind
    JOIN words AS outcomes ON outcomes.id = calls.outcome
    JOIN symbols ON symbols.id = calls.caller_id
    JOIN files ON files.id = calls.caller_id >> 16
    LEFT JOIN call_details ON call_details.id = calls.id
    WHERE files.role = 'source' AND kinds.text IN ('call', 'new') AND outcomes.text <> 'resolved'
        AND (call_details.literal IS NULL OR call_details.literal GLOB '*#{*' OR call_details.literal GLOB '*$*')
    ORDER BY calls.id
"""
# store.dispatch("cart/add"): calls that say a text first, in code of the product.
_SAYING: Final = """
    SELECT calls.caller_id, calls.line, calls.text, call_details.literal, files.path
    FROM json_each(?) AS wanted CROSS JOIN calls ON calls.text = wanted.value
    CROSS JOIN call_details ON call_details.id = calls.id
    JOIN files ON files.id = calls.caller_id >> 16
    WHERE files.role = 'source' AND call_details.literal IS NOT NULL ORDER BY calls.id
"""
_PUT_TOGETHER: Final = """
    SELECT constructs.symbol_id, symbols.parent_id, constructs.line, constructs.kind, constructs.detail
    FROM json_each(?) AS wanted
    CROSS JOIN constructs ON constructs.symbol_id BETWEEN wanted.value << 16 AND (wanted.value << 16) + 65535
    JOIN symbols ON symbols.id = constructs.symbol_id
    WHERE constructs.kind IN ('interpolated', 'concatenated', 'formatted') AND constructs.detail IS NOT NULL
    ORDER BY constructs.symbol_id, constructs.position
"""
_SAID: Final = """
    SELECT constants.symbol_id, symbols.parent_id, constants.line, constants.value, coalesce(constants.name, '') FROM json_each(?1) AS wanted
    CROSS JOIN constants ON constants.symbol_id BETWEEN wanted.value << 16 AND (wanted.value << 16) + 65535
    JOIN symbols ON symbols.id = constants.symbol_id WHERE constants.kind = 'string'
    UNION
    SELECT members.symbol_id, symbols.parent_id, members.line, members.value, symbols.name FROM json_each(?1) AS wanted
    CROSS JOIN members ON members.symbol_id BETWEEN wanted.value << 16 AND (wanted.value << 16) + 65535
    JOIN symbols ON symbols.id = members.symbol_id
"""
_CODE: Final = """
    SELECT symbols.id, symbols.parent_id, symbols.kind, symbols.name, symbols.qualname, files.package, files.language,
        symbols.visibility = 'public'
    FROM files JOIN symbols ON symbols.file_id = files.id
    WHERE files.role = 'source' AND files.language IN (SELECT value FROM json_each(?))
        AND symbols.kind IN ('class', 'constructor', 'function', 'method')
"""


class NamingCall(NamedTuple):
    """A call of what a text names, and the symbol it stands in, with what is around that."""

    caller: SymbolId
    owner: SymbolId | None
    line: int
    word: int
    kind: str
    language: str


class SayingCall(NamedTuple):
    """A call whose first argument is a text, and the file it stands in."""

    caller: SymbolId
    line: int
    word: int
    said: str
    path: str


class WrittenText(NamedTuple):
    """A text in a symbol: one that is put together as it is written, with the kind of that, or one of a constant, with its name."""

    symbol: SymbolId
    owner: SymbolId | None
    line: int
    value: str
    kind: str


class NamedCode(NamedTuple):
    """A class, function or method of the product."""

    id: SymbolId
    parent_id: SymbolId | None
    kind: str
    name: str
    qualname: str
    package: str | None
    language: str
    is_public: bool


class SpelledQueries:
    """Questions about code that is called by names which are put together or read from texts."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def texts(self) -> list[tuple[int, str]]:
        """All words, among them what calls are written like."""
        return list(self._selection.rows(_TEXTS))

    def naming_calls(self, words: Iterable[int]) -> list[NamingCall]:
        """The calls of the product that are written so and lead nowhere known."""
        return list(map(NamingCall._make, self._selection.rows(_CALLS, (as_list(words),))))

    def saying_calls(self, words: Iterable[int]) -> list[SayingCall]:
        """The calls of the product that are written so and say a text first."""
        return list(map(SayingCall._make, self._selection.rows(_SAYING, (as_list(words),))))

    def put_together(self, files: Iterable[FileId]) -> list[WrittenText]:
        """The texts of these files that are put together, as they are written."""
        rows = self._selection.rows(_PUT_TOGETHER, (as_list(files),))
        return [WrittenText(symbol, owner, line, detail, kind) for symbol, owner, line, kind, detail in rows]

    def said(self, files: Iterable[FileId]) -> list[WrittenText]:
        """The constant texts of these files, also those of lists and tables."""
        return list(map(WrittenText._make, self._selection.rows(_SAID, (as_list(files),))))

    def code(self, languages: Iterable[str]) -> list[NamedCode]:
        """The classes, functions and methods of the product in these languages."""
        rows = self._selection.rows(_CODE, (json.dumps(sorted(languages)),))
        return list(map(NamedCode._make, rows))
