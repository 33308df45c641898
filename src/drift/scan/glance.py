"""Whether the files that were found are still as they were: a matter of milliseconds, without asking git."""

import os
import stat
import time
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Final, NamedTuple

from drift.scan.discovery import Discovery, FoundFile

# Files that decide which files there are, in any folder; their content may change without the folder showing.
_DECIDING: Final = (".gitignore", ".driftignore", "drift.toml")
_ELSEWHERE: Final = (".git/info/exclude",)
# A file changed so shortly ago may change again without its time telling.
_RACY_NS: Final = 2_000_000_000
# The clock of file times may lag behind the system's by one of its ticks.
_TICK_NS: Final = 20_000_000

_TIME: Final = FoundFile._fields.index("mtime_ns")
_SIZE: Final = FoundFile._fields.index("size")
_CHANGED: Final = FoundFile._fields.index("changed_ns")


class Seen(NamedTuple):
    """What a glance shows: the files as they are now, or that there may be others than before."""

    discovery: Discovery
    is_same: bool  # no file is another than at the last glance
    may_have_others: bool  # files came or went, or what decides which are wanted has changed


class Glance:
    """Remembers files and folders as they were found, and looks whether they still are.

    `found_from_ns` is when the finding began: what came into a folder since may not have been found. It looks
    into the folders `also`, too, as long as they are there: what had files once may soon have others.
    """

    def __init__(
        self, discovery: Discovery, *, found_from_ns: int | None = None, also: Collection[str] = ()
    ) -> None:
        self._discovery = discovery
        self._root = os.fspath(discovery.root)
        self._files = {file.path: file for file in discovery.files}
        left = [(each.path, each.mtime_ns) for each in discovery.skipped if each.mtime_ns is not None]
        self._left = dict(left)
        folders = dict.fromkeys(_folders((*self._files, *self._left)))
        folders |= dict.fromkeys(
            folder for folder in also if folder not in folders and self._is_folder(folder)
        )
        self._folders = {folder: self._list(folder) for folder in folders}
        # One that is not there yet will show in the listing of its folder.
        present = (
            _join(folder, name)
            for folder, (_, names) in self._folders.items()
            for name in _DECIDING
            if name in names
        )
        self._deciding = {name: self._time_of(name) for name in (*_ELSEWHERE, *present)}
        times = (time_ns for time_ns, _ in self._folders.values() if time_ns is not None)
        self._is_settled = found_from_ns is None or max(times, default=0) < found_from_ns - _TICK_NS
        # Whether a file may have several names, and so be changed by another; known after the first look.
        self.has_linked_files = True

    @property
    def folders(self) -> Collection[str]:
        """The folders it looks at, relative to the root."""
        return self._folders.keys()

    def recall(self) -> Seen | None:
        """What the last look showed, where nothing has happened in the folders since; None if that is not enough."""
        is_elsewhere_same = all(self._time_of(path) == self._deciding[path] for path in _ELSEWHERE)
        if self.has_linked_files or not is_elsewhere_same:
            return None
        return Seen(self._discovery, is_same=True, may_have_others=False)

    def look(self) -> Seen:
        """How the files are now. Where there may be others, look for them by other means."""
        racy_from_ns = time.time_ns() - _RACY_NS
        has_others = (
            not self._is_settled
            or not all(
                self._is_as_before(path, known, racy_from_ns) for path, known in self._deciding.items()
            )
            or any(self._time_of(path) != known for path, known in self._left.items())
            or not all(self._is_as_listed(folder, racy_from_ns) for folder in self._folders)
        )
        changed, is_missing = self._changed_files(racy_from_ns)
        self._note(changed)
        return Seen(self._discovery, is_same=not changed, may_have_others=has_others or is_missing)

    def _changed_files(self, racy_from_ns: int) -> tuple[list[FoundFile], bool]:
        """The files that are, or may be, others than before; and whether one is no file any more."""
        changed: list[FoundFile] = []
        is_missing = has_linked = False
        # Before every answer, for every file: written for speed.
        stat_of, root = os.lstat, self._root
        for path, file in self._files.items():
            try:
                found = stat_of(f"{root}/{path}")
            except (OSError, ValueError):
                is_missing = True
                continue
            time_ns, changed_ns = found.st_mtime_ns, found.st_ctime_ns
            has_linked |= found.st_nlink > 1
            if changed_ns == file[_CHANGED] and time_ns == file[_TIME] and found.st_size == file[_SIZE]:
                if time_ns > racy_from_ns:
                    changed.append(file)
            elif stat.S_ISREG(found.st_mode):
                changed.append(file._replace(mtime_ns=time_ns, size=found.st_size, changed_ns=changed_ns))
            else:
                is_missing = True
        self.has_linked_files = has_linked
        return changed, is_missing

    def _note(self, changed: list[FoundFile]) -> None:
        if changed:
            self._files.update({file.path: file for file in changed})
            self._discovery = replace(self._discovery, files=tuple(self._files.values()))

    def _is_as_before(self, path: str, known_ns: int | None, racy_from_ns: int) -> bool:
        return self._time_of(path) == known_ns and (known_ns is None or known_ns < racy_from_ns)

    def _is_as_listed(self, folder: str, racy_from_ns: int) -> bool:
        """Whether a folder has the same names; editors that save by renaming change its time alone."""
        known_ns, names = self._folders[folder]
        if self._is_as_before(folder, known_ns, racy_from_ns):
            return True
        self._folders[folder] = self._list(folder)
        return self._folders[folder][1] == names

    def _list(self, folder: str) -> tuple[int | None, frozenset[str]]:
        # The time first: what comes after it changes it again.
        known_ns = self._time_of(folder)
        try:
            return known_ns, frozenset(os.listdir(f"{self._root}/{folder}"))  # noqa: PTH208 - names are all that is asked for
        except OSError:
            return known_ns, frozenset()

    def _is_folder(self, path: str) -> bool:
        found = self._stat(path)
        return found is not None and stat.S_ISDIR(found.st_mode)

    def _time_of(self, path: str) -> int | None:
        found = self._stat(path)
        return None if found is None else found.st_mtime_ns

    def _stat(self, path: str) -> os.stat_result | None:
        try:
            return os.lstat(f"{self._root}/{path}")
        except (OSError, ValueError):
            return None


def _folders(paths: Iterable[str]) -> list[str]:
    found = {""}
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return sorted(found)


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
