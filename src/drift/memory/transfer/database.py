"""The memories of a project on their way into a team's database, and back."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import orjson

from drift.kernel.postgres.transfer import Kept, Movable
from drift.kernel.sharing import Place
from drift.memory.storage import postings
from drift.memory.storage.connection import open_connection
from drift.memory.storage.failures import translated, unwritable
from drift.memory.storage.life import share_memories
from drift.memory.storage.log import pack, unpack

_TABLES: Final = ("memories", "links", "edges", "usage", "sessions", "log")


def movable_memories(place: Place, path: Path) -> Movable:
    """The store in both of its places."""
    return Movable(
        "memory",
        path,
        _open_file,
        share_memories(place, path, is_beside_file=True),
        _TABLES,
        # A file keeps long entries deflated; the database does that itself.
        {("log", "patch"): Kept(_plain, lambda text: pack(orjson.loads(text)), _plain)},
        postings.rebuild,
    )


def _plain(patch: str | bytes) -> str:
    return orjson.dumps(unpack(patch)).decode()


@contextmanager
def _open_file(path: Path) -> Iterator[sqlite3.Connection]:
    with translated(path):
        opened = open_connection(path, may_create=True)
        try:
            if opened.refusal is not None:
                raise unwritable(path, opened.refusal)
            yield opened.connection
        finally:
            opened.connection.close()
