"""How often instructions are used: on disk before it is acknowledged, right among several threads and processes."""

import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Annotated, Final, NamedTuple

from drift.catalog.damage import COLUMNS, sealed
from drift.catalog.journal import Journal
from drift.catalog.times import format_time
from drift.kernel.arguments import Length
from drift.kernel.connections import Connection


@dataclass(frozen=True, slots=True)
class UsageContext:
    """Where an instruction was used. It is not kept; only the session comes back."""

    user_id: Annotated[str, Length(200)] | None = None
    workspace_id: Annotated[str, Length(200)] | None = None
    session_id: Annotated[str, Length(200)] | None = None
    timestamp: Annotated[str, Length(40)] | None = None


@dataclass(frozen=True, slots=True)
class UsageMetrics:
    """How the use went. It is not kept."""

    execution_time: float | None = None
    success: bool | None = None
    error_code: Annotated[str, Length(200)] | None = None


@dataclass(frozen=True, slots=True)
class TrackData:
    """The uses after this one; `tracked` is false where it was not counted: `notFound`, or `limited`."""

    id: str
    tracked: bool
    session_id: str
    usage_count: int | None = None
    aggregated_count: int | None = None
    first_seen_at: str | None = None
    last_used_at: str | None = None
    limited: bool | None = None
    not_found: bool | None = None


@dataclass(frozen=True, slots=True)
class UsedRow:
    """How often an instruction was used."""

    id: str
    usage_count: int
    last_used_at: str
    first_seen_at: str


@dataclass(frozen=True, slots=True)
class HotsetData:
    """The most used instructions."""

    hash: str
    count: int
    limit: int
    items: tuple[UsedRow, ...]


@dataclass(frozen=True, slots=True)
class FlushData:
    """`written` counts the instructions whose uses were waiting."""

    flushed: bool
    written: int


# More uses of one instruction than a person or an agent can mean are not counted.
_MOST_PER_SECOND: Final = 10
_COLUMNS: Final = f"{COLUMNS['usage']}, digest"
_ONE: Final = f"SELECT {_COLUMNS} FROM usage WHERE instruction = ?"  # noqa: S608 - a constant
_PUT: Final = (
    f"INSERT INTO usage ({_COLUMNS}) VALUES (?, ?, ?, ?, ?) ON CONFLICT (instruction) DO UPDATE SET"  # noqa: S608 - a constant
    " count = excluded.count, first_seen_at = excluded.first_seen_at, last_used_at = excluded.last_used_at,"
    " digest = excluded.digest"
)


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


class _Use:
    """One use on its way to disk."""

    __slots__ = ("at", "instruction_id", "is_written")

    def __init__(self, instruction_id: str, at: str) -> None:
        self.instruction_id = instruction_id
        self.at = at
        self.is_written = False


class Usage:
    """The counts. A use is on disk before its caller hears of it; those of several threads are written together."""

    def __init__(
        self,
        journal: Journal,
        now: Callable[[], datetime],
        *,
        is_unlimited: bool,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._journal = journal
        self._now = now
        self._monotonic = monotonic
        self._is_unlimited = is_unlimited
        self._lock = threading.Lock()  # on what waits; never held while the disk is
        self._turn = threading.Lock()  # of the one thread that writes
        self._waiting: list[_Use] = []
        self._recent: defaultdict[str, deque[float]] = defaultdict(deque)

    def track(self, instruction_id: str) -> Tracked:
        """Count one use; it is on disk when this returns. Raises STORE_UNAVAILABLE, and then it is not counted."""
        use = _Use(instruction_id, format_time(self._now()))
        with self._lock:
            is_counted = self._is_unlimited or not self._is_flooded(instruction_id)
            if is_counted:
                self._waiting.append(use)
        if is_counted:
            self._write_own(use)
        stored = self.counts([instruction_id]).get(instruction_id)
        return Tracked(stored or Used(instruction_id, 0, use.at, use.at), was_limited=not is_counted)

    def hotset(self, limit: int = 10) -> tuple[Used, ...]:
        """The most used instructions, the most used first, then the latest."""
        with self._journal.reading() as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM usage ORDER BY count DESC, last_used_at DESC, instruction"  # noqa: S608 - a constant
            )
            return tuple(Used(*row) for row in islice(self._journal.damage.whole("usage", rows), limit))

    def counts(self, ids: Collection[str]) -> dict[str, Used]:
        """The uses of these instructions, of those that have any."""
        with self._journal.reading() as connection:
            found = (self._find(connection, name) for name in ids)
            return {used.id: used for used in found if used is not None}

    def flush(self) -> int:
        """Write what other threads are about to write; of how many instructions. Raises STORE_UNAVAILABLE."""
        with self._turn:
            return self._write()

    def prune(self, known: Collection[str], *, dry_run: bool = False) -> int:
        """Forget the uses of instructions there are not any more; how many of them."""
        if dry_run:
            with self._journal.reading() as connection:
                return len(_names(connection) - set(known))
        with self._journal.writing() as connection:
            gone = _names(connection) - set(known)
            connection.executemany("DELETE FROM usage WHERE instruction = ?", [(name,) for name in gone])
        return len(gone)

    def _write_own(self, use: _Use) -> None:
        """Write all that waits, unless the thread that wrote before took this use along."""
        with self._turn:
            if use.is_written:
                return
            try:
                self._write()
            except BaseException:
                # Its caller hears that it failed, so nobody may count it later. The others try for themselves.
                with self._lock:
                    self._waiting.remove(use)
                raise

    def _write(self) -> int:
        with self._lock:
            taken = list(self._waiting)
        if not taken:
            return 0
        counts = Counter(use.instruction_id for use in taken)
        first = {use.instruction_id: use.at for use in reversed(taken)}
        last = {use.instruction_id: use.at for use in taken}
        with self._journal.writing() as connection:
            for name, count in counts.items():
                new = Used(name, count, first[name], last[name])
                connection.execute(_PUT, sealed(_add(self._find(connection, name), new)))
        with self._lock:
            del self._waiting[: len(taken)]  # others only ever add behind, and fail in their own turn
        for use in taken:
            use.is_written = True
        return len(counts)

    def _find(self, connection: Connection, instruction_id: str) -> Used | None:
        """The uses of an instruction; of a row that is damaged nothing can be said, and counting begins anew."""
        rows = connection.execute(_ONE, (instruction_id,))
        return next((Used(*row) for row in self._journal.damage.whole("usage", rows)), None)

    def _is_flooded(self, instruction_id: str) -> bool:
        now = self._monotonic()
        recent = self._recent[instruction_id]
        while recent and now - recent[0] >= 1:
            recent.popleft()
        if len(recent) >= _MOST_PER_SECOND:
            return True
        recent.append(now)
        return False


def _add(known: Used | None, new: Used) -> Used:
    if known is None:
        return new
    last = max(known.last_used_at, new.last_used_at)
    return Used(new.id, known.usage_count + new.usage_count, known.first_seen_at, last)


def _names(connection: Connection) -> set[str]:
    return {name for (name,) in connection.execute("SELECT instruction FROM usage")}


def track_data(tracked: Tracked, session: str) -> TrackData:
    """What an answer tells after one more use."""
    used, was_limited = tracked
    return TrackData(
        used.id,
        tracked=not was_limited,
        session_id=session,
        usage_count=used.usage_count,
        aggregated_count=used.usage_count,
        first_seen_at=used.first_seen_at,
        last_used_at=used.last_used_at,
        limited=was_limited or None,
    )
