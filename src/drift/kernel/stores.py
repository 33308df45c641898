"""Drift's own SQLite files, opened so that a file somebody else put there can do no harm.

A repository may bring a file of the same name along. A view or a trigger in it could run for ever or change
what is written, so a file is used only when its tables are exactly ours.
"""

import os
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from drift.kernel.connections import Connection

SIDE_FILES: Final = ("-wal", "-shm", "-journal")
"""What SQLite puts after a database's name for the files that belong to it."""
# READONLY is also what a database with another page size says.
_NO_SOUND_DATABASE: Final = ("SQLITE_NOTADB", "SQLITE_CORRUPT", "SQLITE_READONLY", "SQLITE_CANTOPEN")
_MOST_VALUE_BYTES: Final = 10_000_000
_RETRY_SECONDS: Final = 0.02
_OTHER_TABLES: Final = "it holds other tables than Drift's"
_LATER_VERSION: Final = "a later version of Drift wrote it"
_OBJECTS: Final = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name"


class ForeignStoreError(sqlite3.DatabaseError):
    """The file holds other tables than ours: it is a stranger's, or of another version of Drift."""


class Migration(NamedTuple):
    """A change of the tables, and what it does to the rows there are."""

    script: str
    fill: Callable[[Connection], None]


def open_store(
    path: Path, schema: str, *, timeout_seconds: float, migrations: Sequence[Migration] = ()
) -> sqlite3.Connection:
    """A connection in autocommit mode to the store at `path`, made with `schema` and all migrations if it is new.

    `PRAGMA user_version` is the number of migrations that ran. Raises sqlite3.Error: ForeignStoreError when the file's
    tables are not exactly those of its version.
    """
    # A pipe or a device under this name would be waited for.
    if os.path.lexists(path) and not stat.S_ISREG(path.stat().st_mode):
        raise ForeignStoreError("it is not a regular file")
    connection = sqlite3.connect(path, timeout=timeout_seconds, isolation_level=None, check_same_thread=False)
    try:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_VALUE_BYTES)
        connection.execute("PRAGMA trusted_schema = OFF")
        _settle_schema(connection, schema, migrations)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def keep_journal(connection: sqlite3.Connection, *, timeout_seconds: float) -> None:
    """Set the file to WAL. SQLite does not wait here for a process that is setting it too, so this does."""
    deadline = time.monotonic() + timeout_seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError as error:
            is_busy = (getattr(error, "sqlite_errorname", None) or "").startswith("SQLITE_BUSY")
            if not is_busy or time.monotonic() > deadline:
                raise
            time.sleep(_RETRY_SECONDS)
        else:
            return


def check_tables(connection: sqlite3.Connection, schema: str, migrations: Sequence[Migration] = ()) -> None:
    """Raise ForeignStoreError unless the tables are exactly those of the version the file says it has."""
    scripts = (schema, *(each.script for each in migrations))
    if _version_of(connection) > len(migrations):
        raise ForeignStoreError(_LATER_VERSION)
    expected = _objects_of(scripts[: _version_of(connection) + 1])
    if _read_objects(connection, len(expected)) != expected:
        raise ForeignStoreError(_OTHER_TABLES)


def is_unsound(error: sqlite3.DatabaseError) -> bool:
    """Whether it says that a file is no sound database; a lock or a full disk says nothing of that."""
    return error.sqlite_errorname.startswith(_NO_SOUND_DATABASE)


def side_files(path: Path) -> list[Path]:
    """Where SQLite keeps what belongs to a database and is not in its file."""
    return [path.with_name(path.name + ending) for ending in SIDE_FILES]


def remove_store(path: Path) -> None:
    """Delete a database and what belongs to it: a log that stays would be read as that of the next one."""
    for each in (path, *side_files(path)):
        each.unlink(missing_ok=True)


def split_statements(script: str) -> Iterator[str]:
    """The statements of a script one by one: executescript would commit the transaction they are to belong to."""
    pending = ""
    for part in script.split(";")[:-1]:
        pending += f"{part};"
        if sqlite3.complete_statement(pending):
            yield pending
            pending = ""


def _settle_schema(connection: sqlite3.Connection, schema: str, migrations: Sequence[Migration]) -> None:
    scripts = (schema, *(each.script for each in migrations))
    newest = _objects_of(scripts)
    if _version_of(connection) > len(migrations):
        raise ForeignStoreError(_LATER_VERSION)
    if not _read_objects(connection, len(newest)):
        _in_turn(connection, lambda: _create(connection, scripts))
    while (version := _version_of(connection)) < len(migrations):
        if _read_objects(connection, len(newest)) != _objects_of(scripts[: version + 1]):
            break
        _in_turn(connection, lambda: _migrate(connection, migrations))
    if _read_objects(connection, len(newest)) != newest:
        raise ForeignStoreError(_OTHER_TABLES)


def _in_turn(connection: sqlite3.Connection, change: Callable[[], None]) -> None:
    """All of a change or nothing: of two processes that come here at once, the second finds what the first did."""
    with connection:  # commits, or undoes all
        connection.execute("BEGIN IMMEDIATE")
        change()


def _create(connection: sqlite3.Connection, scripts: Sequence[str]) -> None:
    if not _read_objects(connection, 0):
        for script in scripts:
            _run(connection, script)
        _set_version(connection, len(scripts) - 1)


def _migrate(connection: sqlite3.Connection, migrations: Sequence[Migration]) -> None:
    version = _version_of(connection)  # again: whoever held the lock before may have done it
    if version < len(migrations):
        _run(connection, migrations[version].script)
        migrations[version].fill(connection)
        _set_version(connection, version + 1)


def _run(connection: sqlite3.Connection, script: str) -> None:
    for statement in split_statements(script):
        connection.execute(statement)


def _version_of(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _set_version(connection: sqlite3.Connection, version: int) -> None:
    connection.execute(f"PRAGMA user_version = {version}")


def _read_objects(connection: sqlite3.Connection, most: int) -> list[tuple[str, str, str]]:
    return connection.execute(_OBJECTS).fetchmany(most + 1)


@cache
def _objects_of(scripts: tuple[str, ...]) -> list[tuple[str, str, str]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        for script in scripts:
            connection.executescript(script)
        return connection.execute(_OBJECTS).fetchall()
