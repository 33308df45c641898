"""What goes wrong with an index file, in words, and as errors with a way out."""

from __future__ import annotations  # sqlite3 is named in a hint only: a start without an index loads none

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.text import shorten

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

_BUSY_RETRY_MS = 1_000
_REBUILD = "drift scan --force"
_WRITING_FAILED = (
    "SQLITE_IOERR_WRITE",
    "SQLITE_IOERR_FSYNC",
    "SQLITE_IOERR_TRUNCATE",
    "SQLITE_IOERR_SHMSIZE",
)


def explain(error: Exception) -> str:
    """What an error of SQLite means for the index, in a sentence or two."""
    name = getattr(error, "sqlite_errorname", "")
    if name == "SQLITE_NOTADB":
        return "The index file is not a SQLite database. Delete it and scan again."
    if name.startswith("SQLITE_CORRUPT"):
        return "The index file is damaged. Delete it and scan again."
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return "The index is locked by another process. Try again in a moment."
    if name == "SQLITE_FULL":
        return "There is no space left on the disk for the index."
    if name.startswith(_WRITING_FAILED):
        return "The disk does not take what is written to the index: it is full, or a limit is reached."
    if name.startswith("SQLITE_READONLY"):
        return "The index cannot be written to: it is read-only."
    if "no such table" in str(error):
        return "The index holds no description of itself (table meta). Scan again."
    return f"The index cannot be read ({shorten(ascii(str(error)), 200)})."


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and of the file system inside the block into ours."""
    import sqlite3

    try:
        yield
    except sqlite3.DataError as error:
        raise DriftError(
            ErrorCode.TOO_LARGE,
            f"A value is too large for the index {path}: {error}",
            Recovery(hint="Exclude the file it comes from in .driftignore."),
        ) from error
    except sqlite3.IntegrityError as error:
        raise DriftError(
            ErrorCode.INTERNAL_ERROR, f"The scan gave rows that exclude each other to {path}: {error}"
        ) from error
    except sqlite3.Error as error:
        raise _failure(path, error) from error
    except OSError as error:
        raise DriftError(
            ErrorCode.STORE_UNAVAILABLE,
            f"The index {path} cannot be used: {error.strerror or error}",
            Recovery(hint="Check that its folder exists, is writable and has space left; then call again."),
        ) from error


def missing(path: Path) -> DriftError:
    """There is no index."""
    return DriftError(ErrorCode.SCAN_REQUIRED, f"There is no index at {path}", Recovery(command="drift scan"))


def outdated(path: Path, version: int, known: int) -> DriftError:
    """The index is of another schema version than the one this Drift knows."""
    if version > known:
        return DriftError(
            ErrorCode.STORE_UNAVAILABLE,
            f"The index {path} was written by a newer Drift (schema {version}; this one knows {known})",
            Recovery(hint=f"Update Drift, or build the index anew: {_REBUILD}", command=_REBUILD),
        )
    return DriftError(
        ErrorCode.SCAN_REQUIRED,
        f"The index {path} is of an earlier version (schema {version}; this Drift writes {known})",
        Recovery(command="drift scan"),
    )


def foreign(path: Path) -> DriftError:
    """The file claims to be an index and has other tables than ours."""
    return DriftError(
        ErrorCode.STORE_UNAVAILABLE,
        f"The tables of {path} are not those of a Drift index",
        Recovery(hint=f"Build it anew: {_REBUILD}", command=_REBUILD),
    )


def unbound(path: Path) -> DriftError:
    """The index was not made here by this user: it came with the files, or from an earlier version."""
    return DriftError(
        ErrorCode.SCAN_REQUIRED,
        f"The index {path} was not made at this place by you on this machine, so it is not believed",
        Recovery(command="drift scan"),
    )


def _failure(path: Path, error: sqlite3.Error) -> DriftError:
    if getattr(error, "sqlite_errorname", "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return DriftError(
            ErrorCode.SERVER_BUSY,
            f"The index {path} is locked by another process",
            Recovery(hint="Call again in a moment.", retry_after_ms=_BUSY_RETRY_MS),
        )
    if _is_about_disk(error):
        # Building anew would need still more of it; what was there before is as it was.
        hint = "Free some space, or make the folder writable; then call again. What the index held before is kept."
        return DriftError(ErrorCode.STORE_UNAVAILABLE, f"{explain(error)} ({path})", Recovery(hint=hint))
    return DriftError(
        ErrorCode.STORE_UNAVAILABLE,
        f"{explain(error)} ({path})",
        Recovery(hint=f"Build the index anew: {_REBUILD}", command=_REBUILD),
    )


def _is_about_disk(error: sqlite3.Error) -> bool:
    name = getattr(error, "sqlite_errorname", "")
    return name.startswith((*_WRITING_FAILED, "SQLITE_FULL", "SQLITE_READONLY"))
