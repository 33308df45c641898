"""Opens an index for reading or writing, trusting neither its content nor its surroundings."""

import sqlite3
import stat
from pathlib import Path

_BUSY_TIMEOUT_SECONDS = 1.0
_WRITE_TIMEOUT_SECONDS = 5.0
_KEPT_LOG_BYTES = 4_000_000
_BUILD_CACHE_KIB = 32_000
_UPDATE_CACHE_KIB = 16_000
_MOST_VALUE_BYTES = 10_000_000
_CANNOT_WRITE = frozenset({"SQLITE_CANTOPEN", "SQLITE_READONLY_DIRECTORY", "SQLITE_READONLY_CANTINIT"})


def open_readonly(path: Path) -> sqlite3.Connection:
    """A connection that cannot write. Raises sqlite3.Error when the file cannot be opened.

    The file may have come with a stranger's repository, so its schema is not trusted to call functions
    and no value may be huge.
    """
    # A pipe or device under this name would be waited for.
    if not stat.S_ISREG(path.stat().st_mode):
        raise sqlite3.OperationalError("not a regular file")
    try:
        return _connect(path, "mode=ro")
    except sqlite3.OperationalError as error:
        # In a directory that cannot be written, SQLite cannot make the files a WAL index is read with.
        # Without a journal nothing is pending, and the file alone is the whole index.
        if error.sqlite_errorname not in _CANNOT_WRITE or _has_journal(path):
            raise
        return _connect(path, "immutable=1")


def _connect(path: Path, how: str) -> sqlite3.Connection:
    # as_uri percent-encodes: a "?" or "#" in a directory's name must not read as options.
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?{how}", uri=True, timeout=_BUSY_TIMEOUT_SECONDS, check_same_thread=False
    )
    try:
        _guard(connection)
        connection.execute("PRAGMA schema_version")  # the first real read: it finds what open() does not
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _has_journal(path: Path) -> bool:
    return any(path.with_name(path.name + ending).exists() for ending in ("-wal", "-journal"))


def open_for_update(path: Path) -> sqlite3.Connection:
    """A connection that writes into an index in place, as one transaction at a time the caller begins.

    Raises sqlite3.Error when the file is no database or cannot be written.
    """
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=_WRITE_TIMEOUT_SECONDS, isolation_level=None
    )
    try:
        _guard(connection)
        connection.execute("PRAGMA journal_mode = WAL").fetchone()
        connection.execute("PRAGMA synchronous = NORMAL")
        # Else a log keeps the size of the largest change, which is that of a whole index.
        connection.execute(f"PRAGMA journal_size_limit = {_KEPT_LOG_BYTES}").fetchone()
        # Overwriting what is deleted with zeros, some builds' default, doubles the work of an update.
        connection.execute("PRAGMA secure_delete = OFF")
        # With SQLite's own 2 MB a large update reads and writes the same pages again and again.
        connection.execute(f"PRAGMA cache_size = -{_UPDATE_CACHE_KIB}")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def open_for_build(path: Path) -> sqlite3.Connection:
    """A connection that fills an empty file fast and unsafely: after a crash the file is worth nothing."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        _guard(connection)
        connection.execute("PRAGMA journal_mode = OFF").fetchone()
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA locking_mode = EXCLUSIVE").fetchone()
        connection.execute(f"PRAGMA cache_size = -{_BUILD_CACHE_KIB}")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _guard(connection: sqlite3.Connection) -> None:
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_VALUE_BYTES)
    connection.execute("PRAGMA trusted_schema = OFF")
