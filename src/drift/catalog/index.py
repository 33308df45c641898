"""The store of instructions as read, beside the files. What is in it can always be read from them again."""

import hashlib
import sqlite3
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from drift.catalog.digests import Digests, Line
from drift.catalog.entry import Instruction, from_normal
from drift.catalog.entry_cache import EntryCache, Wire
from drift.catalog.files import Stamp
from drift.catalog.normalisation import project
from drift.catalog.reading import Loaded
from drift.kernel.stores import keep_journal, open_store, remove_store
from drift.kernel.wire import PlainRows

_BUSY_SECONDS: Final = 10.0
_KEPT_LOG_BYTES: Final = 4_000_000
_CACHE_KIB: Final = 16_000
_BUSY: Final = ("SQLITE_BUSY", "SQLITE_LOCKED")

_PUT_FILE: Final = "INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_PUT: Final = f"INSERT INTO instruction VALUES (NULL{', ?' * 16})"  # noqa: S608 - a constant
_PUT_CONTENT: Final = "INSERT INTO content VALUES (?, ?, ?, ?, ?, ?, ?)"
_PUT_WORDS: Final = "INSERT INTO word (rowid, title, categories, tags, body) VALUES (?, ?, ?, ?, ?)"
_FORGET_WORDS: Final = """
    INSERT INTO word (word, rowid, title, body, categories, tags)
    SELECT 'delete', rowid, title, body, categories, tags FROM content WHERE rowid = ?
"""
_MOST_REMEMBERED: Final = 256
_MOST_FETCHED: Final = 500  # rows asked for by number at once

_Result = TypeVar("_Result")


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
        self._digests = Digests()
        self._entries = EntryCache()
        self._remembered: dict[Hashable, Any] = {}
        self._of_generation = self.generation()  # what is remembered is of

    @classmethod
    def open(cls, path: Path) -> "CatalogIndex":
        """The index at `path`, made anew if it is not usable; in memory where nothing can be written."""
        try:
            return cls._open_file(path)
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorname", "").startswith(_BUSY):
                raise
        with suppress(OSError, sqlite3.Error):
            remove_store(path)
            return cls._open_file(path)
        return cls.in_memory()

    @classmethod
    def in_memory(cls) -> "CatalogIndex":
        """An index that ends with this process and leaves nothing behind."""
        connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        connection.executescript(_schema())
        return cls(connection)

    @classmethod
    def _open_file(cls, path: Path) -> "CatalogIndex":
        connection = open_store(path, _schema(), timeout_seconds=_BUSY_SECONDS)
        try:
            keep_journal(connection, timeout_seconds=_BUSY_SECONDS)
            # It may lose its last changes with the power, and then finds them in the files again. Not OFF: that could
            # leave pages that are wrong without a sign, and would save one sync in twenty writes.
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

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """One state of the index, whatever others write meanwhile, while the block reads."""
        self.connection.execute("BEGIN")
        try:
            generation = self.generation()
            if generation != self._of_generation:
                self._digests.catch_up(self.connection, self._of_generation)
                self._remembered.clear()
                self._of_generation = generation
            yield
        finally:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")

    def remember(self, key: Hashable, find: Callable[[], _Result]) -> _Result:
        """What `find` gives, found once for each state of the index. Inside a snapshot."""
        if key in self._remembered:
            known: _Result = self._remembered[key]
            return known
        found = find()
        if len(self._remembered) >= _MOST_REMEMBERED:
            del self._remembered[next(iter(self._remembered))]
        self._remembered[key] = found
        return found

    def entries(self, rows: Sequence[int]) -> tuple[Instruction, ...]:
        """The instructions of these rows, in this order."""
        return tuple(map(from_normal, self._entries.take(rows, self._fetch)))

    def wires(self, rows: Sequence[int]) -> PlainRows:
        """The same as `as_wire` of each would give them, without making an Instruction in between."""
        return PlainRows(self._entries.take(rows, self._fetch))

    def all_wires(self) -> Iterator[tuple[int, Wire]]:
        """All rows, one after the other, without keeping them at hand. Inside a snapshot."""
        rows = self.connection.execute("SELECT rowid, body, rest FROM content")
        return ((row, _make_wire(body, rest)) for row, body, rest in rows)

    def hash_bodies(self) -> str:
        """The hash of the whole catalog. Inside a snapshot."""
        return self.remember("bodies", lambda: self._digests.of_bodies(self.connection))

    def stamp(self) -> str:
        """A hash of every file as it is, broken ones too. Inside a snapshot."""
        return self.remember("stamp", lambda: _hash_files(self.connection))

    def hash_governed(self, *, has_trailing_newline: bool) -> tuple[str, int]:
        """The hash of who answers for what, and of how many. Inside a snapshot."""
        return self.remember(
            ("governed", has_trailing_newline),
            lambda: self._digests.of_governed(self.connection, has_trailing_newline=has_trailing_newline),
        )

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
        readings, gone = list(readings), list(gone)
        lines: list[Line] = []
        with self._changing() as generation:
            for name in gone:
                self.connection.execute("DELETE FROM file WHERE name = ?", (name,))
                self._drop(_id_of(name))
            for reading in readings:
                lines += self._put(reading, generation)
        # When others changed it in between, the next snapshot catches up with them and with this.
        if generation == self._of_generation + 1:
            broken = [reading.name for reading in readings if reading.loaded is None]
            self._digests.take(lines, map(_id_of, (*gone, *broken)))
            self._remembered.clear()
            self._of_generation = generation
        return generation

    def restamp(self, seen: Iterable[tuple[str, Seen]]) -> int:
        """Note the stamps of files whose bytes are the same as before; the generation."""
        with self._changing() as generation:
            self.connection.executemany(
                "UPDATE file SET mtime_ns = ?, size = ?, inode = ?, ctime_ns = ?, read_at_ns = ?, generation = ?"
                " WHERE name = ?",
                [(*each.stamp, each.read_at_ns, generation, name) for name, each in seen],
            )
        if generation == self._of_generation + 1:
            self._of_generation = generation  # nothing that is remembered depends on stamps
        return generation

    def clear(self) -> None:
        """Forget everything."""
        with self._changing():
            for table in ("file", "instruction", "content", "category", "team"):
                self.connection.execute(f"DELETE FROM {table}")  # noqa: S608 - the names stand above
            self.connection.execute("INSERT INTO word (word) VALUES ('delete-all')")
        self._digests.forget()
        self._remembered.clear()

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

    def _put(self, reading: Reading, generation: int) -> list[Line]:
        """Write what came of a reading; the line its instruction has in the hashes, if it is one."""
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
        return [] if loaded is None else [self._insert(loaded)]

    def _drop(self, instruction_id: str) -> None:
        row = self.connection.execute(
            "SELECT rowid FROM instruction WHERE id = ?", (instruction_id,)
        ).fetchone()
        if row is not None:
            self.connection.execute(_FORGET_WORDS, row)
            for statement in (
                "DELETE FROM instruction WHERE rowid = ?",
                "DELETE FROM content WHERE rowid = ?",
                "DELETE FROM category WHERE instruction = ?",
                "DELETE FROM team WHERE instruction = ?",
            ):
                self.connection.execute(statement, row)

    def _insert(self, loaded: Loaded) -> Line:
        import orjson  # 20 ms, and a start that reads nothing needs none of it

        found, projection = loaded.instruction, project(loaded.instruction).as_line()
        rest = {name: value for name, value in found.as_wire().items() if name != "body"}
        texts = (found.title, "\n".join(found.categories), "\n".join(found.tags))
        row = self.connection.execute(_PUT, _row(found, loaded.stored_hash)).lastrowid
        self.connection.execute(
            _PUT_CONTENT, (row, *texts, projection, orjson.dumps(rest).decode("utf-8"), found.body)
        )
        self.connection.execute(_PUT_WORDS, (row, *texts, found.body))
        self.connection.executemany(
            "INSERT INTO category VALUES (?, ?, ?)",
            [(name, row, found.updated_at or "") for name in found.categories],
        )
        self.connection.executemany(
            "INSERT INTO team VALUES (?, ?)", [(name, row) for name in found.team_ids]
        )
        return Line(found.id, found.source_hash, projection)

    def _fetch(self, rows: Sequence[int]) -> dict[int, Wire]:
        found: dict[int, Wire] = {}
        for start in range(0, len(rows), _MOST_FETCHED):
            asked = rows[start : start + _MOST_FETCHED]
            marks = ", ".join("?" * len(asked))
            statement = f"SELECT rowid, body, rest FROM content WHERE rowid IN ({marks})"  # noqa: S608 - marks alone
            fetched = self.connection.execute(statement, asked)
            found |= {row: _make_wire(body, rest) for row, body, rest in fetched}
        if len(found) != len(rows):
            raise sqlite3.DatabaseError("an instruction has no content")
        return found


def _hash_files(connection: sqlite3.Connection) -> str:
    found = hashlib.blake2b(digest_size=16)
    for name, digest in connection.execute("SELECT name, digest FROM file ORDER BY name"):
        found.update(f"{name}\0{digest}\0".encode())
    return found.hexdigest()


def _make_wire(body: str, rest: str) -> Wire:
    import orjson  # as above

    kept = orjson.loads(rest)
    # The body has its place among the others.
    return {"id": kept["id"], "title": kept["title"], "body": body, **kept}


def _row(found: Instruction, stored_hash: str | None) -> Sequence[Any]:
    return (
        found.id,
        found.title,
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
    )


def _id_of(name: str) -> str:
    return name.removesuffix(".json")


@cache
def _schema() -> str:
    return files(__package__).joinpath("index.sql").read_text(encoding="utf-8")
