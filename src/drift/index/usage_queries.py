"""Questions about every use of some symbols, and about what else is written with their name."""

from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

from drift.index.ids import FileId, SymbolId
from drift.index.link_words import word_text
from drift.index.selection import Selection, as_list

_CALLS_TO: Final = f"""
    SELECT edges.caller_id >> 16, edges.line, calls.column, {word_text("calls.text")}, edges.callee_id,
        edges.confidence / 10000.0, edges.caller_id
    FROM json_each(?1) AS target
    CROSS JOIN edges ON edges.callee_id = target.value
    LEFT JOIN calls ON calls.id = edges.call_id
    ORDER BY edges.caller_id, edges.line LIMIT ?2
"""  # noqa: S608 - our own names
_REFERENCES_TO: Final = f"""
    SELECT refs.symbol_id >> 16, refs.line, refs.column, {word_text("refs.kind")}, refs.target_symbol_id,
        refs.confidence / 10000.0, refs.symbol_id
    FROM json_each(?1) AS target
    CROSS JOIN refs ON refs.target_symbol_id = target.value
    ORDER BY refs.symbol_id, refs.position LIMIT ?2
"""  # noqa: S608 - our own names
_IMPORTS_IN: Final = """
    SELECT imports.symbol_id >> 16, imports.line, imports.module, imports.name, imports.alias,
        imports.target_symbol_id, imports.target_file_id, imports.is_reexport, imports.is_external
    FROM json_each(?1) AS file
    CROSS JOIN imports ON imports.symbol_id BETWEEN file.value << 16 AND (file.value << 16) + 65535
    ORDER BY imports.symbol_id, imports.position
"""
_CALLS_NAMED: Final = f"""
    SELECT calls.id >> 20, calls.line, calls.column, words.text, {word_text("calls.outcome")},
        {word_text("calls.external_name")}
    FROM json_each(?1) AS file
    CROSS JOIN calls ON calls.id BETWEEN file.value << 20 AND (file.value << 20) + 1048575
    CROSS JOIN words ON words.id = calls.text
    WHERE substr(words.text, -length(?2)) = ?2
    ORDER BY calls.id
"""  # noqa: S608 - our own names
_HEIRS: Final = """
    SELECT bases.symbol_id, bases.target_symbol_id FROM json_each(?1) AS target
    CROSS JOIN bases ON bases.target_symbol_id = target.value
"""


class CallUse(NamedTuple):
    """A call that leads to one of the symbols asked for. Without a text, nothing in the file is written for it."""

    file_id: FileId
    line: int
    column: int | None
    text: str | None
    target_id: SymbolId
    confidence: float
    within_id: SymbolId


class ReferenceUse(NamedTuple):
    """A use that is no call."""

    file_id: FileId
    line: int
    column: int
    kind: str
    target_id: SymbolId
    confidence: float
    within_id: SymbolId


class ImportUse(NamedTuple):
    """An import of a file."""

    file_id: FileId
    line: int
    module: str
    name: str | None
    alias: str | None
    target_id: SymbolId | None
    target_file_id: FileId | None
    is_reexport: int
    is_external: int


class NamedCall(NamedTuple):
    """A call that is written with a name, wherever it leads."""

    file_id: FileId
    line: int
    column: int
    text: str
    outcome: str
    external_name: str | None  # in full, where it is known to be outside the project


class UsageQueries:
    """Questions about uses."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def calls_to(self, targets: Iterable[SymbolId], *, limit: int) -> list[CallUse]:
        """Every call that may lead to one of the targets."""
        return list(map(CallUse._make, self._selection.rows(_CALLS_TO, (as_list(targets), limit))))

    def references_to(self, targets: Iterable[SymbolId], *, limit: int) -> list[ReferenceUse]:
        """Every use of the targets that is no call."""
        return list(map(ReferenceUse._make, self._selection.rows(_REFERENCES_TO, (as_list(targets), limit))))

    def imports_in(self, files: Collection[FileId]) -> list[ImportUse]:
        """The imports of these files."""
        return list(map(ImportUse._make, self._selection.rows(_IMPORTS_IN, (as_list(files),))))

    def calls_named(self, files: Collection[FileId], name: str) -> list[NamedCall]:
        """The calls in these files whose text ends in a name."""
        return list(map(NamedCall._make, self._selection.rows(_CALLS_NAMED, (as_list(files), name))))

    def heirs(self, classes: Iterable[SymbolId]) -> list[tuple[SymbolId, SymbolId]]:
        """The classes that name one of these as a parent, each with that parent."""
        return [(heir, parent) for heir, parent in self._selection.rows(_HEIRS, (as_list(classes),))]
