"""How often memories were used, counted in memory and written with the next change.

A reading does not wait for the disk: counts are kept here until the store is written to anyway, there are many
of them, or the store is closed. A crash loses those counts and nothing else.
"""

import threading
from collections.abc import Iterable
from typing import Final

from drift.kernel.connections import Connection

_MOST_WAITING: Final = 256
_ADD: Final = """
INSERT INTO usage (number, last_accessed_ms, access_count)
SELECT number, ?, ? FROM memories WHERE id = ?
ON CONFLICT (number) DO UPDATE SET
    last_accessed_ms = max(usage.last_accessed_ms, excluded.last_accessed_ms),
    access_count = usage.access_count + excluded.access_count
"""
_SET: Final = """
INSERT INTO usage (number, last_accessed_ms, access_count) VALUES (?, ?, ?)
ON CONFLICT (number) DO UPDATE SET last_accessed_ms = excluded.last_accessed_ms, access_count = excluded.access_count
"""


class UsageCounts:
    """The counts that wait to be written."""

    def __init__(self) -> None:
        self._waiting: dict[str, tuple[int, int]] = {}
        self._lock = threading.Lock()
        self._due_at = _MOST_WAITING

    def count(self, ids: Iterable[str], *, now_ms: int) -> None:
        """Note one use of each."""
        with self._lock:
            for memory in ids:
                _last, uses = self._waiting.get(memory, (0, 0))
                self._waiting[memory] = (now_ms, uses + 1)

    @property
    def is_due(self) -> bool:
        """Whether so many wait that they should be written for their own sake."""
        return len(self._waiting) >= self._due_at

    @property
    def is_empty(self) -> bool:
        return not self._waiting

    def take(self) -> dict[str, tuple[int, int]]:
        """What waits, which then waits no more: the time of the last use and how many, by id."""
        with self._lock:
            taken, self._waiting = self._waiting, {}
            self._due_at = _MOST_WAITING
        return taken

    def put_back(self, taken: dict[str, tuple[int, int]]) -> None:
        """Undo `take`, when writing failed."""
        with self._lock:
            for memory, (last_ms, uses) in taken.items():
                newer_ms, more = self._waiting.get(memory, (0, 0))
                self._waiting[memory] = (max(last_ms, newer_ms), uses + more)
            # Where writing fails, readings must not try, and wait, again and again.
            self._due_at = len(self._waiting) + _MOST_WAITING


def add_usage(connection: Connection, taken: dict[str, tuple[int, int]]) -> None:
    """Add counts to those in the store; ids it does not know are left out."""
    connection.executemany(_ADD, [(last_ms, uses, memory) for memory, (last_ms, uses) in taken.items()])


def set_usage(connection: Connection, number: int, *, last_accessed_ms: int, access_count: int) -> None:
    """Put the counts an import brought in the place of any there are."""
    connection.execute(_SET, (number, last_accessed_ms, access_count))
