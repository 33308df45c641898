"""The life of a store's connection: opened when first needed, again when the file was replaced, one at a time."""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum, auto
from pathlib import Path

from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.holding import Hold, Standing, rescue
from drift.memory.storage.connection import begin_writing, open_connection
from drift.memory.storage.damage import StoreConnection
from drift.memory.storage.failures import absent, name_of, replaced, translated, unreachable, unwritable


class _State(Enum):
    IDLE = auto()
    READING = auto()
    WRITING = auto()


class StoreFile:
    """One file, used by all threads of a process in turn. Making one touches no disk and cannot fail."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.before_writing: Callable[[], object] | None = None
        """Makes the surroundings ready that a written file needs; reading leaves them as they are."""
        self._lock = threading.RLock()
        self._connection: StoreConnection | None = None
        self._process: int | None = None
        self._hold: Hold | None = None
        self._refusal: sqlite3.Error | None = None
        self._state = _State.IDLE

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection that sees one state of the store while the block runs. Blocks may be nested."""
        with self._lock, translated(self.path):
            if self._state is not _State.IDLE:
                yield self._present()
                return
            connection = self._open(may_create=False)
            connection.execute("BEGIN")
            self._state = _State.READING
            try:
                yield connection
            finally:
                self._end(connection, "COMMIT")

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction: all that the block does is kept, durably, or after any error nothing of it.

        Blocks may be nested; the outermost one commits. An error that an
        outer block catches takes back what the inner one did.
        """
        with self._lock, translated(self.path):
            if self._state is _State.READING:
                raise DriftError(
                    ErrorCode.INTERNAL_ERROR, "A change was begun inside a reading of the memories"
                )
            if self._state is _State.WRITING:
                with _savepoint(self._present()) as connection:
                    yield connection
                return
            if self.before_writing is not None:
                self.before_writing()
            connection = self._begin_writing()
            self._state = _State.WRITING
            try:
                yield connection
            except BaseException:
                self._end(connection, "ROLLBACK")
                raise
            self._commit(connection)

    @property
    def is_present(self) -> bool:
        """Whether anything is there, or that cannot be seen."""
        try:
            os.lstat(self.path)
        except FileNotFoundError:
            return False
        except OSError:
            return True  # not found and not to be looked for are two things: reading it tells which
        return True

    @property
    def damaged(self) -> tuple[str, ...]:
        """The ids of rows found damaged since the file was opened."""
        with self._lock:
            return tuple(self._connection.notes.damaged.values()) if self._connection is not None else ()

    def close(self) -> None:
        """Let go of the file. The next use opens it again."""
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            # A connection made before a fork belongs to the other process: closing it would drop its locks.
            self._connection = None
            self._process = self._hold = None
            self._refusal = None

    def _begin_writing(self) -> StoreConnection:
        try:
            return self._open_for_writing()
        except sqlite3.OperationalError as error:
            if not name_of(error).startswith("SQLITE_READONLY"):
                raise
        # It was opened when the file could only be read, and keeps to that; the file may be writable by now.
        self.close()
        return self._open_for_writing()

    def _open_for_writing(self) -> StoreConnection:
        connection = self._open(may_create=True)
        if self._refusal is not None:
            raise unwritable(self.path, self._refusal)
        begin_writing(connection)
        return connection

    def _present(self) -> StoreConnection:
        assert self._connection is not None
        return self._connection

    def _open(self, *, may_create: bool) -> StoreConnection:
        try:
            return self._open_or_keep(may_create=may_create)
        except OSError as error:
            raise unreachable(self.path, error) from error

    def _open_or_keep(self, *, may_create: bool) -> StoreConnection:
        # One that only reads sees nothing of what others write from now on, nor that writing is possible again.
        is_whole = self._refusal is None and self._process == os.getpid()
        if self._connection is not None and self._hold is not None and is_whole:
            standing = self._hold.look()
            if standing is Standing.SAME:
                return self._connection
            rescue(self._connection, self.path, standing)
        self.close()
        try:
            self.path.stat()  # raises for a place that cannot be looked into, which is not one without a store
        except FileNotFoundError:
            if not may_create:
                raise absent(self.path) from None
        self._connection, self._refusal = open_connection(self.path, may_create=may_create)
        self._process, self._hold = os.getpid(), Hold(self.path)
        return self._connection

    def _commit(self, connection: sqlite3.Connection) -> None:
        try:
            connection.execute("COMMIT")
        except BaseException:
            self._end(connection, "ROLLBACK")
            raise
        self._state = _State.IDLE
        # Only now it shows whether the file that was written is still there: nobody hears of a save that is not.
        standing = self._hold.look() if self._hold is not None else Standing.SAME
        if standing is Standing.SAME:
            return
        try:
            is_kept = rescue(connection, self.path, standing)
        except OSError as error:
            raise unreachable(self.path, error) from error
        finally:
            self.close()
        if not is_kept:
            raise replaced(self.path)

    def _end(self, connection: sqlite3.Connection, how: str) -> None:
        self._state = _State.IDLE
        try:
            # After some errors, such as a full disk, SQLite has rolled back by itself.
            if connection.in_transaction:
                connection.execute(how)
        except sqlite3.Error:
            # Its state is not known any more; SQLite recovers when the file is opened again.
            self.close()
            raise


@contextmanager
def _savepoint(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    connection.execute("SAVEPOINT inner")
    try:
        yield connection
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK TO inner")
            connection.execute("RELEASE inner")
        raise
    connection.execute("RELEASE inner")
