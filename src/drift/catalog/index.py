"""The store of instructions as read, beside the files. What is in it can always be read from them again."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple

from drift.catalog.entry import Instruction, from_normal
from drift.catalog.files import Stamp
from drift.catalog.normal import project
from drift.catalog.reading import Loaded
from drift.kernel.stores import open_store

_BUSY_SECONDS: Final = 10.0
_KEPT_LOG_BYTES: Final = 4_000_000
_CACHE_KIB: Final = 16_000
_BUSY: Final = ("SQLITE_BUSY", "SQLITE_LOCKED")

_PUT_FILE: Final = "INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_PUT: Final = f"INSERT INTO instruction VALUES (NULL{', ?' * 21})"  # noqa: S608 - a constant
_FORGET_WORDS: Final = """
    INSERT INTO word (word, rowid, title, body, categories, tags)
    SELECT 'delete', rowid, title, body, categories, tags FROM instruction WHERE rowid = ?
"""


class Seen(NamedTuple):
    """A file as the index has it."""

    stamp: Stamp
    read_at_ns: int
    digest: str


class Reading(NamedTuple):
    """What came of reading one file: an instruction, or why it is none."""

    name: str
    seen: Seen
    loaded: Loaded | None
    problem: str | None = None
    line: int | None = None


class FileProblem(NamedTuple):
    """A file that is no instruction, or not as it should be, and why."""

    name: str
    line: int | None
    reason: str


class CatalogIndex:
    """One connection to the index. Its errors are sqlite3.Error; whoever holds it makes it anew then."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    @classmethod
    def open(cls, path: Path) -> "CatalogIndex":
        """The index at `path`, made anew if it is not usable; in memory where nothing can be written."""
        try:
            return cls._open_file(path)
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorname", "").startswith(_BUSY):
                raise
        with suppress(OSError, sqlite3.Error):
            for ending in ("", "-wal", "-shm", "-journal"):
                path.with_name(path.name + ending).unlink(missing_ok=True)
            return cls._open_file(path)
        connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        connection.executescript(_schema())
        return cls(connection)

    @classmethod
    def _open_file(cls, path: Path) -> "CatalogIndex":
        with suppress(OSError):  # opening says it better
            path.parent.mkdir(parents=True, exist_ok=True)
        connection = open_store(path, _schema(), timeout_seconds=_BUSY_SECONDS)
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchone()
            # It may lose its last changes with the power, and then finds them in the files again.
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(f"PRAGMA journal_size_limit = {_KEPT_LOG_BYTES}").fetchone()
            connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
            connection.execute("UPDATE state SET generation = generation WHERE only = 1")  # shows that it can
        except sqlite3.Error:
            connection.close()
            raise
        return cls(connection)

    def close(self) -> None:
        """Give the file up."""
        self.connection.close()

    def foreign_version(self) -> int:
        """A number that is another one after another connection changed the index."""
        return int(self.connection.execute("PRAGMA data_version").fetchone()[0])

    def generation(self) -> int:
        """How often the index was changed."""
        return int(self.connection.execute("SELECT generation FROM state").fetchone()[0])

    def seen_since(self, generation: int) -> dict[str, Seen]:
        """The files whose rows are of later changes than this one."""
        rows = self.connection.execute(
            "SELECT name, mtime_ns, size, inode, ctime_ns, read_at_ns, digest FROM file WHERE generation > ?",
            (generation,),
        )
        return {row[0]: Seen(Stamp(*row[1:5]), row[5], row[6]) for row in rows}

    def names(self) -> set[str]:
        """Every file it has looked at."""
        return {name for (name,) in self.connection.execute("SELECT name FROM file")}

    def apply(self, readings: Iterable[Reading], gone: Iterable[str]) -> int:
        """Take over what was read and drop what is gone, as one change; its generation."""
        with self._changing() as generation:
            for name in gone:
                self.connection.execute("DELETE FROM file WHERE name = ?", (name,))
                self._drop(_id_of(name))
            for reading in readings:
                self._put(reading, generation)
        return generation

    def restamp(self, seen: Iterable[tuple[str, Seen]]) -> int:
        """Note the stamps of files whose bytes are the same as before; the generation."""
        with self._changing() as generation:
            self.connection.executemany(
                "UPDATE file SET mtime_ns = ?, size = ?, inode = ?, ctime_ns = ?, read_at_ns = ?, generation = ?"
                " WHERE name = ?",
                [(*each.stamp, each.read_at_ns, generation, name) for name, each in seen],
            )
        return generation

    def clear(self) -> None:
        """Forget everything."""
        with self._changing():
            for table in ("file", "instruction", "category", "team"):
                self.connection.execute(f"DELETE FROM {table}")  # noqa: S608 - the names stand above
            self.connection.execute("INSERT INTO word (word) VALUES ('delete-all')")

    @contextmanager
    def _changing(self) -> Iterator[int]:
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            row = self.connection.execute(
                "UPDATE state SET generation = generation + 1 RETURNING generation"
            ).fetchone()
            yield int(row[0])
            self.connection.execute("COMMIT")
        except BaseException:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise

    def _put(self, reading: Reading, generation: int) -> None:
        seen, loaded = reading.seen, reading.loaded
        warnings = "\n".join(loaded.warnings) if loaded and loaded.warnings else None
        self.connection.execute(
            _PUT_FILE,
            (
                reading.name,
                *seen.stamp,
                seen.read_at_ns,
                seen.digest,
                generation,
                reading.line,
                reading.problem,
                warnings,
            ),
        )
        self._drop(_id_of(reading.name))
        if loaded is not None:
            self._insert(loaded)

    def _drop(self, instruction_id: str) -> None:
        row = self.connection.execute(
            "SELECT rowid FROM instruction WHERE id = ?", (instruction_id,)
        ).fetchone()
        if row is not None:
            self.connection.execute(_FORGET_WORDS, row)
            for statement in (
                "DELETE FROM instruction WHERE rowid = ?",
                "DELETE FROM category WHERE instruction = ?",
                "DELETE FROM team WHERE instruction = ?",
            ):
                self.connection.execute(statement, row)

    def _insert(self, loaded: Loaded) -> None:
        found = loaded.instruction
        categories, tags = "\n".join(found.categories), "\n".join(found.tags)
        row = self.connection.execute(_PUT, _row(found, loaded.stored_hash)).lastrowid
        self.connection.execute(
            "INSERT INTO word (rowid, title, body, categories, tags) VALUES (?, ?, ?, ?, ?)",
            (row, found.title, found.body, categories, tags),
        )
        self.connection.executemany(
            "INSERT INTO category VALUES (?, ?, ?)",
            [(name, row, found.updated_at or "") for name in found.categories],
        )
        self.connection.executemany(
            "INSERT INTO team VALUES (?, ?)", [(name, row) for name in found.team_ids]
        )


def instruction_of(body: str, rest: str) -> Instruction:
    """The instruction of a row's `body` and `rest`."""
    import orjson  # 20 ms, and a start that reads nothing needs none of it

    return from_normal({**orjson.loads(rest), "body": body})


def _row(found: Instruction, stored_hash: str | None) -> Sequence[Any]:
    import orjson  # as above

    rest = {name: value for name, value in found.as_wire().items() if name != "body"}
    return (
        found.id,
        found.title,
        "\n".join(found.categories),
        "\n".join(found.tags),
        found.priority,
        found.priority_tier,
        found.status,
        found.owner,
        found.classification,
        found.requirement,
        found.audience,
        found.workspace_id,
        found.user_id,
        found.created_at or "",
        found.updated_at or "",
        found.next_review_due,
        found.source_hash,
        stored_hash,
        project(found).as_line(),
        orjson.dumps(rest).decode("utf-8"),
        found.body,
    )


def _id_of(name: str) -> str:
    return name.removesuffix(".json")


@cache
def _schema() -> str:
    return files(__package__).joinpath("index.sql").read_text(encoding="utf-8")
