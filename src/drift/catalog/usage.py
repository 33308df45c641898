"""How often instructions are used: counted at once, written together, right among several processes."""

import sqlite3
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Collection
from datetime import datetime
from typing import Final, NamedTuple

from drift.catalog.journal import Journal
from drift.catalog.times import format_time
from drift.kernel.errors import DriftError

# More uses of one instruction than a person or an agent can mean are not counted.
_MOST_PER_SECOND: Final = 10
_ADD: Final = """
    INSERT INTO usage VALUES (?, ?, ?, ?)
    ON CONFLICT (instruction) DO UPDATE SET
        count = count + excluded.count, last_used_at = max(last_used_at, excluded.last_used_at)
"""


class Used(NamedTuple):
    """An instruction's uses."""

    id: str
    usage_count: int
    first_seen_at: str
    last_used_at: str


class Tracked(NamedTuple):
    """An instruction's uses after one more; `was_limited` tells that this one was not counted."""

    used: Used
    was_limited: bool


class Usage:
    """The counts: those on disk, and those of this process that are not there yet."""

    def __init__(
        self,
        journal: Journal,
        now: Callable[[], datetime],
        *,
        flush_ms: int,
        is_unlimited: bool,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._journal = journal
        self._now = now
        self._monotonic = monotonic
        self._flush_seconds = flush_ms / 1000
        self._is_unlimited = is_unlimited
        self._lock = threading.Lock()
        self._pending: dict[str, tuple[int, str]] = {}
        self._recent: defaultdict[str, deque[float]] = defaultdict(deque)
        self._timer: threading.Timer | None = None
        self.failures = 0

    def track(self, instruction_id: str) -> Tracked:
        """Count one use. The first ever is on disk when this returns, later ones soon after."""
        at = format_time(self._now())
        with self._lock:
            stored = self._stored([instruction_id]).get(instruction_id)
            if not self._is_unlimited and self._is_flooded(instruction_id):
                return Tracked(self._with_pending(instruction_id, stored, at), was_limited=True)
            count, _ = self._pending.get(instruction_id, (0, at))
            self._pending[instruction_id] = (count + 1, at)
            if stored is None:
                self._write()
                stored = self._stored([instruction_id])[instruction_id]
            else:
                self._schedule()
            return Tracked(self._with_pending(instruction_id, stored, at), was_limited=False)

    def hotset(self, limit: int = 10) -> tuple[Used, ...]:
        """The most used instructions, the most used first, then the latest."""
        with self._lock:
            # What waits is in the order only once it is written.
            self._write()
            with self._journal.reading() as connection:
                rows = connection.execute(
                    "SELECT instruction, count, first_seen_at, last_used_at FROM usage"
                    " ORDER BY count DESC, last_used_at DESC, instruction LIMIT ?",
                    (limit,),
                ).fetchall()
        return tuple(Used(*row) for row in rows)

    def counts(self, ids: Collection[str]) -> dict[str, Used]:
        """The uses of these instructions, of those that have any."""
        with self._lock:
            stored = self._stored(ids)
            return {name: self._with_pending(name, used, used.last_used_at) for name, used in stored.items()}

    def flush(self) -> int:
        """Write what waits; of how many instructions. Raises STORE_UNAVAILABLE, and then it still waits."""
        with self._lock:
            return self._write()

    def prune(self, known: Collection[str], *, dry_run: bool = False) -> int:
        """Forget the uses of instructions there are not any more; how many of them."""
        with self._lock:
            if dry_run:
                with self._journal.reading() as connection:
                    return len((_names(connection) | self._pending.keys()) - set(known))
            self._write()
            with self._journal.writing() as connection:
                gone = _names(connection) - set(known)
                connection.executemany("DELETE FROM usage WHERE instruction = ?", [(name,) for name in gone])
        return len(gone)

    def close(self) -> None:
        """Write what waits, and stop waiting."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            self._write()

    def _write(self) -> int:
        waiting = dict(self._pending)
        if waiting:
            with self._journal.writing() as connection:
                connection.executemany(_ADD, [(name, count, at, at) for name, (count, at) in waiting.items()])
            self._pending.clear()
        return len(waiting)

    def _schedule(self) -> None:
        if self._timer is None:
            self._timer = threading.Timer(self._flush_seconds, self._write_later)
            self._timer.daemon = True
            self._timer.start()

    def _write_later(self) -> None:
        with self._lock:
            self._timer = None
            try:
                self._write()
            except DriftError:
                # The uses stay pending and the next call, which has a caller to tell, writes or fails.
                self.failures += 1

    def _is_flooded(self, instruction_id: str) -> bool:
        now = self._monotonic()
        recent = self._recent[instruction_id]
        while recent and now - recent[0] >= 1:
            recent.popleft()
        if len(recent) >= _MOST_PER_SECOND:
            return True
        recent.append(now)
        return False

    def _stored(self, ids: Collection[str]) -> dict[str, Used]:
        with self._journal.reading() as connection:
            found = (
                connection.execute(
                    "SELECT instruction, count, first_seen_at, last_used_at FROM usage WHERE instruction = ?",
                    (name,),
                ).fetchone()
                for name in ids
            )
            return {row[0]: Used(*row) for row in found if row is not None}

    def _with_pending(self, instruction_id: str, stored: Used | None, at: str) -> Used:
        count, last = self._pending.get(instruction_id, (0, None))
        if stored is None:
            return Used(instruction_id, count, at, last or at)
        return stored._replace(
            usage_count=stored.usage_count + count, last_used_at=max(stored.last_used_at, last or "")
        )


def _names(connection: sqlite3.Connection) -> set[str]:
    return {name for (name,) in connection.execute("SELECT instruction FROM usage")}
