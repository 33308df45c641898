"""Every table of an index with ids put into words, so that two indexes of the same files compare equal."""

import sqlite3
from collections import Counter
from contextlib import closing

from drift.scan.packing import unpack_facts

_SYMBOL_COLUMNS = {
    "parent_id",
    "symbol_id",
    "target_symbol_id",
    "callee_id",
    "caller_id",
    "overrider_id",
    "method_id",
    "handler_id",
    "router_id",
    "into_id",
}
_WORD_COLUMNS = {
    ("calls", "text"), ("calls", "kind"), ("calls", "outcome"), ("calls", "external_name"),
    ("edges", "reason"), ("refs", "kind"), ("refs", "reason"),
    ("sites", "dimension"), ("sites", "variant"),
}  # fmt: skip
_LEFT_OUT = {("files", "mtime_ns"), ("files", "generation")}


def dump_index(database):
    """Rows of every table as sorted lists; ids of files, symbols and calls become paths, names and numbers."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        known = _Known(connection)
        tables = [
            name
            for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
            if not name.startswith(("search", "sqlite_")) and name not in {"meta", "words"}
        ]
        dumped = {table: _rows(connection, table, known) for table in tables}
        dumped["search"] = sorted(
            known.worded("symbols", "id", row[0])
            for row in connection.execute(
                "SELECT rowid FROM search WHERE search MATCH 'a* OR b* OR c* OR s*'"
            )
        )
    return dumped


def _rows(connection, table, known):
    cursor = connection.execute(f"SELECT * FROM {table}")
    columns = [column[0] for column in cursor.description]
    kept = [(n, column) for n, column in enumerate(columns) if (table, column) not in _LEFT_OUT]
    return sorted(
        tuple(repr(known.worded(table, column, row[n])) for n, column in kept) for row in cursor.fetchall()
    )


class _Known:
    def __init__(self, connection):
        self.paths = dict(connection.execute("SELECT id, path FROM files"))
        self.words = dict(connection.execute("SELECT id, text FROM words"))
        self.symbols = {}
        seen = Counter()
        # A symbol keeps its number over edits, so it is told by its name and, among equals, its place.
        for symbol, kind, qualname in connection.execute(
            "SELECT id, kind, qualname FROM symbols ORDER BY id >> 16, start_byte, end_byte DESC, id"
        ):
            identity = (self.paths[symbol >> 16], kind, qualname)
            self.symbols[symbol] = (*identity, seen[identity])
            seen[identity] += 1

    def worded(self, table, column, value):
        if value is None:
            return None
        if (table, column) in _WORD_COLUMNS:
            return self.words[value]
        if column in _SYMBOL_COLUMNS or (table, column) == ("symbols", "id"):
            return self.symbols[value]
        if column == "call_id" or (table, column) in {
            ("calls", "id"),
            ("call_details", "id"),
            ("fingerprints", "id"),
        }:
            return (self.paths[value >> 20], value & 0xFFFFF) if value else 0
        if column in {"file_id", "target_file_id"} or (table, column) == ("files", "id"):
            return self.paths[value]
        return unpack_facts(value).facts if column == "packed" and value else value
