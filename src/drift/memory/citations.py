"""What a memory cites: the hash of a file of the project or of some of its lines, and where those lines are now.

The hash of a whole file is that of its bytes, the same as in the index. The hash of lines is that of the lines
joined by line feeds, so it does not depend on the line ends of the file or on whether its last line is closed.
"""

from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Final

from drift.kernel.errors import DriftError, ErrorCode, Recovery, invalid
from drift.kernel.paths import resolve_inside
from drift.kernel.reading import read_beginning
from drift.memory.named_code import find_definition, names_in
from drift.memory.records import FileLink

MOST_BYTES: Final = 20_000_000
HASH_DIGITS: Final = 32
_HASH_BYTES: Final = HASH_DIGITS // 2
_MOST_HASHED_BYTES: Final = 200_000_000
_MOST_NAMED: Final = 4


def cite(root: Path, path: str, *, start_line: int | None = None, end_line: int | None = None) -> FileLink:
    """The citation of a file or of some of its lines, with the hash of what stands there now.

    Raises FILE_NOT_FOUND, PATH_OUTSIDE_PROJECT, TOO_LARGE, or INVALID_ARGUMENT for lines that are not there.
    """
    inside = resolve_inside(root, path, must_exist=True)
    content = read_cited(root, inside)
    if start_line is None:
        return FileLink(inside, content_hash=hash_file_content(content))
    lines = split_lines(content)
    last = end_line or start_line
    if not 1 <= start_line <= last <= len(lines):
        raise invalid("lines", f"{inside} has {len(lines):,} lines; {start_line} to {last} was asked for")
    return FileLink(inside, start_line, last, hash_lines(lines[start_line - 1 : last]))


def cite_named(root: Path, path: str, text: str) -> tuple[FileLink, ...]:
    """Citations of what a text names of a file: the lines that define it, or the whole file where none do.

    A file changes for many reasons; what is said of one function holds as long as that function stays.
    """
    whole = cite(root, path)
    lines = split_lines(read_cited(root, whole.path))
    spans = dict.fromkeys(
        span for name in names_in(text) if (span := find_definition(lines, name)) is not None
    )
    return tuple(
        FileLink(whole.path, first, last, hash_lines(lines[first - 1 : last]))
        for first, last in list(spans)[:_MOST_NAMED]
    ) or (whole,)


def read_cited(root: Path, path: str) -> bytes:
    """The content of a file inside the root. Raises FILE_NOT_FOUND, PATH_OUTSIDE_PROJECT or TOO_LARGE."""
    inside = resolve_inside(root, path, must_exist=True)
    try:
        content = read_beginning(root, inside, MOST_BYTES + 1)
    except OSError as error:
        raise _unreadable(inside, error.strerror or type(error).__name__) from error
    if len(content) > MOST_BYTES:
        raise DriftError(ErrorCode.TOO_LARGE, f"{inside} has more than {MOST_BYTES:,} bytes")
    return content


def hash_file_content(content: bytes) -> str:
    return blake2b(content, digest_size=_HASH_BYTES).hexdigest()


def hash_lines(lines: Sequence[bytes]) -> str:
    return hash_file_content(b"\n".join(lines))


def split_lines(content: bytes) -> list[bytes]:
    """The lines of a file without their ends."""
    lines = content.replace(b"\r\n", b"\n").split(b"\n")
    return lines[:-1] if lines[-1] == b"" else lines


def find_lines(lines: Sequence[bytes], wanted_hash: str, *, count: int, near: int) -> int | None:
    """The number of the first of `count` lines with this hash, the place nearest to line `near`; None if nowhere.

    Places far from `near` are left out where looking at them would mean hashing very much.
    """
    left_bytes = _MOST_HASHED_BYTES
    for first in sorted(range(1, len(lines) - count + 2), key=lambda number: abs(number - near)):
        wanted = b"\n".join(lines[first - 1 : first - 1 + count])
        if hash_file_content(wanted) == wanted_hash:
            return first
        left_bytes -= len(wanted)
        if left_bytes < 0:
            break
    return None


def _unreadable(path: str, reason: str) -> DriftError:
    return DriftError(
        ErrorCode.FILE_NOT_FOUND,
        f"{path} cannot be read: {reason}",
        Recovery(hint="Cite a regular file inside the project that may be read."),
    )
