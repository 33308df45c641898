"""Questions that list many files or whole kinds of facts, for overviews."""

import json
from collections.abc import Iterable
from typing import Final, NamedTuple

from drift.index.ids import FileId, SymbolId, symbols_of_file
from drift.index.path_text import path_to_text
from drift.index.records import HandlingRecord
from drift.index.selection import Selection

_PATHS: Final = """
    SELECT path, coalesce(code_lines + coalesce(comment_lines, 0) + coalesce(blank_lines, 0), 0) FROM files
    WHERE path >= :first AND (:language IS NULL OR language = :language)
        AND (:role IS NULL OR role = :role) AND (:status IS NULL OR status = :status)
    ORDER BY path
"""
_SYMBOL_COUNT: Final = "SELECT count(*) FROM symbols WHERE id BETWEEN ? AND ? AND kind <> 'module'"
_LANGUAGES: Final = "SELECT DISTINCT language FROM files WHERE language IS NOT NULL ORDER BY language"
_CALLER_FILES: Final = """
    SELECT count(*), count(DISTINCT caller_id), count(DISTINCT caller_id >> 16) FROM edges WHERE callee_id = ?
"""
_HANDLINGS: Final = """
    SELECT handlings.symbol_id, handlings.line, handlings.end_line, handlings.kind, handlings.types,
        handlings.is_empty, handlings.variable, handlings.traits, files.path, files.role
    FROM handlings JOIN files ON files.id = handlings.symbol_id >> 16
"""
_HANDLINGS_NAMING: Final = f"""
    {_HANDLINGS} WHERE handlings.kind IN ('catch', 'throw') AND instr(handlings.types, ?)
    ORDER BY handlings.symbol_id, handlings.position
"""
_EMPTY_HANDLERS: Final = f"""
    {_HANDLINGS} WHERE handlings.kind = 'catch' AND handlings.is_empty
    ORDER BY handlings.symbol_id, handlings.position
"""
_HANDLED_TYPES: Final = """
    SELECT handlings.kind = 'throw', handlings.types, count(*), files.path, files.role
    FROM handlings JOIN files ON files.id = handlings.symbol_id >> 16
    WHERE handlings.kind IN ('catch', 'throw') AND handlings.types IS NOT NULL
    GROUP BY files.id, handlings.kind, handlings.types
"""
_IMPORTED_PACKAGES: Final = """
    SELECT imports.external_package, files.language, files.role = 'test', count(*), min(files.path), imports.line
    FROM imports INDEXED BY imports_by_package JOIN files ON files.id = imports.symbol_id >> 16
    WHERE imports.external_package IS NOT NULL
    GROUP BY imports.external_package, files.language, files.role = 'test'
"""
_CALLING_FILES: Final = """
    SELECT files.path, files.role, count(*) FROM edges JOIN files ON files.id = edges.caller_id >> 16
    WHERE edges.callee_id BETWEEN ?1 AND ?2 AND edges.caller_id NOT BETWEEN ?1 AND ?2
    GROUP BY files.id ORDER BY count(*) DESC, files.path
"""
_CALLED_FILES: Final = """
    SELECT files.path, files.role, count(*) FROM edges INDEXED BY edges_by_caller
    JOIN files ON files.id = edges.callee_id >> 16
    WHERE edges.caller_id BETWEEN ?1 AND ?2 AND edges.callee_id NOT BETWEEN ?1 AND ?2
    GROUP BY files.id ORDER BY count(*) DESC, files.path
"""
_REFERRING_FILES: Final = """
    SELECT files.path, files.role, count(*) FROM refs JOIN files ON files.id = refs.symbol_id >> 16
    WHERE refs.target_symbol_id BETWEEN ?1 AND ?2 AND refs.symbol_id NOT BETWEEN ?1 AND ?2
    GROUP BY files.id ORDER BY count(*) DESC, files.path
"""
_REFERRED_FILES: Final = """
    SELECT files.path, files.role, count(*) FROM refs JOIN files ON files.id = refs.target_symbol_id >> 16
    WHERE refs.symbol_id BETWEEN ?1 AND ?2 AND refs.target_symbol_id NOT BETWEEN ?1 AND ?2
    GROUP BY files.id ORDER BY count(*) DESC, files.path
"""
_COMPLEXITY: Final = "SELECT cyclomatic, cognitive, max_nesting FROM symbols WHERE id = ?"
# No index: names of imports are asked for seldom, and reading them all takes some milliseconds.
_IMPORTS_NAMED: Final = """
    SELECT imports.module, imports.name, imports.alias, files.language, count(*), min(files.path), imports.line
    FROM imports JOIN files ON files.id = imports.symbol_id >> 16
    WHERE imports.is_external AND (imports.name = ?1 OR (imports.name IS NULL AND imports.alias = ?1)
        OR (imports.name = 'default' AND imports.alias = ?1))
    GROUP BY imports.module, imports.name, imports.alias, files.language
    ORDER BY count(*) DESC, imports.module
"""
_ERROR_TYPES: Final = """
    SELECT id FROM symbols INDEXED BY symbols_by_name
    WHERE (substr(name, -5) = 'Error' OR substr(name, -9) = 'Exception')
        AND kind IN ('class', 'struct', 'enum', 'interface', 'trait', 'type')
    UNION
    SELECT symbol_id FROM bases WHERE text LIKE '%Error' OR text LIKE '%Exception' OR text LIKE '%Throwable'
    ORDER BY 1
"""
# The range is in the index, which folds case; the pattern then wants a capital after `use`.
_HOOKS: Final = """
    SELECT symbols.id FROM symbols JOIN files ON files.id = symbols.file_id
    WHERE symbols.name >= 'use' COLLATE NOCASE AND symbols.name < 'usf' COLLATE NOCASE
        AND symbols.name GLOB 'use[A-Z]*' AND symbols.kind IN ('function', 'constant', 'variable', 'method')
        AND files.language IN ('javascript', 'typescript')
    ORDER BY symbols.id
"""
_OUTSIDE_HOOKS: Final = """
    SELECT name, external_package, count(*) FROM imports INDEXED BY imports_by_package
    WHERE external_package IS NOT NULL AND name GLOB 'use[A-Z]*'
    GROUP BY name, external_package ORDER BY count(*) DESC, name
"""
_BASE_TEXTS: Final = "SELECT DISTINCT text FROM bases"
_BASED_ON: Final = """
    SELECT symbol_id, text, external_name FROM bases WHERE text IN (SELECT value FROM json_each(?)) ORDER BY symbol_id
"""
# By the range of ids of each file, so that files of other languages cost nothing.
_FUNCTIONS_OF: Final = """
    SELECT symbols.id FROM files
    CROSS JOIN symbols ON symbols.id BETWEEN files.id << 16 AND (files.id << 16) + 65535
    WHERE files.language IN (SELECT value FROM json_each(?1)) AND symbols.kind IN ('function', 'method')
"""
_WITH_PARAMETERS: Final = f"{_FUNCTIONS_OF} AND symbols.parameters LIKE ?2 ORDER BY symbols.id"
_RETURNING: Final = f"""
    {_FUNCTIONS_OF} AND symbols.return_text = ?2 ORDER BY symbols.id
"""
_DECORATED: Final = """
    SELECT symbol_id, name FROM decorators WHERE name GLOB ?1 OR name = ?2 ORDER BY symbol_id
"""
# A callback is named after what it is handed to, so that all of them are one stretch of the names.
_CALLBACKS: Final = """
    SELECT id FROM symbols WHERE name >= '<callback of ' AND name < '<callback of~' AND name LIKE ? ORDER BY id
"""
_NAMED_IN: Final = """
    SELECT symbols.id FROM files JOIN symbols ON symbols.id BETWEEN (files.id << 16) + 1 AND (files.id << 16) + 65535
    WHERE (files.path GLOB ?1 OR files.path = ?2) AND symbols.parent_id = files.id << 16
        AND (symbols.name IN (SELECT value FROM json_each(?3)) OR symbols.modifiers LIKE '%default%')
    ORDER BY symbols.id
"""
_HOLDERS_OF_METHOD: Final = """
    SELECT symbols.parent_id FROM symbols JOIN files ON files.id = symbols.file_id
    WHERE symbols.name = ?1 COLLATE NOCASE AND symbols.name = ?1
        AND symbols.parameters LIKE ?2 AND files.language = ?3 AND symbols.parent_id IS NOT NULL
    ORDER BY symbols.id
"""


class NamedImport(NamedTuple):
    """A way in which a name from outside is imported, how often, and one place."""

    module: str
    name: str | None
    alias: str | None
    language: str | None
    times: int
    path: str
    line: int


class SizedPath(NamedTuple):
    """A file and its lines; 0 where it was not read as code."""

    path: str
    lines: int


class HandledTypes(NamedTuple):
    """Types that are thrown or caught together, how often in one file, and where that belongs."""

    is_throw: bool
    types: tuple[str, ...]
    times: int
    path: str
    role: str


class FileCalls(NamedTuple):
    """A file at the other end of calls, its role, and how many calls."""

    path: str
    role: str
    calls: int


class CallerCounts(NamedTuple):
    """How often a symbol is called: places, symbols they stand in, files of those."""

    calls: int
    callers: int
    files: int


class PlacedHandling(NamedTuple):
    """A handler or a throw, with the path and role of its file."""

    handling: HandlingRecord
    path: str
    role: str


class PackageUse(NamedTuple):
    """Imports of an outside package by files of one language, tests apart; `path` and `line` are one of them."""

    package: str
    language: str | None
    is_test: bool
    times: int
    path: str
    line: int


class PathFilter(NamedTuple):
    """Which files are asked for; None asks for all."""

    beginning: str = ""
    language: str | None = None
    role: str | None = None
    status: str | None = None


class ListingQueries:
    """Questions whose answers are long."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def paths(self, wanted: PathFilter) -> list[str]:
        """The paths of the files that fit, in order."""
        return [path for path, _ in self.sized_paths(wanted)]

    def sized_paths(self, wanted: PathFilter) -> list[SizedPath]:
        """The files that fit, in the order of their paths."""
        beginning = path_to_text(wanted.beginning)
        values = {**wanted._asdict(), "first": beginning}
        del values["beginning"]
        rows = self._selection.rows(_PATHS, values)
        return [SizedPath(path, lines) for path, lines in rows if path.startswith(beginning)]

    def languages(self) -> tuple[str, ...]:
        """The languages that the files have."""
        return tuple(language for (language,) in self._selection.rows(_LANGUAGES))

    def symbol_count(self, file: FileId) -> int:
        """How many symbols a file has, itself not counted."""
        row = self._selection.row(_SYMBOL_COUNT, symbols_of_file(file))
        return int(row[0]) if row else 0

    def caller_counts(self, symbol: SymbolId) -> CallerCounts:
        """How often a symbol is called, and from how many others."""
        row = self._selection.row(_CALLER_FILES, (symbol,))
        return CallerCounts(*row) if row else CallerCounts(0, 0, 0)

    def calling_files(self, file: FileId) -> list[FileCalls]:
        """The other files that call into a file, most calls first."""
        return list(map(FileCalls._make, self._selection.rows(_CALLING_FILES, symbols_of_file(file))))

    def called_files(self, file: FileId) -> list[FileCalls]:
        """The other files that a file calls into, most calls first."""
        return list(map(FileCalls._make, self._selection.rows(_CALLED_FILES, symbols_of_file(file))))

    def referring_files(self, file: FileId) -> list[FileCalls]:
        """The other files that name something of a file without calling it, most uses first."""
        return list(map(FileCalls._make, self._selection.rows(_REFERRING_FILES, symbols_of_file(file))))

    def referred_files(self, file: FileId) -> list[FileCalls]:
        """The other files of which a file names something without calling it, most uses first."""
        return list(map(FileCalls._make, self._selection.rows(_REFERRED_FILES, symbols_of_file(file))))

    def complexity(self, symbol: SymbolId) -> tuple[int, int, int] | None:
        """The cyclomatic and cognitive complexity of a symbol and its nesting; None without code."""
        row = self._selection.row(_COMPLEXITY, (symbol,))
        return (row[0], row[1], row[2]) if row and row[0] is not None else None

    def outside_imports_of(self, name: str) -> list[NamedImport]:
        """The ways in which the project imports a name from outside, most used first."""
        return list(map(NamedImport._make, self._selection.rows(_IMPORTS_NAMED, (name,))))

    def handled_types(self) -> list[HandledTypes]:
        """The types that are thrown or caught, as named together, and how often in each file."""
        rows = self._selection.rows(_HANDLED_TYPES)
        known = {text: tuple(json.loads(text)) for text in {row[1] for row in rows}}
        return [HandledTypes(bool(is_throw), known[types], *more) for is_throw, types, *more in rows]

    def handlings_naming(self, name: str) -> list[PlacedHandling]:
        """The handlers and throws with this text in one of their types."""
        return self._handlings(_HANDLINGS_NAMING, name)

    def empty_handlers(self) -> list[PlacedHandling]:
        """The handlers that do nothing."""
        return self._handlings(_EMPTY_HANDLERS)

    def _handlings(self, query: str, *values: str) -> list[PlacedHandling]:
        return [
            PlacedHandling(
                HandlingRecord(
                    symbol, line, end, kind, tuple(json.loads(types or "[]")), bool(is_empty), *traits
                ),
                path,
                role,
            )
            for symbol, line, end, kind, types, is_empty, *traits, path, role in self._selection.rows(
                query, values
            )
        ]

    def error_types(self) -> list[SymbolId]:
        """The types that are called errors or descend directly from one that is."""
        return [SymbolId(found) for (found,) in self._selection.rows(_ERROR_TYPES)]

    def hooks(self) -> list[SymbolId]:
        """What is named like a hook of React or Vue in scripts."""
        return [SymbolId(found) for (found,) in self._selection.rows(_HOOKS)]

    def outside_hooks(self) -> list[tuple[str, str, int]]:
        """Imported names like those of hooks, with their package and how often."""
        return [(name, package, times) for name, package, times in self._selection.rows(_OUTSIDE_HOOKS)]

    def base_texts(self) -> list[str]:
        """The names of parents as written, each once."""
        return [text for (text,) in self._selection.rows(_BASE_TEXTS)]

    def based_on(self, texts: Iterable[str]) -> list[tuple[SymbolId, str, str | None]]:
        """The types with a parent that is written so, how, and its full name where it is known to be outside."""
        rows = self._selection.rows(_BASED_ON, (json.dumps(list(texts)),))
        return [(SymbolId(symbol), text, outside) for symbol, text, outside in rows]

    def functions_taking(self, languages: Iterable[str], parameters: Iterable[str]) -> list[SymbolId]:
        """Functions of these languages with parameters of these names, in this order."""
        pattern = "%".join(json.dumps([name])[:-1] for name in parameters)
        values = (json.dumps(list(languages)), f"%{pattern}%")
        return [SymbolId(found) for (found,) in self._selection.rows(_WITH_PARAMETERS, values)]

    def functions_returning(self, language: str, return_text: str) -> list[SymbolId]:
        """Functions of a language that stand by themselves and declare exactly this result."""
        values = (json.dumps([language]), return_text)
        return [SymbolId(found) for (found,) in self._selection.rows(_RETURNING, values)]

    def decorated(self, name: str) -> list[SymbolId]:
        """What has a decorator of this name, whatever is before its last dot."""
        return [SymbolId(found) for found, _ in self._selection.rows(_DECORATED, (f"*.{name}", name))]

    def callbacks_of(self, ending: str) -> list[SymbolId]:
        """Functions that are written where something is called whose path ends like this."""
        return [SymbolId(found) for (found,) in self._selection.rows(_CALLBACKS, (f"%{ending}>",))]

    def at_top_of(self, file: str, names: Iterable[str]) -> list[SymbolId]:
        """What a file of this name, in any folder, declares by one of the names or as its default."""
        values = (f"*/{file}", file, json.dumps(list(names)))
        return [SymbolId(found) for (found,) in self._selection.rows(_NAMED_IN, values)]

    def holders_of_method(self, language: str, name: str, parameter: str) -> list[SymbolId]:
        """The classes of a language with a method of this name that has a parameter of this name."""
        values = (name, f"%{json.dumps([parameter])[:-1]}%", language)
        return [SymbolId(found) for (found,) in self._selection.rows(_HOLDERS_OF_METHOD, values)]

    def package_uses(self) -> list[PackageUse]:
        """Which packages outside the project are imported, by language and by whether tests do it."""
        return [
            PackageUse(package, language, bool(is_test), count, path, line)
            for package, language, is_test, count, path, line in self._selection.rows(_IMPORTED_PACKAGES)
        ]
