"""Questions of who follows data through functions: what calls of a file lead to, and where names are called."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from drift.index.ids import FileId, SymbolId, calls_of_file, symbols_of_file
from drift.index.link_words import word_text
from drift.index.selection import Selection, as_list

_FILES: Final = (
    "SELECT id, path, language, role, hash, generation FROM files WHERE language IS NOT NULL ORDER BY path"
)
_CALLS: Final = f"""
    SELECT calls.line, calls.column, calls.id, {word_text("calls.external_name")} FROM calls
    WHERE calls.id BETWEEN ? AND ? AND calls.column >= 0 ORDER BY calls.id
"""  # noqa: S608 - our own names
_TARGETS: Final = """
    SELECT edges.call_id, edges.callee_id, edges.confidence / 10000.0 FROM edges
    WHERE edges.caller_id BETWEEN ? AND ? AND edges.call_id <> 0
    ORDER BY edges.call_id, edges.confidence DESC, edges.callee_id
"""
_FUNCTIONS: Final = """
    SELECT symbols.id, symbols.parent_id, symbols.kind, symbols.name, symbols.qualname, symbols.start_byte, symbols.end_byte,
        fields.type
    FROM symbols LEFT JOIN fields ON fields.symbol_id = symbols.id
    WHERE symbols.id BETWEEN ? AND ? AND symbols.kind <> 'variable' ORDER BY symbols.id
"""
# The words of all calls, which are few, rather than all calls, which are many.
_WORDS: Final = "SELECT id, text FROM words WHERE id > ? ORDER BY id"
_CALLERS: Final = """
    SELECT DISTINCT calls.caller_id FROM calls
    WHERE calls.text IN (SELECT value FROM json_each(?1)) OR calls.external_name IN (SELECT value FROM json_each(?1))
"""
_CALLERS_IN: Final = """
    SELECT DISTINCT calls.caller_id FROM calls WHERE calls.id BETWEEN ?2 AND ?3
        AND (calls.text IN (SELECT value FROM json_each(?1)) OR calls.external_name IN (SELECT value FROM json_each(?1)))
"""
_CALLING: Final = """
    SELECT DISTINCT edges.caller_id FROM json_each(?) AS wanted
    CROSS JOIN edges ON edges.callee_id = wanted.value WHERE edges.confidence >= 4000
"""
_CALLED: Final = """
    SELECT DISTINCT edges.callee_id FROM json_each(?) AS wanted CROSS JOIN edges ON edges.callee_id = wanted.value
"""
_HANDLERS: Final = """
    SELECT symbols.id, symbols.kind, coalesce(entry_points.path, '') FROM entry_points LEFT JOIN handlers USING (symbol_id, position)
    CROSS JOIN symbols ON symbols.id = coalesce(handlers.handler_id, entry_points.symbol_id)
    WHERE entry_points.kind = 'http' AND entry_points.method IS NOT 'PAGE'
"""


class FileState(NamedTuple):
    """A file of a language, and which state of the index its facts and links are of."""

    id: FileId
    path: str
    language: str
    role: str
    hash: str
    generation: int


class PlacedCall(NamedTuple):
    """A call by the place of the name that is called."""

    line: int
    column: int
    id: int
    external_name: str | None


class CallTarget(NamedTuple):
    """One way a call may go."""

    call_id: int
    callee_id: SymbolId
    confidence: float


class OwnSymbol(NamedTuple):
    """A symbol that may hold code, and what it stands in."""

    id: SymbolId
    parent_id: SymbolId | None
    kind: str
    name: str
    qualname: str
    start_byte: int
    end_byte: int
    type: str | None  # of a field, as written


class FlowQueries:
    """Questions of who follows data."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def files(self) -> list[FileState]:
        """Every file of a language, by path."""
        return list(map(FileState._make, self._selection.rows(_FILES)))

    def calls_in(self, file: FileId) -> list[PlacedCall]:
        """The calls of a file."""
        return list(map(PlacedCall._make, self._selection.rows(_CALLS, calls_of_file(file))))

    def targets_in(self, file: FileId) -> list[CallTarget]:
        """Where the calls of a file lead to in the project, the surest first."""
        return list(map(CallTarget._make, self._selection.rows(_TARGETS, symbols_of_file(file))))

    def symbols_in(self, file: FileId) -> list[OwnSymbol]:
        """The functions, classes and fields of a file."""
        return list(map(OwnSymbol._make, self._selection.rows(_FUNCTIONS, symbols_of_file(file))))

    def words(self, *, after: int = -1) -> list[tuple[int, str]]:
        """The texts of links from the one after a number; a text keeps its number while the index is not built anew."""
        return [(number, text) for number, text in self._selection.rows(_WORDS, (after,))]

    def callers_of_words(self, words: Iterable[int]) -> list[SymbolId]:
        """The symbols that call something of these texts. Goes through all calls: some 60 ms for 200,000."""
        return [found for (found,) in self._selection.rows(_CALLERS, (as_list(words),))]

    def callers_in(self, file: FileId, words: Iterable[int]) -> list[SymbolId]:
        """The symbols of a file that call something of these texts."""
        values = (as_list(words), *calls_of_file(file))
        return [found for (found,) in self._selection.rows(_CALLERS_IN, values)]

    def calling(self, symbols: Iterable[SymbolId]) -> list[SymbolId]:
        """The symbols that call these."""
        return [found for (found,) in self._selection.rows(_CALLING, (as_list(symbols),))]

    def called(self, symbols: Iterable[SymbolId]) -> list[SymbolId]:
        """Those of these that something calls."""
        return [found for (found,) in self._selection.rows(_CALLED, (as_list(symbols),))]

    def handlers(self) -> list[tuple[SymbolId, str, str]]:
        """The handlers of routes with their kinds and paths: functions, and classes whose methods are."""
        return [(found, kind, path) for found, kind, path in self._selection.rows(_HANDLERS)]
