"""Usage: how often each tool was called on which day, kept on this machine and nowhere else.

Off until a person switches it on; then counts are added up in memory and written now and then,
so that a call never waits for the disk.
"""

import logging
import os
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.stores import open_store
from drift.pipeline.request import Request
from drift.pipeline.signals import SIGNALS, SignalTracker
from drift.project import Project
from drift.registry import Outcome, ToolSigns, ToolUsage, UsageSigns, UsageStatus

logger = logging.getLogger(__name__)

SUMMED_DAYS = 30
KEPT_DAYS = 90  # so long nobody must have called a tool before it counts as unused
_FLUSH_SECONDS = 30.0
_BUSY_SECONDS = 2.0
_MOST_TOOLS = 500  # more than Drift has; a file from elsewhere may name any number

_CREATE = """
-- What people agreed to, by the project's id, which holds its place: a copy of the file agrees to nothing.
CREATE TABLE IF NOT EXISTS consent (project TEXT PRIMARY KEY, enabled INTEGER NOT NULL) STRICT;
-- Calls added up per day and tool.
CREATE TABLE IF NOT EXISTS usage (
    day         TEXT NOT NULL,     -- ISO date, local
    tool        TEXT NOT NULL,
    calls       INTEGER NOT NULL,
    errors      INTEGER NOT NULL,
    cached      INTEGER NOT NULL,
    duration_ms REAL NOT NULL,     -- total over all calls
    tokens      INTEGER NOT NULL,  -- total over all answers
    PRIMARY KEY (day, tool)
) STRICT, WITHOUT ROWID;
-- Since when a project's people have agreed.
CREATE TABLE IF NOT EXISTS counting (project TEXT PRIMARY KEY, since TEXT NOT NULL) STRICT;
-- What callers did after a tool's answer, added up per day.
CREATE TABLE IF NOT EXISTS signals (
    day    TEXT NOT NULL,
    tool   TEXT NOT NULL,
    signal TEXT NOT NULL,          -- followed, moved_on, retried, ended
    count  INTEGER NOT NULL,
    PRIMARY KEY (day, tool, signal)
) STRICT, WITHOUT ROWID;
"""
_ADD = """
INSERT INTO usage (day, tool, calls, errors, cached, duration_ms, tokens) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (day, tool) DO UPDATE SET
    calls = calls + excluded.calls, errors = errors + excluded.errors, cached = cached + excluded.cached,
    duration_ms = duration_ms + excluded.duration_ms, tokens = tokens + excluded.tokens
"""
_SUM = """
SELECT tool, sum(calls), sum(errors), sum(cached), sum(duration_ms) / sum(calls), sum(tokens)
FROM usage WHERE day > ? GROUP BY tool HAVING sum(calls) > 0 ORDER BY sum(calls) DESC, tool LIMIT ?
"""
_FORGET = ("DELETE FROM usage WHERE day <= ?", "DELETE FROM signals WHERE day <= ?")
_ADD_SIGNAL = """
INSERT INTO signals (day, tool, signal, count) VALUES (?, ?, ?, ?)
ON CONFLICT (day, tool, signal) DO UPDATE SET count = count + excluded.count
"""
_SUM_SIGNALS = (
    "SELECT tool, signal, sum(count) FROM signals WHERE day > ? GROUP BY tool, signal ORDER BY tool LIMIT ?"
)
_CALLED = "SELECT DISTINCT tool FROM usage WHERE day > ? LIMIT ?"
_SINCE = "SELECT coalesce((SELECT since FROM counting WHERE project = ?), (SELECT min(day) FROM usage))"
_BEGIN = "INSERT OR IGNORE INTO counting (project, since) VALUES (?, ?)"
_END = "DELETE FROM counting WHERE project = ?"
_AGREE = "INSERT OR REPLACE INTO consent (project, enabled) VALUES (?, ?)"
_AGREED = "SELECT enabled FROM consent WHERE project = ?"


@dataclass(slots=True)
class _Sum:
    calls: int = 0
    errors: int = 0
    cached: int = 0
    duration_ms: float = 0.0
    tokens: int = 0


class UsageLog:
    """The counts of all projects a server answers for, each in its project's own file."""

    def __init__(self, today: Callable[[], date], clock: Callable[[], float] = time.monotonic) -> None:
        self._today = today
        self._clock = clock
        self._enabled: dict[str, bool] = {}
        self._lock = threading.Lock()  # on what waits; never held while the disk is
        self._pending: dict[Path, dict[tuple[str, str], _Sum]] = {}
        self._pending_signals: dict[Path, Counter[tuple[str, str, str]]] = {}
        self._tracker = SignalTracker(clock)
        self._flushed_at = clock()

    def observe(self, request: Request, outcome: Outcome, duration_ms: float) -> None:
        """Count one call, if the project's people agreed."""
        if request.project is None or not self._is_enabled(request.project):
            return
        one = _Sum(1, int(outcome.is_error), int(request.is_cached), duration_ms, outcome.tokens)
        path, day = request.project.stores.usage_db, self._today().isoformat()
        self._add(path, (day, request.tool.name), one)
        if (signal := self._tracker.note(path, request, outcome)) is not None:
            self._add_signals(path, Counter({(day, *signal): 1}))
        if self._clock() - self._flushed_at > _FLUSH_SECONDS:
            self.flush()

    def close(self) -> None:
        """Write all that was counted; after the last answers nothing comes any more."""
        self._note_ends(self._tracker.end(idle_seconds=0.0))
        self.flush()

    def _note_ends(self, ended: Iterable[tuple[Path, str]]) -> None:
        day = self._today().isoformat()
        for path, tool in ended:
            self._add_signals(path, Counter({(day, tool, "ended"): 1}))

    def flush(self) -> None:
        """Write what was counted since the last time."""
        self._note_ends(self._tracker.end())
        # Taken first: what one thread writes no other writes again, and what is counted meanwhile waits for the next time.
        with self._lock:
            self._flushed_at = self._clock()
            taken, self._pending = self._pending, {}
            signals, self._pending_signals = self._pending_signals, {}
        for path in {**taken, **signals}:
            sums = taken.get(path, {})
            rows = [
                (day, tool, s.calls, s.errors, s.cached, s.duration_ms, s.tokens)
                for (day, tool), s in sums.items()
            ]
            told = signals.get(path, Counter())
            try:
                with _open(path) as connection:
                    connection.execute("BEGIN IMMEDIATE")
                    connection.executemany(_ADD, rows)
                    connection.executemany(_ADD_SIGNAL, [(*key, count) for key, count in told.items()])
                    for statement in _FORGET:
                        connection.execute(statement, (self._day_before(KEPT_DAYS),))
                    connection.execute("COMMIT")
            except DriftError as error:
                logger.warning("usage could not be written: %s", error.message)
                for key, total in sums.items():
                    self._add(path, key, total)
                self._add_signals(path, told)

    def _add_signals(self, path: Path, more: Counter[tuple[str, str, str]]) -> None:
        with self._lock:
            self._pending_signals.setdefault(path, Counter()).update(more)

    def _add(self, path: Path, key: tuple[str, str], more: _Sum) -> None:
        with self._lock:
            total = self._pending.setdefault(path, {}).setdefault(key, _Sum())
            total.calls += more.calls
            total.errors += more.errors
            total.cached += more.cached
            total.duration_ms += more.duration_ms
            total.tokens += more.tokens

    def status(self, project: Project) -> UsageStatus:
        """Whether counting is on, and the sums of the kept days."""
        self.flush()
        path = project.stores.usage_db
        tools: tuple[ToolUsage, ...] = ()
        if path.exists():
            with _open(path) as connection:
                rows = connection.execute(_SUM, (self._day_before(SUMMED_DAYS), _MOST_TOOLS)).fetchall()
            tools = tuple(ToolUsage(*row) for row in rows)
        return UsageStatus(self._is_enabled(project), path.as_posix(), SUMMED_DAYS, tools)

    def signs(self, project: Project) -> UsageSigns | None:
        """What use says beyond counts; None where nobody agreed to counting."""
        if not self._is_enabled(project):
            return None
        self.flush()
        with _open(project.stores.usage_db) as connection:
            (since,) = connection.execute(_SINCE, (project.id,)).fetchone()
            called = connection.execute(_CALLED, (self._day_before(KEPT_DAYS), _MOST_TOOLS)).fetchall()
            rows = connection.execute(
                _SUM_SIGNALS, (self._day_before(SUMMED_DAYS), 4 * _MOST_TOOLS)
            ).fetchall()
        days = 0 if since is None else (self._today() - date.fromisoformat(since)).days + 1
        return UsageSigns(days, frozenset(tool for (tool,) in called), _gather_signs(rows))

    def switch(self, project: Project, *, enabled: bool) -> UsageStatus:
        """Begin or end counting. Ending keeps what was counted; deleting the file forgets it."""
        path = project.prepare().stores.usage_db
        with _open(path) as connection:
            connection.execute(_AGREE, (project.id, int(enabled)))
            begin_or_end = (
                (_BEGIN, (project.id, self._today().isoformat())) if enabled else (_END, (project.id,))
            )
            connection.execute(*begin_or_end)
        self._enabled[project.id] = enabled
        return self.status(project)

    def _is_enabled(self, project: Project) -> bool:
        # Asked for every call, so by the id at hand: making the path would cost more than the answer.
        if project.id not in self._enabled:
            self._enabled[project.id] = _read_consent(project)
        return self._enabled[project.id]

    def _day_before(self, days: int) -> str:
        return (self._today() - timedelta(days=days)).isoformat()


def _gather_signs(rows: Iterable[tuple[str, str, int]]) -> tuple[ToolSigns, ...]:
    by_tool: dict[str, dict[str, int]] = {}
    for tool, signal, count in rows:
        if signal in SIGNALS:
            by_tool.setdefault(tool, {})[signal] = count
    return tuple(ToolSigns(tool, **counts) for tool, counts in by_tool.items())


@contextmanager
def _open(path: Path) -> Iterator[sqlite3.Connection]:
    """The store, opened and closed; what SQLite complains of becomes STORE_UNAVAILABLE."""
    try:
        with closing(open_store(path, _CREATE, timeout_seconds=_BUSY_SECONDS)) as connection:
            yield connection
    except (sqlite3.Error, OSError) as error:
        raise DriftError(
            ErrorCode.STORE_UNAVAILABLE,
            f"The usage counts in {path} cannot be used: {error}",
            Recovery(hint="Delete the file to start counting anew."),
        ) from error


def _read_consent(project: Project) -> bool:
    """Whether the people of a project agreed to counting; a store that cannot be read is a no."""
    if not os.path.lexists(project.stores.usage_db):
        return False
    try:
        with _open(project.stores.usage_db) as connection:
            row = connection.execute(_AGREED, (project.id,)).fetchone()
    except DriftError as error:
        logger.warning("usage is not counted: %s", error.message)
        return False
    return bool(row and row[0])
