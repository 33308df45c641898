"""The project's `.drift` directory: what lies where. What is precious is kept elsewhere: see stores.py."""

import os
from dataclasses import dataclass
from pathlib import Path

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.files import write_atomically
from drift.kernel.paths import is_inside
from drift.kernel.reading import read_file

_GITIGNORE = """\
# Written by Drift. What it can rebuild, and what is yours alone, stays out of git, this file too;
# what people review and share is kept.
*
!instructions/
!instructions/**
!packs/
!packs/**
!rules/
!rules/**
!templates/
!templates/**
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
    def commits_db(self) -> Path:
        """What git's log told: derived, safe to delete."""
        return self.path / "commits.db"

    @property
    def scan_record(self) -> Path:
        """What the last scan was asked for and counted: derived."""
        return self.path / "scan.json"

    @property
    def snapshots(self) -> Path:
        """One small file of counts for each day with a scan."""
        return self.path / "history" / "snapshots"

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
    def pointer(self) -> Path:
        """Which of the stores in Drift's home are this project's."""
        return self.path / "project.json"

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


def _unwritable(path: Path, problem: str) -> DriftError:
    return DriftError(
        ErrorCode.STORE_UNAVAILABLE,
        f"Drift cannot keep its state in {path}: {problem}.",
        Recovery(hint="Make that place a directory you may write to, or work on a copy of the project."),
    )
