"""Opens a memory store: durable, patient with other processes, and wary of what lies there."""

import os
import sqlite3
import stat
from pathlib import Path
from typing import Final, NamedTuple

from drift.kernel.stores import keep_journal
from drift.memory.storage.damage import StoreConnection
from drift.memory.storage.failures import BUSY_SECONDS, ReadOnlyStoreError, StrangeStoreError, absent, name_of
from drift.memory.storage.schema import check_tables, migrate, newest_version, version_of

_MOST_VALUE_BYTES: Final = 10_000_000
_KEPT_LOG_BYTES: Final = 4_000_000
_CACHE_KIB: Final = 8_000
# What SQLite says where it may not or cannot make the files that a WAL store is read with.
_UNWRITABLE: Final = ("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_FULL", "SQLITE_IOERR_SHM")


class Opened(NamedTuple):
    """A connection, and why it only reads; None where it writes as well, as far as that shows before a try."""

    connection: StoreConnection
    refusal: sqlite3.Error | None = None


def open_connection(path: Path, *, may_create: bool) -> Opened:
    """A connection in autocommit mode to the store at `path`, with the newest tables.

    Where the file or its folder cannot be written or the disk is full, it reads only. Raises sqlite3.Error or
    OSError, and CORTEX_UNAVAILABLE when there is none and none may be made.
    """
    if not os.path.lexists(path):
        if not may_create:
            raise absent(path)
        path.parent.mkdir(parents=True, exist_ok=True)
    # A pipe or a device under this name would be waited for.
    elif not stat.S_ISREG(path.stat().st_mode):
        raise StrangeStoreError("it is not a regular file")
    # Before SQLite finds out: it would leave files beside the store that nobody may write either.
    elif not os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
        refusal = ReadOnlyStoreError("the file may not be written")
        return Opened(_open_for_reading(path, refusal), refusal)
    try:
        return Opened(_open_for_writing(path, may_create=may_create))
    except sqlite3.OperationalError as error:
        if not name_of(error).startswith(_UNWRITABLE) or not path.is_file():
            raise
        return Opened(_open_for_reading(path, error), error)


def begin_writing(connection: sqlite3.Connection) -> None:
    """Begin a transaction that can write. Raises SQLITE_READONLY now rather than at its first change."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Where the file was opened to be read, SQLite begins a transaction that reads, and does not tell.
        connection.execute("DELETE FROM sessions WHERE 0")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _open_for_writing(path: Path, *, may_create: bool) -> StoreConnection:
    connection = _connect(path, "mode=rwc" if may_create else "mode=rw")
    try:
        # Before anything is changed: a stranger's file stays as it is.
        connection.execute("BEGIN")
        check_tables(connection)
        connection.execute("COMMIT")
        # Only now, when nothing but our own triggers and checks is there: they use the word index and JSON,
        # which a schema that is not trusted may not.
        connection.execute("PRAGMA trusted_schema = ON")
        keep_journal(connection, timeout_seconds=BUSY_SECONDS)
        # FULL: the disk has confirmed a save before its caller hears of it.
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA journal_size_limit = {_KEPT_LOG_BYTES}").fetchone()
        connection.execute("PRAGMA foreign_keys = ON")
        migrate(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _open_for_reading(path: Path, cause: sqlite3.Error) -> StoreConnection:
    # Without a journal nothing is pending, and the file alone is the whole store. One that was left behind is
    # read with the file that was left beside it, or not at all.
    journal = path.with_name(path.name + "-wal")
    is_pending = journal.exists() and journal.stat().st_size > 0
    connection = _connect(path, "mode=ro" if is_pending else "immutable=1")
    try:
        check_tables(connection)
        if version_of(connection) != newest_version():
            raise cause  # it would have to be migrated first
        connection.execute("PRAGMA query_only = ON")
    except BaseException:
        connection.close()
        raise
    return connection


def _connect(path: Path, how: str) -> StoreConnection:
    # as_uri percent-encodes: a "?" or "#" in a folder's name must not read as options.
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?{how}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        factory=StoreConnection,
    )
    try:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_VALUE_BYTES)
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
    except BaseException:
        connection.close()
        raise
    return connection
