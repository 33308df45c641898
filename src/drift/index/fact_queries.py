"""Questions about what stands in the code: imports, references, constants, environment, entry points."""

import json
import re
from typing import Any, Final

from drift.index.ids import FileId, SymbolId, calls_of_file, symbols_of_file
from drift.index.link_words import word_text
from drift.index.records import (
    CallDetailRecord,
    ConstantRecord,
    ConstructRecord,
    EntryPointRecord,
    EnvironmentReadRecord,
    FieldRecord,
    GuardRecord,
    HandlingRecord,
    ImportRecord,
    MemberRecord,
    ReferenceRecord,
    SymbolRecord,
)
from drift.index.selection import Selection
from drift.index.symbol_queries import COLUMN_COUNT, COLUMNS

_WORDS: Final = frozenset({("refs", "kind"), ("refs", "reason")})


def _located(table: str, record: type[Any]) -> str:
    """A query for the fields of a record, the path joined from the file of its symbol."""
    columns = ", ".join(_column(table, name) for name in record._fields)
    return f"SELECT {columns} FROM {table} JOIN files ON files.id = {table}.symbol_id >> 16"  # noqa: S608 - our own names


def _column(table: str, name: str) -> str:
    if name == "path":
        return "files.path"
    if name == "confidence":
        return f"{table}.confidence / 10000.0"
    return word_text(f"{table}.{name}") if (table, name) in _WORDS else f"{table}.{name}"


_IMPORTS: Final = _located("imports", ImportRecord)
_REFERENCES: Final = _located("refs", ReferenceRecord)
_CONSTANTS: Final = _located("constants", ConstantRecord)
_READ_TABLES: Final = ("environment_reads", "setting_reads")

_IMPORTS_OF_FILE: Final = f"{_IMPORTS} WHERE imports.symbol_id BETWEEN ? AND ? ORDER BY imports.position"
_IN_ORDER: Final = "ORDER BY imports.symbol_id, imports.position LIMIT ?"
_IMPORTERS_OF_FILE: Final = f"{_IMPORTS} WHERE imports.target_file_id = ? {_IN_ORDER}"
_IMPORTERS_OF_SYMBOL: Final = f"{_IMPORTS} WHERE imports.target_symbol_id = ? {_IN_ORDER}"
_IMPORTERS_OF_PACKAGE: Final = f"{_IMPORTS} WHERE imports.external_package = ? {_IN_ORDER}"
_PACKAGES: Final = """
    SELECT external_package, count(*) FROM imports INDEXED BY imports_by_package
    WHERE external_package IS NOT NULL GROUP BY external_package ORDER BY count(*) DESC, external_package
"""
_REFERENCES_TO: Final = f"""
    {_REFERENCES} WHERE refs.target_symbol_id = ? ORDER BY refs.symbol_id, refs.position LIMIT ?
"""
_REFERENCES_IN: Final = f"{_REFERENCES} WHERE refs.symbol_id = ? ORDER BY refs.position"
_CONSTANTS_OF_FILE: Final = f"""
    {_CONSTANTS} WHERE constants.symbol_id BETWEEN ? AND ? ORDER BY constants.position
"""
# The plus keeps SQLite from putting the value into the other condition, which would then use no index.
_CONSTANTS_EQUAL: Final = f"""
    {_CONSTANTS} WHERE substr(constants.value, -8) = substr(?1, -8) AND +constants.value = ?1
    ORDER BY constants.symbol_id, constants.position LIMIT ?2
"""
_CONSTANTS_NAMED: Final = f"""
    {_CONSTANTS} WHERE constants.name = ? ORDER BY constants.symbol_id, constants.position LIMIT ?
"""
_READS_OF: Final = {
    table: f"{_located(table, EnvironmentReadRecord)} WHERE {table}.name = ? ORDER BY {table}.symbol_id, {table}.position"
    for table in _READ_TABLES
}
_ALL_READS: Final = {
    table: f"{_located(table, EnvironmentReadRecord)} ORDER BY {table}.name, {table}.symbol_id, {table}.position"
    for table in _READ_TABLES
}
_ENTRY_COLUMNS: Final = """
    entry_points.kind, entry_points.detail, entry_points.line, entry_points.symbol_id, entry_points.position
"""
_ENTRY_POINTS: Final = f"""
    SELECT {COLUMNS}, {_ENTRY_COLUMNS} FROM entry_points
    LEFT JOIN handlers USING (symbol_id, position)
    CROSS JOIN symbols ON symbols.id = coalesce(handlers.handler_id, entry_points.symbol_id)
    JOIN files ON files.id = symbols.file_id
"""  # noqa: S608 - our own names
# Pages that a browser shows by itself are kept as routes with a method of their own, and are no requests to a server.
_ENTRIES_OF_KIND: Final = f"""
    {_ENTRY_POINTS} WHERE entry_points.kind = iif(?1 = 'page', 'http', ?1)
        AND (entry_points.method IS 'PAGE') = (?1 = 'page')
        AND (entry_points.symbol_id, entry_points.position) > (?2, ?3)
    ORDER BY entry_points.symbol_id, entry_points.position LIMIT ?4
"""
_ENTRIES_AT: Final = f"""
    {_ENTRY_POINTS} WHERE entry_points.symbol_id = ?1 AND handlers.handler_id IS NULL
    UNION ALL
    SELECT {COLUMNS}, {_ENTRY_COLUMNS} FROM handlers
    CROSS JOIN entry_points USING (symbol_id, position)
    CROSS JOIN symbols ON symbols.id = handlers.handler_id
    JOIN files ON files.id = symbols.file_id
    WHERE handlers.handler_id = ?1
"""  # noqa: S608 - our own names
# What is said of the route; of the handler, the class around it and those above; where the router is mounted.
_ROUTE_GUARDS: Final = """
    WITH RECURSIVE frontier (id, depth) AS (
        SELECT id, 0 FROM symbols WHERE id = ?3
        UNION SELECT parent_id, depth + 1 FROM frontier JOIN symbols USING (id)
            WHERE parent_id & 65535 <> 0 AND depth < 8
        UNION SELECT target_symbol_id, depth + 1 FROM frontier JOIN bases ON bases.symbol_id = frontier.id
            WHERE target_symbol_id IS NOT NULL AND depth < 8
    ), found AS (SELECT id, min(depth) AS depth FROM frontier GROUP BY id)
    SELECT 'mount', value, ?1, NULL, 0 AS place, json_each.id AS part
        FROM entry_points, json_each(guards) WHERE symbol_id = ?1 AND position = ?2
    UNION ALL
    SELECT how, text, symbol_id, line, 1, position FROM guards WHERE symbol_id = ?1 AND entry = ?2
    UNION ALL
    SELECT how, text, symbol_id, line, 2 + depth, position
        FROM found CROSS JOIN guards ON guards.symbol_id = found.id WHERE entry IS NULL
    UNION ALL
    SELECT 'decorator', text, symbol_id, line, 2 + depth, position
        FROM found CROSS JOIN decorators ON decorators.symbol_id = found.id
    ORDER BY place, part
"""
_ENTRY_COUNTS: Final = "SELECT kind, count(*) FROM entry_points GROUP BY kind ORDER BY kind"
_HANDLINGS: Final = """
    SELECT symbol_id, line, end_line, kind, types, is_empty, variable, traits FROM handlings
    WHERE symbol_id BETWEEN ? AND ? ORDER BY position
"""
_CONSTRUCTS: Final = """
    SELECT symbol_id, kind, line, end_line, start_byte, end_byte, detail FROM constructs
    WHERE symbol_id BETWEEN ? AND ? ORDER BY position
"""
_FIELDS: Final = """
    SELECT fields.symbol_id, symbols.name, fields.type, fields.is_optional, fields.wire_name, fields.column_name
    FROM symbols CROSS JOIN fields ON fields.symbol_id = symbols.id
    WHERE symbols.parent_id = ? ORDER BY symbols.start_byte
"""
_MEMBERS: Final = "SELECT symbol_id, line, key, value FROM members WHERE symbol_id = ? ORDER BY position"
_CALL_DETAILS: Final = (
    "SELECT id, traits, keyword, literal FROM call_details WHERE id BETWEEN ? AND ? ORDER BY id"
)


# permission_classes = []: nothing stands there.
_NOTHING: Final = re.compile(r"=\s{0,4}(?:\[\s{0,4}\]|\(\s{0,4}\)|None)$")
_WRAPPER: Final = "wrapper"


def _is_handler(guard: GuardRecord, handler: SymbolRecord) -> bool:
    """Whether what seems to wrap a handler is what answers: `e.GET("/files", serve(folder))` of Go."""
    return guard.how == _WRAPPER and guard.text.rpartition(".")[2] == handler.name


class FactQueries:
    """Questions about what stands in the code. Lists are by file and place unless said."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def imports_of(self, file: FileId) -> list[ImportRecord]:
        """What a file imports."""
        return self._imports(_IMPORTS_OF_FILE, *symbols_of_file(file))

    def importers_of_file(self, file: FileId, *, limit: int = 1_000) -> list[ImportRecord]:
        """The imports that lead to a file."""
        return self._imports(_IMPORTERS_OF_FILE, file, limit)

    def importers_of_symbol(self, symbol: SymbolId, *, limit: int = 1_000) -> list[ImportRecord]:
        """The imports that lead to a symbol."""
        return self._imports(_IMPORTERS_OF_SYMBOL, symbol, limit)

    def importers_of_package(self, package: str, *, limit: int = 1_000) -> list[ImportRecord]:
        """The imports from a package outside the project."""
        return self._imports(_IMPORTERS_OF_PACKAGE, package, limit)

    def external_packages(self) -> dict[str, int]:
        """How many imports there are from each package outside the project, most first."""
        return dict(self._selection.rows(_PACKAGES))

    def references_to(self, symbol: SymbolId, *, limit: int = 1_000) -> list[ReferenceRecord]:
        """The uses of a symbol that are no calls."""
        rows = self._selection.rows(_REFERENCES_TO, (symbol, limit))
        return list(map(ReferenceRecord._make, rows))

    def references_in(self, symbol: SymbolId) -> list[ReferenceRecord]:
        """The uses of other symbols that stand in this one and are no calls."""
        return list(map(ReferenceRecord._make, self._selection.rows(_REFERENCES_IN, (symbol,))))

    def constants_of(self, file: FileId) -> list[ConstantRecord]:
        """The literals of a file."""
        return self._constants(_CONSTANTS_OF_FILE, *symbols_of_file(file))

    def constants_equal_to(self, value: str, *, limit: int = 1_000) -> list[ConstantRecord]:
        """The places where a literal has this value."""
        return self._constants(_CONSTANTS_EQUAL, value, limit)

    def constants_named(self, name: str, *, limit: int = 1_000) -> list[ConstantRecord]:
        """The literals that are the value of a constant of this name."""
        return self._constants(_CONSTANTS_NAMED, name, limit)

    def environment_reads(self, name: str | None = None) -> list[EnvironmentReadRecord]:
        """The reads of one environment variable, or of all, by name."""
        return self._reads("environment_reads", name)

    def setting_reads(self, name: str | None = None) -> list[EnvironmentReadRecord]:
        """The reads of one setting of a configuration, or of all, by name."""
        return self._reads("setting_reads", name)

    def members_of(self, symbol: SymbolId) -> list[MemberRecord]:
        """What a constant list or table holds, in order."""
        return list(map(MemberRecord._make, self._selection.rows(_MEMBERS, (symbol,))))

    def entry_points(
        self, kind: str, *, after: tuple[int, int] = (-1, -1), limit: int = 100
    ) -> list[EntryPointRecord]:
        """Entry points of a kind, `page` for what a browser's router shows; `after` is (registered_at, position) of the last one seen."""
        return self._entry_points(_ENTRIES_OF_KIND, kind, *after, limit)

    def entry_points_at(self, symbol: SymbolId) -> list[EntryPointRecord]:
        """In which ways a symbol is an entry point; empty if it is none."""
        return self._entry_points(_ENTRIES_AT, symbol)

    def guards_of(self, entry: EntryPointRecord) -> list[GuardRecord]:
        """What stands before the handler of a route: middleware, guards, filters, dependencies, decorators.

        The outermost come first. Decorators are all there are, those that make the route among them.
        """
        values = (entry.registered_at, entry.position, entry.symbol.id)
        found = (GuardRecord(*row[:4]) for row in self._selection.rows(_ROUTE_GUARDS, values))
        return [one for one in found if not _is_handler(one, entry.symbol) and not _NOTHING.search(one.text)]

    def guards_at(self, symbol: SymbolId) -> list[GuardRecord]:
        """What stands before whatever leads to a symbol: at itself, the type around it and those above."""
        return [GuardRecord(*row[:4]) for row in self._selection.rows(_ROUTE_GUARDS, (-1, -1, symbol))]

    def entry_point_counts(self) -> dict[str, int]:
        """How many entry points there are of each kind."""
        return dict(self._selection.rows(_ENTRY_COUNTS))

    def handlings_of(self, file: FileId) -> list[HandlingRecord]:
        """The try regions, handlers and throws of a file."""
        rows = self._selection.rows(_HANDLINGS, symbols_of_file(file))
        return [
            HandlingRecord(symbol, line, end, kind, tuple(json.loads(types or "[]")), bool(is_empty), *rest)
            for symbol, line, end, kind, types, is_empty, *rest in rows
        ]

    def constructs_of(self, file: FileId) -> list[ConstructRecord]:
        """The loops, resources, casts, texts put together and their like of a file."""
        return list(map(ConstructRecord._make, self._selection.rows(_CONSTRUCTS, symbols_of_file(file))))

    def fields_of(self, symbol: SymbolId) -> list[FieldRecord]:
        """The fields of a type of which more is said than their names."""
        return [
            FieldRecord(field, name, written, bool(is_optional), *names)
            for field, name, written, is_optional, *names in self._selection.rows(_FIELDS, (symbol,))
        ]

    def call_details_of(self, file: FileId) -> list[CallDetailRecord]:
        """What there is to say of the calls of a file beside what they call."""
        return list(map(CallDetailRecord._make, self._selection.rows(_CALL_DETAILS, calls_of_file(file))))

    def _imports(self, query: str, *values: Any) -> list[ImportRecord]:
        found = map(ImportRecord._make, self._selection.rows(query, values))
        return [
            each._replace(
                is_reexport=bool(each.is_reexport),
                is_type_only=bool(each.is_type_only),
                is_external=bool(each.is_external),
            )
            for each in found
        ]

    def _constants(self, query: str, *values: Any) -> list[ConstantRecord]:
        return list(map(ConstantRecord._make, self._selection.rows(query, values)))

    def _reads(self, table: str, name: str | None) -> list[EnvironmentReadRecord]:
        rows = (
            self._selection.rows(_ALL_READS[table])
            if name is None
            else self._selection.rows(_READS_OF[table], (name,))
        )
        return [
            EnvironmentReadRecord(
                symbol, path, line, name, default, None if is_required is None else bool(is_required)
            )
            for symbol, path, line, name, default, is_required in rows
        ]

    def _entry_points(self, query: str, *values: Any) -> list[EntryPointRecord]:
        rows = self._selection.rows(query, values)
        return [EntryPointRecord(SymbolRecord._make(row[:COLUMN_COUNT]), *row[COLUMN_COUNT:]) for row in rows]
