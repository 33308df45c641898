"""Drift's own SQLite files, opened so that a file somebody else put there can do no harm.

A repository may bring a file of the same name along. A view or a trigger in it could run for ever or change
what is written, so a file is used only when its tables are exactly ours.
"""

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Final

_MOST_VALUE_BYTES: Final = 10_000_000
_OBJECTS: Final = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name"


class ForeignStoreError(sqlite3.DatabaseError):
    """The file holds other tables than ours: it is a stranger's, or of another version of Drift."""


def open_store(path: Path, schema: str, *, timeout_seconds: float) -> sqlite3.Connection:
    """A connection in autocommit mode to the store at `path`, made with `schema` if it is new.

    Raises sqlite3.Error: ForeignStoreError when the file's tables are not exactly those of `schema`.
    """
    # A pipe or a device under this name would be waited for.
    if os.path.lexists(path) and not stat.S_ISREG(path.stat().st_mode):
        raise ForeignStoreError("it is not a regular file")
    connection = sqlite3.connect(path, timeout=timeout_seconds, isolation_level=None, check_same_thread=False)
    try:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_VALUE_BYTES)
        connection.execute("PRAGMA trusted_schema = OFF")
        _settle_schema(connection, schema)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def split_statements(script: str) -> Iterator[str]:
    """The statements of a script one by one: executescript would commit the transaction they are to belong to."""
    pending = ""
    for part in script.split(";")[:-1]:
        pending += f"{part};"
        if sqlite3.complete_statement(pending):
            yield pending
            pending = ""


def _settle_schema(connection: sqlite3.Connection, schema: str) -> None:
    expected = _objects_of(schema)
    if not _read_objects(connection, len(expected)):
        _create(connection, schema)
    if _read_objects(connection, len(expected)) != expected:
        raise ForeignStoreError("it holds other tables than Drift's")


def _create(connection: sqlite3.Connection, schema: str) -> None:
    """Make the tables, unless another process does: of two that come here at once, the second finds those of the first."""
    with connection:  # commits, or undoes all
        connection.execute("BEGIN IMMEDIATE")
        if not _read_objects(connection, 0):
            for statement in split_statements(schema):
                connection.execute(statement)


def _read_objects(connection: sqlite3.Connection, most: int) -> list[tuple[str, str, str]]:
    return connection.execute(_OBJECTS).fetchmany(most + 1)


@cache
def _objects_of(schema: str) -> list[tuple[str, str, str]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(schema)
        return connection.execute(_OBJECTS).fetchall()
