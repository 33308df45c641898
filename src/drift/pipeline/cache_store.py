"""The second level of the cache: answers in a project's SQLite file, kept for an hour."""

import logging
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import orjson

from drift.kernel.answer import Link
from drift.kernel.wire import to_wire
from drift.registry import Outcome

logger = logging.getLogger(__name__)

KEPT_SECONDS = 3_600.0
_SCHEMA_VERSION = 1  # 1: first form
_MAX_ROWS = 5_000

_CREATE = """
-- One row per kept answer; safe to delete at any time.
CREATE TABLE IF NOT EXISTS answers (
    key      TEXT PRIMARY KEY,   -- see cache_key: project, generation, tool, arguments
    category TEXT NOT NULL,      -- what invalidation goes by
    kept_at  REAL NOT NULL,      -- Unix seconds
    outcome  BLOB NOT NULL       -- JSON of the outcome without its meta
) STRICT;
CREATE INDEX IF NOT EXISTS answers_by_age ON answers (kept_at);
"""
_GET = "SELECT outcome FROM answers WHERE key = ? AND kept_at > ?"
_PUT = "INSERT OR REPLACE INTO answers (key, category, kept_at, outcome) VALUES (?, ?, ?, ?)"
_DROP_OLD = """
DELETE FROM answers WHERE kept_at <= ?
   OR key IN (SELECT key FROM answers ORDER BY kept_at DESC LIMIT -1 OFFSET ?)
"""
_DROP_ALL = "DELETE FROM answers"
_DROP_CATEGORY = "DELETE FROM answers WHERE category = ?"


class CacheStore:
    """A cache must never break a call: any SQLite fault is logged once and switches the store off."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._connection: sqlite3.Connection | None = None
        try:
            connection = sqlite3.connect(path, timeout=0.2, isolation_level=None, check_same_thread=False)
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=OFF")
            if connection.execute("PRAGMA user_version").fetchone()[0] != _SCHEMA_VERSION:
                connection.execute("DROP TABLE IF EXISTS answers")
            connection.executescript(_CREATE + f"PRAGMA user_version={_SCHEMA_VERSION};")
            connection.execute(_DROP_OLD, (self._clock() - KEPT_SECONDS, _MAX_ROWS))
            self._connection = connection
        except sqlite3.Error as error:
            self._switch_off(error)

    def get(self, key: str) -> Outcome | None:
        """The kept answer, if it is not too old."""
        if self._connection is None:
            return None
        try:
            row = self._connection.execute(_GET, (key, self._clock() - KEPT_SECONDS)).fetchone()
            return _load(row[0]) if row else None
        except (sqlite3.Error, ValueError, KeyError, TypeError) as error:
            self._switch_off(error)
            return None

    def put(self, key: str, category: str, outcome: Outcome) -> None:
        if self._connection is None:
            return
        try:
            self._connection.execute(_PUT, (key, category, self._clock(), _dump(outcome)))
        except sqlite3.Error as error:
            self._switch_off(error)

    def forget(self, categories: frozenset[str] | None) -> None:
        if self._connection is None:
            return
        try:
            if categories is None:
                self._connection.execute(_DROP_ALL)
            else:
                self._connection.executemany(_DROP_CATEGORY, [(category,) for category in sorted(categories)])
        except sqlite3.Error as error:
            self._switch_off(error)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _switch_off(self, error: Exception) -> None:
        logger.warning("the second-level cache is off: %s", error)
        self.close()


def _dump(outcome: Outcome) -> bytes:
    return orjson.dumps(
        {
            "body": outcome.body,
            "text": outcome.text,
            "links": to_wire(outcome.links),
            "tokens": outcome.tokens,
            "truncated": outcome.truncated,
            "totalAvailable": outcome.total_available,
        }
    )


def _load(raw: bytes) -> Outcome:
    row = orjson.loads(raw)
    return Outcome(
        body=row["body"],
        text=row["text"],
        links=tuple(
            Link(link["uri"], link["name"], link["description"], link["mimeType"]) for link in row["links"]
        ),
        tokens=row["tokens"],
        truncated=row["truncated"],
        total_available=row["totalAvailable"],
    )
