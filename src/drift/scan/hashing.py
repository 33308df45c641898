"""The hash by which a file's content is known again."""

import errno
import os
import stat
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO, Final

_HASH_BYTES: Final = 16
_MOST_BYTES: Final = 100_000_000  # a file that grew beyond after it was found is not taken into memory
_FLAGS: Final = (
    os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
)  # Windows has neither


def hash_content(content: bytes) -> str:
    """A content's hash, in 32 hexadecimal digits."""
    return blake2b(content, digest_size=_HASH_BYTES).hexdigest()


def read_beginning(path: Path, most_bytes: int) -> bytes:
    """Up to so many bytes of a file. OSError where something else stands in its place, such as a link or a pipe."""
    with _open_file(path) as file:
        return file.read(most_bytes)


def read_whole(path: Path) -> bytes:
    """A file's content, but no more than the largest that could be asked for. OSError as above, and beyond that."""
    with _open_file(path) as file:
        content = file.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    return content


def _open_file(path: Path) -> BinaryIO:
    """A regular file: what was one when it was found may be a link, a pipe or a device by now, which never ends."""
    descriptor = os.open(path, _FLAGS)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "no regular file any more")
    return os.fdopen(descriptor, "rb")


def hash_file(path: Path) -> str | None:
    """The hash of a file's content, or None if it cannot be read."""
    try:
        return hash_content(read_whole(path))
    except OSError:
        return None
