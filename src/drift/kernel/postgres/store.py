"""The life of a store in PostgreSQL: tables made when first needed, blocks that read one state, writers in turn."""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import psycopg
from psycopg.pq import TransactionStatus

from drift.kernel.connections import Connection, RowNotes
from drift.kernel.data_files import read_data
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.postgres.address import is_schema_name, show_address
from drift.kernel.postgres.connection import Raw, SharedConnection
from drift.kernel.postgres.failures import NewerTablesError, translated, unconfirmed
from drift.kernel.postgres.pool import pool_of
from drift.kernel.sharing import Place

# A block that hangs must not keep the others of a team waiting.
_LIMITS: Final = (
    "SET LOCAL lock_timeout = '10s'; SET LOCAL statement_timeout = '120s'; "
    "SET LOCAL idle_in_transaction_session_timeout = '120s'"
)
# A server that confirms before its disk has would lose what was acknowledged.
_DURABLE: Final = (
    "SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off'"
)
_READ: Final = "REPEATABLE READ READ ONLY"
_WRITE: Final = f"READ COMMITTED; {_DURABLE}"
_TAKE_TURN: Final = "UPDATE stores SET changes = changes + 1 WHERE name = %s RETURNING version"
_ready: Final[set[tuple[Place, int]]] = set()


class Tables(NamedTuple):
    """A step that brings the tables of a store to their next version, and what it does to the rows there are."""

    script: str
    fill: Callable[[Connection], None]


class SharedLayout(NamedTuple):
    """The tables of a store, the first version first, and the code its errors have."""

    code: ErrorCode
    steps: Callable[[], Sequence[Tables]]


class _Block(threading.local):
    """What a thread is in the middle of."""

    connection: SharedConnection | None = None
    is_writing: bool = False


class SharedStore:
    """One store of one project, used by any number of threads and processes. Making one asks nobody."""

    def __init__(
        self, place: Place, file: Path, layout: SharedLayout, *, is_beside_file: bool = False
    ) -> None:
        """`is_beside_file` for who takes a store from the one to the other: else a file that is there is refused."""
        assert is_schema_name(place.schema)
        self._is_beside_file = is_beside_file
        self.place = place
        self.path = file
        self.notes = RowNotes()
        self._layout = layout
        self._block = _Block()

    @property
    def is_present(self) -> bool:
        """Whether its tables are there. Raises as reading does."""
        if self._block.connection is not None or self._is_ready:
            return True
        with self._translated(), self._begun(_READ) as raw:
            is_there = self._read_version(raw) is not None
            raw.execute("COMMIT")
            return is_there

    @contextmanager
    def reading(self) -> Iterator[SharedConnection | None]:
        """A connection that sees one state while the block runs; None where nothing was ever kept. Blocks may be nested."""
        if self._block.connection is not None:
            yield self._block.connection
            return
        with self._translated(), self._begun(_READ) as raw:
            if not self._is_ready and self._read_version(raw) is None:
                yield None
                return
            with self._running(raw, is_writing=False) as connection:
                yield connection
            raw.execute("COMMIT")

    @contextmanager
    def writing(self) -> Iterator[SharedConnection]:
        """A transaction: all that the block does is kept, durably, or after any error nothing of it.

        Blocks may be nested; the outermost one commits. An error that an outer block catches takes back what the inner
        one did.
        """
        if self._block.connection is not None:
            if not self._block.is_writing:
                raise DriftError(ErrorCode.INTERNAL_ERROR, "A change was begun inside a reading of the store")
            with self._translated(), _savepoint(self._block.connection):
                yield self._block.connection
            return
        with self._translated():
            self._prepare()
            with self._begun(_WRITE) as raw:
                raw.execute(_TAKE_TURN, (self.place.store,))
                with self._running(raw, is_writing=True) as connection:
                    yield connection
                self._commit(raw)

    @property
    def is_running(self) -> bool:
        """Whether this thread is inside a block."""
        return self._block.connection is not None

    @property
    def _is_ready(self) -> bool:
        return (self.place, len(self._layout.steps())) in _ready

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            with translated(self.place.address, self._layout.code):
                yield
        except DriftError as error:
            if isinstance(error.__cause__, psycopg.errors.UndefinedTable):
                _ready.discard((self.place, len(self._layout.steps())))
            raise

    @contextmanager
    def _begun(self, how: str) -> Iterator[Raw]:
        if not self._is_beside_file and os.path.lexists(self.path):
            raise _unmigrated(self.path, self.place, self._layout.code)
        begin = (
            f"BEGIN ISOLATION LEVEL {how}; {_LIMITS}; SET LOCAL search_path = {self.place.schema}, pg_temp"
        )
        with pool_of(self.place.address).begun(begin) as raw:
            yield raw

    @contextmanager
    def _running(self, raw: Raw, *, is_writing: bool) -> Iterator[SharedConnection]:
        self._block.connection, self._block.is_writing = SharedConnection(raw, self.notes), is_writing
        try:
            yield self._block.connection
        finally:
            self._block.connection, self._block.is_writing = None, False

    def _commit(self, raw: Raw) -> None:
        try:
            raw.execute("COMMIT")
        except psycopg.OperationalError as error:
            raise unconfirmed(self.place.address, self._layout.code, error) from error

    def _read_version(self, raw: Raw) -> int | None:
        """The version of the tables; None where there are none of this store. Notes when they are as they should be."""
        stores = f"{self.place.schema}.stores"
        (found,) = raw.execute("SELECT to_regclass(%s)::text", (stores,)).fetchone() or (None,)
        row = (
            found
            and raw.execute("SELECT version FROM stores WHERE name = %s", (self.place.store,)).fetchone()
        )
        if not row:
            return None
        newest = len(self._layout.steps())
        if row[0] > newest:
            raise NewerTablesError(f"version {row[0]}; this one knows {newest}")
        if row[0] == newest:
            _ready.add((self.place, newest))
        return int(row[0])

    def _prepare(self) -> None:
        """Make the tables, or bring them to the newest version; of two processes the second finds what the first did."""
        if self._is_ready:
            return
        schema, name = self.place.schema, self.place.store
        with self._begun(_WRITE) as raw:
            raw.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (f"drift {schema}",))
            (is_there,) = raw.execute("SELECT to_regnamespace(%s) IS NOT NULL", (schema,)).fetchone() or (
                None,
            )
            if not is_there:
                raw.execute(f"CREATE SCHEMA {schema}".encode())
            (has_stores,) = raw.execute(
                "SELECT to_regclass(%s) IS NOT NULL", (f"{schema}.stores",)
            ).fetchone() or (None,)
            if not has_stores:
                raw.execute(read_data("drift.kernel.postgres", "prelude.sql").encode())
            raw.execute("INSERT INTO stores VALUES (%s, 0, 0) ON CONFLICT (name) DO NOTHING", (name,))
            version = self._read_version(raw) or 0
            for step in self._layout.steps()[version:]:
                raw.execute(step.script.encode())
                step.fill(SharedConnection(raw, self.notes))
            newest = len(self._layout.steps())
            raw.execute("UPDATE stores SET version = %s WHERE name = %s", (newest, name))
            raw.execute("COMMIT")
        _ready.add((self.place, newest))


def read_changes(place: Place) -> str:
    """How often a store was changed; empty where it was never used."""
    begin = f"BEGIN READ ONLY; {_LIMITS}; SET LOCAL search_path = {place.schema}, pg_temp"
    with translated(place.address, ErrorCode.STORE_UNAVAILABLE), pool_of(place.address).begun(begin) as raw:
        try:
            row = raw.execute("SELECT changes FROM stores WHERE name = %s", (place.store,)).fetchone()
        except psycopg.errors.UndefinedTable:
            row = None
        return str(row[0]) if row else ""


def forget_ready() -> None:
    """Look at the tables of every store again."""
    _ready.clear()


@contextmanager
def _savepoint(connection: SharedConnection) -> Iterator[None]:
    raw = connection.raw
    raw.execute("SAVEPOINT inner_block")
    try:
        yield
    except BaseException:
        if raw.info.transaction_status in {TransactionStatus.INTRANS, TransactionStatus.INERROR}:
            raw.execute("ROLLBACK TO SAVEPOINT inner_block")
        raise
    raw.execute("RELEASE SAVEPOINT inner_block")


def _unmigrated(file: Path, place: Place, code: ErrorCode) -> DriftError:
    return DriftError(
        code,
        f"{file} is still there, and the team's database {show_address(place.address)} is to be used in its place",
        Recovery(
            hint="Take it over into the database, or move the file away.",
            command="drift admin migrate-to-postgres",
        ),
    )
