"""The store's tables: numbered migrations, each run once in a transaction of its own.

`PRAGMA user_version` is the number of the last one that ran. To change the tables, add migrations/NNNN.sql and
a dump of a store of the version before to tests/memory/versions; a migration that shipped is never edited.
"""

import sqlite3
from contextlib import closing
from functools import cache
from typing import Final

from drift.kernel.data_files import read_data
from drift.kernel.stores import split_statements
from drift.memory.storage.failures import NewerStoreError, StrangeStoreError
from drift.memory.storage.rows import fill_digests, fill_words

_OBJECTS: Final = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name"
# FTS5 makes these itself, perhaps in other words in another version of SQLite.
_OWN_TABLES_OF_FTS: Final = frozenset(f"memory_words_{part}" for part in ("config", "data", "docsize", "idx"))

_NEWEST: Final = 3
"""The number of the last file in migrations."""
_WITH_DIGESTS: Final = 2
_WITH_UNMARKED_WORDS: Final = 3
DIGEST_COLUMN: Final = "digest BLOB"
"""What the second migration adds; the store salvage reads from may be too damaged to run it."""

_Objects = list[tuple[str, str, str]]


@cache
def migrations() -> tuple[str, ...]:
    """The SQL of all migrations, the first one first."""
    return tuple(
        read_data("drift.memory.storage", f"migrations/{number:04}.sql") for number in range(1, _NEWEST + 1)
    )


def newest_version() -> int:
    """The version a store has after all migrations."""
    return len(migrations())


def version_of(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the tables to the newest version, one migration at a time.

    Raises NewerStoreError and StrangeStoreError for a file that is not ours to change. Another process that
    migrates at the same time is waited for, and what it did is not done twice.
    """
    while version_of(connection) < newest_version():
        connection.execute("BEGIN IMMEDIATE")
        try:
            _run_next(connection)
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")
    check_tables(connection)


def check_tables(connection: sqlite3.Connection) -> None:
    """Raise unless the tables, triggers and indexes are exactly those of the version the file says it is."""
    version = version_of(connection)
    if version > newest_version():
        raise NewerStoreError(f"version {version}; this one knows {newest_version()}")
    expected = _objects_of(version)
    found = connection.execute(_OBJECTS).fetchmany(len(expected) + 1)
    if _comparable(found) != _comparable(expected):
        raise StrangeStoreError("its tables are not those Drift makes")


def _run_next(connection: sqlite3.Connection) -> None:
    version = version_of(connection)  # again: whoever held the lock before may have done it
    if version >= newest_version():
        return
    check_tables(connection)
    for statement in split_statements(migrations()[version]):
        connection.execute(statement)
    if version + 1 == _WITH_DIGESTS:
        fill_digests(connection)
    if version + 1 == _WITH_UNMARKED_WORDS:
        fill_words(connection)
    connection.execute(f"PRAGMA user_version = {version + 1}")


@cache
def _objects_of(version: int) -> _Objects:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        for script in migrations()[:version]:
            connection.executescript(script)
        return connection.execute(_OBJECTS).fetchall()


def _comparable(objects: _Objects) -> _Objects:
    return [
        (kind, name, "" if name in _OWN_TABLES_OF_FTS and sql.count("(") == 1 else sql)
        for kind, name, sql in objects
    ]
