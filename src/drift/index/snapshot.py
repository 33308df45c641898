"""An index as one file that is handed on: made without what is this user's alone, and checked before it is believed.

Whoever takes one in believes its owner in what it says of code. They need not believe it in anything else: it is refused
unless it is a sound database with exactly our tables, of this engine, about relative paths, each row of a file it has.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from drift.index import statements
from drift.index.binding import KEYS, bind
from drift.index.connection import open_for_build, open_readonly
from drift.index.engine import engine_digest
from drift.index.reader import IndexReader
from drift.index.schema import SCHEMA_VERSION, UNKNOWN_WORD, has_our_schema

_USED_WORDS: Final = " UNION ".join(
    f"SELECT {column} FROM {table} WHERE {column} IS NOT NULL"  # noqa: S608 - our own names
    for table, column in (
        ("calls", "text"), ("calls", "kind"), ("calls", "outcome"), ("calls", "external_name"),
        ("edges", "reason"), ("refs", "kind"), ("refs", "reason"), ("sites", "dimension"), ("sites", "variant"),
    )
)  # fmt: skip
# Words stay in an index when the file goes that had them, and so do parts of it in free pages and in the search.
_TIDY: Final = (
    f"DELETE FROM words WHERE id <> {UNKNOWN_WORD} AND id NOT IN ({_USED_WORDS})",  # noqa: S608 - our own names
    "INSERT INTO search (search) VALUES ('optimize')",
    f"DELETE FROM meta WHERE key IN ({','.join(repr(key) for key in KEYS)})",  # noqa: S608 - our own names
    statements.FORGET_TIMES,
    "VACUUM",
)
_KEPT_META: Final = frozenset(
    {"schema_version", "generation", "scanned_at", "layers", "file_count", "engine", "rules", "surroundings"}
)
_MOST_PATH: Final = 4096


def write_snapshot(reader: IndexReader, target: Path) -> None:
    """Put the index into a new file at `target`, which must be empty, without anything of files that are gone."""
    with closing(open_for_build(target)) as connection:
        reader.copy_to(connection)
        for statement in _TIDY:
            connection.execute(statement)


def find_fault(path: Path) -> str | None:
    """Why a snapshot cannot be taken in; None for a sound one. Reads all of it: for a process with limits."""
    with closing(open_readonly(path)) as connection:
        return next(_find_faults(connection), None)


def _find_faults(connection: sqlite3.Connection) -> Iterator[str]:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version != SCHEMA_VERSION:
        yield f"it is of schema {version}, not {SCHEMA_VERSION}"
    if not has_our_schema(connection):
        yield "it has other tables than an index"
    connection.execute("PRAGMA cell_size_check = ON")
    ((said,),) = connection.execute("PRAGMA quick_check(1)")
    if said != "ok":
        yield "it is damaged"
    meta = dict(connection.execute("SELECT key, value FROM meta LIMIT 20"))
    if not meta.keys() <= _KEPT_META or not meta.get("generation", "").isdigit():
        yield "it says other things of itself than an index"
    if meta.get("engine") != engine_digest():
        yield "another version of Drift made it"
    if any(not _is_inside(path) for (path,) in connection.execute("SELECT path FROM files")):
        yield "it has a path that leads out of a project"
    for table, column, shift in _owners():
        orphans = f"SELECT 1 FROM {table} WHERE {column} >> {shift} NOT IN (SELECT id FROM files) LIMIT 1"  # noqa: S608 - our own names
        if connection.execute(orphans).fetchone() is not None:
            yield f"it has rows of no file in {table}"


def _is_inside(path: str) -> bool:
    parts = path.split("/")
    return len(path) <= _MOST_PATH and "\0" not in path and not {"", ".", "..", ".git", ".drift"} & {*parts}


def _owners() -> Iterator[tuple[str, str, int]]:
    """Each table whose rows belong to files, with the column that says to which and how."""
    yield "symbols", "id", 16
    yield from (
        (table, "symbol_id", 16) for table in (*statements.FACTS_BY_SYMBOL, *statements.LINKS_BY_SYMBOL)
    )
    yield from ((table, "file_id", 0) for table in statements.FACTS_BY_FILE)
    yield from ((table, "id", 20) for table in ("calls", "call_details", "fingerprints"))
    yield from (("edges", "caller_id", 16), ("overrides", "overrider_id", 16))


def bind_snapshot(path: Path) -> None:
    """Have a snapshot that was checked, and lies in a folder of ours, believed there as an index that was made there."""
    with closing(open_for_build(path)) as connection:
        connection.executemany("INSERT INTO meta (key, value) VALUES (?, ?)", bind(path).items())
