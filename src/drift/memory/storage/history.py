"""The past of a store, read from its log: who changed what, and what was known at a time.

A time here is when the store learnt something, not when it was true. Memories that came by an import are known
from the import on, whatever they say of themselves.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, Final

from drift.kernel.connections import Connection
from drift.memory.records import CausalEdge, LogEntry, Memory
from drift.memory.storage.life import StoreLife
from drift.memory.storage.log import EDGE_ACTIONS, LogRow, entry_of, replay
from drift.memory.wire import edge_from_wire

END_OF_TIME_MS: Final = 2**62
_AT_ONCE: Final = 500
_SELECT: Final = """
SELECT sequence, at_ms, actor, action, memories.id, patch FROM log JOIN memories USING (number)
"""
_OF_MEMORY: Final = f"{_SELECT} WHERE memories.id = ? AND at_ms <= ? ORDER BY sequence"
_OF_ALL: Final = (
    f"{_SELECT} WHERE log.number > ? AND log.number <= ? AND at_ms <= ? ORDER BY log.number, sequence"
)
_LATEST: Final = f"{_SELECT} WHERE sequence < ? AND at_ms >= ? ORDER BY sequence DESC LIMIT ?"
_OF_EDGES: Final = f"{_SELECT} WHERE action IN ('edge', 'unedge') AND at_ms <= ? ORDER BY sequence"
_HIGHEST: Final = "SELECT max(number) FROM memories"


class History:
    """What the log tells."""

    def __init__(self, file: StoreLife) -> None:
        self._file = file

    def of(self, memory_id: str) -> tuple[LogEntry, ...]:
        """Every change of a memory and of the edges that begin at it, oldest first; empty if it is not known."""
        with self._file.reading() as connection:
            return tuple(_entries(connection, _OF_MEMORY, memory_id, END_OF_TIME_MS))

    def latest(
        self, limit: int = 50, *, before_sequence: int = END_OF_TIME_MS, since_ms: int = 0
    ) -> tuple[LogEntry, ...]:
        """The last changes of the store, newest first; those before the `sequence` of an entry for the next page."""
        with self._file.reading() as connection:
            return tuple(_entries(connection, _LATEST, before_sequence, since_ms, limit))

    def memory_at(self, memory_id: str, at_ms: int) -> Memory | None:
        """The memory as the store knew it at a time; None when it did not know it yet."""
        with self._file.reading() as connection:
            return replay(_entries(connection, _OF_MEMORY, memory_id, at_ms))

    def memories_at(self, at_ms: int = END_OF_TIME_MS) -> Iterator[Memory]:
        """All memories as the store knew them at a time, oldest first, also the archived and purged ones."""
        number = 0
        while True:
            with self._file.reading() as connection:
                (highest,) = connection.execute(_HIGHEST).fetchone()
                read = list(_entries(connection, _OF_ALL, number, number + _AT_ONCE, at_ms))
            for _memory_id, entries in groupby(read, key=lambda entry: entry.memory):
                memory = replay(entries)
                if memory is not None:
                    yield memory
            number += _AT_ONCE
            if number >= (highest or 0):
                return

    def edges_at(self, at_ms: int = END_OF_TIME_MS) -> tuple[CausalEdge, ...]:
        """The edges as the store knew them at a time."""
        edges: dict[tuple[str, str, str], CausalEdge] = {}
        with self._file.reading() as connection:
            for entry in _entries(connection, _OF_EDGES, at_ms):
                assert entry.action in EDGE_ACTIONS
                patch = entry.patch
                ends = (str(patch["source"]), str(patch["target"]), str(patch["relation"]))
                if entry.action == "edge":
                    edges[ends] = edge_from_wire(patch)
                else:
                    edges.pop(ends, None)
        return tuple(edges.values())


def _entries(connection: Connection, statement: str, *values: Any) -> Iterator[LogEntry]:
    rows: Iterable[LogRow] = connection.execute(statement, values)
    return map(entry_of, rows)
