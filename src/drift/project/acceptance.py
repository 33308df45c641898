"""Which contents of a project's shared files are of this machine: written here with our tools, or accepted by a person.

A repository brings instructions along. Reviewed or not, they are words of others until somebody at this
machine takes them for their own, so what was accepted is noted in Drift's home, where no repository reaches. A changed
content is another one.
"""

import hashlib
import os
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, Literal

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.files import write_atomically
from drift.project.home import drift_home
from drift.project.identity import project_id

Kind = Literal["instruction"]
"""What files a repository may bring along that need accepting."""
Trust = Literal["local", "repository"]

_DIGEST_BYTES: Final = 24
_LINE_BYTES: Final = 2 * _DIGEST_BYTES + 1
# Kept of the newest when the file has grown to twice that: more than any catalog holds.
_MOST_KEPT: Final = 100_000


class Acceptance:
    """The accepted contents of one project. For any number of threads and processes; they only ever add."""

    def __init__(self, path: Path | None) -> None:
        """Without a path, where there is no home to keep it in, nothing is accepted and nothing can be."""
        self.path = path
        self._lock = threading.Lock()
        self._stamp: tuple[int, int, int] | None = None
        self._digests: frozenset[str] = frozenset()

    @classmethod
    def of(cls, root: Path, environ: Mapping[str, str]) -> "Acceptance":
        """Those of the project at `root`. Nothing is made."""
        try:
            home = drift_home(environ)
        except DriftError:
            return cls(None)
        return cls(home / "accepted" / project_id(root))

    def digests(self) -> frozenset[str]:
        """The digests of everything accepted so far; none where nothing can be read."""
        if self.path is None:
            return frozenset()
        with self._lock:
            try:
                seen = self.path.stat()
                stamp = (seen.st_mtime_ns, seen.st_size, seen.st_ino)
                if stamp != self._stamp:
                    lines = self.path.read_text("ascii", "replace").split()
                    self._digests, self._stamp = frozenset(lines), stamp
            except OSError:
                self._digests, self._stamp = frozenset(), None
            return self._digests

    def add(self, digests: Iterable[str]) -> None:
        """Note that these are accepted. Raises STORE_UNAVAILABLE."""
        known = self.digests()
        new = [each for each in dict.fromkeys(digests) if each not in known]
        if not new:
            return
        if self.path is None:
            raise _unavailable("There is no home directory to note in what was accepted")
        # One write of whole lines at the end: of two processes none loses the other's. It begins with a line end, for a
        # line that a full disk cut short.
        lines = "".join(f"\n{each}" for each in new)
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                os.write(descriptor, lines.encode("ascii"))
                size = os.fstat(descriptor).st_size
            finally:
                os.close(descriptor)
            if size > 2 * _MOST_KEPT * _LINE_BYTES:
                kept = self.path.read_text("ascii", "replace").split()[-_MOST_KEPT:]
                write_atomically(self.path, "".join(f"\n{each}" for each in kept))
        except OSError as error:
            raise _unavailable(f"{self.path} cannot be written: {error.strerror}") from error


def _unavailable(message: str) -> DriftError:
    hint = "Check that Drift's home (DRIFT_HOME) may be written and has space left; then call again."
    return DriftError(ErrorCode.STORE_UNAVAILABLE, message, Recovery(hint=hint))


def digest_of(kind: Kind, name: str, content: bytes) -> str:
    """What stands for a content of this name."""
    return hashlib.blake2b(
        b"\0".join((kind.encode("ascii"), name.encode("utf-8"), content)), digest_size=_DIGEST_BYTES
    ).hexdigest()
