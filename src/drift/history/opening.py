"""The history of a project, brought up to HEAD and read as far back as a question needs."""

import hashlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from drift.history.log import list_hashes, read_log
from drift.history.past import History, Reach
from drift.history.store import CommitStore, Standing
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.reading import read_file
from drift.kernel.stores import is_unsound, remove_store
from drift.project import StateDir
from drift.project.git import run_git
from drift.project.git_repository import find_repository

_FIRST_CHUNK: Final = 2_000
_CHUNK: Final = 5_000
_MOST_NEW: Final = 20_000  # between two looks; beyond, all is read anew
_MOST_SECONDS: Final = 5.0
_MOST_SHALLOW_BYTES: Final = 10_000_000
_SLOP: Final = (
    100  # commits in a row: clocks of committers differ, so a younger one may stand behind older ones
)
_NOT_A_REPOSITORY: Final = 128  # git's own exit code for it


class Wanted(NamedTuple):
    """How far back a question needs the history: so many commits, so many days before HEAD, or all of it."""

    commits: int | None = None
    days: int | None = None


WHOLE: Final = Wanted()


@contextmanager
def opened_history(
    root: Path, wanted: Wanted = WHOLE, *, most_seconds: float = _MOST_SECONDS
) -> Iterator[History]:
    """The commits behind HEAD, as far back as wanted; `reach` says how far that is.

    What lies further back than could be read in `most_seconds` is read by the next question. Raises
    STORE_UNAVAILABLE where there is no repository, and ANALYSIS_FAILED or TIMEOUT where git fails.
    """
    head = _find_head(root)
    path = _store_path(root)
    try:
        store = CommitStore.open(path)
        try:
            reading = _Reading(root, store, deadline=time.monotonic() + most_seconds)
            yield History(root, store, reading.bring_up(head, wanted), reading.extend)
        finally:
            store.close()
    except sqlite3.DatabaseError as error:
        if path is not None and is_unsound(error):
            remove_store(path)  # it is derived: the next question reads the log again
        raise DriftError(
            ErrorCode.STORE_UNAVAILABLE,
            f"The commits kept in {path} cannot be used: {error}",
            Recovery(hint="Call again: what is damaged there is read anew from git."),
        ) from error


class _Reading:
    """Brings a store up to date from git's log."""

    def __init__(self, root: Path, store: CommitStore, *, deadline: float) -> None:
        self._root = root
        self._store = store
        self._deadline = deadline
        self._shallow = _shallow_bounds(root)
        self._lacks_files = _lacks_files(root)
        bounds = (
            hashlib.sha256("\n".join(sorted(self._shallow)).encode()).hexdigest() if self._shallow else ""
        )
        self._boundary = f"{bounds}:{_place_in_repository(root)}"

    def bring_up(self, head: str | None, wanted: Wanted) -> Reach:
        if head is None:
            return Reach(None, None, is_shallow=bool(self._shallow), lacks_files=self._lacks_files)
        standing = self._store.standing()
        if standing.head != head or standing.boundary != self._boundary:
            with self._store.writing():
                self._advance(self._store.standing(), head)
        is_enough = self._enough(wanted)
        while not is_enough() and self.extend():
            pass
        return self._reach()

    def extend(self) -> bool:
        """Read a piece of what lies further back; whether there was more, and time for it."""
        if self._store.standing().is_whole or time.monotonic() > self._deadline:
            return False
        with self._store.writing():
            standing = self._store.standing()
            if standing.is_whole:
                return False  # another process read the rest while we waited
            chunk = read_log(
                self._root,
                standing.anchor,
                skip=standing.read_count,
                most=_CHUNK,
                bounds=self._shallow,
                lacks_files=self._lacks_files,
            )
            self._store.add_older(chunk.commits)
            read = standing.read_count + len(chunk.commits)
            self._store.stand_at(standing._replace(read_count=read, is_whole=chunk.is_end))
        return True

    def _advance(self, standing: Standing, head: str) -> None:
        """Take in what came between two heads, and out what the new one no longer has: rebased, reset, another branch."""
        if standing.head == head and standing.boundary == self._boundary:
            return  # another process did it while we waited
        gone = (
            list_hashes(self._root, f"{head}..{standing.head}", most=_MOST_NEW)
            if standing.head and standing.boundary == self._boundary
            else None
        )
        # Older commits are counted from the anchor on, so it has to be behind HEAD until all are there.
        if gone is None or (standing.anchor in gone and not standing.is_whole):
            self._begin(head)
            return
        new = read_log(
            self._root,
            f"{standing.head}..{head}",
            most=_MOST_NEW,
            bounds=self._shallow,
            lacks_files=self._lacks_files,
        )
        if not new.is_end:
            self._begin(head)
            return
        self._store.remove(gone)
        self._store.add_newer(new.commits)
        self._store.stand_at(standing._replace(head=head))

    def _begin(self, head: str) -> None:
        self._store.clear()
        chunk = read_log(
            self._root, head, most=_FIRST_CHUNK, bounds=self._shallow, lacks_files=self._lacks_files
        )
        self._store.add_older(chunk.commits)
        self._store.stand_at(Standing(head, head, len(chunk.commits), chunk.is_end, self._boundary))

    def _enough(self, wanted: Wanted) -> Callable[[], bool]:
        if wanted.commits is not None:
            return lambda: self._count() >= (wanted.commits or 0)
        if wanted.days is not None:
            since = self._head_time() - wanted.days * 86_400
            oldest = "SELECT max(time) FROM (SELECT time FROM commits ORDER BY id LIMIT ?)"
            return lambda: _number(self._store.one(oldest, (_SLOP,))) < since
        return lambda: False

    def _reach(self) -> Reach:
        (oldest,) = self._store.one("SELECT min(time) FROM commits") or (None,)
        return Reach(
            self._store.standing().head,
            self._head_time(),
            commits=self._count(),
            oldest_time=oldest if isinstance(oldest, int) else None,
            is_whole=self._store.standing().is_whole,
            is_shallow=bool(self._shallow),
            lacks_files=self._lacks_files,
        )

    def _count(self) -> int:
        return _number(self._store.one("SELECT count(*) FROM commits"))

    def _head_time(self) -> int:
        head = bytes.fromhex(self._store.standing().head)
        return _number(self._store.one("SELECT time FROM commits WHERE hash = ?", (head,)))


def _find_head(root: Path) -> str | None:
    found = run_git(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}", max_bytes=10_000)
    if found.exit_code == _NOT_A_REPOSITORY:
        raise DriftError(
            ErrorCode.STORE_UNAVAILABLE,
            f"{root} is not in a git repository, so there is no history to read.",
            Recovery(hint="Run git init, or ask a tool that needs no history."),
        )
    return found.text if found.exit_code == 0 and found.stdout else None


def _store_path(root: Path) -> Path | None:
    """Where commits are kept; None where the project has no place for it yet, or none that may be written."""
    state = StateDir(root)
    if not state.path.is_dir() or not os.access(state.path, os.W_OK | os.X_OK):
        return None
    path = state.check(state.commits_db)
    return path if os.access(path, os.W_OK) or not os.path.lexists(path) else None


def _shallow_bounds(root: Path) -> frozenset[str]:
    """The commits at which a shallow clone ends."""
    repository = find_repository(root)
    try:
        content = read_file(repository.common, "shallow", _MOST_SHALLOW_BYTES) if repository else b""
    except FileNotFoundError:
        return frozenset()
    return frozenset(content.decode("ascii", "replace").split())


def _lacks_files(root: Path) -> bool:
    """Whether the clone is partial, so that git has no content of old files here and must not fetch it."""
    repository = find_repository(root)
    if repository is None:
        return False
    try:
        return any(
            each.suffix == ".promisor" for each in Path(repository.common, "objects", "pack").iterdir()
        )
    except OSError:
        return False


def _place_in_repository(root: Path) -> str:
    repository = find_repository(root)
    return os.path.relpath(os.path.realpath(root), repository.top) if repository else ""


def _number(row: tuple[object, ...] | None) -> int:
    value = row[0] if row else None
    return value if isinstance(value, int) else 0
