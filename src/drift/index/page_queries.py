"""Questions about pages that are code, and who names them."""

import json
from collections.abc import Collection, Iterable
from typing import Final, cast

from drift.index.ids import FileId, SymbolId
from drift.index.run_queries import PathText
from drift.index.selection import Selection

_PATHS: Final = "SELECT id, path FROM files WHERE language IS NOT NULL AND role = 'source'"
_TAKEN: Final = """
    SELECT constants.symbol_id, constants.value, constants.line, constants.times
    FROM files CROSS JOIN constants
        ON constants.symbol_id BETWEEN files.id << 16 AND (files.id << 16) + 65535
    WHERE files.role = 'source' AND constants.kind = 'page'
"""
_TEXTS_EQUAL: Final = """
    SELECT constants.symbol_id, constants.value, constants.line, constants.times
    FROM files CROSS JOIN constants
        ON constants.symbol_id BETWEEN files.id << 16 AND (files.id << 16) + 65535
    WHERE files.role = 'source' AND constants.kind = 'string'
        AND constants.value IN (SELECT value FROM json_each(?))
"""
_METHODS_OF: Final = """
    SELECT id, parent_id, name FROM symbols
    WHERE id BETWEEN ?1 << 16 AND (?1 << 16) + 65535 AND kind = 'method'
"""


class PageQueries:
    """Questions about pages that are code, and who names them."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def ending_in(self, endings: tuple[str, ...]) -> dict[FileId, str]:
        """The paths of the product's pages that are code, by what they end in."""
        return {file: path for file, path in self.paths().items() if path.endswith(endings)}

    def paths(self, files: Collection[FileId] | None = None) -> dict[FileId, str]:
        """The paths of these files of the product that are code, or of all."""
        rows = cast("list[tuple[FileId, str]]", self._selection.rows(_PATHS))
        return {file: path for file, path in rows if files is None or file in files}

    def taken(self) -> list[PathText]:
        """The names of pages that pages take in, and that code says in other ways than by a text."""
        return list(map(PathText._make, self._selection.rows(_TAKEN)))

    def texts_equal_to(self, values: Iterable[str]) -> list[PathText]:
        """The texts of the product that are one of these."""
        rows = self._selection.rows(_TEXTS_EQUAL, (json.dumps(sorted(values)),))
        return list(map(PathText._make, rows))

    def methods_of(self, file: FileId) -> list[tuple[SymbolId, SymbolId, str]]:
        """The methods of a file, each with what it stands in and its name."""
        return cast("list[tuple[SymbolId, SymbolId, str]]", self._selection.rows(_METHODS_OF, (file,)))
