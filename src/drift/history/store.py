"""Commits in a file beside the index: put in, taken out, found again. What is in it came from git's log alone."""

import os
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from drift.history.commits import Change, Commit
from drift.history.log import LineCounts
from drift.kernel.files import locked
from drift.kernel.stores import keep_journal, open_store, remove_store
from drift.project.machine import is_sealed, machine_key, seal

VERSION: Final = "1"
_PURPOSE: Final = "history"
_BUSY_SECONDS: Final = 30.0  # another process may be reading the log for the first time
_FIRST_ID: Final = 1 << 40  # numbers grow from here with what is new, and fall with what is old
_SLICE: Final = 500  # bound values of one statement
_STATE_KEYS: Final = ("head", "anchor", "read_count", "is_whole", "boundary")


class Standing(NamedTuple):
    """How far the store has got: all between `anchor` and `head`, and the first commits of the anchor's log."""

    head: str = ""
    anchor: str = ""
    read_count: int = 0
    is_whole: bool = False
    boundary: str = ""
    """Where a shallow clone ends, and which folder of the repository is told of."""


class CommitStore:
    """An open store. Reading sees one state; changes are made within `writing`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @classmethod
    def open(cls, path: Path | None) -> "CommitStore":
        """The store at a path, made anew where none of ours is there; without a path one that ends with the process."""
        if path is None:
            return cls(_make(Path(":memory:")))
        connection = _glance(path)
        if connection is None:
            with locked(path, timeout_seconds=_BUSY_SECONDS):
                # Whoever held the lock before may have made it.
                connection = (_open_ours(path) if path.exists() else None) or _make_anew(path)
        return cls(connection)

    def close(self) -> None:
        self._connection.close()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction that is kept as a whole or not at all; one process at a time."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def standing(self) -> Standing:
        found = _read_meta(self._connection, _STATE_KEYS)
        if len(found) < len(_STATE_KEYS):
            return Standing()
        return Standing(
            found["head"],
            found["anchor"],
            int(found["read_count"]),
            found["is_whole"] == "1",
            found["boundary"],
        )

    def stand_at(self, standing: Standing) -> None:
        values = standing._asdict() | {"is_whole": int(standing.is_whole)}
        _write_meta(self._connection, {key: str(value) for key, value in values.items()})

    def clear(self) -> None:
        for table in ("notes", "changes", "commits", "paths", "authors"):
            self._connection.execute(f"DELETE FROM {table}")  # noqa: S608 - names from the line above

    def add_older(self, commits: Iterable[Commit]) -> None:
        """Put commits behind all that are there; newest first."""
        (lowest,) = self._connection.execute("SELECT min(id) FROM commits").fetchone()
        following = _FIRST_ID if lowest is None else lowest - 1
        self._add((following - at, each) for at, each in enumerate(commits))

    def add_newer(self, commits: list[Commit]) -> None:
        """Put commits before all that are there; newest first."""
        (highest,) = self._connection.execute("SELECT max(id) FROM commits").fetchone()
        following = _FIRST_ID if highest is None else highest + 1
        self._add((following + at, each) for at, each in enumerate(reversed(commits)))

    def remove(self, hashes: Iterable[str]) -> None:
        """Take commits out that HEAD no longer has behind it."""
        for each in hashes:
            row = self._connection.execute(
                "SELECT id FROM commits WHERE hash = ?", (bytes.fromhex(each),)
            ).fetchone()
            if row is not None:
                self._connection.execute("DELETE FROM notes WHERE commit_id = ?", row)
                self._connection.execute("DELETE FROM changes WHERE commit_id = ?", row)
                self._connection.execute("DELETE FROM commits WHERE id = ?", row)

    def select(self, where: str, values: tuple[object, ...], *, most: int = -1) -> list[tuple[int, Commit]]:
        """The commits that a condition of ours picks, with their numbers, newest first; merges left out."""
        rows = self._connection.execute(
            "SELECT id, hash, parents, time, name, mail, subject FROM commits"  # noqa: S608 - conditions of this room alone
            " JOIN (SELECT id AS author, name, mail FROM authors) ON author = author_id"
            f" WHERE is_merge = 0 AND {where} ORDER BY id DESC LIMIT ?",
            (*values, most),
        ).fetchall()
        changes = self._changes_of([row[0] for row in rows])
        return [
            (
                id_,
                Commit(
                    hashed.hex(),
                    _split(parents, len(hashed)),
                    time,
                    name,
                    mail,
                    subject,
                    tuple(changes.get(id_, ())),
                ),
            )
            for id_, hashed, parents, time, name, mail, subject in rows
        ]

    def one(self, query: str, values: tuple[object, ...] = ()) -> tuple[object, ...] | None:
        """The first row of a question of this room."""
        row: tuple[object, ...] | None = self._connection.execute(query, values).fetchone()
        return row

    def uncounted(self, hashes: Iterable[str]) -> list[str]:
        """Those of the commits whose lines have not been counted."""
        query = "SELECT is_counted FROM commits WHERE hash = ?"
        return [each for each in hashes if self.one(query, (bytes.fromhex(each),)) == (0,)]

    def keep_counts(self, counts: Mapping[str, LineCounts]) -> None:
        for hashed, lines in counts.items():
            row = self._connection.execute(
                "SELECT id FROM commits WHERE hash = ?", (bytes.fromhex(hashed),)
            ).fetchone()
            if row is None:
                continue
            self._connection.executemany(
                "UPDATE changes SET added = ?, removed = ?"
                " WHERE commit_id = ? AND path_id = (SELECT id FROM paths WHERE path = ?)",
                ((*pair, row[0], path) for path, pair in lines.items()),
            )
            self._connection.execute("UPDATE commits SET is_counted = 1 WHERE id = ?", row)

    def notes(self, subject: str) -> dict[str, str]:
        """What was noted about commits, by their hashes."""
        query = "SELECT hash, text FROM notes JOIN commits ON id = commit_id WHERE notes.subject = ?"
        return {hashed.hex(): text for hashed, text in self._connection.execute(query, (subject,))}

    def keep_notes(self, subject: str, texts: Mapping[str, str]) -> None:
        self._connection.executemany(
            "INSERT OR REPLACE INTO notes SELECT id, ?, ? FROM commits WHERE hash = ?",
            ((subject, text, bytes.fromhex(hashed)) for hashed, text in texts.items()),
        )

    def _changes_of(self, ids: list[int]) -> dict[int, list[Change]]:
        found: dict[int, list[Change]] = {}
        for start in range(0, len(ids), _SLICE):
            part = ids[start : start + _SLICE]
            rows = self._connection.execute(
                "SELECT commit_id, letter, new.path, old.path, added, removed FROM changes"  # noqa: S608 - marks only
                " JOIN paths AS new ON new.id = path_id LEFT JOIN paths AS old ON old.id = old_path_id"
                f" WHERE commit_id IN ({','.join('?' * len(part))})",
                part,
            )
            for id_, letter, path, old, added, removed in rows:
                old_path = os.fsdecode(old) if old is not None else None
                found.setdefault(id_, []).append(Change(letter, os.fsdecode(path), old_path, added, removed))
        for changes in found.values():
            changes.sort(key=lambda change: change.path)
        return found

    def _add(self, numbered: Iterable[tuple[int, Commit]]) -> None:
        authors = {
            (name, mail): id_
            for id_, name, mail in self._connection.execute("SELECT id, name, mail FROM authors")
        }
        paths = {path: id_ for id_, path in self._connection.execute("SELECT id, path FROM paths")}
        known = (len(authors), len(paths))  # nothing is ever taken out of either but all of it
        commits: list[tuple[object, ...]] = []
        changes: list[tuple[object, ...]] = []
        for id_, each in numbered:
            author = authors.setdefault((each.author, each.mail), len(authors) + 1)
            parents = b"".join(map(bytes.fromhex, each.parents))
            is_merge = int(len(each.parents) > 1)
            commits.append(
                (id_, bytes.fromhex(each.hash), parents, each.time, author, each.subject, is_merge)
            )
            for change in each.changes:
                path = paths.setdefault(os.fsencode(change.path), len(paths) + 1)
                old = (
                    paths.setdefault(os.fsencode(change.old_path), len(paths) + 1)
                    if change.old_path
                    else None
                )
                changes.append((id_, path, change.letter, old))
        fill = self._connection.executemany
        new_authors = ((id_, *key) for key, id_ in islice(authors.items(), known[0], None))
        fill("INSERT INTO authors VALUES (?, ?, ?)", new_authors)
        fill(
            "INSERT INTO paths VALUES (?, ?)",
            ((id_, path) for path, id_ in islice(paths.items(), known[1], None)),
        )
        fill("INSERT OR IGNORE INTO commits VALUES (?, ?, ?, ?, ?, ?, ?, 0)", commits)
        fill("INSERT OR IGNORE INTO changes VALUES (?, ?, ?, ?, NULL, NULL)", changes)


def _glance(path: Path) -> sqlite3.Connection | None:
    """The store at the path, if it can be had without a lock: another process may be making it, or taking one away."""
    try:
        return _open_ours(path) if path.exists() else None
    except sqlite3.OperationalError:
        return None


def _open_ours(path: Path) -> sqlite3.Connection | None:
    """The store at the path, if it is one that was made here by this user."""
    try:
        connection = _make(path)
    except sqlite3.OperationalError:
        raise  # locked, or a disk that is full: the file may be sound
    except sqlite3.DatabaseError:
        return None
    if _is_ours(connection, path):
        return connection
    connection.close()
    return None


def _make_anew(path: Path) -> sqlite3.Connection:
    remove_store(path)
    connection = _make(path)
    _sign(connection, path)
    return connection


def _make(path: Path) -> sqlite3.Connection:
    connection = open_store(path, _schema(), timeout_seconds=_BUSY_SECONDS)
    try:
        keep_journal(connection, timeout_seconds=_BUSY_SECONDS)
        connection.execute("PRAGMA synchronous = NORMAL")  # it can be read again
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _is_ours(connection: sqlite3.Connection, path: Path) -> bool:
    """Whether it was made here by this user: a repository may bring one along that tells of other commits."""
    found = _read_meta(connection, ("version", "nonce", "seal"))
    key = machine_key(os.environ, may_make=False)
    parts = (os.path.realpath(path.parent), found.get("nonce", ""))
    return found.get("version") == VERSION and is_sealed(key, found.get("seal"), _PURPOSE, *parts)


def _sign(connection: sqlite3.Connection, path: Path) -> None:
    nonce = secrets.token_hex(16)
    claim = seal(machine_key(os.environ), _PURPOSE, os.path.realpath(path.parent), nonce)
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        _write_meta(connection, {"version": VERSION, "nonce": nonce, "seal": claim})


def _read_meta(connection: sqlite3.Connection, keys: tuple[str, ...]) -> dict[str, str]:
    marks = ",".join("?" * len(keys))
    return dict(connection.execute(f"SELECT key, value FROM meta WHERE key IN ({marks})", keys))  # noqa: S608 - marks only


def _write_meta(connection: sqlite3.Connection, values: Mapping[str, str]) -> None:
    connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", values.items())


def _split(parents: bytes, width: int) -> tuple[str, ...]:
    return tuple(parents[at : at + width].hex() for at in range(0, len(parents), width))


def _schema() -> str:
    return files("drift.history").joinpath("store.sql").read_text(encoding="utf-8")
