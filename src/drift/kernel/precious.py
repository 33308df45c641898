"""A store of what is nowhere else: opened when needed, written whole or not at all, put back where it was deleted."""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.kernel.connections import Connection
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.holding import Hold, Standing, rescue
from drift.kernel.sharing import Place, place_of
from drift.kernel.stores import ForeignStoreError, Migration, check_tables, keep_journal, open_store

if TYPE_CHECKING:
    from drift.kernel.postgres.store import SharedStore

_BUSY_SECONDS: Final = 10.0
_RETRY_MS: Final = 2_000
_MOST_PROBLEMS: Final = 3


class Layout(NamedTuple):
    """What a store is called where it fails, its first tables, and how they changed since."""

    name: str
    schema: Callable[[], str]
    migrations: Callable[[], Sequence[Migration]] = tuple

    def check(self, connection: sqlite3.Connection) -> None:
        """Raise ForeignStoreError where a file, such as a backup, holds other tables than these."""
        check_tables(connection, self.schema(), self.migrations())


class PreciousStore:
    """One connection to a store, opened when it is first needed, for one thread at a time; or a store that a team shares."""

    def __init__(self, path: Path, layout: Layout) -> None:
        self.path = path
        self._layout = layout
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._hold: Hold | None = None
        place = place_of(path)
        self._shared = None if place is None else share_precious(place, path, layout)

    @property
    def is_present(self) -> bool:
        """Whether anything was ever kept here."""
        return os.path.lexists(self.path) if self._shared is None else self._shared.is_present

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """The connection, for reading. Raises STORE_UNAVAILABLE. Where there is no store, an empty one in memory."""
        if self._shared is not None:
            with self._shared.reading() as shared:
                if shared is not None:
                    yield shared
                    return
            with self._empty() as empty:
                yield empty
            return
        with self._lock, self._translated():
            if self._connection is not None or os.path.lexists(self.path):
                yield self._open()
                return
            with self._empty() as empty:
                yield empty

    @contextmanager
    def _empty(self) -> Iterator[Connection]:
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as empty:
            for script in (self._layout.schema(), *(each.script for each in self._layout.migrations())):
                empty.executescript(script)
            yield empty

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """The connection in a transaction that is on disk when the block has ended."""
        if self._shared is not None:
            with self._shared.writing() as shared:
                yield shared
            return
        with self._lock, self._translated():
            connection = self._open()
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            self._confirm(connection)

    def find_problems(self) -> tuple[str, ...]:
        """What SQLite finds damaged. Raises STORE_UNAVAILABLE where the store cannot be read."""
        if self._shared is not None:
            with self._shared.reading():
                return ()  # its pages are PostgreSQL's to look after
        with self.reading() as connection:
            problems = [row[0] for row in connection.execute(f"PRAGMA quick_check({_MOST_PROBLEMS})")]
        return tuple(f"{self._layout.name} is damaged: {each}" for each in problems if each != "ok")

    def close(self) -> None:
        """Give the file up; the next use opens it again."""
        with self._lock:
            if self._connection is not None:  # none of a store that is shared
                self._connection.close()
                self._connection = self._hold = None

    def _open(self) -> sqlite3.Connection:
        if self._connection is not None and self._hold is not None:
            standing = self._hold.look()
            if standing is not Standing.SAME:
                rescue(self._connection, self.path, standing)
                self.close()
        if self._connection is None:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            connection = open_store(
                self.path,
                self._layout.schema(),
                timeout_seconds=_BUSY_SECONDS,
                migrations=self._layout.migrations(),
            )
            try:
                # One damaged text must not fail the reading of the others.
                connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
                keep_journal(connection, timeout_seconds=_BUSY_SECONDS)
                # FULL: the disk has confirmed a line before its caller hears of it.
                connection.execute("PRAGMA synchronous = FULL")
            except sqlite3.Error:
                connection.close()
                raise
            self._connection, self._hold = connection, Hold(self.path)
        return self._connection

    def _confirm(self, connection: sqlite3.Connection) -> None:
        """Raise unless what was just committed is in the file that others find: nobody hears of a line that is lost."""
        standing = self._hold.look() if self._hold is not None else Standing.SAME
        if standing is Standing.SAME:
            return
        is_kept = rescue(connection, self.path, standing)
        self.close()
        if not is_kept:
            raise OSError("it was replaced by another file while it was written; nothing was saved")

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise _unavailable(self._layout.name, self.path, error) from error


def share_precious(
    place: Place, path: Path, layout: Layout, *, is_beside_file: bool = False
) -> "SharedStore":
    """The store in a team's database."""
    from drift.kernel.postgres.dialect import translate_tables  # only where a team shares stores
    from drift.kernel.postgres.store import SharedLayout, SharedStore, Tables

    def steps() -> tuple[Tables, ...]:
        return (
            Tables(translate_tables(layout.schema()), lambda _connection: None),
            *(Tables(translate_tables(each.script), each.fill) for each in layout.migrations()),
        )

    shared = SharedLayout(ErrorCode.STORE_UNAVAILABLE, cache(steps))
    return SharedStore(place, path, shared, is_beside_file=is_beside_file)


def _unavailable(name: str, path: Path, error: sqlite3.Error | OSError) -> DriftError:
    cause = getattr(error, "sqlite_errorname", "")
    if isinstance(error, ForeignStoreError):
        hint = "Move the file away if it is not yours; Drift neither uses nor changes it."
    elif cause.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        hint = "Another process is writing. Call again in a moment."
    else:
        hint = "Check that the file and its folder may be written and have space left; then call again."
    return DriftError(
        ErrorCode.STORE_UNAVAILABLE,
        f"{name[0].upper()}{name[1:]} {path} cannot be used: {error}",
        Recovery(
            hint=hint,
            retry_after_ms=_RETRY_MS if cause.startswith("SQLITE_BUSY") else None,
            details={"cause": cause or None},
        ),
    )
