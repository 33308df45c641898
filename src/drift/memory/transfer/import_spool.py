"""Memories that were checked and wait to be written: in a file without a name, so that any number takes little room.

They come back in an order in which a memory never precedes what took its place, so that every part of an import
that was written leaves a whole store.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from tempfile import TemporaryFile
from typing import NamedTuple, Self

import orjson

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.memory.records import Memory
from drift.memory.wire import memory_from_state, memory_to_wire


class Superseded(NamedTuple):
    """A memory that waits and names what took its place: its place in the import, and where it lies."""

    place: int
    offset: int
    successor: str


class Spool:
    """What an import will write. It lives inside a `with`."""

    def __init__(self) -> None:
        with _told():
            self._file = TemporaryFile()  # noqa: SIM115 - it is closed with the spool
        self._end = 0
        self._plain: list[int] = []
        self.ids: set[str] = set()
        self.superseded: dict[str, Superseded] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        with suppress(OSError):  # what could not be written was told, and is not needed any more
            self._file.close()

    def put(self, memory: Memory, place: int) -> None:
        """Let a memory wait; of two with one id the later one holds in the end."""
        offset = self._end
        with _told():
            self._end += self._file.write(orjson.dumps(memory_to_wire(memory)) + b"\n")
        self.ids.add(memory.id)
        self.superseded.pop(memory.id, None)
        if memory.superseded_by is None:
            self._plain.append(offset)
        else:
            self.superseded[memory.id] = Superseded(place, offset, memory.superseded_by)

    def drop(self, memory_id: str) -> int:
        """Leave a memory out that names a successor; its place in the import."""
        self.ids.discard(memory_id)
        return self.superseded.pop(memory_id).place

    def memories(self) -> Iterator[Memory]:
        """All that wait, each after what took its place; the chains must have an end (see succession.py)."""
        late = [self.superseded[memory_id].offset for memory_id in self._order_superseded()]
        for offset in (*self._plain, *late):
            with _told():
                self._file.seek(offset)  # writes what is still in the buffer
                line = self._file.readline()
            yield memory_from_state(orjson.loads(line))

    def _order_superseded(self) -> Iterator[str]:
        done: set[str] = set()
        for first in self.superseded:
            chain: list[str] = []
            step = first
            while step in self.superseded and step not in done:
                done.add(step)
                chain.append(step)
                step = self.superseded[step].successor
            yield from reversed(chain)


@contextmanager
def _told() -> Iterator[None]:
    """Say where there was no room, since that need not be the disk of the store."""
    try:
        yield
    except OSError as error:
        raise DriftError(
            ErrorCode.STORE_UNAVAILABLE,
            f"What is imported cannot wait in a temporary file: {error.strerror or error}",
            Recovery(hint="Free some space for temporary files, or set TMPDIR elsewhere; then import again."),
        ) from error
