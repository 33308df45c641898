"""Files that are never half written, and locks between processes."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from drift.kernel.errors import DriftError, ErrorCode, Recovery, invalid

_RETRY_SECONDS: Final = 0.02
_O_NOFOLLOW: Final = getattr(os, "O_NOFOLLOW", 0)  # Windows has neither flag
_O_BINARY: Final = getattr(os, "O_BINARY", 0)
_LONGEST_NOTE: Final = 64
_LOCKED_BYTE: Final = 1 << 20  # far behind the note, which stays readable on Windows


def write_atomically(path: Path, data: bytes | str, *, mode: int | None = None) -> None:
    """Put the data at the path, whole or not at all, also when the machine stops in between.

    A symbolic link is followed. Without `mode` a file keeps its permissions and a new one gets the usual ones.
    """
    content = _encode(data) if isinstance(data, str) else data
    target = Path(os.path.realpath(path))
    try:
        if target.is_symlink():
            raise OSError("its symbolic links form a loop")
        _replace(target, content, _choose_mode(target, mode))
    except OSError as error:
        raise _unavailable(f"{path} could not be written: {_say(error)}") from error


def write_new(path: Path, data: bytes) -> None:
    """Put the data where nothing is yet, whole or not at all. Raises OSError, FileExistsError where something is."""
    temporary = _write_temporary(path, data, 0o666)
    try:
        # Unlike a rename, a link takes nobody's place.
        os.link(temporary, path)
    finally:
        temporary.unlink()
    _sync_directory(path.parent)


@contextmanager
def locked(
    path: Path, *, timeout_seconds: float, while_waiting: Callable[[], None] | None = None
) -> Iterator[None]:
    """Hold the one lock on a path, among all processes and threads, while the block runs.

    The lock is on a file beside it, `<path>.lock`, which stays: removing it would let two holders in. As long as
    another holds it, `while_waiting` is called again and again; what it raises ends the wait.
    """
    lock_path = path.with_name(f"{path.name}.lock")
    try:
        descriptor = os.open(lock_path, os.O_RDWR | os.O_CREAT | _O_NOFOLLOW | _O_BINARY, 0o666)
    except OSError as error:
        raise _unavailable(f"{lock_path} could not be opened: {_say(error)}") from error
    try:
        _lock(descriptor, lock_path, timeout_seconds=timeout_seconds, while_waiting=while_waiting)
        try:
            yield
        finally:
            _unlock(descriptor)
    finally:
        os.close(descriptor)


def _lock(
    descriptor: int, lock_path: Path, *, timeout_seconds: float, while_waiting: Callable[[], None] | None
) -> None:
    deadline = time.monotonic() + timeout_seconds
    try:
        while not _try_lock(descriptor):
            if time.monotonic() >= deadline:
                raise _held(lock_path, _read_note(descriptor), timeout_seconds)
            if while_waiting is not None:
                while_waiting()
            time.sleep(_RETRY_SECONDS)
        _write_note(descriptor)
    except OSError as error:
        raise _unavailable(f"{lock_path} could not be locked: {_say(error)}") from error


def _replace(target: Path, content: bytes, mode: int | None) -> None:
    temporary = _write_temporary(target, content, 0o666 if mode is None else 0o600)
    try:
        if mode is not None:
            temporary.chmod(mode)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_directory(target.parent)


def _write_temporary(target: Path, content: bytes, mode: int) -> Path:
    """A file with the content beside the target, safely on disk."""
    temporary = target.with_name(f".drift-{os.urandom(8).hex()}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _O_NOFOLLOW | _O_BINARY
    descriptor = os.open(temporary, flags, mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def _choose_mode(target: Path, mode: int | None) -> int | None:
    if mode is not None:
        return mode
    try:
        return target.stat().st_mode & 0o777
    except FileNotFoundError:
        return None


def _sync_directory(directory: Path) -> None:
    if sys.platform == "win32":
        return  # a directory cannot be opened there, and the rename is journalled
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        # Some network file systems refuse; the file itself is safe by then.
        with suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _encode(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise invalid("data", f"has a character at {error.start} that UTF-8 cannot hold") from None


if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(descriptor: int) -> None:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


def _write_note(descriptor: int) -> None:
    os.ftruncate(descriptor, 0)
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.write(descriptor, f"process {os.getpid()}".encode("ascii"))


def _read_note(descriptor: int) -> str:
    os.lseek(descriptor, 0, os.SEEK_SET)
    note = os.read(descriptor, _LONGEST_NOTE).decode("ascii", "replace")
    return note if note.isprintable() and note else "another process"


def _held(lock_path: Path, holder: str, timeout_seconds: float) -> DriftError:
    return DriftError(
        ErrorCode.STORE_UNAVAILABLE,
        f"{lock_path} is held by {holder}; waited {timeout_seconds:g} s",
        Recovery(
            hint=f"Wait until {holder} has finished, or end it if it hangs, then call again.",
            retry_after_ms=max(1000, int(timeout_seconds * 1000)),
        ),
    )


def _unavailable(message: str) -> DriftError:
    hint = "Check that the folder exists, is writable and has space left; then call again."
    return DriftError(ErrorCode.STORE_UNAVAILABLE, message, Recovery(hint=hint))


def _say(error: OSError) -> str:
    return error.strerror or str(error)
