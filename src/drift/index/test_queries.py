"""Questions about tests: the cases, what stands around them, and what they run."""

import json
from collections.abc import Collection, Iterable
from typing import Final, NamedTuple, cast

from drift.index.ids import FileId, SymbolId
from drift.index.run_records import NamingCall
from drift.index.selection import Selection, as_list

_CASES: Final = """
    SELECT symbols.id, symbols.file_id, symbols.parent_id, symbols.name, symbols.qualname, symbols.line,
        symbols.end_line, entry_points.line, entry_points.detail,
        -- In these two languages the index has what runs around tests, too, without the mark of a test.
        files.language NOT IN ('java', 'csharp') OR instr(' ' || symbols.modifiers || ' ', ' test ') > 0,
        symbols.kind, files.path, files.language
    FROM entry_points
    LEFT JOIN handlers USING (symbol_id, position)
    CROSS JOIN symbols ON symbols.id = coalesce(handlers.handler_id, entry_points.symbol_id)
    JOIN files ON files.id = symbols.file_id
    WHERE entry_points.kind = 'test' {condition} ORDER BY files.path, entry_points.line, symbols.id
"""
_ALL_CASES: Final = _CASES.format(condition="")
_CASES_IN: Final = _CASES.format(
    condition="AND entry_points.symbol_id >> 16 IN (SELECT value FROM json_each(?1))"
)
_STATE: Final = """
    SELECT pragma_database_list.file, CAST(meta.value AS INTEGER) FROM pragma_database_list, meta
    WHERE pragma_database_list.name = 'main' AND meta.key = 'generation'
"""
# Files of tests, and files of the product that have tests in them.
_TEST_FILES: Final = """
    SELECT id FROM files WHERE role = 'test' AND language IS NOT NULL
    UNION SELECT symbol_id >> 16 FROM entry_points WHERE kind = 'test'
"""
_IMPORTS: Final = f"""
    SELECT imports.module, imports.name, files.language, count(DISTINCT files.id), min(files.path), imports.line
    FROM ({_TEST_FILES}) AS test
    CROSS JOIN imports ON imports.symbol_id BETWEEN test.id << 16 AND (test.id << 16) + 65535
    JOIN files ON files.id = test.id
    WHERE (imports.target_file_id IS NULL OR files.language = 'cpp')
    GROUP BY imports.module, imports.name, files.language ORDER BY 4 DESC, 1, 2
"""  # noqa: S608 - our own names
_MODULES_NAMED: Final = """
    SELECT DISTINCT module, target_file_id FROM imports
    WHERE target_file_id IS NOT NULL AND substr(module, 1, 1) <> '.'
"""
_IMPORTS_BY_FILE: Final = """
    SELECT DISTINCT files.id, imports.module, imports.name
    FROM json_each(?1) AS wanted
    CROSS JOIN files ON files.id = wanted.value
    CROSS JOIN imports ON imports.symbol_id BETWEEN files.id << 16 AND (files.id << 16) + 65535
    WHERE imports.target_file_id IS NULL OR files.language = 'cpp' ORDER BY files.id, imports.line
"""
_IN_FILES: Final = """
    FROM json_each(?1) AS wanted
    CROSS JOIN symbols ON symbols.id BETWEEN wanted.value << 16 AND (wanted.value << 16) + 65535
"""
_SCOPES: Final = f"""
    SELECT symbols.id, symbols.parent_id, symbols.kind, symbols.name, symbols.line, symbols.end_line {_IN_FILES}
    ORDER BY symbols.id
"""
_FUNCTIONS_WHERE: Final = """
    SELECT symbols.id, symbols.file_id, symbols.parent_id, symbols.kind, symbols.name, symbols.qualname, symbols.line,
        symbols.end_line, symbols.code_lines, symbols.cyclomatic, symbols.modifiers, files.path, files.language
    FROM files
    CROSS JOIN symbols ON symbols.id BETWEEN files.id << 16 AND (files.id << 16) + 65535
    WHERE {condition} AND symbols.kind IN ('function', 'method', 'constructor')
        AND symbols.cyclomatic IS NOT NULL AND instr(' ' || symbols.modifiers || ' ', ' test ') = 0
    ORDER BY symbols.id
"""
# Helpers of tests that stand among the product are compiled for tests alone.
_FUNCTIONS: Final = f"""
    WITH RECURSIVE apart (id) AS (
        SELECT symbols.id FROM symbols WHERE instr(symbols.modifiers, 'test-only')
        UNION
        SELECT symbols.id FROM apart CROSS JOIN symbols ON symbols.parent_id = apart.id
    )
    {_FUNCTIONS_WHERE.format(condition="files.role = 'source' AND symbols.id NOT IN apart")}
"""  # noqa: S608 - our own names
_FUNCTIONS_OF: Final = _FUNCTIONS_WHERE.format(condition="files.id = ?1 AND files.role = 'source'")
_WRITTEN: Final = """
    SELECT DISTINCT calls.text, words.text FROM json_each(?1) AS wanted
    CROSS JOIN calls ON calls.id BETWEEN wanted.value << 20 AND (wanted.value << 20) + 1048575
    JOIN words ON words.id = calls.text
"""
_CALLS: Final = """
    SELECT calls.caller_id, calls.text, calls.line FROM json_each(?1) AS wanted
    CROSS JOIN calls ON calls.id BETWEEN wanted.value << 20 AND (wanted.value << 20) + 1048575
    WHERE calls.text IN (SELECT chosen.value FROM json_each(?2) AS chosen) ORDER BY calls.id
"""
# Calls are numbered behind those in their arguments.
_NAMING: Final = """
    SELECT calls.caller_id, calls.line, calls.column - symbols.column, call_details.literal,
        coalesce(call_details.traits, 0) & ?3,
        (SELECT words.text FROM calls AS before JOIN words ON words.id = before.text
            WHERE before.id BETWEEN calls.id - 8 AND calls.id + 8 AND before.caller_id = calls.caller_id
                AND before.line = calls.line AND before.column < calls.column ORDER BY before.column LIMIT 1)
    FROM json_each(?1) AS wanted
    CROSS JOIN calls ON calls.id BETWEEN wanted.value << 20 AND (wanted.value << 20) + 1048575
    JOIN symbols ON symbols.id = calls.caller_id
    LEFT JOIN call_details ON call_details.id = calls.id
    WHERE calls.text IN (SELECT chosen.value FROM json_each(?2) AS chosen) ORDER BY calls.id
"""
_CALL_COUNTS: Final = """
    SELECT calls.caller_id, count(*) FROM json_each(?1) AS wanted
    CROSS JOIN calls ON calls.id BETWEEN wanted.value << 20 AND (wanted.value << 20) + 1048575
    GROUP BY calls.caller_id
"""
_DECORATIONS: Final = """
    SELECT decorators.symbol_id, decorators.name, decorators.text, decorators.line FROM json_each(?1) AS wanted
    CROSS JOIN decorators ON decorators.symbol_id BETWEEN wanted.value << 16 AND (wanted.value << 16) + 65535
    ORDER BY decorators.symbol_id, decorators.position
"""
# Calls, and functions passed on as values.
_HANDED: Final = "(SELECT words.id FROM words WHERE words.text IN ('value', 'given'))"
# What registers a route names its handler and does not run it: a request does. What a page shows others may show, too.
_NAMED: Final = """
    CASE WHEN EXISTS (SELECT 1 FROM entry_points
            WHERE entry_points.symbol_id = refs.target_symbol_id AND entry_points.kind = 'http'
                AND coalesce(entry_points.method, '') <> 'PAGE')
        OR EXISTS (SELECT 1 FROM handlers JOIN entry_points USING (symbol_id, position)
            WHERE handlers.handler_id = refs.target_symbol_id AND coalesce(entry_points.method, '') <> 'PAGE')
        OR refs.kind NOT IN (SELECT words.id FROM words WHERE words.text = 'value')
    THEN min(refs.confidence / 10000.0, 0.25) ELSE refs.confidence / 10000.0 END
"""
_IMPORTED_UNDER: Final = """
    SELECT DISTINCT wanted.value, imports.target_file_id FROM json_each(?1) AS wanted
    CROSS JOIN imports ON imports.symbol_id BETWEEN wanted.value << 16 AND (wanted.value << 16) + 65535
    WHERE imports.target_file_id IS NOT NULL AND imports.target_file_id <> wanted.value
        AND imports.name IN (SELECT value FROM json_each(?2))
"""
_USERS: Final = f"""
    SELECT edges.callee_id, edges.caller_id, edges.confidence / 10000.0 FROM json_each(?1) AS frontier
    CROSS JOIN edges ON edges.callee_id = frontier.value
    UNION ALL
    SELECT refs.target_symbol_id, refs.symbol_id, {_NAMED} FROM json_each(?1) AS frontier
    CROSS JOIN refs ON refs.target_symbol_id = frontier.value WHERE refs.kind IN {_HANDED}
"""  # noqa: S608 - our own names
_USED: Final = f"""
    SELECT edges.caller_id, edges.callee_id, edges.confidence / 10000.0 FROM json_each(?1) AS frontier
    CROSS JOIN edges ON edges.caller_id = frontier.value
    UNION ALL
    SELECT refs.symbol_id, refs.target_symbol_id, {_NAMED} FROM json_each(?1) AS frontier
    CROSS JOIN refs ON refs.symbol_id = frontier.value WHERE refs.kind IN {_HANDED}
"""  # noqa: S608 - our own names
_HANDED_ON: Final = """
    SELECT DISTINCT refs.target_symbol_id FROM json_each(?) AS wanted
    CROSS JOIN refs ON refs.target_symbol_id = wanted.value
    JOIN files ON files.id = refs.symbol_id >> 16 AND files.role <> 'test'
    WHERE refs.kind IN (SELECT words.id FROM words WHERE words.text IN ('value', 'given'))
"""
_CALLER_COUNTS: Final = """
    SELECT edges.callee_id, count(DISTINCT edges.caller_id) FROM json_each(?1) AS wanted
    CROSS JOIN edges ON edges.callee_id = wanted.value
    JOIN files ON files.id = edges.caller_id >> 16
    WHERE files.role <> 'test' GROUP BY edges.callee_id
"""


class CaseRecord(NamedTuple):
    """A function that a test framework calls. `is_case`: it is a test and not what runs around tests."""

    id: SymbolId
    file_id: FileId
    parent_id: SymbolId | None
    name: str
    qualname: str
    line: int
    end_line: int
    registered_line: int
    detail: str
    is_case: bool
    kind: str
    path: str
    language: str | None


class OutsideImport(NamedTuple):
    """Something from outside that test files import, how many of them, and the first."""

    module: str
    name: str | None
    language: str | None
    files: int
    path: str
    line: int


class ScopeRecord(NamedTuple):
    """A symbol of a test file, by where it stands."""

    id: SymbolId
    parent_id: SymbolId | None
    kind: str
    name: str
    line: int
    end_line: int


class FunctionRecord(NamedTuple):
    """A function of the product that has code."""

    id: SymbolId
    file_id: FileId
    parent_id: SymbolId | None
    kind: str
    name: str
    qualname: str
    line: int
    end_line: int
    code_lines: int | None
    cyclomatic: int
    modifier_text: str
    path: str
    language: str | None


class WrittenCall(NamedTuple):
    """A call in a test file as it is written."""

    caller_id: SymbolId
    text: str
    line: int


class Decoration(NamedTuple):
    """A decorator, annotation or attribute in a test file."""

    symbol_id: SymbolId
    name: str
    text: str
    line: int


Use = tuple[SymbolId, SymbolId, float]
"""One symbol, another that runs it or is run by it, and how sure that is; plain, as there are hundreds of thousands."""


class TestQueries:
    """Questions about tests."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def state(self) -> tuple[str, int]:
        """The file of the index and the number of the state that is read: what holds for both may be kept."""
        row = self._selection.row(_STATE)
        return (row[0], row[1]) if row else ("", 0)

    def cases(self, files: Iterable[FileId] | None = None) -> list[CaseRecord]:
        """Every function a test framework calls, of these files or of all, by file and line."""
        if files is None:
            rows = self._selection.rows(_ALL_CASES)
        else:
            rows = self._selection.rows(_CASES_IN, (as_list(files),))
        return list(map(CaseRecord._make, rows))

    def imports(self) -> list[OutsideImport]:
        """What test files import from outside, most imported first."""
        return list(map(OutsideImport._make, self._selection.rows(_IMPORTS)))

    def imports_by_file(self, files: Iterable[FileId]) -> list[tuple[FileId, str, str | None]]:
        """What each of these files imports from outside: file, module, name."""
        rows = self._selection.rows(_IMPORTS_BY_FILE, (as_list(files),))
        return [(FileId(file), module, name) for file, module, name in rows]

    def imported_under(self, files: Iterable[FileId], names: Iterable[str]) -> list[tuple[FileId, FileId]]:
        """Which of the project's files each of these imports something of these names from."""
        values = (as_list(files), json.dumps(sorted(names)))
        return [(FileId(one), FileId(other)) for one, other in self._selection.rows(_IMPORTED_UNDER, values)]

    def test_files(self) -> list[FileId]:
        """Every file of tests, and every file that has tests in it."""
        return [FileId(found) for (found,) in self._selection.rows(_TEST_FILES)]

    def scopes(self, files: Iterable[FileId]) -> list[ScopeRecord]:
        """The symbols of files, parents not always before members."""
        return list(map(ScopeRecord._make, self._selection.rows(_SCOPES, (as_list(files),))))

    def functions(self) -> list[FunctionRecord]:
        """Every function of the product that has code, is no test and is not compiled for tests alone."""
        return list(map(FunctionRecord._make, self._selection.rows(_FUNCTIONS)))

    def functions_of(self, file: FileId) -> list[FunctionRecord]:
        """The same of one file; none of a file that is not of the product."""
        return list(map(FunctionRecord._make, self._selection.rows(_FUNCTIONS_OF, (file,))))

    def call_texts(self, files: Collection[FileId]) -> dict[int, str]:
        """The ways calls in these files are written, by word."""
        return dict(self._selection.rows(_WRITTEN, (as_list(files),)))

    def calls_written(self, files: Collection[FileId], words: dict[int, str]) -> list[WrittenCall]:
        """The calls in these files that are written in one of these ways, in order."""
        rows = self._selection.rows(_CALLS, (as_list(files), json.dumps(list(words))))
        return [WrittenCall(SymbolId(caller), words[text], line) for caller, text, line in rows]

    def calls_naming(self, files: Collection[FileId], words: Collection[int], bound: int) -> list[NamingCall]:
        """The calls in these files that are written in one of these ways; `bound`: the trait of what a variable keeps."""
        rows = self._selection.rows(_NAMING, (as_list(files), json.dumps(list(words)), bound))
        return [
            NamingCall(SymbolId(caller), line, indent, literal, bool(bound), beside)
            for caller, line, indent, literal, bound, beside in rows
        ]

    def call_counts(self, files: Collection[FileId]) -> dict[SymbolId, int]:
        """How many calls stand in each symbol of these files."""
        rows = self._selection.rows(_CALL_COUNTS, (as_list(files),))
        return {SymbolId(caller): count for caller, count in rows}

    def decorations(self, files: Collection[FileId]) -> list[Decoration]:
        """The decorators of symbols of these files."""
        return list(map(Decoration._make, self._selection.rows(_DECORATIONS, (as_list(files),))))

    def users(self, symbols: Iterable[SymbolId]) -> list[Use]:
        """Who runs these: what is used, then its user."""
        return self._uses(_USERS, symbols)

    def used(self, symbols: Iterable[SymbolId]) -> list[Use]:
        """What these run: the user, then what it uses."""
        return self._uses(_USED, symbols)

    def modules_named(self) -> list[tuple[str, FileId]]:
        """The texts, no relative paths, by which files of the project are imported."""
        return cast("list[tuple[str, FileId]]", self._selection.rows(_MODULES_NAMED))

    def handed_on(self, symbols: Iterable[SymbolId]) -> frozenset[SymbolId]:
        """Those of these that the product names without calling them."""
        return frozenset(SymbolId(one) for (one,) in self._selection.rows(_HANDED_ON, (as_list(symbols),)))

    def product_callers(self, symbols: Iterable[SymbolId]) -> dict[SymbolId, int]:
        """How many symbols outside tests call each of these; none that nobody calls."""
        rows = self._selection.rows(_CALLER_COUNTS, (as_list(symbols),))
        return {SymbolId(symbol): count for symbol, count in rows}

    def _uses(self, query: str, symbols: Iterable[SymbolId]) -> list[Use]:
        return cast("list[Use]", self._selection.rows(query, (as_list(symbols),)))
