"""Whether an open database is still the file under its name. What is written to a deleted file is lost without an error."""

import os
import sqlite3
from contextlib import closing
from enum import Enum, auto
from pathlib import Path
from typing import Final

from drift.kernel.files import locked
from drift.kernel.stores import side_files

_LOCK_SECONDS: Final = 10.0

_Identity = tuple[int, int] | None


class Standing(Enum):
    """How the file that is open and the one under its name stand to each other."""

    SAME = auto()
    GONE = auto()  # nothing is there any more
    REPLACED = auto()  # another file is there
    LOG_GONE = auto()  # the file is there, and its log is not


class Hold:
    """The file that a connection was opened on. A look costs two `stat` calls, so it is taken before and after a write."""

    def __init__(self, path: Path) -> None:
        # As text, joined once: building paths would cost more than the looks themselves.
        self._file, self._log = os.fspath(path), f"{path}-wal"
        self._file_then, self._log_then = _identity(self._file), _identity(self._log)

    def look(self) -> Standing:
        """How things stand now."""
        now = _identity(self._file)
        if now != self._file_then:
            return Standing.GONE if now is None else Standing.REPLACED
        log_now = _identity(self._log)
        if self._log_then is None:
            self._log_then = log_now  # it comes with the first write
        return Standing.SAME if log_now == self._log_then else Standing.LOG_GONE


def rescue(connection: sqlite3.Connection, path: Path, standing: Standing) -> bool:
    """Bring what an open connection holds of a deleted file back to disk; whether all of it is there.

    The connection must be opened again then. Raises OSError, sqlite3.Error and STORE_UNAVAILABLE; what somebody else
    has put to the place meanwhile stays.
    """
    if standing is Standing.GONE:
        _put_back(connection, path)
        return True
    if standing is Standing.LOG_GONE:
        busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy
    return standing is Standing.SAME


def _put_back(connection: sqlite3.Connection, path: Path) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with locked(path, timeout_seconds=_LOCK_SECONDS):
        copy = path.with_name(f"{path.name}.put-back")
        copy.unlink(missing_ok=True)
        try:
            with closing(sqlite3.connect(copy, isolation_level=None)) as made:
                copy.chmod(0o600)
                connection.backup(made)
            with copy.open("rb+") as file:
                os.fsync(file.fileno())
            # Before the copy has the name: SQLite deletes the log of a database it closes, by its name.
            connection.close()
            if os.path.lexists(path):
                raise _displaced(path)
            for each in side_files(path):  # a log of the deleted file would be read as the new one's
                each.unlink(missing_ok=True)
            _name_if_free(copy, path)
        finally:
            copy.unlink(missing_ok=True)


def _name_if_free(copy: Path, path: Path) -> None:
    try:
        os.link(copy, path)  # unlike renaming, this takes nothing from whoever was faster
    except FileExistsError as error:
        raise _displaced(path) from error
    except OSError:  # a file system without links
        copy.replace(path)


def _displaced(path: Path) -> OSError:
    return OSError(f"{path.name} was deleted and made anew by another process; nothing was saved")


def _identity(path: str) -> _Identity:
    try:
        found = os.stat(path)  # noqa: PTH116 - at every write, and Path.stat takes twice as long
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino
