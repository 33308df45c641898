"""Indexes in a folder that several share: one machine builds and publishes, the others start from what they pull.

A snapshot is named by the engine that made it, the commit it was made at, and the hash of its content. Whoever pulls
one believes the folder's owner in what it says of code, as it was asked to; see `drift.index.snapshot` for all else.
"""

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from drift.dimensions import read_own_dimensions
from drift.index import IndexReader, read_index_state
from drift.index.engine import engine_digest
from drift.index.snapshot import bind_snapshot, write_snapshot
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.reading import opened
from drift.project import StateDir
from drift.project.git import git_head, run_git
from drift.scan.engine import ALL_LAYERS, ScanOptions, scan
from drift.scan.report import Progress, ScanReport, tell_nobody
from drift.scan.vetting import vet

_NAME: Final = re.compile(r"([0-9a-f]{32})-([0-9a-f]{1,64})-([0-9a-f]{64})\.driftindex")
_NO_COMMIT: Final = "0"
_MOST_KEPT: Final = 20
_MOST_BYTES: Final = 4_000_000_000
_MOST_COMMITS: Final = 5_000
_CHUNK_BYTES: Final = 1 << 20


class Snapshot(NamedTuple):
    """A published index."""

    path: Path
    commit: str | None
    hash: str
    size: int


def publish_index(root: Path, folder: Path) -> Snapshot:
    """Put a snapshot of the project's index into the folder. SCAN_REQUIRED without a complete index of this engine.

    The oldest go when there are more than a few.
    """
    state = StateDir(root)
    known = read_index_state(state.index_db)
    if not known.is_usable or not known.is_of_this_engine or not known.layers >= ALL_LAYERS:
        problem = known.problem or "There is no complete index of this version of Drift"
        raise DriftError(ErrorCode.SCAN_REQUIRED, problem, Recovery(command="drift scan"))
    commit = git_head(root)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _private_folder(folder, ".publishing-") as private:
            made = private / "drift.db"
            made.touch(mode=0o600)
            with IndexReader(state.index_db) as reader:
                write_snapshot(reader, made)
            digest, size = _hash_of(made), made.stat().st_size
            target = folder / f"{engine_digest()}-{commit or _NO_COMMIT}-{digest}.driftindex"
            made.chmod(0o644)
            made.replace(target)
        for old in _list(folder)[_MOST_KEPT:]:
            old.path.unlink(missing_ok=True)
    except OSError as error:
        raise _unusable(folder, error) from error
    return Snapshot(target, commit, digest, size)


def pull_index(
    root: Path, folder: Path, options: ScanOptions, *, progress: Progress = tell_nobody
) -> tuple[Snapshot, ScanReport]:
    """Start from the snapshot that is nearest to the commit checked out, and bring it up to date.

    FILE_NOT_FOUND where this engine has none there; STORE_UNAVAILABLE for one that is not to be believed.
    """
    chosen = _choose(root, folder)
    state = StateDir(root).ensure()
    try:
        with _private_folder(state.path, "pulled-") as private:
            index = private / "drift.db"
            _take(chosen, index)
            fault = vet(index, root)
            if fault is not None:
                raise _refused(chosen, fault)
            bind_snapshot(index)
            if read_index_state(index).rules != read_own_dimensions(state).digest:
                raise _refused(chosen, "it was made with other rules than the project's own")
            return chosen, scan(root, replace(options, start=index), progress=progress)
    except OSError as error:
        raise _unusable(folder, error) from error


def _list(folder: Path) -> list[Snapshot]:
    """The snapshots of this engine in a folder, the newest first."""
    found = []
    with os.scandir(folder) as entries:
        for entry in entries:
            name = _NAME.fullmatch(entry.name)
            if name is None or name[1] != engine_digest() or not entry.is_file(follow_symlinks=False):
                continue
            status = entry.stat(follow_symlinks=False)
            commit = None if name[2] == _NO_COMMIT else name[2]
            found.append((status.st_mtime_ns, Snapshot(Path(entry.path), commit, name[3], status.st_size)))
    return [each for _, each in sorted(found, key=lambda one: (-one[0], one[1]))]


def _choose(root: Path, folder: Path) -> Snapshot:
    try:
        there = _list(folder)
    except OSError as error:
        raise _unusable(folder, error) from error
    if not there:
        raise DriftError(
            ErrorCode.FILE_NOT_FOUND,
            f"{folder} has no index that this version of Drift has published",
            Recovery(hint="Publish one where the project is scanned: drift index publish FOLDER"),
        )
    places = {commit: place for place, commit in enumerate(_commits(root))}
    return min(there, key=lambda each: places.get(each.commit or "", len(places)))  # the newest of equals


def _commits(root: Path) -> list[str]:
    try:
        return run_git(root, "rev-list", f"--max-count={_MOST_COMMITS}", "HEAD").text.split()
    except DriftError:
        return []


def _take(snapshot: Snapshot, target: Path) -> None:
    """Copy a snapshot to a place that others cannot change, if it is what its name says."""
    if snapshot.size > _MOST_BYTES:
        raise _refused(snapshot, f"it has more than {_MOST_BYTES:,} bytes")
    digest, left = hashlib.sha256(), snapshot.size
    folder, name = snapshot.path.parent, snapshot.path.name
    with opened(folder, name, follow_links=False) as source, target.open("xb") as sink:
        # No more than was there when it was looked at: it may grow meanwhile.
        while left and (chunk := source.read(min(left, _CHUNK_BYTES))):
            digest.update(chunk)
            sink.write(chunk)
            left -= len(chunk)
    if digest.hexdigest() != snapshot.hash:
        raise _refused(snapshot, "its content is not the one its name says")


def _hash_of(path: Path) -> str:
    digest = hashlib.sha256()
    with opened(path.parent, path.name) as file:
        while chunk := file.read(_CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()


@contextmanager
def _private_folder(place: Path, prefix: str) -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=place))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _refused(snapshot: Snapshot, why: str) -> DriftError:
    return DriftError(
        ErrorCode.STORE_UNAVAILABLE,
        f"{snapshot.path} is not taken in: {why}",
        Recovery(hint="Delete it, publish it anew, or scan without it.", command="drift scan"),
    )


def _unusable(folder: Path, error: OSError) -> DriftError:
    return DriftError(
        ErrorCode.STORE_UNAVAILABLE,
        f"{folder} cannot be used: {error.strerror or error}",
        Recovery(hint="Name a folder that exists and can be read; to publish, also written."),
    )
