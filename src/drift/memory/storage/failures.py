"""What goes wrong with the memory store, as errors that say what to do. One case for each way it fails."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from drift.kernel.errors import DriftError, ErrorCode, Recovery, invalid
from drift.kernel.text import shorten

BUSY_SECONDS: Final = 10.0
_RETRY_MS: Final = 2_000
_SALVAGE: Final = "drift memory salvage"
_SALVAGE_HINT: Final = "Salvage copies what can be read into a new file and keeps the damaged one beside it."


class NewerStoreError(sqlite3.DatabaseError):
    """The file is of a later version of Drift."""


class StrangeStoreError(sqlite3.DatabaseError):
    """The file holds other tables than ours: a stranger's, or changed by hand."""


class ReadOnlyStoreError(sqlite3.OperationalError):
    """The file may be read and not be written."""

    sqlite_errorname = "SQLITE_READONLY"


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn errors of SQLite inside the block into CORTEX_UNAVAILABLE with a way out.

    A value that SQLite cannot take, such as an id that is no text it can write, is INVALID_ARGUMENT.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise explain(path, error) from error
    except UnicodeDecodeError as error:
        # Neither texts nor SQLite's messages, which quote them, need be UTF-8 in a damaged file.
        raise _damaged(path, "a text in it is no UTF-8") from error
    except UnicodeEncodeError as error:
        raise invalid("text", "holds half of a surrogate pair") from error
    except OverflowError as error:
        raise invalid("number", "is beyond 64 bits") from error


def unreachable(path: Path, error: OSError) -> DriftError:
    """The file or its folder cannot be got at."""
    return _unavailable(
        f"The memories in {path} cannot be used: {error.strerror or error}",
        "Check that the folder exists, is a folder you may write to, and has space left; then call again.",
    )


def explain(path: Path, error: sqlite3.Error, *, name: str | None = None) -> DriftError:
    """The error a caller gets for one of SQLite's, worded for another `name` where that says more."""
    name = name_of(error) if name is None else name
    message, hint, command = _word(path, error, name)
    retry_after_ms = _RETRY_MS if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")) else None
    return DriftError(
        ErrorCode.CORTEX_UNAVAILABLE,
        message,
        Recovery(hint=hint, command=command, retry_after_ms=retry_after_ms, details={"cause": name or None}),
    )


def unwritable(path: Path, refusal: sqlite3.Error) -> DriftError:
    """The store can be read, but not written, for the reason SQLite gave when it was opened."""
    if not name_of(refusal).startswith("SQLITE_CANTOPEN"):
        return explain(path, refusal)
    # What could not be opened is a file beside a store that is readable: the folder takes no new ones.
    return explain(path, refusal, name="SQLITE_READONLY")


def name_of(error: sqlite3.Error) -> str:
    """SQLite's name for it; empty for an error that Python's module raised by itself."""
    return getattr(error, "sqlite_errorname", "") or ""


def absent(path: Path) -> DriftError:
    """There is no store to read."""
    return _unavailable(
        f"There are no memories at {path} yet", "Save one first: save_memory, or drift_memory_add."
    )


def replaced(path: Path) -> DriftError:
    """Another file took the store's place while it was written."""
    return _unavailable(
        f"The memories in {path} were replaced by another file while they were written",
        "Nothing was saved. Call again.",
    )


def is_damage(error: sqlite3.Error) -> bool:
    """Whether the file itself is broken, so that salvage is the way out."""
    return name_of(error).startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_IOERR_SHORT_READ"))


def _word(path: Path, error: sqlite3.Error, name: str) -> tuple[str, str, str | None]:
    if isinstance(error, NewerStoreError):
        return (
            f"The memories in {path} were written by a newer Drift ({error})",
            "Update Drift. Nothing was changed.",
            None,
        )
    if isinstance(error, StrangeStoreError):
        return (
            f"{path} is not a memory store of Drift: {error}",
            "Move the file away if it is not yours; Drift neither uses nor changes it.",
            None,
        )
    if is_damage(error):
        return f"The memories in {path} are damaged ({_said(error)})", _SALVAGE_HINT, _SALVAGE
    for prefixes, problem, hint in _CASES:
        if name.startswith(prefixes):
            return f"The memories in {path} {problem}", hint, None
    return f"The memories in {path} cannot be used ({name or 'SQLite'}: {_said(error)})", "Call again.", None


_CASES: Final = (
    (
        ("SQLITE_BUSY", "SQLITE_LOCKED"),
        f"are locked: another process has been writing for {BUSY_SECONDS:.0f} s",
        "Nothing was saved. Call again in a moment.",
    ),
    (
        ("SQLITE_FULL",),
        "could not be written: the disk or the file's quota is full",
        "Nothing was saved. Free some space, then call again.",
    ),
    (
        ("SQLITE_READONLY",),
        "cannot be written: the file or its folder is read-only",
        "Nothing was saved. Make the file and its folder writable, then call again.",
    ),
    (
        ("SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_AUTH"),
        "cannot be opened",
        "Check that the file and its folder may be read and written by you.",
    ),
    (
        ("SQLITE_IOERR",),
        "could not be read or written: the disk answered with an error or is full",
        "Nothing was saved. Check the disk and its free space, then call again.",
    ),
    (("SQLITE_TOOBIG",), "cannot take a value of this size", "Save less at a time."),
)


def _damaged(path: Path, how: str) -> DriftError:
    message = f"The memories in {path} are damaged ({how})"
    return DriftError(ErrorCode.CORTEX_UNAVAILABLE, message, Recovery(hint=_SALVAGE_HINT, command=_SALVAGE))


def _unavailable(message: str, hint: str) -> DriftError:
    return DriftError(ErrorCode.CORTEX_UNAVAILABLE, message, Recovery(hint=hint))


def _said(error: sqlite3.Error) -> str:
    return shorten(ascii(str(error)), 200)
