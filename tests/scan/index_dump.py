"""Every table of an index with ids put into words, so that two indexes of the same files compare equal."""

import sqlite3
from contextlib import closing

_SYMBOL_COLUMNS = {"parent_id", "symbol_id", "target_symbol_id", "callee_id", "caller_id"}
_LEFT_OUT = {("files", "mtime_ns"), ("meta", "*")}


def dump_index(database):
    """Rows of every table as sorted lists; file, symbol and call ids become path and number."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        paths = dict(connection.execute("SELECT id, path FROM files"))
        tables = [
            name
            for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
            if not name.startswith(("search", "sqlite_")) and name != "meta"
        ]
        dumped = {table: _rows(connection, table, paths) for table in tables}
        dumped["search"] = sorted(
            _worded("symbols", "id", row[0], paths)
            for row in connection.execute(
                "SELECT rowid FROM search WHERE search MATCH 'a* OR b* OR c* OR s*'"
            )
        )
    return dumped


def _rows(connection, table, paths):
    cursor = connection.execute(f"SELECT * FROM {table}")
    columns = [column[0] for column in cursor.description]
    kept = [(n, column) for n, column in enumerate(columns) if (table, column) not in _LEFT_OUT]
    return sorted(
        tuple(repr(_worded(table, column, row[n], paths)) for n, column in kept) for row in cursor.fetchall()
    )


def _worded(table, column, value, paths):
    if value is None:
        return None
    if column in _SYMBOL_COLUMNS or (table, column) == ("symbols", "id"):
        return (paths[value >> 16], value & 0xFFFF)
    if column == "call_id" or (table, column) == ("calls", "id"):
        return (paths[value >> 20], value & 0xFFFFF) if value else 0
    if column in {"file_id", "target_file_id"} or (table, column) == ("files", "id"):
        return paths[value]
    return value
