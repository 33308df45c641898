"""The hash by which a file's content is known again."""

import os
from hashlib import blake2b
from pathlib import Path
from typing import Final

_HASH_BYTES: Final = 16
_FLAGS: Final = (
    os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
)  # Windows has neither


def hash_content(content: bytes) -> str:
    """A content's hash, in 32 hexadecimal digits."""
    return blake2b(content, digest_size=_HASH_BYTES).hexdigest()


def read_beginning(path: Path, most_bytes: int) -> bytes:
    """Up to so many bytes of a file. A link in its place is not followed, a pipe not waited for; OSError then."""
    descriptor = os.open(path, _FLAGS)
    try:
        return os.read(descriptor, most_bytes)
    finally:
        os.close(descriptor)


def read_whole(path: Path) -> bytes:
    """A file's content. A link in its place is not followed; OSError then."""
    with os.fdopen(os.open(path, _FLAGS), "rb") as file:
        return file.read()


def hash_file(path: Path) -> str | None:
    """The hash of a file's content, or None if it cannot be read."""
    try:
        return hash_content(read_whole(path))
    except OSError:
        return None
