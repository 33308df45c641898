"""Takes a store from its file into a database and back: whole or not at all, and compared row by row before it counts."""

import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson
from psycopg import sql

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.postgres.connection import SharedConnection
from drift.kernel.postgres.store import SharedStore
from drift.kernel.stores import side_files

_AT_ONCE: Final = 500
_COLUMNS: Final = "SELECT name, pk FROM pragma_table_xinfo(?) WHERE hidden = 0 ORDER BY cid"

Row = tuple[Any, ...]
Convert = Callable[[Any], Any]


class Kept(NamedTuple):
    """How the values of a column that is kept otherwise are read alike from both, and written to each."""

    plain: Convert
    in_file: Convert
    in_database: Convert


class Movable(NamedTuple):
    """A store that can be in either place."""

    name: str
    path: Path
    open_file: Callable[[Path], AbstractContextManager[sqlite3.Connection]]
    shared: SharedStore
    tables: tuple[str, ...] = ()
    """In an order that references allow; all that are in the file where none are named."""
    kept_otherwise: Mapping[tuple[str, str], Kept] = {}
    settle: Callable[[SharedConnection], None] = lambda _connection: None
    """Makes what the database derives from the rows."""


class TableReport(NamedTuple):
    """How many rows a table has, and a digest of all of them, the same in both places."""

    table: str
    rows: int
    digest: str


class StoreReport(NamedTuple):
    """What became of a store; `kept_aside` is the file it was in before."""

    store: str
    tables: tuple[TableReport, ...]
    kept_aside: Path | None = None


class _Table(NamedTuple):
    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    kept: Mapping[int, Kept]

    @property
    def select(self) -> str:
        return f"SELECT {', '.join(self.columns)} FROM {self.name} ORDER BY {', '.join(self.key)}"  # noqa: S608 - of our own tables

    def plain(self, rows: Iterable[Sequence[Any]]) -> Iterator[Row]:
        """Rows in the form in which both places are compared."""
        return self._convert(rows, {place: kept.plain for place, kept in self.kept.items()})

    def _convert(self, rows: Iterable[Sequence[Any]], converts: Mapping[int, Convert]) -> Iterator[Row]:
        for row in rows:
            yield tuple(
                converts[place](value) if place in converts else value for place, value in enumerate(row)
            )

    def for_file(self, rows: Iterable[Sequence[Any]]) -> Iterator[Row]:
        return self._convert(rows, {place: kept.in_file for place, kept in self.kept.items()})

    def for_database(self, rows: Iterable[Sequence[Any]]) -> Iterator[Row]:
        return self._convert(rows, {place: kept.in_database for place, kept in self.kept.items()})


def move_to_database(store: Movable, now: datetime) -> StoreReport | None:
    """Take a store from its file into the database; None where there is no file. The file is kept under another name.

    Who was cut off goes on by calling again: what is there already, row for row, is not taken twice.
    """
    if not os.path.lexists(store.path):
        return None
    with store.open_file(store.path) as source:
        source.execute("BEGIN IMMEDIATE")  # nobody writes what would not be taken along
        tables = _read_tables(source, store)
        with store.shared.writing() as target:
            expected = [_report(table, _from_file(source, table)) for table in tables]
            present = [_report(table, _from_database(target, table)) for table in tables]
            if present != expected:
                _check_empty(store, present)
                for table in tables:
                    _fill_database(source, target, table)
                store.settle(target)
                _check_equal(
                    store, expected, [_report(table, _from_database(target, table)) for table in tables]
                )
        source.execute("ROLLBACK")
        source.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return StoreReport(store.name, tuple(expected), _move_aside(store.path, now))


def move_to_file(store: Movable) -> StoreReport | None:
    """Copy a store from the database into a file of its own; None where the database has none of it."""
    if os.path.lexists(store.path):
        raise DriftError(
            ErrorCode.STORE_UNAVAILABLE,
            f"{store.path} is there already",
            Recovery(hint="Move it away first. Nothing was changed."),
        )
    coming = store.path.with_name(f"{store.path.name}.coming")
    store.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with store.shared.reading() as source:
        if source is None:
            return None
        for each in (coming, *side_files(coming)):
            each.unlink(missing_ok=True)
        with store.open_file(coming) as target:
            tables = _read_tables(target, store)
            expected = [_report(table, _from_database(source, table)) for table in tables]
            target.execute("BEGIN IMMEDIATE")
            for table in tables:
                marks = ", ".join("?" * len(table.columns))
                statement = f"INSERT INTO {table.name} ({', '.join(table.columns)}) VALUES ({marks})"  # noqa: S608 - of our own tables
                target.executemany(statement, table.for_file(_from_database(source, table)))
            _check_equal(store, expected, [_report(table, _from_file(target, table)) for table in tables])
            target.execute("COMMIT")
            target.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    for each in side_files(coming):
        each.unlink(missing_ok=True)
    coming.chmod(0o600)
    coming.replace(store.path)
    return StoreReport(store.name, tuple(expected))


def _read_tables(file: sqlite3.Connection, store: Movable) -> list[_Table]:
    listed = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
    found = []
    for name in store.tables or tuple(row[0] for row in file.execute(listed)):
        rows = file.execute(_COLUMNS, (name,)).fetchall()
        columns = tuple(row[0] for row in rows)
        key = tuple(row[0] for row in sorted(rows, key=lambda row: row[1]) if row[1])
        kept = {
            columns.index(column): each
            for (table, column), each in store.kept_otherwise.items()
            if table == name
        }
        found.append(_Table(name, columns, key, kept))
    return found


def _from_file(file: sqlite3.Connection, table: _Table) -> Iterator[Row]:
    return table.plain(file.execute(table.select))


_cursors: Final = count(1)


def _from_database(connection: SharedConnection, table: _Table) -> Iterator[Row]:
    # Named, so that the server keeps the rows and hands over some at a time.
    with connection.raw.cursor(name=f"rows_{next(_cursors)}") as cursor:
        cursor.itersize = _AT_ONCE
        yield from table.plain(cursor.execute(table.select.encode()))


def _fill_database(source: sqlite3.Connection, target: SharedConnection, table: _Table) -> None:
    names = sql.SQL(", ").join(map(sql.Identifier, table.columns))
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table.name), names)
    with target.raw.cursor() as cursor, cursor.copy(statement) as copy:
        for row in table.for_database(_from_file(source, table)):
            copy.write_row(row)
    for column in table.key:
        # Where the database numbers rows itself, it goes on behind those it got.
        numbered = target.raw.execute(
            "SELECT pg_get_serial_sequence(%s, %s)", (table.name, column)
        ).fetchone()
        if numbered and numbered[0]:
            highest = sql.SQL("SELECT setval({}, max({})) FROM {} HAVING count(*) > 0")
            target.raw.execute(
                highest.format(numbered[0], sql.Identifier(column), sql.Identifier(table.name))
            )


def _report(table: _Table, rows: Iterable[Row]) -> TableReport:
    digest, counted = hashlib.blake2b(digest_size=16), 0
    for row in rows:
        digest.update(orjson.dumps(row, default=bytes.hex))
        counted += 1
    return TableReport(table.name, counted, digest.hexdigest())


def _check_empty(store: Movable, present: Sequence[TableReport]) -> None:
    held = [f"{one.rows} rows of {one.table}" for one in present if one.rows]
    if held:
        raise DriftError(
            ErrorCode.STORE_UNAVAILABLE,
            f"The team's database holds another {store.name} of this project: {', '.join(held)}",
            Recovery(
                hint="Nothing was changed. Export what is in the file and import it, or name another team.project."
            ),
        )


def _check_equal(store: Movable, expected: Sequence[TableReport], found: Sequence[TableReport]) -> None:
    for one, other in zip(expected, found, strict=True):
        if one != other:
            raise DriftError(
                ErrorCode.STORE_UNAVAILABLE,
                f"{one.table} of {store.name} came out otherwise: {other.rows} rows for {one.rows}",
                Recovery(hint="Nothing was changed; the store is where it was."),
            )


def _move_aside(path: Path, now: datetime) -> Path:
    aside = path.with_name(f"{path.name}.moved-{now:%Y%m%dT%H%M%S%f}")
    # Its log first: a file without it would lose more than one with it.
    for each in (*side_files(path), path):
        if os.path.lexists(each):
            each.replace(aside.with_name(aside.name + each.name.removeprefix(path.name)))
    return aside
