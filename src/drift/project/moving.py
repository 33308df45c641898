"""Moves a SQLite store to another place: at every moment the old or the new one is whole, also when all stops halfway."""

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.files import locked, write_atomically
from drift.kernel.stores import remove_store

_LOCK_SECONDS: Final = 30.0
_BUSY_SECONDS: Final = 5.0
_ASIDE: Final = ".moved-to-home"
_MOST_ASIDE: Final = 1000
_TABLES: Final = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"


def move_store(source: Path, target: Path) -> None:
    """Put the store at `source` to `target`, if there is none; what was at `source` is kept beside it under another name.

    Raises OSError, sqlite3.Error and STORE_UNAVAILABLE; then nothing was moved, and it may be tried again.
    """
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with locked(target, timeout_seconds=_LOCK_SECONDS):
        if os.path.lexists(target):
            _finish(source, target)
            return
        incoming = target.with_name(f"{target.name}.incoming")
        remove_store(incoming)
        with closing(_connect(source)) as holder:
            # Nobody writes from here until the file has its new name: what is copied is all there is.
            holder.execute("BEGIN IMMEDIATE")
            copy_store(source, incoming)
            # The note tells the next process, should this one be killed, that the old file is a copy by now.
            write_atomically(_note(target), json.dumps(_identity(source)))
            incoming.replace(target)
            _set_aside(source)
        _note(target).unlink(missing_ok=True)


def finish_moving(source: Path, target: Path) -> None:
    """Set the old store aside, where a process that was killed had copied it and not come so far."""
    with locked(target, timeout_seconds=_LOCK_SECONDS):
        _finish(source, target)


def copy_store(source: Path, copy: Path) -> None:
    """Make a whole and checked copy of a store that others may be using; STORE_UNAVAILABLE if it is not sound."""
    with closing(_connect(source)) as present, closing(sqlite3.connect(copy, isolation_level=None)) as made:
        copy.chmod(0o600)
        present.execute("BEGIN")  # what is copied and what is counted is one state
        before = _count_rows(present)
        present.backup(made)
        # A copy stands alone: without a log beside it until somebody writes.
        made.execute("PRAGMA journal_mode = DELETE").fetchone()
        if made.execute("PRAGMA integrity_check").fetchone() != ("ok",) or _count_rows(made) != before:
            raise DriftError(
                ErrorCode.STORE_UNAVAILABLE,
                f"The store {source} is damaged, so it was not copied",
                Recovery(hint="Get out of it what can be read: drift memory salvage"),
            )
    with copy.open("rb+") as file:
        os.fsync(file.fileno())


def _finish(source: Path, target: Path) -> None:
    try:
        noted = json.loads(_note(target).read_bytes())
        if noted == _identity(source):
            _set_aside(source)
    except (FileNotFoundError, ValueError):
        return
    _note(target).unlink(missing_ok=True)


def _set_aside(source: Path) -> None:
    names = (source.with_name(f"{source.name}{_ASIDE}{number}") for number in ("", *range(2, _MOST_ASIDE)))
    source.rename(next(name for name in names if not os.path.lexists(name)))


def _note(target: Path) -> Path:
    return target.with_name(f"{target.name}.from")


def _identity(path: Path) -> list[int]:
    found = path.stat()
    return [found.st_dev, found.st_ino]


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=_BUSY_SECONDS, isolation_level=None
    )
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
    except BaseException:
        connection.close()
        raise
    return connection


def _count_rows(connection: sqlite3.Connection) -> list[tuple[str, int]]:
    names = [
        name for (name,) in connection.execute(_TABLES) if not name.startswith(("sqlite_", "memory_words"))
    ]
    return [(name, connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]) for name in names]  # noqa: S608 - names of a table that exists
