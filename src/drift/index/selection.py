"""Runs the reader's queries: rows out, errors of SQLite translated, values that no index holds refused."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from drift.index.failures import translated

Value = str | int | float | None


class Selection:
    """A read-only connection as the queries use it."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path

    def rows(self, query: str, values: Sequence[Value] | dict[str, Value] = ()) -> list[tuple[Any, ...]]:
        """All rows of the query."""
        with translated(self._path):
            try:
                return self._connection.execute(query, values).fetchall()
            except (OverflowError, UnicodeEncodeError):
                # A number beyond 64 bits or a text that UTF-8 cannot hold: nothing in the index equals it.
                return []

    def each(self, query: str) -> Iterator[tuple[Any, ...]]:
        """The rows of the query one after the other, for when all at once would be too much to hold."""
        with translated(self._path):
            yield from self._connection.execute(query)

    def row(self, query: str, values: Sequence[Value] | dict[str, Value] = ()) -> tuple[Any, ...] | None:
        """The first row of the query, or None."""
        return next(iter(self.rows(query, values)), None)


def as_list(ids: Iterable[int]) -> str:
    """Many ids as one value, for json_each."""
    return f"[{','.join(map(str, ids))}]"
