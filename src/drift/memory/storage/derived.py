"""Indexes and the word index hold nothing that the rows do not: where they disagree, they are made anew.

A flipped byte in one of them leaves every memory whole and hides some from a list or a search.
"""

import sqlite3
from typing import Final

from drift.kernel.connections import Connection
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.memory.storage import postings

_ROWS: Final = "SELECT count(*) FROM memories NOT INDEXED"
_DERIVED: Final = {
    "the word index": "SELECT count(*) FROM memory_words_docsize",
    "the index of times": "SELECT count(*) FROM memories INDEXED BY memories_by_time",
    "the index of types": "SELECT count(*) FROM memories INDEXED BY memories_by_type",
}
_CHECK_WORDS: Final = "INSERT INTO memory_words (memory_words, rank) VALUES ('integrity-check', 1)"
_REBUILD_WORDS: Final = "INSERT INTO memory_words (memory_words) VALUES ('rebuild')"


def find_short(connection: Connection) -> tuple[str, ...]:
    """Which of them lead to more or fewer memories than there are; a look that costs three counts."""
    if not isinstance(connection, sqlite3.Connection):
        return () if postings.is_whole(connection) else ("the word index",)
    (rows,) = connection.execute(_ROWS).fetchone()
    return tuple(
        name for name, statement in _DERIVED.items() if connection.execute(statement).fetchone()[0] != rows
    )


def are_sound(connection: Connection) -> bool:
    """Whether all of them say what the rows say; reads the whole store. In a transaction that writes."""
    if not isinstance(connection, sqlite3.Connection):
        return postings.is_whole(connection)
    try:
        connection.execute(_CHECK_WORDS)
        (said,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        if not str(getattr(error, "sqlite_errorname", "")).startswith("SQLITE_CORRUPT"):
            raise
        return False
    return str(said) == "ok"


def rebuild(connection: Connection) -> None:
    """Make them anew from the rows. In a transaction. Raises CORTEX_UNAVAILABLE where that does not help."""
    if not isinstance(connection, sqlite3.Connection):
        postings.rebuild(connection)
        return
    connection.execute("REINDEX")
    connection.execute(_REBUILD_WORDS)
    if not are_sound(connection):
        raise DriftError(
            ErrorCode.CORTEX_UNAVAILABLE,
            "The memories' file is damaged in more than its indexes",
            Recovery(command="drift memory salvage"),
        )


def say_short(names: tuple[str, ...]) -> tuple[str, ...]:
    """What a reader must know where some memories may not be found."""
    if not names:
        return ()
    return (
        f"{' and '.join(names)} is damaged, so that some memories may not be found; `drift doctor` mends it",
    )
