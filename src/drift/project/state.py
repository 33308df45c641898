"""The project's `.drift` directory: what lies where, and the key that signs cursors."""

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.files import locked, write_atomically
from drift.kernel.paths import is_inside
from drift.kernel.reading import read_file

_KEY_BYTES = 32
_LOCK_TIMEOUT_SECONDS = 5.0
_GITIGNORE = """\
# Written by Drift. What it can rebuild, and what is yours alone, stays out of git;
# what people review and share is kept.
*
!.gitignore
!instructions/
!instructions/**
!packs/
!packs/**
!rules/
!rules/**
"""


@dataclass(frozen=True, slots=True)
class StateDir:
    """Where Drift keeps things about the project at `root`. Making one touches no disk."""

    root: Path

    @property
    def path(self) -> Path:
        """The directory itself."""
        return self.root / ".drift"

    @property
    def index_db(self) -> Path:
        """The index: derived, safe to delete."""
        return self.path / "drift.db"

    @property
    def scan_record(self) -> Path:
        """What the last scan was asked for and counted: derived."""
        return self.path / "scan.json"

    @property
    def snapshots(self) -> Path:
        """One small file of counts for each day with a scan."""
        return self.path / "history" / "snapshots"

    @property
    def memory_db(self) -> Path:
        """The memories, where settings name no other place: precious."""
        return self.path / "memory" / "cortex.db"

    @property
    def catalog_db(self) -> Path:
        """What the catalog counts and hears back: precious."""
        return self.path / "catalog.db"

    @property
    def cache_db(self) -> Path:
        """Answers kept across restarts: derived."""
        return self.path / "cache.db"

    @property
    def usage_db(self) -> Path:
        """How tools were used: derived."""
        return self.path / "usage.db"

    @property
    def instructions(self) -> Path:
        """Instructions people review and commit."""
        return self.path / "instructions"

    @property
    def packs(self) -> Path:
        """The project's own packs, where settings name no other place."""
        return self.path / "packs"

    @property
    def rules(self) -> Path:
        """Rules people review and commit."""
        return self.path / "rules"

    @property
    def exports(self) -> Path:
        """What tools were asked to write out."""
        return self.path / "exports"

    @property
    def key(self) -> Path:
        """The secret that signs cursors."""
        return self.path / "key"

    def ensure(self) -> "StateDir":
        """The same, with the directory made and a .gitignore in it that keeps derived state out of git.

        Raises PATH_OUTSIDE_PROJECT for a link that leads out of the project, and STORE_UNAVAILABLE when
        nothing can be written there.
        """
        self.check(self.path)
        try:
            self.path.mkdir(exist_ok=True)
        except OSError as error:
            raise _unwritable(self.path, str(error.strerror)) from error
        can_ask_effective = os.access in os.supports_effective_ids
        if not os.access(self.path, os.W_OK | os.X_OK, effective_ids=can_ask_effective):
            raise _unwritable(self.path, "it is read-only")
        gitignore = self.path / ".gitignore"
        # One that is there, even as a broken link, is the user's to keep.
        if not os.path.lexists(gitignore):
            write_atomically(gitignore, _GITIGNORE)
        return self

    def read(self, path: Path, most_bytes: int) -> bytes:
        """The content of a file in the directory; OSError where it is no file, leads out or has more bytes."""
        return read_file(self.root, path.relative_to(self.root).as_posix(), most_bytes)

    def check(self, path: Path) -> Path:
        """The same path, if no link on its way leads out of the project; else PATH_OUTSIDE_PROJECT.

        A repository can bring links along, so every store asks before it opens its file.
        """
        if is_inside(self.root, path):
            return path
        raise DriftError(
            ErrorCode.PATH_OUTSIDE_PROJECT,
            f"{path} leads outside the project or cannot be followed, so Drift does not use it.",
            Recovery(hint="Replace a link by a real file or directory, and make what is there readable."),
        )


def cursor_key(root: Path, *, may_write: bool = True) -> bytes:
    """The 32 secret bytes that sign this project's cursors, the same for every process and restart.

    Where they cannot be kept, or must not be because nobody asked for state in this project yet, the key
    of this process alone: cursors then end with it.
    """
    state = StateDir(root)
    try:
        state.check(state.path)
        kept = _read_key(state)
        if kept is None and not may_write:
            return _process_key()
        return kept or _make_key(state.ensure())
    except (DriftError, OSError):
        return _process_key()


@cache
def _process_key() -> bytes:
    return os.urandom(_KEY_BYTES)


def _make_key(state: StateDir) -> bytes:
    path = state.key
    with locked(path, timeout_seconds=_LOCK_TIMEOUT_SECONDS):
        # Whoever held the lock before may have made it; both must go on with the same.
        kept = _read_key(state)
        if kept is not None:
            return kept
        # Writing follows links, and one that came with the repository could name any file.
        if path.is_symlink():
            path.unlink()
        key = os.urandom(_KEY_BYTES)
        write_atomically(path, key, mode=0o600)
        return key


def _read_key(state: StateDir) -> bytes | None:
    """The key that is kept, or None when there is none that can be used; not through a link, which could come along."""
    try:
        content = read_file(state.root, f"{state.path.name}/{state.key.name}", _KEY_BYTES, follow_links=False)
    except OSError:
        return None
    return content if len(content) == _KEY_BYTES else None


def _unwritable(path: Path, problem: str) -> DriftError:
    return DriftError(
        ErrorCode.STORE_UNAVAILABLE,
        f"Drift cannot keep its state in {path}: {problem}.",
        Recovery(hint="Make that place a directory you may write to, or work on a copy of the project."),
    )
