"""Sessions: what clients keep while they work. Not in the log, and dropped when they are old.

When a session begins, those not used for a week are forgotten: what they were told and did. The sentence that sums
one up stays, for the brief of whoever comes back after a holiday.
"""

from typing import Any, Final

import orjson

from drift.kernel.errors import DriftError, ErrorCode
from drift.memory.checks import check_session
from drift.memory.records import Session
from drift.memory.storage.life import StoreLife

_PUT: Final = """
INSERT INTO sessions (id, started_at_ms, last_active_ms, ended_at_ms, summary, state)
VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET started_at_ms = excluded.started_at_ms, last_active_ms = excluded.last_active_ms,
    ended_at_ms = excluded.ended_at_ms, summary = excluded.summary, state = excluded.state
"""
_SELECT: Final = "SELECT id, started_at_ms, last_active_ms, ended_at_ms, summary, state FROM sessions"
_GET: Final = f"{_SELECT} WHERE id = ?"
_RECENT: Final = f"{_SELECT} ORDER BY last_active_ms DESC, id LIMIT ?"
_IS_KNOWN: Final = "SELECT 1 FROM sessions WHERE id = ?"
_FORGET: Final = "DELETE FROM sessions WHERE last_active_ms < ? AND summary IS NULL"
_FORGET_STATE: Final = "UPDATE sessions SET state = '{}' WHERE last_active_ms < ? AND state <> '{}'"
_KEPT_MS: Final = 7 * 24 * 3_600_000


class SessionTable:
    """The sessions of a store."""

    def __init__(self, file: StoreLife) -> None:
        self._file = file

    def put(self, session: Session) -> None:
        """Keep a session in the place of what was known of it."""
        check_session(session)
        state = orjson.dumps(session.state).decode()
        times = (session.started_at_ms, session.last_active_ms, session.ended_at_ms)
        with self._file.writing() as connection:
            if connection.execute(_IS_KNOWN, (session.id,)).fetchone() is None:
                self.forget_before(session.last_active_ms - _KEPT_MS)
            connection.execute(_PUT, (session.id, *times, session.summary, state))

    def get(self, session_id: str) -> Session | None:
        with self._file.reading() as connection:
            row = connection.execute(_GET, (session_id,)).fetchone()
        return _session(row) if row else None

    def recent(self, limit: int = 10) -> tuple[Session, ...]:
        """The sessions used last, newest first."""
        with self._file.reading() as connection:
            return tuple(_session(row) for row in connection.execute(_RECENT, (limit,)))

    def forget_before(self, last_active_ms: int) -> int:
        """Drop what sessions not used since kept; how many. Their summaries and memories stay."""
        with self._file.writing() as connection:
            dropped = connection.execute(_FORGET, (last_active_ms,)).rowcount
            return dropped + connection.execute(_FORGET_STATE, (last_active_ms,)).rowcount


def _session(row: tuple[Any, ...]) -> Session:
    session_id, started_at_ms, last_active_ms, ended_at_ms, summary, state = row
    try:
        read = orjson.loads(state)
    except ValueError:
        read = None
    if not isinstance(read, dict):
        raise DriftError(ErrorCode.CORTEX_UNAVAILABLE, f"The session {session_id} is damaged")
    return Session(session_id, started_at_ms, last_active_ms, ended_at_ms, summary, read)
