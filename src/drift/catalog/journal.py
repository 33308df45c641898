"""The catalog's own store: changes made, uses counted, feedback heard."""

from contextlib import AbstractContextManager
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from drift.catalog.damage import Damage, with_digests
from drift.kernel.connections import Connection
from drift.kernel.precious import Layout, PreciousStore
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
