"""The vectors that were computed, in a file beside the memories. It is derived: deleting it costs time only."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import numpy as np
import orjson

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.stores import ForeignStoreError, open_store
from drift.memory.embeddings.weights import Matrix

_TIMEOUT_SECONDS: Final = 2.0
_KEPT: Final = np.dtype("<f2")
_MOST_READ: Final = 500
# By what was said rather than by the memory: a changed text finds nothing old, an unchanged one is never done twice.
_SCHEMA: Final = """
CREATE TABLE vectors (
    model TEXT NOT NULL,     -- digest of the model that made it
    text INTEGER NOT NULL,   -- digest of the text it stands for
    vector BLOB NOT NULL,    -- of length one, 16-bit floats
    PRIMARY KEY (model, text)
) WITHOUT ROWID;
"""
_READ: Final = "SELECT text, vector FROM vectors WHERE model = ? AND text IN (SELECT value FROM json_each(?))"
_WRITE: Final = "INSERT OR REPLACE INTO vectors (model, text, vector) VALUES (?, ?, ?)"


def digest(text: str) -> int:
    """The number a text goes by."""
    data = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(data, "little", signed=True)


class VectorFile:
    """One file, opened anew at each use, so that it may be deleted at any time.

    Its methods raise CORTEX_UNAVAILABLE when the file is damaged, locked or a stranger's.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self, model: str, digests: Sequence[int], *, width: int) -> tuple[list[int], Matrix]:
        """The digests that have a vector of this width, and their vectors, row by row."""
        found: list[int] = []
        rows: list[Matrix] = []
        if self.path.exists():
            with self._opened() as connection:
                for text, kept in _batches(connection, _READ, model, digests):
                    if isinstance(kept, bytes) and len(kept) == width * _KEPT.itemsize:
                        vector = np.frombuffer(kept, _KEPT).astype(np.float32)
                        # No file is trusted to hold vectors of length one.
                        if abs(float(vector @ vector) - 1.0) < 0.01:  # noqa: PLR2004 - rounding to 16 bits leaves .001
                            found.append(text)
                            rows.append(vector)
        return found, np.array(rows, np.float32).reshape(len(rows), width)

    def known(self, model: str, digests: Sequence[int], *, width: int) -> set[int]:
        """Those of the digests that have a vector, so that one that is spoilt is made anew."""
        return set(self.read(model, digests, width=width)[0])

    def write(self, model: str, vectors: Mapping[int, Matrix]) -> None:
        rows = [(model, text, vector.astype(_KEPT).tobytes()) for text, vector in vectors.items()]
        with self._opened() as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(_WRITE, rows)
            connection.execute("COMMIT")

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        try:
            # A repository may bring one along that leads to a file of its reader's.
            if self.path.is_symlink():
                raise ForeignStoreError("it is a symbolic link")
            # Where the memories are in a team's database, nothing else made the folder.
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with closing(open_store(self.path, _SCHEMA, timeout_seconds=_TIMEOUT_SECONDS)) as connection:
                yield connection
        except (sqlite3.Error, OSError) as error:
            raise DriftError(
                ErrorCode.CORTEX_UNAVAILABLE,
                f"The vectors of memories in {self.path} cannot be used ({str(error)[:200]})",
                Recovery(
                    hint="The file may be deleted: it is made anew. Memories are found by words meanwhile."
                ),
            ) from error


def _batches(
    connection: sqlite3.Connection, sql: str, model: str, digests: Sequence[int]
) -> Iterable[tuple[Any, ...]]:
    for first in range(0, len(digests), _MOST_READ):
        asked = orjson.dumps(digests[first : first + _MOST_READ]).decode()
        yield from connection.execute(sql, (model, asked))
