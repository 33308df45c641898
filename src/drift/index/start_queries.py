"""Questions about packages that start as a whole: their files, what these import, and what runs at their top."""

import json
from collections.abc import Iterable
from typing import Any, Final, cast

from drift.index.ids import FileId, SymbolId
from drift.index.run_records import BuiltPart
from drift.index.selection import Selection, as_list

_FILES_OF: Final = """
    SELECT id, path, role FROM files WHERE language IN (SELECT value FROM json_each(?)) ORDER BY path
"""
_UNPLACED_IMPORTS: Final = """
    SELECT imports.symbol_id, imports.module FROM files
    CROSS JOIN imports ON imports.symbol_id BETWEEN files.id << 16 AND (files.id << 16) + 65535
    WHERE files.language IN (SELECT value FROM json_each(?))
        AND imports.is_external = 0 AND imports.target_file_id IS NULL
"""
_AT_TOP: Final = """
    SELECT symbols.id FROM symbols JOIN files ON files.id = symbols.id >> 16
    WHERE symbols.name IN (SELECT value FROM json_each(?2)) AND symbols.kind = 'function'
        AND symbols.parent_id = files.id << 16 AND files.language IN (SELECT value FROM json_each(?1))
"""
# Parameters are kept as [name, kind, type, …].
_TAKING: Final = """
    SELECT symbols.id FROM files
    CROSS JOIN symbols ON symbols.id BETWEEN files.id << 16 AND (files.id << 16) + 65535
    WHERE files.language IN (SELECT value FROM json_each(?1)) AND symbols.parameters LIKE ?2
"""
_TWO_ARGUMENTS: Final = "SELECT text FROM words WHERE text GLOB '*<*,*>'"
# The calls come first: to go through all of them for each word takes half a minute in a large project.
_TEXTS_OF_TEST_CALLS: Final = """
    SELECT id, text FROM words WHERE id IN (
        SELECT calls.text FROM files CROSS JOIN calls ON calls.id BETWEEN files.id << 20 AND (files.id << 20) + 1048575
        WHERE files.role = 'test')
"""
_BUILDING: Final = """
    SELECT calls.caller_id, calls.line, words.text, calls.argument_count, call_details.literal FROM files
    CROSS JOIN calls ON calls.id BETWEEN files.id << 20 AND (files.id << 20) + 1048575
    CROSS JOIN words ON words.id = calls.text LEFT JOIN call_details ON call_details.id = calls.id
    WHERE files.role = 'test' AND calls.text IN (SELECT value FROM json_each(?)) ORDER BY calls.id
"""
_TEXTS_OF: Final = """
    SELECT constants.position, constants.line, constants.value, constants.symbol_id FROM json_each(?) AS wanted
    CROSS JOIN constants ON constants.symbol_id = wanted.value WHERE constants.kind = 'string' ORDER BY 4, 1
"""
# A test file runs its own top anyway.
_CALLED_AT_TOP: Final = """
    SELECT DISTINCT files.id, edges.callee_id FROM files CROSS JOIN edges ON edges.caller_id = files.id << 16
    WHERE files.language IN (SELECT value FROM json_each(?)) AND files.role <> 'test' ORDER BY 1, 2
"""


class StartQueries:
    """Queries for whatever shares a selection."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def files_of(self, languages: Iterable[str]) -> list[tuple[FileId, str, str]]:
        """The files of some languages by their paths, with the role of each."""
        return cast("list[Any]", self._selection.rows(_FILES_OF, (json.dumps(list(languages)),)))

    def unplaced_imports(self, languages: Iterable[str]) -> list[tuple[SymbolId, str]]:
        """Imports of packages of the project that lead to no single file, with who imports them."""
        return cast("list[Any]", self._selection.rows(_UNPLACED_IMPORTS, (json.dumps(list(languages)),)))

    def at_top(self, languages: Iterable[str], names: Iterable[str]) -> list[SymbolId]:
        """The functions of these names that stand at the top of files of some languages."""
        given = (json.dumps(list(languages)), json.dumps(list(names)))
        return [SymbolId(number) for (number,) in self._selection.rows(_AT_TOP, given)]

    def taking(self, languages: Iterable[str], type_text: str) -> list[SymbolId]:
        """The functions of some languages with a parameter of just this type."""
        given = (json.dumps(list(languages)), f'%,"{type_text}"]%')
        return [SymbolId(number) for (number,) in self._selection.rows(_TAKING, given)]

    def with_two_arguments(self) -> list[str]:
        """Calls and parents that are written with two type arguments or more."""
        return [text for (text,) in self._selection.rows(_TWO_ARGUMENTS)]

    def texts_of_test_calls(self) -> list[tuple[int, str]]:
        """How calls in tests are written, by word."""
        return cast("list[Any]", self._selection.rows(_TEXTS_OF_TEST_CALLS))

    def building(self, words: Iterable[int]) -> list[BuiltPart]:
        """The calls in tests that are written in one of these ways, in order, with their first text."""
        return list(map(BuiltPart._make, self._selection.rows(_BUILDING, (as_list(words),))))

    def texts_of(self, symbols: Iterable[SymbolId]) -> list[tuple[int, int, str, SymbolId]]:
        """The texts in these symbols in order: its number, its line, what it says and where."""
        return cast("list[Any]", self._selection.rows(_TEXTS_OF, (as_list(symbols),)))

    def called_at_top(self, languages: Iterable[str]) -> list[tuple[FileId, SymbolId]]:
        """What files of some languages call outside of all functions, tests apart."""
        rows = self._selection.rows(_CALLED_AT_TOP, (json.dumps(list(languages)),))
        return cast("list[Any]", rows)
