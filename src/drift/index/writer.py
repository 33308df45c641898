"""Writes the index: a whole new one, or a change of the present one, each visible at once or not at all."""

import os
import sqlite3
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from drift.index import statements
from drift.index.binding import bind, is_bound
from drift.index.connection import open_for_build, open_for_update
from drift.index.engine import engine_digest
from drift.index.failures import foreign, missing, outdated, translated, unbound
from drift.index.layers import Layer
from drift.index.meta import next_generation, read_binding, write_meta
from drift.index.publish import publish, remove_strangers
from drift.index.reader import IndexReader
from drift.index.schema import SCHEMA_VERSION, create_indexes, create_tables, has_our_schema
from drift.index.state import read_index_state
from drift.index.transaction import IndexTransaction
from drift.kernel.errors import DriftError
from drift.kernel.files import locked
from drift.kernel.stores import remove_store

_DEFAULT_WAIT_SECONDS: Final = 60.0
_NEW_FILE: Final = (
    os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
)  # Windows has no such flag


class IndexWriter:
    """The one writer of an index, among all processes, while its `with` block runs.

    Another one waits `wait_seconds` for its turn, then gives up with STORE_UNAVAILABLE. In the block any
    number of rebuilds and updates may follow each other, such as one that brings symbols and one that
    brings the links:

        with IndexWriter(path) as writer:
            with writer.rebuild({Layer.FILES, Layer.SYMBOLS}) as transaction:
                transaction.add_file(rows)
            with writer.update({Layer.FILES, Layer.SYMBOLS, Layer.CALLS}) as transaction:
                transaction.set_links(links)
    """

    def __init__(
        self,
        path: Path,
        *,
        wait_seconds: float = _DEFAULT_WAIT_SECONDS,
        while_waiting: Callable[[], None] | None = None,
        now_ns: Callable[[], int] = time.time_ns,
        rules: str = "",
    ) -> None:
        self._path = path
        self._rules = rules
        self._now_ns = now_ns
        self._lock: AbstractContextManager[None] = locked(
            path, timeout_seconds=wait_seconds, while_waiting=while_waiting
        )
        self._generation = 0

    @property
    def path(self) -> Path:
        """Where the index is that it writes."""
        return self._path

    def __enter__(self) -> Self:
        self._lock.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.__exit__(kind, error, trace)

    def find_problem(self) -> DriftError | None:
        """Why the present index cannot be updated and must be rebuilt, or None."""
        try:
            with translated(self._path), closing(self._open_present()):
                return None
        except DriftError as error:
            return error

    @contextmanager
    def rebuild(
        self, layers: Collection[Layer], *, scanned_at_ns: int | None = None
    ) -> Iterator[IndexTransaction]:
        """A transaction on a new, empty index, which takes the old one's place when the block ends well.

        `scanned_at_ns` is when the look at the files began, for what changed after it may be missed;
        without it, the end of the block.
        """
        building = self._path.with_name(f"{self._path.name}.building")
        try:
            # Errors of the block itself are its own, so each step of ours is translated by itself.
            with translated(self._path):
                connection = _create(building)
            with closing(connection):
                transaction = IndexTransaction(connection, self._path, is_new=True)
                yield transaction
                with translated(self._path):
                    create_indexes(connection)
                    self._describe(connection, layers, scanned_at_ns, engine=engine_digest())
                    transaction.stamp(self._generation)
                    connection.execute("COMMIT")
            with translated(self._path):
                publish(building, self._path)
        finally:
            building.unlink(missing_ok=True)

    @contextmanager
    def update(
        self, layers: Collection[Layer], *, scanned_at_ns: int | None = None
    ) -> Iterator[IndexTransaction]:
        """A transaction on the present index; readers see all of it when the block ends well.

        One that changes nothing and brings no layer leaves the file as it is, also its time and generation.
        Raises SCAN_REQUIRED or STORE_UNAVAILABLE when there is no index that can be updated.
        """
        with translated(self._path):
            connection = self._open_present()
        # Closing without a commit undoes all.
        with closing(connection):
            with translated(self._path):
                connection.execute("BEGIN IMMEDIATE")
            transaction = IndexTransaction(connection, self._path, is_new=False)
            untouched = connection.total_changes
            yield transaction
            # What changes nothing is no new state, and need not be written.
            if connection.total_changes == untouched and self._has_layers(layers):
                return
            with translated(self._path):
                transaction.complete()
                self._describe(connection, layers, scanned_at_ns)
                transaction.stamp(self._generation)
                connection.execute("COMMIT")

    @contextmanager
    def copy(self, source: IndexReader) -> Iterator[Self]:
        """A writer of a copy of another index, which takes the place of the present one when the block ends well.

        The copy is bound to this place and says of no file when it was changed, so that an update compares the
        content of each. Whatever is wrong with the other index shows as SCAN_REQUIRED or STORE_UNAVAILABLE.
        """
        building = self._path.with_name(f"{self._path.name}.building")
        try:
            with translated(self._path):
                _create_empty(building)
                with closing(open_for_build(building)) as connection:
                    source.copy_to(connection)
                self._take_over(building)
            yield type(self)(building, now_ns=self._now_ns, rules=self._rules)
            with translated(self._path):
                publish(building, self._path)
        finally:
            remove_store(building)

    def _take_over(self, copied: Path) -> None:
        """Make an index that was copied here one of this place, and of a later state than any before."""
        with closing(open_for_update(copied)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            ((theirs,),) = connection.execute("SELECT value FROM meta WHERE key = 'generation'")
            present = read_index_state(self._path).generation
            generation = next_generation(max(present, int(theirs)), self._now_ns())
            described = {**bind(copied), "generation": str(generation)}
            connection.executemany("UPDATE meta SET value = ?2 WHERE key = ?1", described.items())
            connection.execute(statements.FORGET_TIMES)
            connection.execute(statements.SET_EVERY_GENERATION, (generation,))
            connection.execute("COMMIT")

    def _open_present(self) -> sqlite3.Connection:
        remove_strangers(self._path)
        if not self._path.exists():
            raise missing(self._path)
        connection = open_for_update(self._path)
        try:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version != SCHEMA_VERSION:
                raise outdated(self._path, version, SCHEMA_VERSION)
            if not has_our_schema(connection):
                raise foreign(self._path)
            if not is_bound(self._path, read_binding(connection)):
                raise unbound(self._path)
        except BaseException:
            connection.close()
            raise
        return connection

    def _has_layers(self, layers: Collection[Layer]) -> bool:
        return read_index_state(self._path).layers == frozenset(layers)

    def _describe(
        self,
        connection: sqlite3.Connection,
        layers: Collection[Layer],
        scanned_at_ns: int | None,
        *,
        engine: str | None = None,
    ) -> None:
        now_ns = self._now_ns()
        previous = max(self._generation, read_index_state(self._path).generation)
        self._generation = next_generation(previous, now_ns)
        write_meta(
            connection,
            self._generation,
            layers=layers,
            scanned_at_ns=scanned_at_ns or now_ns,
            binding=bind(self._path),
            engine=engine,
            rules=self._rules,
        )


def _create_empty(building: Path) -> None:
    # The lock is ours, so what stands there was left by a scan that was killed.
    remove_store(building)
    os.close(os.open(building, _NEW_FILE, 0o666))


def _create(building: Path) -> sqlite3.Connection:
    _create_empty(building)
    connection = open_for_build(building)
    connection.execute("BEGIN")
    create_tables(connection)
    return connection
