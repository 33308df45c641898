"""Which memories are not what was written: found by a digest of each row and its links, and set aside.

A flipped bit on a disk leaves a file that SQLite reads without complaint. What it makes of a memory must not be told as
if somebody had said it, and must not keep the others from being told.
"""

import hashlib
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any, Final

import orjson

from drift.kernel.connections import Connection, RowNotes
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.text import plural
from drift.memory.records import Importance

_DIGEST_BYTES: Final = 12
_MOST_NAMED: Final = 5


class StoreConnection(sqlite3.Connection):
    """A connection that remembers which rows it has found whole, and which not."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.notes = RowNotes()


def notes_of(connection: Connection) -> RowNotes | None:
    """What is remembered of rows; None for a connection that remembers nothing."""
    notes = getattr(connection, "notes", None)
    return notes if isinstance(notes, RowNotes) else None


def digest_row(values: Sequence[Any], links: Iterable[Sequence[Any]]) -> bytes:
    """What stands for the values of a row, as they are stored, and for those of its links, in any order."""
    written = orjson.dumps([values, sorted(map(list, links), key=orjson.dumps)])
    return hashlib.blake2b(written, digest_size=_DIGEST_BYTES).digest()


def note_whole(connection: Connection, number: int) -> None:
    """Remember that a row is as it was written."""
    if (notes := notes_of(connection)) is not None:
        notes.whole.add(number)


def note_damage(connection: Connection, number: int, memory_id: object) -> None:
    """Remember that a row is not what was written."""
    if (notes := notes_of(connection)) is not None:
        notes.damaged[number] = ascii(memory_id)[:60].strip("'")


def read_importance(connection: Connection, number: int, value: object) -> Importance | None:
    """How important a memory is; None where no version of Drift writes that, and the memory is damaged.

    A row that was found whole is not looked at again, and the file may be damaged since.
    """
    try:
        return Importance(str(value))
    except ValueError:
        note_damage(connection, number, f"number {number}")
        return None


def unknown_of(connection: Connection, numbers: Iterable[int]) -> list[int]:
    """Those of the rows that were not looked at yet."""
    notes = notes_of(connection)
    if notes is None:
        return list(numbers)
    return [each for each in numbers if each not in notes.whole and each not in notes.damaged]


def say_damage(damaged: Sequence[str]) -> tuple[str, ...]:
    """What a reader must know where memories were set aside."""
    if not damaged:
        return ()
    named = ", ".join(sorted(damaged)[:_MOST_NAMED])
    said = f"{plural(len(damaged), 'memory is', 'memories are')} damaged and left out ({named})"
    return (f"{said}; `drift memory salvage` restores from the log what it can",)


def damaged_memory(memory: str) -> DriftError:
    """The one that was asked for is not what was written."""
    return DriftError(
        ErrorCode.CORTEX_UNAVAILABLE,
        f"Memory {memory} is damaged: its content is not what Drift wrote",
        Recovery(command="drift memory salvage"),
    )
