"""Which rows of the catalog's store are not what was written: found by a digest of each, left out and named."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from drift.kernel.connections import Connection
from drift.kernel.stores import Migration
from drift.kernel.text import plural

COLUMNS: Final = {
    "audit": "at, actor, action, instruction, before_hash, after_hash, note",
    "usage": "instruction, count, first_seen_at, last_used_at",
    "feedback": "id, at, updated_at, type, severity, status, title, description, context, tags, admin_notes",
}
"""What of each table a digest stands for."""

_KEYS: Final = {"audit": "number", "usage": "instruction", "feedback": "number"}
_DIGEST_BYTES: Final = 12
_MOST_NAMED: Final = 5


def sealed(values: Sequence[Any]) -> tuple[Any, ...]:
    """The values of a row with the digest that is stored beside them."""
    return (*values, _digest(values))


def fill_digests(connection: Connection) -> None:
    """Give every row the digest of what it holds now."""
    for table, columns in COLUMNS.items():
        key = _KEYS[table]
        rows = connection.execute(f"SELECT {key}, {columns} FROM {table}").fetchall()  # noqa: S608 - made of constants
        connection.executemany(
            f"UPDATE {table} SET digest = ? WHERE {key} = ?",  # noqa: S608 - made of constants
            [(_digest(values), found) for found, *values in rows],
        )


def with_digests(script: str) -> Migration:
    """The migration that gives rows their digests."""
    return Migration(script, fill_digests)


class Damage:
    """The rows that were found not to be what was written."""

    def __init__(self) -> None:
        self._found: set[tuple[str, str]] = set()

    def whole(self, table: str, rows: Iterable[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
        """Those of the rows, each with its digest last, that are as they were written; without the digest."""
        for *values, digest in rows:
            if digest == _digest(values):
                yield tuple(values)
            else:
                self._found.add((table, ascii(values[0])[:60].strip("'")))

    def look_through(self, connection: Connection) -> None:
        """Read every row there is."""
        for table, columns in COLUMNS.items():
            rows = connection.execute(f"SELECT {columns}, digest FROM {table}")  # noqa: S608 - made of constants
            for _ in self.whole(table, rows):
                pass

    def say(self) -> tuple[str, ...]:
        """What a reader must know where rows were left out."""
        if not self._found:
            return ()
        named = ", ".join(f"{table} {name}" for table, name in sorted(self._found)[:_MOST_NAMED])
        return (f"{plural(len(self._found), 'row')} of the catalog's store damaged and left out ({named})",)


def _digest(values: Sequence[Any]) -> bytes | None:
    try:
        written = json.dumps(list(values), ensure_ascii=False).encode()
    except (TypeError, UnicodeEncodeError):
        return None  # of a kind that is never written
    return hashlib.blake2b(written, digest_size=_DIGEST_BYTES).digest()
