"""A connection to PostgreSQL that is used as SQLite's is."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import psycopg
from psycopg.abc import Buffer
from psycopg.adapt import Loader

from drift.kernel.connections import RowNotes, Rows
from drift.kernel.postgres.address import scrub
from drift.kernel.postgres.dialect import translate

Raw = psycopg.Connection[tuple[Any, ...]]

_CONNECT_SECONDS: Final = 5
# A machine that is gone says nothing: after so long without a word the connection counts as lost.
_SILENCE_MS: Final = 15_000


class _Number(Loader):
    """Sums of integers are `numeric`; they are integers here, and averages floats."""

    def load(self, data: Buffer) -> int | float:
        text = bytes(data).decode()
        return int(text) if text.lstrip("-").isdigit() else float(text)


class SharedConnection:
    """Runs the statements of a store."""

    def __init__(self, raw: Raw, notes: RowNotes) -> None:
        self.raw = raw
        self.notes = notes

    def execute(self, sql: str, parameters: Sequence[Any] = (), /) -> Rows:
        text, is_numbered = translate(sql)
        checked = _checked(parameters)
        values = _by_place(checked) if is_numbered else checked
        # The texts are constants of the stores with their marks changed; every value is bound.
        return self.raw.execute(text.encode(), values)

    def executemany(self, sql: str, parameters: Iterable[Sequence[Any]], /) -> Rows:
        text, is_numbered = translate(sql)
        cursor = self.raw.cursor()
        if is_numbered:
            cursor.executemany(text.encode(), [_by_place(_checked(each)) for each in parameters])
        else:
            cursor.executemany(text.encode(), [_checked(each) for each in parameters])
        return cursor


def connect(address: str) -> Raw:
    """A new connection, in autocommit mode. Raises psycopg.Error, with nothing secret in its words."""
    try:
        raw = psycopg.connect(
            address,
            autocommit=True,
            # Through a pool such as PgBouncer, what one statement prepares another may not find.
            prepare_threshold=None,
            connect_timeout=_CONNECT_SECONDS,
            application_name="drift",
            tcp_user_timeout=_SILENCE_MS,
            client_encoding="UTF8",
        )
    except psycopg.Error as error:
        # Without the cause: its words, which a log would show, are those of the driver.
        raise type(error)(scrub(str(error), address)) from None
    raw.adapters.register_loader("numeric", _Number)
    return raw


def _checked(values: Sequence[Any]) -> tuple[Any, ...]:
    """The values, of which no integer is one that SQLite would refuse: PostgreSQL would compare it as another type."""
    if any(type(value) is int and not -(2**63) <= value < 2**63 for value in values):
        raise OverflowError
    return tuple(values)


def _by_place(values: Sequence[Any]) -> dict[str, Any]:
    return {str(place): value for place, value in enumerate(values, start=1)}
