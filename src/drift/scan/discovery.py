"""What discovery finds: files to read, files to leave and why, and how many are of no known language."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Literal, NamedTuple

from drift.scan.roles import Role


class SkipReason(StrEnum):
    """Why a file is not read."""

    VENDORED = "vendored"  # code of others
    GENERATED = "generated"  # written by a program
    MINIFIED = "minified"
    BINARY = "binary"
    OVERSIZED = "oversized"
    IGNORED = "ignored"  # by a .driftignore file
    EXCLUDED = "excluded"  # by an option of this scan
    UNREADABLE = "unreadable"
    LINK = "link"  # a symbolic link, or something else that is no regular file
    NESTED = "nested"  # a repository in the repository, such as another work tree


class FoundFile(NamedTuple):
    """A file to read. `language` is None for a build file that says how the project hangs together.

    `changed_ns` is when the system last saw anything of it change. Programs that set a file's time, such as those
    that restore one, cannot set this.
    """

    path: str  # relative to the root with /, as the operating system names it
    size: int
    mtime_ns: int
    language: str | None
    role: Role
    changed_ns: int = 0


class SkippedFile(NamedTuple):
    """A file that is not read, or a whole directory (its path ends in a slash).

    `file_count` is None for a directory nobody looked into. Size and time are given where the content was
    looked at, so that it need not be again.
    """

    path: str
    reason: SkipReason
    file_count: int | None = 1
    size: int | None = None
    mtime_ns: int | None = None


class KnownFile(NamedTuple):
    """What an earlier scan knew of a file; `skipped` says why it did not read it."""

    path: str
    size: int
    mtime_ns: int
    hash: str
    language: str | None = None
    role: Role = "source"
    skipped: SkipReason | None = None


@dataclass(frozen=True, slots=True)
class DiscoverOptions:
    """What a scan takes in. The globs are in git's ignore syntax; `include` empty is everything."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    max_file_bytes: int = 1_000_000
    languages: frozenset[str] | None = None
    has_generated: bool = False  # read generated files, too
    has_vendored: bool = False  # read vendored files that git tracks, too


@dataclass(frozen=True, slots=True)
class Discovery:
    """What was found, in the order of paths."""

    root: Path
    source: Literal["git", "walk"]
    files: tuple[FoundFile, ...]
    skipped: tuple[SkippedFile, ...]
    unknown_by_extension: Mapping[str, int] = field(default_factory=dict)

    def skipped_counts(self) -> dict[SkipReason, int]:
        """How many files were skipped for each reason; a directory nobody looked into counts once."""
        counts: dict[SkipReason, int] = {}
        for each in self.skipped:
            counts[each.reason] = counts.get(each.reason, 0) + (each.file_count or 1)
        return dict(sorted(counts.items()))
