"""Copies of the precious stores, one a day at most, beside them in Drift's home; and the way back from one."""

import logging
import os
import re
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.files import locked
from drift.kernel.stores import is_unsound, remove_store, side_files
from drift.project.moving import copy_store
from drift.project.stores import Stores

logger = logging.getLogger(__name__)

KEPT: Final = 7
_DAY_SECONDS: Final = 86_400
_LOOK_SECONDS: Final = 3_600
_LOCK_SECONDS: Final = 10.0
_looked: Final[dict[Path, float]] = {}


class Backup(NamedTuple):
    """A copy of a store as it was on a day."""

    store: str
    day: str
    path: Path
    size_bytes: int


def back_up_soon(stores: Stores) -> threading.Thread | None:
    """Copy what changed since its last copy of a day ago, beside whatever else is done; the thread that does it, if any.

    Called before every change, so it looks at most once an hour.
    """
    now = time.monotonic()
    if now - _looked.get(stores.folder, -_LOOK_SECONDS) < _LOOK_SECONDS:
        return None
    _looked[stores.folder] = now
    if not any(_is_due(stores, name, now=time.time()) for name in stores.precious):
        return None
    thread = threading.Thread(target=_back_up_quietly, args=(stores,), name="drift-backup")
    thread.start()
    return thread


def back_up(stores: Stores, *, now: Callable[[], float] = time.time) -> tuple[Backup, ...]:
    """Copy each store that changed, if its last copy is a day old; the copies made. The oldest beyond those kept go."""
    made = []
    for name, path in stores.precious.items():
        if not _is_due(stores, name, now=now()):
            continue
        stores.backups.mkdir(mode=0o700, exist_ok=True)
        with locked(stores.backups / name, timeout_seconds=_LOCK_SECONDS):
            if not _is_due(stores, name, now=now()):
                continue  # whoever held the lock before did it
            made.append(_copy(stores, name, path, now=now()))
            for old in list_backups(stores, name)[KEPT:]:
                old.path.unlink(missing_ok=True)
    return tuple(made)


def list_backups(stores: Stores, name: str) -> list[Backup]:
    """The copies of a store, newest first."""
    named = re.compile(rf"{re.escape(name)}-(\d{{4}}-\d{{2}}-\d{{2}})\.db", re.ASCII)
    try:
        entries = list(os.scandir(stores.backups))
    except FileNotFoundError:
        return []
    found = [
        Backup(name, match[1], Path(entry.path), entry.stat().st_size)
        for entry in entries
        if (match := named.fullmatch(entry.name))
    ]
    return sorted(found, key=lambda each: each.day, reverse=True)


def restore(backup: Backup, stores: Stores, check: Callable[[sqlite3.Connection], object]) -> Path | None:
    """Put a copy in the place of the present store; where that one is kept, if there was any.

    Nothing is touched before the copy has proved to be whole and `check` has let it pass. Servers that have the store
    open go on with what is restored. Raises STORE_UNAVAILABLE, OSError and sqlite3.Error.
    """
    target = stores.precious[backup.store]
    _verify(backup, check)
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with locked(target, timeout_seconds=_LOCK_SECONDS):
        aside = _keep_aside(backup, target) if os.path.lexists(target) else None
        if aside is None or not _copied_into(backup.path, target):
            _put_in_place(backup.path, target)
    return aside


def _back_up_quietly(stores: Stores) -> None:
    try:
        back_up(stores)
    except (DriftError, OSError, sqlite3.Error) as error:
        logger.warning("the stores in %s were not backed up: %s", stores.folder, error)


def _is_due(stores: Stores, name: str, *, now: float) -> bool:
    path = stores.precious[name]
    # What may not be written has not changed, and SQLite would leave files beside it that nobody may write either.
    if not _is_writable(path) or not _is_writable(path.parent):
        return False
    changed = max(_modified(path), _modified(Path(f"{path}-wal")))
    copied = max((each.path.stat().st_mtime for each in list_backups(stores, name)[:1]), default=0.0)
    return changed > copied and now - copied >= _DAY_SECONDS


def _is_writable(path: Path) -> bool:
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _copy(stores: Stores, name: str, path: Path, *, now: float) -> Backup:
    incoming = stores.backups / f"{name}.incoming"
    remove_store(incoming)
    copy_store(path, incoming)
    day = datetime.fromtimestamp(now, UTC).date().isoformat()
    final = stores.backups / f"{name}-{day}.db"
    incoming.replace(final)
    return Backup(name, day, final, final.stat().st_size)


def _verify(backup: Backup, check: Callable[[sqlite3.Connection], object]) -> None:
    uri = f"{backup.path.absolute().as_uri()}?immutable=1"
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as connection:
        try:
            connection.execute("PRAGMA trusted_schema = OFF")
            is_whole = connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        except sqlite3.DatabaseError:
            is_whole = False
        if not is_whole:
            raise DriftError(
                ErrorCode.STORE_UNAVAILABLE,
                f"The backup {backup.path} is damaged; nothing was changed",
                Recovery(
                    hint="Take another: drift memory restore --list", command="drift memory restore --list"
                ),
            )
        check(connection)


def _keep_aside(backup: Backup, target: Path) -> Path:
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    aside = backup.path.with_name(f"{backup.store}-before-restore-{stamp}.db")
    try:
        copy_store(target, aside)
    except (DriftError, sqlite3.Error):
        # Damaged, perhaps the very reason: kept as it lies there.
        for ending in ("", "-wal"):
            source = target.with_name(target.name + ending)
            if source.is_file():
                from shutil import copyfile  # brings three compression libraries, and few processes copy

                copyfile(source, aside.with_name(aside.name + ending))
    return aside


def _copied_into(copy: Path, target: Path) -> bool:
    """Whether the copy went in, as one change that whoever has the store open sees; not if it is no sound database."""
    try:
        with (
            closing(
                sqlite3.connect(f"{target.as_uri()}?mode=rw", uri=True, timeout=_LOCK_SECONDS)
            ) as present,
            closing(sqlite3.connect(f"{copy.as_uri()}?immutable=1", uri=True)) as source,
        ):
            present.execute("PRAGMA journal_mode = WAL").fetchone()
            source.backup(present)
    except sqlite3.DatabaseError as error:
        if not is_unsound(error):
            raise
        return False
    return True


def _put_in_place(copy: Path, target: Path) -> None:
    incoming = target.with_name(f"{target.name}.incoming")
    remove_store(incoming)
    copy_store(copy, incoming)
    for each in side_files(target):  # a log of the damaged file would be read as the new one's
        each.unlink(missing_ok=True)
    incoming.replace(target)
