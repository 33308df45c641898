"""The directory of instructions, one JSON file each: read warily, written whole or not at all."""

import errno
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from drift.catalog.ids import ENDING, is_claim, is_text
from drift.catalog.settings import CatalogSettings
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.files import locked, write_atomically
from drift.kernel.reading import opened

MOST_FILE_BYTES: Final = 1_000_000
MOST_FILES: Final = 100_000
LOCK_SECONDS: Final = 30.0

_PASSING: Final = frozenset(
    {errno.EAGAIN, errno.EINTR, errno.EBUSY, errno.ESTALE, errno.EMFILE, errno.ENFILE, errno.ETXTBSY}
    # Windows answers so while another program has the file open.
    | ({errno.EACCES, errno.EPERM} if os.name == "nt" else set())
)
_LONGEST_WAIT_MS: Final = 1_000

_Result = TypeVar("_Result")


class Stamp(NamedTuple):
    """By what a change of a file shows without reading it."""

    mtime_ns: int
    size: int
    inode: int
    ctime_ns: int


class Look(NamedTuple):
    """All files as they were at one look. Those with several names may change by a name elsewhere."""

    stamps: dict[str, Stamp]
    linked: frozenset[str]


class UnreadableFileError(Exception):
    """A file that is not taken, and why; the line if one is to blame."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


class InstructionFiles:
    """The files in one directory. It may be missing: then there are none, and writing makes it."""

    def __init__(self, directory: Path, settings: CatalogSettings) -> None:
        self.directory = directory
        self._text = os.fspath(directory)
        self._settings = settings
        self.unnameable: tuple[str, ...] = ()
        """Files the last look passed over since their names are no text; as they can be shown."""

    def look(self) -> Look:
        """Every file that claims to be an instruction, as it is now. Raises STORE_UNAVAILABLE."""
        try:
            claims = [name for name in os.listdir(self._text) if is_claim(name)]  # noqa: PTH208 - names are all that is asked for
        except FileNotFoundError:
            self.unnameable = ()
            return Look({}, frozenset())
        except OSError as error:
            raise _unavailable(f"{self.directory} cannot be listed: {error.strerror}") from error
        names = [name for name in claims if is_text(name)]
        self.unnameable = tuple(ascii(name)[1:-1] for name in sorted(set(claims).difference(names)))
        if len(claims) > MOST_FILES:
            raise _too_many(self.directory)
        # For every file of a catalog: written for speed.
        found: dict[str, Stamp] = {}
        linked: list[str] = []
        stat_of, prefix, make = os.lstat, f"{self._text}/", Stamp._make
        for name in names:
            try:
                seen = stat_of(prefix + name)
            except OSError:
                continue  # gone since it was listed
            found[name] = make((seen.st_mtime_ns, seen.st_size, seen.st_ino, seen.st_ctime_ns))
            if seen.st_nlink != 1:
                linked.append(name)
        return Look(found, frozenset(linked))

    def changed_ns(self) -> int | None:
        """When files last came, went or were replaced; None without a directory."""
        try:
            return os.stat(self._text).st_mtime_ns  # noqa: PTH116 - before every answer, so without a Path
        except OSError:
            return None

    def stamp(self, name: str) -> Stamp | None:
        """One file as it is now, or None if there is none."""
        try:
            return _make_stamp(os.lstat(f"{self._text}/{name}"))
        except (OSError, ValueError):
            return None

    def read(self, name: str) -> tuple[bytes, Stamp]:
        """What a file holds, and its stamp from before it was read.

        Raises UnreadableFileError; FileNotFoundError when it is gone.
        """
        path = f"{self._text}/{name}"
        try:
            return self._retry_reading(lambda: _read(self._text, name))
        except FileNotFoundError:
            raise
        except OSError as error:
            # A link is refused by the open itself, with a code that says little.
            reason = "is a symbolic link" if Path(path).is_symlink() else error.strerror or str(error)
            raise UnreadableFileError(reason) from error

    def write(self, instruction_id: str, content: bytes) -> Stamp:
        """Put an instruction on disk for good, and the stamp it has there."""
        name = instruction_id + ENDING
        path = self.directory / name
        if path.is_symlink():
            raise _unavailable(f"{path} is a symbolic link, so it is not written")
        self._retry_writing(lambda: write_atomically(path, content))
        stamp = self.stamp(name)
        if stamp is None:
            raise _unavailable(f"{path} was gone after it was written")
        return stamp

    def delete(self, instruction_id: str) -> bool:
        """Remove an instruction for good; whether there was one."""
        path = self.directory / (instruction_id + ENDING)
        try:
            self._retry_writing(path.unlink)
        except FileNotFoundError:
            return False
        except OSError as error:
            raise _unavailable(f"{path} could not be removed: {error.strerror}") from error
        return True

    def settle(self) -> None:
        """Have the disk confirm which files there are, as far as the file system can."""
        if os.name == "nt":
            return  # a directory cannot be opened there, and its changes are journalled
        with suppress(OSError):
            descriptor = os.open(self._text, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the one right to write here, among all processes, while the block runs."""
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _unavailable(f"{self.directory} could not be made: {error.strerror}") from error
        # The lock lies beside the directory, which people commit.
        with locked(self.directory, timeout_seconds=LOCK_SECONDS):
            yield

    def _retry_reading(self, action: Callable[[], _Result]) -> _Result:
        return _retry(action, self._settings.read_retries, self._settings.read_backoff_ms)

    def _retry_writing(self, action: Callable[[], _Result]) -> _Result:
        return _retry(action, self._settings.write_retries, self._settings.write_backoff_ms)


def _retry(action: Callable[[], _Result], retries: int, backoff_ms: int) -> _Result:
    for attempt in range(retries):
        try:
            return action()
        except (OSError, DriftError) as error:
            cause = error.__cause__ if isinstance(error, DriftError) else error
            if not isinstance(cause, OSError) or cause.errno not in _PASSING:
                raise
        time.sleep(min(backoff_ms << min(attempt, 10), _LONGEST_WAIT_MS) / 1000)
    return action()


def _read(directory: str, name: str) -> tuple[bytes, Stamp]:
    with opened(directory, name, follow_links=False) as file:
        found = os.fstat(file.fileno())
        content = file.read(MOST_FILE_BYTES + 1)
    if len(content) > MOST_FILE_BYTES:
        raise UnreadableFileError(f"is larger than {MOST_FILE_BYTES:,} bytes")
    return content, _make_stamp(found)


def _make_stamp(found: os.stat_result) -> Stamp:
    return Stamp(found.st_mtime_ns, found.st_size, found.st_ino, found.st_ctime_ns)


def _too_many(directory: Path) -> DriftError:
    return DriftError(
        ErrorCode.TOO_LARGE,
        f"{directory} holds more than {MOST_FILES:,} instructions",
        Recovery(
            hint="Move some of them into another directory (INSTRUCTIONS_DIR).", details={"fault": "limit"}
        ),
    )


def _unavailable(message: str) -> DriftError:
    hint = "Check that the directory is a folder you may read and write, and has space left; then call again."
    return DriftError(
        ErrorCode.STORE_UNAVAILABLE, message, Recovery(hint=hint, details={"fault": "permission"})
    )
