"""Puts a finished index in the place of the present one, so that it is the old or the new at any moment.

Renaming over a database in WAL mode is a trap: its log stays behind under the old name, and connections
that are still open would read the old file with the new one's log. So where there is a database already,
the new one is copied into it as a single transaction: readers keep their state until it is committed, and
a process that dies halfway has committed nothing. Only where there is none the file is renamed.
"""

import os
import sqlite3
import stat
import time
from contextlib import closing
from pathlib import Path
from typing import Final

from drift.index.connection import open_for_update
from drift.kernel.stores import is_unsound, side_files

_BUSY_SECONDS: Final = 10.0


def publish(finished: Path, target: Path) -> None:
    """Make the database at `finished` the one at `target`. The caller holds the lock on `target`."""
    remove_strangers(target)
    if not target.exists() or not _copied_into(finished, target):
        _rename(finished, target)


def remove_strangers(target: Path) -> None:
    """Remove what stands under the index's names and is no regular file, such as a link to lead us astray."""
    for path in (target, *side_files(target)):
        if path.is_symlink() or (path.exists() and not stat.S_ISREG(path.lstat().st_mode)):
            path.unlink()


def _copied_into(finished: Path, target: Path) -> bool:
    """Whether the copy went in; not if what is there is no sound database."""
    try:
        with closing(open_for_update(target)) as present, closing(sqlite3.connect(finished)) as source:
            # Takes the write lock once with a time limit, which the copy itself has not.
            present.execute("BEGIN IMMEDIATE")
            present.execute("ROLLBACK")
            source.backup(present, pages=-1, progress=_Patience())
            # The log shrinks if no reader needs it; it is not worth waiting for one.
            present.execute("PRAGMA busy_timeout = 0")
            present.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.DatabaseError as error:
        # Any other failure, such as a lock or a full disk, is no reason to take the file from its readers.
        if not is_unsound(error):
            raise
        return False
    return True


class _Patience:
    """Ends a copy that waits too long for a lock."""

    def __init__(self) -> None:
        self._deadline = time.monotonic() + _BUSY_SECONDS

    def __call__(self, status: int, _remaining: int, _total: int) -> None:
        is_waiting = status in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
        if is_waiting and time.monotonic() > self._deadline:
            raise TimeoutError(f"waited {_BUSY_SECONDS:g} s for another process to let go of it")


def _rename(finished: Path, target: Path) -> None:
    with closing(sqlite3.connect(finished, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL").fetchone()
    with finished.open("rb+") as file:
        os.fsync(file.fileno())
    # A log left by an index that was deleted would be read as the new one's.
    for path in side_files(target):
        path.unlink(missing_ok=True)
    finished.replace(target)
