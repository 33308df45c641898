"""How much a store holds."""

import sqlite3
from typing import Final

from drift.kernel.connections import Connection
from drift.memory.records import Counts

_STATES: Final = """
SELECT count(*),
       count(*) FILTER (WHERE archived = 0 AND deleted_at_ms IS NULL AND superseded_by IS NULL),
       count(*) FILTER (WHERE archived = 1 AND deleted_at_ms IS NULL),
       count(*) FILTER (WHERE deleted_at_ms IS NOT NULL),
       count(*) FILTER (WHERE superseded_by IS NOT NULL AND deleted_at_ms IS NULL)
FROM memories
"""
_TYPES: Final = "SELECT type, count(*) FROM memories WHERE deleted_at_ms IS NULL GROUP BY type ORDER BY type"
_OTHERS: Final = (
    "SELECT (SELECT count(*) FROM edges), (SELECT count(*) FROM sessions), (SELECT count(*) FROM log)"
)
_SIZE: Final = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"


_SHARED_SIZE: Final = """
SELECT coalesce(sum(pg_total_relation_size(oid)), 0) FROM pg_class
WHERE relkind = 'r' AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'memories'::regclass)
"""


def count_all(connection: Connection) -> Counts:
    total, current, archived, purged, superseded = connection.execute(_STATES).fetchone()
    edges, sessions, log_entries = connection.execute(_OTHERS).fetchone()
    size = _SIZE if isinstance(connection, sqlite3.Connection) else _SHARED_SIZE
    (size_bytes,) = connection.execute(size).fetchone()
    return Counts(
        total=total,
        current=current,
        archived=archived,
        purged=purged,
        superseded=superseded,
        by_type=dict(connection.execute(_TYPES).fetchall()),
        edges=edges,
        sessions=sessions,
        log_entries=log_entries,
        size_bytes=size_bytes,
    )
