"""Stores that lie in a project's `.drift`, as earlier versions kept them and as a repository may bring them.

One that this user surely made here is moved to Drift's home. Of any other nobody knows who wrote it, and a memory is
believed: it is not read until a person has looked at it.
"""

import json
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from drift.kernel.errors import DriftError
from drift.kernel.files import locked, write_atomically
from drift.project.registry_file import MOST_BYTES, RegistryDocument
from drift.project.state import StateDir

_ASKED_ABOUT: Final = ("memory/cortex.db", "catalog.db")
_MOVED: Final = (*_ASKED_ABOUT, "usage.db")
_DISMISSED: Final = "dismissed.json"
_LOCK_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class Leftovers:
    """What lies in a project and is not read, and what kept a store from being moved."""

    quarantined: tuple[Path, ...] = ()
    problem: str | None = None


NO_LEFTOVERS: Final = Leftovers()


def look_after(state: StateDir, folder: Path, home: Path | None) -> Leftovers:
    """Move what is surely ours to `folder`, and tell what else there is.

    `home` is given for a project this version has not seen yet: only then may a store of an earlier one be there.
    """
    if not os.path.isdir(state.path):  # noqa: PTH112 - at every start, and half the time
        return NO_LEFTOVERS
    problem = None
    for name in _MOVED:
        source, target = state.path / name, folder / name
        if home is not None and os.path.lexists(source) and _was_made_here(state, source, home):
            problem = _move(source, target) or problem
        elif os.path.lexists(target) and os.path.lexists(source):
            problem = _move(source, target, only_finish=True) or problem
    dismissed = _read_dismissed(folder)
    found = [path for path in _candidates(state, folder) if dismissed.get(str(path)) != _stamp(path)]
    return Leftovers(tuple(found), problem)


def dismiss(folder: Path, path: Path) -> None:
    """Say no more of a file that lies in a project, as long as it stays as it is."""
    with locked(folder / _DISMISSED, timeout_seconds=_LOCK_SECONDS):
        known = {**_read_dismissed(folder), str(path): _stamp(path)}
        write_atomically(folder / _DISMISSED, json.dumps(known, indent=2) + "\n")


def _candidates(state: StateDir, folder: Path) -> list[Path]:
    places = [state.path]
    try:
        places += [
            Path(entry.path)
            for entry in os.scandir(state.path)
            if entry.name.startswith("stores-") and entry.path != str(folder)
        ]
    except OSError:
        return []
    return [place / name for place in places for name in _ASKED_ABOUT if os.path.lexists(place / name)]


def _was_made_here(state: StateDir, path: Path, home: Path) -> bool:
    """Whether this user made the store: it was changed after a person had registered the project, and git has it not."""
    try:
        found = path.lstat()
        with (home / "projects.json").open("rb") as file:
            entries = RegistryDocument.parse(file.read(MOST_BYTES + 1)).entries()
    except (OSError, ValueError):
        return False
    added = next((each.added_at for each in entries if str(each.path) == str(state.root)), None)
    # Not the time of its content, which an archive sets: that of the file on this disk.
    if added is None or found.st_ctime < added.timestamp():
        return False
    is_own = stat.S_ISREG(found.st_mode) and (not hasattr(os, "geteuid") or found.st_uid == os.geteuid())
    from drift.project.git import is_tracked  # once in the life of a project

    return is_own and _is_plain(state, path) and not is_tracked(state.root, str(path.relative_to(state.root)))


def _is_plain(state: StateDir, path: Path) -> bool:
    try:
        return os.path.realpath(state.check(path)) == str(path)
    except DriftError:
        return False


def _move(source: Path, target: Path, *, only_finish: bool = False) -> str | None:
    """Why the store could not be moved, or None."""
    import sqlite3  # only where there is something to move

    from drift.project.moving import finish_moving, move_store

    try:
        if only_finish:
            finish_moving(source, target)
        else:
            move_store(source, target)
    except (DriftError, OSError, sqlite3.Error) as error:
        return f"{source} could not be moved to {target} and is not read yet: {error}"
    return None


def _read_dismissed(folder: Path) -> dict[str, object]:
    try:
        document = json.loads((folder / _DISMISSED).read_bytes())
    except (OSError, ValueError):
        return {}
    return document if isinstance(document, dict) else {}


def _stamp(path: Path) -> list[int]:
    found = path.lstat()
    return [found.st_size, found.st_mtime_ns, found.st_ino]
