"""The catalog's own store: changes made, uses counted, feedback heard."""

import sqlite3
from contextlib import AbstractContextManager
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from drift.catalog.damage import Damage, with_digests
from drift.kernel.connections import Connection
from drift.kernel.precious import Layout, PreciousStore
from drift.kernel.sharing import place_of
from drift.kernel.stores import Migration


class Journal:
    """The store `catalog.db`, and what of it was found damaged."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._store = PreciousStore(path, LAYOUT)
        self.damage = Damage()

    def reading(self) -> AbstractContextManager[Connection]:
        """The connection, for reading. Raises STORE_UNAVAILABLE. Where there is no store, an empty one in memory."""
        return self._store.reading()

    def writing(self) -> AbstractContextManager[Connection]:
        """The connection in a transaction that is on disk when the block has ended."""
        return self._store.writing()

    @property
    def place(self) -> str:
        """Where it is, for a person."""
        shared = place_of(self.path)
        return str(self.path) if shared is None else f"{shared.schema} of the team's database"

    def measure(self, connection: Connection) -> int:
        """How many bytes it takes; 0 where there is none."""
        if isinstance(connection, sqlite3.Connection):
            return self.path.stat().st_size if self.path.exists() else 0
        return int(connection.execute("SELECT pg_total_relation_size('feedback')").fetchone()[0])

    def check(self) -> tuple[str, ...]:
        """What is damaged of all that the store holds. Raises STORE_UNAVAILABLE where it cannot be read."""
        problems = self._store.find_problems()
        with self.reading() as connection:
            self.damage.look_through(connection)
        return (*problems, *self.damage.say())

    def close(self) -> None:
        """Give the file up; the next use opens it again."""
        self._store.close()


def _migrations() -> tuple[Migration, ...]:
    return (with_digests(_script("journal_digests.sql")),)


@cache
def _script(name: str) -> str:
    return files("drift.catalog").joinpath(name).read_text(encoding="utf-8")


LAYOUT: Final = Layout("the catalog's store", lambda: _script("journal.sql"), _migrations)
