"""Indexes in a place that several share: one machine builds and publishes, the others start from what they pull.

A snapshot is named by the engine that made it, the commit it was made at, and the hash of its content. Whoever pulls
one believes the place's owner in what it says of code, as it was asked to; see `drift.index.snapshot` for all else.
"""

import hashlib
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from drift.dimensions import read_own_dimensions
from drift.history import newest_hashes
from drift.index import IndexReader, read_index_state
from drift.index.engine import engine_digest
from drift.index.layers import ALL_LAYERS
from drift.index.snapshot import bind_snapshot, write_snapshot
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.reading import opened
from drift.project import StateDir
from drift.project.git import git_head
from drift.scan.snapshot_stores import SnapshotStore, Stored
from drift.scan.vetting import vet

_NAME: Final = re.compile(r"([0-9a-f]{32})-([0-9a-f]{1,64})-([0-9a-f]{64})\.driftindex")
_NO_COMMIT: Final = "0"
KEPT_SNAPSHOTS: Final = 20
_MOST_BYTES: Final = 4_000_000_000
_MOST_COMMITS: Final = 5_000
_CHUNK_BYTES: Final = 1 << 20


class Snapshot(NamedTuple):
    """A published index. `path` is where it lies: in a folder, or as an address in another store."""

    path: str
    name: str
    commit: str | None
    hash: str
    size: int


def publish_index(root: Path, store: SnapshotStore, *, keep: int = KEPT_SNAPSHOTS) -> Snapshot:
    """Put a snapshot of the project's index into the store. SCAN_REQUIRED without a complete index of this engine.

    The oldest go when there are more than `keep`.
    """
    state = StateDir(root)
    known = read_index_state(state.index_db)
    if not known.is_usable or not known.is_of_this_engine or not known.layers >= ALL_LAYERS:
        problem = known.problem or "There is no complete index of this version of Drift"
        raise DriftError(ErrorCode.SCAN_REQUIRED, problem, Recovery(command="drift scan"))
    commit = git_head(root)
    try:
        with _private_folder(state.path, "published-") as private:
            made = private / "drift.db"
            made.touch(mode=0o600)
            with IndexReader(state.index_db) as reader:
                write_snapshot(reader, made)
            digest, size = _hash_of(made), made.stat().st_size
            name = f"{engine_digest()}-{commit or _NO_COMMIT}-{digest}.driftindex"
            store.put(made, name)
        for old in [each for each in list_snapshots(store) if each.name != name][max(keep - 1, 0) :]:
            store.delete(old.name)
    except OSError as error:
        raise _unusable(store, error) from error
    return Snapshot(_path_in(store, name), name, commit, digest, size)


@contextmanager
def taken_snapshot(root: Path, store: SnapshotStore) -> Iterator[tuple[Snapshot, Path]]:
    """The snapshot that is nearest to the commit checked out, and a private copy to start from, looked through.

    FILE_NOT_FOUND where this engine has none there; STORE_UNAVAILABLE for one that is not to be believed.
    """
    chosen = _choose(root, store)
    with _taken(root, store, chosen) as index:
        if read_index_state(index).rules != read_own_dimensions(StateDir(root)).digest:
            raise _refused(chosen, "it was made with other rules than the project's own")
        yield chosen, index


def list_snapshots(store: SnapshotStore) -> list[Snapshot]:
    """The snapshots of this engine in a store, the newest first. Raises OSError."""
    named = [(each, _NAME.fullmatch(each.name)) for each in store.list()]
    found = [(each, name) for each, name in named if name is not None and name[1] == engine_digest()]
    found.sort(key=lambda one: (-one[0].modified, one[0].name))
    return [_snapshot(store, each, name) for each, name in found]


def _snapshot(store: SnapshotStore, stored: Stored, name: re.Match[str]) -> Snapshot:
    commit = None if name[2] == _NO_COMMIT else name[2]
    return Snapshot(_path_in(store, stored.name), stored.name, commit, name[3], stored.size)


def _path_in(store: SnapshotStore, name: str) -> str:
    return f"{store.address.rstrip('/')}/{name}"


def _choose(root: Path, store: SnapshotStore) -> Snapshot:
    try:
        there = list_snapshots(store)
    except OSError as error:
        raise _unusable(store, error) from error
    if not there:
        raise DriftError(
            ErrorCode.FILE_NOT_FOUND,
            f"{store.address} has no index that this version of Drift has published",
            Recovery(hint="Publish one where the project is scanned: drift index publish PLACE"),
        )
    places = {commit: place for place, commit in enumerate(_commits(root))}
    return min(there, key=lambda each: places.get(each.commit or "", len(places)))  # the newest of equals


def _commits(root: Path) -> list[str]:
    try:
        return newest_hashes(root, most=_MOST_COMMITS)
    except DriftError:  # no git to ask: the newest snapshot will do
        return []


@contextmanager
def _taken(root: Path, store: SnapshotStore, chosen: Snapshot) -> Iterator[Path]:
    """A private copy of a snapshot, bound to this user; refused unless it is sound."""
    state = StateDir(root).ensure()
    with _private_folder(state.path, "pulled-") as private:
        index = private / "drift.db"
        try:
            _copy(store, chosen, index)
        except OSError as error:
            raise _unusable(store, error) from error
        fault = vet(index, root)
        if fault is not None:
            raise _refused(chosen, fault)
        bind_snapshot(index)
        yield index


def _copy(store: SnapshotStore, snapshot: Snapshot, target: Path) -> None:
    """Copy a snapshot to a place that others cannot change, if it is what its name says."""
    if snapshot.size > _MOST_BYTES:
        raise _refused(snapshot, f"it has more than {_MOST_BYTES:,} bytes")
    digest, left = hashlib.sha256(), snapshot.size
    with store.reading(snapshot.name) as source, target.open("xb") as sink:
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


def _unusable(store: SnapshotStore, error: OSError) -> DriftError:
    return DriftError(
        ErrorCode.STORE_UNAVAILABLE,
        f"{store.address} cannot be used: {error.strerror or error}",
        Recovery(hint="Name a place that exists and can be read; to publish, also written."),
    )
