"""The hash by which a file's content is known again."""

from hashlib import blake2b
from pathlib import Path
from typing import Final

from drift.kernel.reading import read_file

_HASH_BYTES: Final = 16
_MOST_BYTES: Final = 100_000_000  # a file that grew beyond after it was found is not taken into memory


def hash_content(content: bytes) -> str:
    """A content's hash, in 32 hexadecimal digits."""
    return blake2b(content, digest_size=_HASH_BYTES).hexdigest()


def read_whole(root: Path, path: str) -> bytes:
    """A file's content. OSError where a link, a pipe or a device stands in its place by now, and for one too large."""
    return read_file(root, path, _MOST_BYTES, follow_links=False)


def hash_file(root: Path, path: str) -> str | None:
    """The hash of a file's content, or None if it cannot be read."""
    try:
        return hash_content(read_whole(root, path))
    except OSError:
        return None
