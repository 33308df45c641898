"""Questions about what keeps data: classes with their parents and fields, calls by what they call, texts."""

import json
from collections.abc import Collection, Iterable, Iterator
from typing import Final, NamedTuple

from drift.index.ids import CallId, FileId, SymbolId
from drift.index.link_words import word_text
from drift.index.selection import Selection

_CLASSES: Final = """
    SELECT id, parent_id, name, qualname, kind, line, end_line FROM symbols INDEXED BY symbols_by_kind
    WHERE kind IN ('class', 'struct', 'interface', 'trait', 'enum', 'type', 'record', 'module')
    AND id & 65535 <> 0 ORDER BY id
"""
_BASES: Final = (
    "SELECT symbol_id, text, target_symbol_id, external_name FROM bases ORDER BY symbol_id, position"
)
_FIELDS: Final = """
    SELECT symbols.parent_id, symbols.name, fields.type, fields.column_name, symbols.line, symbols.signature
    FROM fields CROSS JOIN symbols ON symbols.id = fields.symbol_id ORDER BY symbols.parent_id, symbols.start_byte
"""
_DECORATORS: Final = "SELECT symbol_id, name, text, line FROM decorators INDEXED BY decorators_by_name WHERE name IN (SELECT value FROM json_each(?)) ORDER BY symbol_id, position"
_DECORATOR_NAMES: Final = "SELECT DISTINCT name FROM decorators"
_NAMED: Final = """
    SELECT constants.symbol_id, constants.name, constants.value, constants.line FROM json_each(?) AS wanted
    CROSS JOIN constants INDEXED BY constants_by_name ON constants.name = wanted.value
"""
_TEXTS: Final = """
    SELECT DISTINCT calls.text, words.text FROM calls CROSS JOIN words ON words.id = calls.text
"""
_CALLS: Final = f"""
    SELECT calls.id, calls.caller_id, calls.line, calls.column, calls.text, {word_text("calls.external_name")},
        {word_text("calls.outcome")}, call_details.literal
    FROM calls LEFT JOIN call_details ON call_details.id = calls.id
    WHERE calls.text IN (SELECT value FROM json_each(?)) ORDER BY calls.id
"""  # noqa: S608 - our own names
_LITERALS: Final = """
    SELECT call_details.id, calls.caller_id, calls.line, call_details.literal FROM call_details
    CROSS JOIN calls ON calls.id = call_details.id
    WHERE lower(substr(ltrim(call_details.literal, char(9, 10, 13, 32, 40)), 1, 6)) IN (SELECT value FROM json_each(?))
"""
_CONSTANTS: Final = """
    SELECT symbol_id, line, value FROM constants
    WHERE kind = 'string' AND lower(substr(ltrim(value, char(9, 10, 13, 32, 40)), 1, 6)) IN (SELECT value FROM json_each(?))
    ORDER BY symbol_id, position
"""
_BUILT: Final = """
    SELECT symbol_id, line, detail FROM constructs
    WHERE detail IS NOT NULL AND length(detail) > 12 AND lower(substr(ltrim(detail, char(9, 10, 13, 32, 34, 39, 40, 96, 102, 36, 64)), 1, 6)) IN (SELECT value FROM json_each(?))
    ORDER BY symbol_id, position
"""
_CALLEES: Final = "SELECT call_id, callee_id FROM edges WHERE callee_id IN (SELECT value FROM json_each(?)) AND call_id <> 0"
_METHODS: Final = """
    SELECT symbols.id, symbols.parent_id, symbols.name, symbols.line FROM json_each(?) AS wanted
    CROSS JOIN symbols INDEXED BY symbols_by_parent ON symbols.parent_id = wanted.value
    WHERE symbols.kind IN ('method', 'function')
"""


class ClassRow(NamedTuple):
    """Something that may be a model."""

    id: SymbolId
    parent_id: SymbolId | None
    name: str
    qualname: str
    kind: str
    line: int
    end_line: int


class BaseRow(NamedTuple):
    """A parent of a class."""

    symbol_id: SymbolId
    text: str
    target_id: SymbolId | None
    external_name: str | None


class FieldRow(NamedTuple):
    """A field of a type, with what is said of it."""

    owner_id: SymbolId
    name: str
    type: str | None
    column: str | None
    line: int
    signature: str


class MarkRow(NamedTuple):
    """A decorator, annotation or attribute."""

    symbol_id: SymbolId
    name: str
    text: str
    line: int


class ValueRow(NamedTuple):
    """A constant by its name."""

    owner_id: SymbolId
    name: str
    value: str
    line: int


class CandidateCall(NamedTuple):
    """A call by what it calls as written."""

    id: CallId
    caller_id: SymbolId
    line: int
    column: int
    text_id: int
    external_name: str | None
    outcome: str
    literal: str | None


class WrittenStatement(NamedTuple):
    """A text that begins like a statement, and where it stands."""

    symbol_id: SymbolId
    line: int
    text: str


class MethodRow(NamedTuple):
    """A method of a class."""

    id: SymbolId
    owner_id: SymbolId
    name: str
    line: int


class DataQueries:
    """Questions of the analysis of data access. Most read a table from end to end: ask once for a state of the index."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def classes(self) -> list[ClassRow]:
        """All that may be a model, by file."""
        return list(map(ClassRow._make, self._selection.rows(_CLASSES)))

    def bases(self) -> list[BaseRow]:
        """All parents of classes."""
        return list(map(BaseRow._make, self._selection.rows(_BASES)))

    def fields(self) -> list[FieldRow]:
        """All fields of which more is said than a name, by owner."""
        return list(map(FieldRow._make, self._selection.rows(_FIELDS)))

    def decorator_names(self) -> list[str]:
        """The names of all decorators."""
        return [name for (name,) in self._selection.rows(_DECORATOR_NAMES)]

    def decorated(self, names: Iterable[str]) -> list[MarkRow]:
        """The decorators of these names."""
        return list(map(MarkRow._make, self._selection.rows(_DECORATORS, (json.dumps(sorted(names)),))))

    def named_values(self, names: Iterable[str]) -> list[ValueRow]:
        """The constants of these names."""
        rows = self._selection.rows(_NAMED, (json.dumps(sorted(names)),))
        return [ValueRow(*row) for row in rows]

    def called_texts(self) -> list[tuple[int, str]]:
        """What is called, as written, each text once with its number."""
        return self._selection.rows(_TEXTS)

    def calls(self, texts: Collection[int]) -> list[CandidateCall]:
        """The calls of these texts, by file."""
        return list(map(CandidateCall._make, self._selection.rows(_CALLS, (json.dumps(sorted(texts)),))))

    def statements(self, verbs: Iterable[str]) -> Iterator[WrittenStatement]:
        """Texts whose first six letters are one of these, in calls, constants and what is put together."""
        wanted = (json.dumps(sorted(verbs)),)
        for _, caller, line, text in self._selection.rows(_LITERALS, wanted):
            yield WrittenStatement(caller, line, text)
        for query in (_CONSTANTS, _BUILT):
            yield from map(WrittenStatement._make, self._selection.rows(query, wanted))

    def calls_of_methods(self, methods: Collection[SymbolId]) -> dict[CallId, SymbolId]:
        """Which call leads to which of these methods."""
        return dict(self._selection.rows(_CALLEES, (json.dumps(sorted(methods)),)))

    def methods_of(self, owners: Collection[SymbolId]) -> list[MethodRow]:
        """The methods of these classes."""
        return list(map(MethodRow._make, self._selection.rows(_METHODS, (json.dumps(sorted(owners)),))))

    def source_files(self) -> dict[FileId, tuple[str, str, str]]:
        """Path, language and role of every file that was read as code."""
        query = "SELECT id, path, language, role FROM files WHERE language IS NOT NULL"
        return {
            FileId(id_): (path, language, role) for id_, path, language, role in self._selection.rows(query)
        }
