"""The files of a directory that is no repository, without what its .gitignore files leave out."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from drift.scan.discovery import SkipReason
from drift.scan.ignores import IgnoreRules
from drift.scan.roles import RoleRules

DRIFTIGNORE: Final = ".driftignore"
_GITIGNORE: Final = ".gitignore"


class Entry(NamedTuple):
    """A file, or with a reason a directory that was not entered; paths are relative to the root."""

    directory: str
    name: str
    reason: SkipReason | None = None

    @property
    def path(self) -> str:
        """The path of the file or directory."""
        return f"{self.directory}/{self.name}" if self.directory else self.name


class TreeWalk:
    """A walk through a directory. Links are given as files and not followed.

    `overrides` are the rules of .driftignore files: the walk reads them on its way, and a directory they
    bring back (`!vendor/`) is entered.
    """

    def __init__(self, root: Path, rules: RoleRules, overrides: IgnoreRules) -> None:
        self._root = root
        self._directory = os.fspath(root)
        self._rules = rules
        self._overrides = overrides
        self._ignores = IgnoreRules()

    def entries(self) -> Iterator[Entry]:
        """Every file that belongs to the project, and each directory left out for a reason; in no order."""
        pending = [Entry("", "")]
        while pending:
            place = pending.pop()
            try:
                with os.scandir(f"{self._directory}/{place.path}") as found:
                    entries = list(found)
            except OSError:
                yield place._replace(reason=SkipReason.UNREADABLE)
                continue
            if self._is_of_others(place.path, entries):
                yield place._replace(reason=SkipReason.VENDORED)
                continue
            for entry in self._not_ignored(place.path, entries):
                here = Entry(place.path, entry.name)
                if not entry.is_dir(follow_symlinks=False):
                    yield here
                elif reason := self._reason_to_stay_out(here.path):
                    yield here._replace(reason=reason)
                elif self._is_worth_entering(here):
                    pending.append(here)

    def _is_of_others(self, directory: str, entries: list[os.DirEntry[str]]) -> bool:
        is_marked = any(entry.name in self._rules.vendored_marks for entry in entries)
        return is_marked and bool(directory) and self._overrides.judge_directory(directory) is not False

    def _not_ignored(self, directory: str, entries: list[os.DirEntry[str]]) -> Iterator[os.DirEntry[str]]:
        names = {entry.name for entry in entries}
        if _GITIGNORE in names:
            self._ignores.read(self._root, directory, _GITIGNORE)
        if DRIFTIGNORE in names:
            self._overrides.read(self._root, directory, DRIFTIGNORE)
        for entry in entries:
            path = Entry(directory, entry.name).path
            is_directory = entry.is_dir(follow_symlinks=False)
            judged = (
                self._ignores.judge_directory(path)
                if is_directory
                else self._ignores.judge(directory, entry.name)
            )
            if not judged:
                yield entry

    def _reason_to_stay_out(self, directory: str) -> SkipReason | None:
        verdict = self._overrides.judge_directory(directory)
        if verdict:
            return SkipReason.IGNORED
        is_vendored = verdict is None and self._rules.vendored_directory(directory) is not None
        return SkipReason.VENDORED if is_vendored else None

    def _is_worth_entering(self, place: Entry) -> bool:
        is_skipped = place.name in self._rules.skipped_in_walk
        return not is_skipped or self._overrides.judge_directory(place.path) is False
