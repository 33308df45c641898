"""The statements that write and delete rows, made from the row types so that neither can drift apart."""

from typing import Final

from drift.index import document_rows, rows

# Tables by the way their rows name the file they belong to: what stands here is deleted by key ranges.
FACTS_BY_SYMBOL: Final = (
    "decorators",
    "constants",
    "members",
    "environment_reads",
    "setting_reads",
    "handlings",
    "constructs",
    "elements",
    "markup_bindings",
    "fields",
    "entry_points",
    "guards",
)
FACTS_BY_FILE: Final = ("comments", "sites", "documents", "document_items", "file_facts")
LINKS_BY_SYMBOL: Final = ("imports", "bases", "refs", "handlers", "routers", "mounts")


def _insert(table: str, columns: tuple[str, ...]) -> str:
    marks = ", ".join("?" * len(columns))
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"  # noqa: S608 - our own names


def _delete(table: str, column: str) -> str:
    return f"DELETE FROM {table} WHERE {column} BETWEEN ? AND ?"  # noqa: S608 - our own names


INSERT_FILE: Final = _insert("files", rows.FileRow._fields)
INSERT_PACKED: Final = _insert("file_facts", ("file_id", "packed", "provides"))
INSERT_SEARCH: Final = _insert("search", rows.SearchRow._fields)
# FTS5's own way to delete from a table that keeps no content: the same words once more.
DELETE_SEARCH: Final = (
    "INSERT INTO search (search, rowid, name, qualname, path, doc) VALUES ('delete', ?, ?, ?, ?, ?)"
)

# The fields of FileRows and LinkRows that hold rows, each with its statement.
INSERT_FACTS: Final = {
    "symbols": _insert("symbols", rows.SymbolRow._fields),
    "decorators": _insert("decorators", rows.DecoratorRow._fields),
    "constants": _insert("constants", rows.ConstantRow._fields),
    "members": _insert("members", rows.MemberRow._fields),
    "environment_reads": _insert("environment_reads", rows.EnvironmentReadRow._fields),
    "setting_reads": _insert("setting_reads", rows.EnvironmentReadRow._fields),
    "comments": _insert("comments", rows.CommentRow._fields),
    "handlings": _insert("handlings", rows.HandlingRow._fields),
    "entry_points": _insert("entry_points", rows.EntryPointRow._fields),
    "guards": _insert("guards", rows.GuardRow._fields),
    "fingerprints": _insert("fingerprints", rows.FingerprintRow._fields),
    "constructs": _insert("constructs", rows.ConstructRow._fields),
    "call_details": _insert("call_details", rows.CallDetailRow._fields),
    "fields": _insert("fields", rows.FieldRow._fields),
    "sites": _insert("sites", rows.SiteRow._fields),
    "elements": _insert("elements", document_rows.ElementRow._fields),
    "markup_bindings": _insert("markup_bindings", document_rows.MarkupBindingRow._fields),
    "documents": _insert("documents", document_rows.DocumentRow._fields),
    "document_items": _insert("document_items", document_rows.DocumentItemRow._fields),
}
INSERT_LINKS: Final = {
    "imports": _insert("imports", rows.ImportRow._fields),
    "bases": _insert("bases", rows.BaseRow._fields),
    "calls": _insert("calls", rows.CallRow._fields),
    "edges": _insert("edges", rows.EdgeRow._fields),
    "references": _insert("refs", rows.ReferenceRow._fields),
    "overrides": _insert("overrides", rows.OverrideRow._fields),
    "handlers": _insert("handlers", rows.HandlerRow._fields),
    "routers": _insert("routers", rows.RouterRow._fields),
    "mounts": _insert("mounts", rows.MountRow._fields),
}

# Each takes the first and the last key of the file's range: of symbols, of files, of calls or fingerprints.
DELETE_FACTS_BY_SYMBOL: Final = (
    *(_delete(table, "symbol_id") for table in FACTS_BY_SYMBOL),
    _delete("symbols", "id"),
)
DELETE_FACTS_BY_FILE: Final = (
    *(_delete(table, "file_id") for table in FACTS_BY_FILE),
    _delete("files", "id"),
)
DELETE_LINKS_BY_SYMBOL: Final = (
    *(_delete(table, "symbol_id") for table in LINKS_BY_SYMBOL),
    _delete("edges", "caller_id"),
    _delete("overrides", "overrider_id"),
)
DELETE_CALLS: Final = _delete("calls", "id")
DELETE_CALL_DETAILS: Final = _delete("call_details", "id")
DELETE_FINGERPRINTS: Final = _delete("fingerprints", "id")

# What a search row was made from.
SEARCHED_SYMBOLS: Final = """
    SELECT symbols.id, kind, name, qualname, path, doc
    FROM symbols JOIN files ON files.id = symbols.file_id
    WHERE symbols.id BETWEEN ? AND ?
"""

# They leave a row alone that says so already: what changes nothing writes nothing.
RESTAMP_FILE: Final = """
    UPDATE files SET size = ?1, mtime_ns = ?2, role = ?3
    WHERE id = ?4 AND (size, mtime_ns, role) IS NOT (?1, ?2, ?3)
"""
SET_STATUS: Final = """
    UPDATE files SET status = ?1, problem = ?2 WHERE id = ?3 AND (status, problem) IS NOT (?1, ?2)
"""
FORGET_STAMP: Final = "UPDATE files SET hash = '', mtime_ns = 0 WHERE id = ?1"
# A time that no file has: whoever compares by it finds another one.
FORGET_TIMES: Final = f"UPDATE files SET mtime_ns = {-(1 << 62)}"  # noqa: S608 - a number
SET_TRACES: Final = "UPDATE file_facts SET traces = ?1 WHERE file_id = ?2 AND traces IS NOT ?1"

SET_GENERATION: Final = "UPDATE files SET generation = ?1 WHERE id = ?2"
SET_EVERY_GENERATION: Final = "UPDATE files SET generation = ?1"

ANY_LINK: Final = """
    SELECT EXISTS (SELECT 1 FROM imports) OR EXISTS (SELECT 1 FROM bases) OR EXISTS (SELECT 1 FROM calls)
        OR EXISTS (SELECT 1 FROM edges) OR EXISTS (SELECT 1 FROM refs) OR EXISTS (SELECT 1 FROM overrides)
"""
SYMBOLS_OF_FILE: Final = "SELECT id FROM symbols WHERE id BETWEEN ? AND ?"
