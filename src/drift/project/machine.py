"""The key of this user on this machine: what it sealed was made here, and did not come with a repository.

It lies in Drift's home. Where there is no home that can be written, such as in a container, one in the user's own
folder among the temporary files takes its place; where there is none of either, the key ends with the process.
"""

import hmac
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from drift.kernel.errors import DriftError
from drift.kernel.files import locked, write_atomically
from drift.project.home import drift_home

_KEY_BYTES: Final = 32
_LOCK_TIMEOUT_SECONDS: Final = 5.0
# Not through a link, without waiting for a pipe; Windows has neither flag and needs a third.
_READ: Final = (
    os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
)

_known: Final[dict[Path, bytes]] = {}


def machine_key(environ: Mapping[str, str], *, may_make: bool = True) -> bytes:
    """32 secret bytes, the same for every process of the user, made where there are none yet and `may_make`."""
    for folder in _folders(environ, may_make=may_make):
        key = _known.get(folder) or _read(folder / "key") or (_make(folder) if may_make else None)
        if key is not None:
            # Kept as long as the process: whoever takes the file away takes back no seal.
            _known[folder] = key
            return key
    return _process_key()


def is_key_lasting(environ: Mapping[str, str]) -> bool:
    """Whether what is sealed now is still believed by the next process."""
    return machine_key(environ) != _process_key()


def seal(key: bytes, purpose: str, *parts: str | bytes) -> str:
    """What proves that someone who has the key said all of these parts, for this purpose and in this order."""
    texts = [os.fsencode(part) if isinstance(part, str) else part for part in (purpose, *parts)]
    return hmac.digest(key, b"".join(b"%d:%b" % (len(text), text) for text in texts), "sha256").hex()


def is_sealed(key: bytes, claim: object, purpose: str, *parts: str | bytes) -> bool:
    """Whether `claim` is the seal of these parts."""
    return isinstance(claim, str) and hmac.compare_digest(
        claim.encode("utf-8", "replace"), seal(key, purpose, *parts).encode()
    )


def derived_key(key: bytes, purpose: str, *parts: str | bytes) -> bytes:
    """A key of its own for one purpose, which tells nothing of the one it is made from."""
    return bytes.fromhex(seal(key, purpose, *parts))


@lru_cache(maxsize=64)  # asked for every page, and following links takes longer than to find a page
def cursor_key(root: Path, *, may_make: bool = True) -> bytes:
    """The 32 secret bytes that sign this project's cursors."""
    return derived_key(machine_key(os.environ, may_make=may_make), "cursors", os.path.realpath(root))


def _folders(environ: Mapping[str, str], *, may_make: bool) -> Iterator[Path]:
    with suppress(DriftError):  # there is no home at all
        yield drift_home(environ)
    if hasattr(os, "getuid"):  # Windows has no user without a home
        import tempfile  # takes 20 ms, and nearly everyone has a home

        yield _own(Path(tempfile.gettempdir()) / f"drift-{os.getuid()}", may_make=may_make)


def _own(folder: Path, *, may_make: bool) -> Path:
    """The folder; one inside it that cannot be, where somebody else took the name: anyone may, among temporary files."""
    try:
        if may_make:
            folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return folder  # reading or writing the key fails likewise
    is_ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o022
    return folder if is_ours else Path(os.devnull) / "drift"


@cache
def _process_key() -> bytes:
    return os.urandom(_KEY_BYTES)


def _make(folder: Path) -> bytes | None:
    """The key in a folder, made if it must be; None where the folder cannot be used."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with locked(folder / "key", timeout_seconds=_LOCK_TIMEOUT_SECONDS):
            # Whoever held the lock before may have made it; both must go on with the same.
            kept = _read(folder / "key")
            if kept is not None:
                return kept
            # What is there is no key, and writing would follow a link.
            (folder / "key").unlink(missing_ok=True)
            key = os.urandom(_KEY_BYTES)
            write_atomically(folder / "key", key, mode=0o600)
            return key
    except (DriftError, OSError):
        return None


def _read(path: Path) -> bytes | None:
    """The key kept at `path`, or None when there is none that can be used."""
    try:
        descriptor = os.open(path, _READ)
    except OSError:
        return None
    try:
        content = os.read(descriptor, _KEY_BYTES + 1)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return content if len(content) == _KEY_BYTES else None
