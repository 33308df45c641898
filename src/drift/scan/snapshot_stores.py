"""Where snapshots lie that several machines share: a folder, or whatever fsspec reaches by a URL.

A store is not believed in anything: what it lists is looked at by name, and what it hands out is hashed by who takes it.
Nothing of fsspec is loaded for a folder.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, Protocol
from urllib.request import url2pathname

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.reading import opened
from drift.kernel.redaction import redact
from drift.kernel.text import shorten

_URL: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://(.*)", re.DOTALL)
_FILE: Final = "file"
_USER: Final = re.compile(r"://[^/@]*@")
_BLOCK_BYTES: Final = 8 << 20


class Stored(NamedTuple):
    """A file of a store. `modified` orders files of the same store and means nothing else."""

    name: str
    size: int
    modified: float


class SnapshotStore(Protocol):
    """A flat place for files that never change once they are there. Its methods raise OSError."""

    address: str
    """How people call it; without a password."""

    def list(self) -> list[Stored]: ...
    def put(self, source: Path, name: str) -> None: ...
    def delete(self, name: str) -> None: ...
    @contextmanager
    def reading(self, name: str) -> Iterator[BinaryIO]: ...


def open_store(place: str, cwd: Path) -> SnapshotStore:
    """The store at a folder, from `cwd` unless absolute, or at a URL; CONFIG_INVALID for one that nothing here reaches."""
    if "::" in place and "://" in place:
        raise _unreachable(_USER.sub("://", place), "chained addresses are not taken")
    url = _URL.fullmatch(place)
    if url is None:
        return FolderStore(cwd / place)
    if url[1].lower() == _FILE:
        return FolderStore(Path(url2pathname(url[2].removeprefix("localhost"))))
    return UrlStore(place)


class FolderStore:
    """A folder that others reach, too."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.address = os.fspath(folder)

    def list(self) -> list[Stored]:
        found: list[Stored] = []
        with os.scandir(self._folder) as entries:
            for entry in entries:
                if entry.is_file(follow_symlinks=False):
                    status = entry.stat(follow_symlinks=False)
                    found.append(Stored(entry.name, status.st_size, status.st_mtime))
        return found

    def put(self, source: Path, name: str) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        made = self._folder / f".publishing-{os.getpid()}-{name}"
        try:
            # Beside its place first: whoever looks in meanwhile sees it whole or not at all.
            with opened(source.parent, source.name) as content, made.open("xb") as sink:
                while chunk := content.read(_BLOCK_BYTES):
                    sink.write(chunk)
            made.chmod(0o644)
            made.replace(self._folder / name)
        finally:
            made.unlink(missing_ok=True)

    def delete(self, name: str) -> None:
        (self._folder / name).unlink(missing_ok=True)

    @contextmanager
    def reading(self, name: str) -> Iterator[BinaryIO]:
        with opened(self._folder, name, follow_links=False) as source:
            yield source


class UrlStore:
    """A folder of an object store or another machine, by fsspec. Who may use it is said by that store's usual variables."""

    def __init__(self, url: str) -> None:
        self.address = _USER.sub("://", url)
        self._files, self._folder = _connect(url, self.address)

    def list(self) -> list[Stored]:
        with _as_os_error():
            if not self._files.exists(self._folder):
                return []
            found = self._files.ls(self._folder, detail=True)
            return [self._stored(each) for each in found if each.get("type") == "file"]

    def _stored(self, entry: dict[str, Any]) -> Stored:
        try:
            modified = self._files.modified(entry["name"]).timestamp()
        except (NotImplementedError, FileNotFoundError):
            modified = 0.0  # the store does not tell
        return Stored(entry["name"].rpartition("/")[2], int(entry.get("size") or 0), modified)

    def put(self, source: Path, name: str) -> None:
        with _as_os_error():
            self._files.makedirs(self._folder, exist_ok=True)
            self._files.put_file(os.fspath(source), self._path(name))

    def delete(self, name: str) -> None:
        with _as_os_error():
            if self._files.exists(self._path(name)):
                self._files.rm_file(self._path(name))

    @contextmanager
    def reading(self, name: str) -> Iterator[BinaryIO]:
        with _as_os_error(), self._files.open(self._path(name), "rb", block_size=_BLOCK_BYTES) as source:
            yield source

    def _path(self, name: str) -> str:
        return f"{self._folder}/{name}"


def _connect(url: str, address: str) -> tuple[Any, str]:
    try:
        # Here: whoever uses a folder needs none of it.
        from fsspec.core import url_to_fs  # type: ignore[import-untyped] # it comes without types
    except ImportError as error:
        raise DriftError(
            ErrorCode.CONFIG_INVALID,
            f"{address} is no folder, and fsspec, which reaches such places, is not installed",
            Recovery(command="pip install 'drift-mcp[fleet]'"),
        ) from error
    try:
        # Others write there while we run, so nothing that was listed is kept.
        files, folder = url_to_fs(url, use_listings_cache=False, skip_instance_cache=True)
    except Exception as error:
        raise _unreachable(address, _say(error)) from error
    return files, str(folder).rstrip("/")


@contextmanager
def _as_os_error() -> Iterator[None]:
    """Have every failure of a store be one: each library behind fsspec has exceptions of its own."""
    try:
        yield
    except (OSError, DriftError):
        raise
    except Exception as error:
        raise OSError(_say(error)) from error


def _say(error: Exception) -> str:
    """What went wrong, without what a library quotes of keys and tokens."""
    return shorten(redact(_USER.sub("://", f"{type(error).__name__}: {error}")).text, 300)


def _unreachable(address: str, why: str) -> DriftError:
    return DriftError(
        ErrorCode.CONFIG_INVALID,
        f"{shorten(address, 200)} cannot be used as a store: {why}",
        Recovery(hint="Name a folder, or a URL of a store that fsspec knows, such as s3://bucket/folder."),
    )
