"""Questions about groups of files, such as packages: how large they are and what crosses their borders."""

import json
from collections.abc import Iterable
from typing import Final, NamedTuple, cast

from drift.index.ids import FileId, SymbolId
from drift.index.records import EntryPointRecord, SymbolRecord
from drift.index.selection import Selection, as_list
from drift.index.symbol_queries import COLUMN_COUNT, COLUMNS

_FILES: Final = "SELECT id, path, language, role, coalesce(code_lines, 0), problem FROM files ORDER BY path"
# By an index that has all it needs: the symbols themselves are many times as long.
_SYMBOL_COUNTS: Final = """
    SELECT id >> 16, count(*) FROM symbols INDEXED BY symbols_by_kind WHERE kind <> 'module' GROUP BY id >> 16
"""
_IMPORTS: Final = """
    SELECT symbol_id >> 16, target_file_id, min(line), count(*), sum(is_type_only) FROM imports
    WHERE target_file_id IS NOT NULL AND target_file_id <> symbol_id >> 16 GROUP BY 1, 2
"""
_NAMED_IMPORTS: Final = """
    SELECT symbol_id >> 16, external_package, min(line), count(*)
    FROM json_each(?) AS wanted
    CROSS JOIN imports ON imports.external_package = wanted.value GROUP BY 1, 2
"""
# A module there is a folder, so the import leads to no file.
_GO_IMPORTS: Final = """
    SELECT imports.symbol_id >> 16, imports.module, min(imports.line), count(*)
    FROM files CROSS JOIN imports ON imports.symbol_id BETWEEN files.id << 16 AND (files.id << 16) + 65535
    WHERE files.language = 'go' AND imports.target_file_id IS NULL GROUP BY 1, 2
"""
_REFERENCES: Final = """
    SELECT symbol_id >> 16, target_symbol_id >> 16, min(line), count(*), 0 FROM refs
    WHERE confidence >= ? AND symbol_id >> 16 <> target_symbol_id >> 16 GROUP BY 1, 2
"""
# Functions that are called as members of what they are given: nothing of their package is named with them.
_EXTENSION_CALLS: Final = """
    SELECT edges.caller_id >> 16, edges.callee_id >> 16, min(edges.line), count(*), 0
    FROM symbols CROSS JOIN edges ON edges.callee_id = symbols.id
    WHERE symbols.kind = 'method' AND instr(' ' || symbols.modifiers || ' ', ' extension ') > 0
        AND edges.confidence >= ? AND edges.caller_id >> 16 <> symbols.id >> 16 GROUP BY 1, 2
"""
# What is called with a type argument, or descends from what is given one, with its place.
_TYPE_ARGUMENTS: Final = """
    SELECT calls.id >> 20, words.text, min(calls.line), count(*) FROM words
    JOIN calls ON calls.text = words.id WHERE instr(words.text, ?1) > 0 GROUP BY 1, 2
    UNION ALL
    SELECT bases.symbol_id >> 16, bases.text, min(symbols.line), count(*) FROM bases
    JOIN symbols ON symbols.id = bases.symbol_id WHERE instr(bases.text, ?1) > 0 GROUP BY 1, 2
"""
# What leads into the files from other files, of the product. They are narrowed before anything is
# grouped: tests have most of the uses.
_INTO: Final = """
    WITH chosen (id) AS MATERIALIZED (SELECT value FROM json_each(?1)),
        sources (id) AS MATERIALIZED (SELECT id FROM files WHERE role <> 'test')
    SELECT found.target, found.source, min(found.line), count(*) FROM (
        SELECT imports.target_symbol_id AS target, imports.symbol_id >> 16 AS source, imports.line
        FROM chosen CROSS JOIN imports
            ON imports.target_symbol_id BETWEEN chosen.id << 16 AND (chosen.id << 16) + 65535
        WHERE imports.symbol_id >> 16 IN sources AND imports.symbol_id >> 16 <> chosen.id
        UNION ALL
        SELECT edges.callee_id, edges.caller_id >> 16, edges.line
        FROM chosen CROSS JOIN edges ON edges.callee_id BETWEEN chosen.id << 16 AND (chosen.id << 16) + 65535
        WHERE edges.confidence >= ?2 AND edges.caller_id >> 16 IN sources AND edges.caller_id >> 16 <> chosen.id
        UNION ALL
        SELECT refs.target_symbol_id, refs.symbol_id >> 16, refs.line
        FROM chosen CROSS JOIN refs
            ON refs.target_symbol_id BETWEEN chosen.id << 16 AND (chosen.id << 16) + 65535
        WHERE refs.confidence >= ?2 AND refs.symbol_id >> 16 IN sources AND refs.symbol_id >> 16 <> chosen.id
    ) AS found
    GROUP BY found.target, found.source
"""
_TESTS_INTO: Final = """
    WITH chosen (id) AS MATERIALIZED (SELECT value FROM json_each(?1))
    SELECT id FROM files WHERE role = 'test' AND id NOT IN chosen AND id IN (
        SELECT imports.symbol_id >> 16 FROM chosen CROSS JOIN imports ON imports.target_file_id = chosen.id
        UNION
        SELECT edges.caller_id >> 16 FROM chosen
        CROSS JOIN edges ON edges.callee_id BETWEEN chosen.id << 16 AND (chosen.id << 16) + 65535
        WHERE edges.confidence >= ?2
        UNION
        SELECT refs.symbol_id >> 16 FROM chosen
        CROSS JOIN refs ON refs.target_symbol_id BETWEEN chosen.id << 16 AND (chosen.id << 16) + 65535
        WHERE refs.confidence >= ?2
    ) ORDER BY path
"""
_ENTRIES: Final = f"""
    SELECT {COLUMNS}, entry_points.kind, entry_points.detail, entry_points.line, entry_points.symbol_id,
        entry_points.position
    FROM json_each(?) AS chosen
    CROSS JOIN entry_points ON entry_points.symbol_id BETWEEN chosen.value << 16 AND (chosen.value << 16) + 65535
    LEFT JOIN handlers USING (symbol_id, position)
    CROSS JOIN symbols ON symbols.id = coalesce(handlers.handler_id, entry_points.symbol_id)
    JOIN files ON files.id = symbols.file_id
    WHERE entry_points.kind NOT IN ('test', 'export')
    ORDER BY entry_points.kind, entry_points.symbol_id, entry_points.position
"""  # noqa: S608 - our own names
_EXTERNALS: Final = """
    SELECT imports.external_package, count(*) FROM json_each(?) AS chosen
    CROSS JOIN imports ON imports.symbol_id BETWEEN chosen.value << 16 AND (chosen.value << 16) + 65535
    WHERE imports.external_package IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1
"""


class FileSize(NamedTuple):
    """A file with what a count of its package needs."""

    id: FileId
    path: str
    language: str | None
    role: str
    code_lines: int
    problem: str | None


class FileUse(NamedTuple):
    """A file that uses another, where first, and how often; `for_types` of them are gone at run time."""

    source: FileId
    target: FileId
    line: int
    times: int
    for_types: int


class NamedUse(NamedTuple):
    """A file that imports a package by its name, where first, and how often."""

    source: FileId
    name: str
    line: int
    times: int


class SymbolUse(NamedTuple):
    """A file that imports, calls or names a symbol of another, where first, and how often."""

    target: SymbolId
    source: FileId
    line: int
    times: int


class PackageQueries:
    """Questions about groups of files."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def files(self) -> list[FileSize]:
        """Every file, by path."""
        return list(map(FileSize._make, self._selection.rows(_FILES)))

    def symbol_counts(self) -> dict[FileId, int]:
        """How many symbols each file has, itself not counted."""
        return dict(self._selection.rows(_SYMBOL_COUNTS))

    def imports_between_files(self) -> list[FileUse]:
        """Every file that imports another."""
        return list(map(FileUse._make, self._selection.rows(_IMPORTS)))

    def references_between_files(self, *, min_confidence: float) -> list[FileUse]:
        """Every file that names a symbol of another, for languages whose imports name no file."""
        rows = self._selection.rows(_REFERENCES, (int(min_confidence * 10_000),))
        return list(map(FileUse._make, rows))

    def extension_calls_between_files(self, *, min_confidence: float) -> list[FileUse]:
        """Every file that calls extension methods of another."""
        rows = self._selection.rows(_EXTENSION_CALLS, (int(min_confidence * 10_000),))
        return list(map(FileUse._make, rows))

    def type_arguments(self, beginning: str) -> list[NamedUse]:
        """The files that call, or descend from, something with these characters in it, with all of its text."""
        return list(map(NamedUse._make, self._selection.rows(_TYPE_ARGUMENTS, (beginning,))))

    def imports_by_name(self, names: Iterable[str]) -> list[NamedUse]:
        """The files that import packages of these names without a file that it leads to."""
        rows = self._selection.rows(_NAMED_IMPORTS, (json.dumps(list(names)),))
        return list(map(NamedUse._make, rows))

    def go_imports(self) -> list[NamedUse]:
        """The files of Go with the paths they import."""
        return list(map(NamedUse._make, self._selection.rows(_GO_IMPORTS)))

    def uses_into(self, files: Iterable[FileId], *, min_confidence: float) -> list[SymbolUse]:
        """What of these files product code of other files uses, of those among them too."""
        values = (as_list(files), int(min_confidence * 10_000))
        return list(map(SymbolUse._make, self._selection.rows(_INTO, values)))

    def tests_into(self, files: Iterable[FileId], *, min_confidence: float) -> list[FileId]:
        """The test files that use these files and are none of them, by path."""
        rows = self._selection.rows(_TESTS_INTO, (as_list(files), int(min_confidence * 10_000)))
        return [found for (found,) in rows]

    def entry_points_in(self, files: Iterable[FileId]) -> list[EntryPointRecord]:
        """Where the outside world calls into these files, by kind; tests and exports left out."""
        rows = self._selection.rows(_ENTRIES, (as_list(files),))
        return [EntryPointRecord(SymbolRecord._make(row[:COLUMN_COUNT]), *row[COLUMN_COUNT:]) for row in rows]

    def external_packages_of(self, files: Iterable[FileId]) -> list[tuple[str, int]]:
        """The packages outside the project that these files import, and how often."""
        return cast("list[tuple[str, int]]", self._selection.rows(_EXTERNALS, (as_list(files),)))
