"""The second level of the cache: answers in a project's SQLite file, kept for an hour."""

import logging
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

from drift.kernel.answer import Link
from drift.kernel.stores import ForeignStoreError, keep_journal, open_store, remove_store
from drift.kernel.wire import to_wire
from drift.registry import Outcome

logger = logging.getLogger(__name__)

KEPT_SECONDS = 3_600.0
_MAX_ROWS = 5_000
_BUSY_SECONDS = 0.2

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
            self._connection = _open(path)
            keep_journal(self._connection, timeout_seconds=_BUSY_SECONDS)
            self._connection.execute("PRAGMA synchronous=OFF")
            self._connection.execute(_DROP_OLD, (self._clock() - KEPT_SECONDS, _MAX_ROWS))
        except (sqlite3.Error, OSError) as error:
            self._switch_off(error)

    def get(self, key: str) -> Outcome | None:
        """The kept answer, if it is not too old."""
        if self._connection is None:
            return None
        try:
            row = self._connection.execute(_GET, (key, self._clock() - KEPT_SECONDS)).fetchone()
            return _load(row[0]) if row else None
        except (sqlite3.Error, ValueError, KeyError, TypeError, AttributeError) as error:
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


def _open(path: Path) -> sqlite3.Connection:
    try:
        return open_store(path, _CREATE, timeout_seconds=_BUSY_SECONDS)
    except ForeignStoreError:
        # Of another version of Drift, or of a stranger: kept answers are made anew either way.
        remove_store(path)
        return open_store(path, _CREATE, timeout_seconds=_BUSY_SECONDS)


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
    if not _is_answer(row):
        raise ValueError("a kept answer is none")
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


def _is_answer(row: Any) -> bool:
    """Whether the row can be sent: the file may have come with a repository."""
    total = row["totalAvailable"]
    return (
        isinstance(row["body"], dict)
        and isinstance(row["text"], str)
        and isinstance(row["tokens"], int)
        and isinstance(row["truncated"], bool)
        and (total is None or isinstance(total, int))
        and all(isinstance(value, str) for link in row["links"] for value in link.values())
    )
