"""The one way a file of a project is opened: below its root, whatever links, pipes or devices lie in its place.

Folders are entered one by one by their handles and links are followed by hand, so that what is swapped for a link
while a file is being opened leads out as little as a link that was there before. A link inside the project that
leads to a place inside it is followed, unless the caller wants none at all.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from typing import BinaryIO, Final, NoReturn, Self

_HAS_HANDLES: Final = os.open in os.supports_dir_fd and os.readlink in os.supports_dir_fd
_CAN_LIST_HANDLES: Final = os.scandir in os.supports_fd
# Windows has none of the first three, and needs the last.
_FLAGS: Final = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
_FOLDER_FLAGS: Final = _FLAGS | getattr(os, "O_DIRECTORY", 0)
_MOST_LINKS: Final = 40  # on one way, as in Linux
_IS_LINK: Final = frozenset({errno.ELOOP, errno.ENOTDIR, errno.EMLINK})  # systems differ in what they answer


class ProjectFiles:
    """Opens files below a root. Files of the same folder are quick to open one after the other.

    Every method raises OSError for what is not there, is no regular file, or leads out of the root.
    """

    def __init__(self, root: Path | str) -> None:
        self._root = os.fspath(root)
        self._names: list[str] = []  # of the folders that are open, from the root
        self._handles: list[int] = []  # theirs, after that of the root

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._leave(0)
        while self._handles:
            os.close(self._handles.pop())

    def open(self, path: str, *, follow_links: bool = True) -> int:
        """The descriptor of a regular file, for the caller to close."""
        return self._open(path, follow_links=follow_links)[0]

    def _open(self, path: str, *, follow_links: bool) -> tuple[int, int]:
        descriptor = (
            self._open_by_handles(path, follow_links=follow_links)
            if _HAS_HANDLES
            else _open_by_path(os.path.realpath(self._root), path, follow_links=follow_links)
        )
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            os.close(descriptor)
            raise OSError(errno.EINVAL, "not a regular file", path)
        return descriptor, status.st_size

    def read_beginning(self, path: str, most_bytes: int, *, follow_links: bool = True) -> bytes:
        """A file's content up to a number of bytes."""
        descriptor, size = self._open(path, follow_links=follow_links)
        try:
            wanted = min(size + 1, most_bytes)  # one more: it may have grown
            content = os.read(descriptor, wanted)
            # One read gives all but on file systems that cut; then the rest follows.
            while len(content) < min(size, most_bytes) and (more := os.read(descriptor, wanted)):
                content += more
            return content[:most_bytes]
        finally:
            os.close(descriptor)

    def read(self, path: str, most_bytes: int, *, follow_links: bool = True) -> bytes:
        """A file's whole content; OSError also for one with more bytes."""
        content = self.read_beginning(path, most_bytes + 1, follow_links=follow_links)
        if len(content) > most_bytes:
            raise OSError(errno.EFBIG, f"larger than {most_bytes:,} bytes", path)
        return content

    def list_files(self, folder: str) -> list[str]:
        """The names in a folder that are not those of folders, sorted; `folder` is empty for the root."""
        if not (_HAS_HANDLES and _CAN_LIST_HANDLES):
            return _names(_real_place(os.path.realpath(self._root), folder))
        self._enter(folder.split("/"), follow_links=True)
        return _names(self._handles[-1])

    def _open_by_handles(self, path: str, *, follow_links: bool) -> int:
        *folders, name = path.split("/")
        for _ in range(_MOST_LINKS):
            self._enter(folders, follow_links=follow_links)
            try:
                return os.open(name, _FLAGS, dir_fd=self._handles[-1])
            except OSError as error:
                if error.errno not in _IS_LINK or not follow_links:
                    raise
                *inner, name = self._follow(name, error)
                folders = [*self._names, *inner]
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)

    def _enter(self, folders: list[str], *, follow_links: bool) -> None:
        """Have the handles of these folders open, links in their place followed."""
        if not self._handles:
            self._handles.append(os.open(self._root, _FOLDER_FLAGS & ~getattr(os, "O_NOFOLLOW", 0)))
        if self._names == folders:
            return
        pairs = zip(self._names, folders, strict=False)
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        self._leave(shared)
        pending = folders[shared:][::-1]
        links = 0
        while pending:
            name = pending.pop()
            if name in {"", "."}:
                continue
            if name == "..":
                if not self._names:
                    _refuse(self._root)
                self._leave(len(self._names) - 1)
                continue
            try:
                handle = os.open(name, _FOLDER_FLAGS, dir_fd=self._handles[-1])
            except OSError as error:
                links += 1
                if error.errno not in _IS_LINK or not follow_links or links > _MOST_LINKS:
                    raise
                pending.extend(reversed(self._follow(name, error)))
                continue
            self._handles.append(handle)
            self._names.append(name)

    def _follow(self, name: str, error: OSError) -> list[str]:
        """The way a link of the innermost open folder points, from there or, all else left, from the root."""
        try:
            target = os.readlink(name, dir_fd=self._handles[-1])
        except OSError:
            raise error from None  # it is no link
        if not target.startswith("/"):
            return target.split("/")
        inside = f"{os.path.realpath(self._root).rstrip('/')}/"
        if not target.startswith(inside):
            _refuse(target)
        self._leave(0)
        return target[len(inside) :].split("/")

    def _leave(self, depth: int) -> None:
        while len(self._names) > depth:
            self._names.pop()
            os.close(self._handles.pop())


def read_file(root: Path | str, path: str, most_bytes: int, *, follow_links: bool = True) -> bytes:
    """The whole content of a file below the root; OSError where it cannot be had, also for more bytes."""
    with ProjectFiles(root) as files:
        return files.read(path, most_bytes, follow_links=follow_links)


def read_text(root: Path | str, path: str, most_bytes: int, *, follow_links: bool = True) -> str:
    """The same as text in UTF-8 with line feeds alone; what is no UTF-8 is replaced."""
    content = read_file(root, path, most_bytes, follow_links=follow_links)
    return content.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")


def read_beginning(root: Path | str, path: str, most_bytes: int, *, follow_links: bool = True) -> bytes:
    """Up to so many bytes of a file below the root; OSError where it cannot be had."""
    with ProjectFiles(root) as files:
        return files.read_beginning(path, most_bytes, follow_links=follow_links)


@contextmanager
def opened(root: Path | str, path: str, *, follow_links: bool = True) -> Iterator[BinaryIO]:
    """A file below the root, open to be read; OSError where it cannot be had."""
    with ProjectFiles(root) as files:
        descriptor = files.open(path, follow_links=follow_links)
    with os.fdopen(descriptor, "rb") as file:
        yield file


def list_files(root: Path | str, folder: str) -> list[str]:
    """The names in a folder below the root that are not those of folders, sorted; none where it cannot be listed."""
    try:
        with ProjectFiles(root) as files:
            return files.list_files(folder)
    except OSError:
        return []


def _names(folder: str | int) -> list[str]:
    with os.scandir(folder) as entries:
        return sorted(entry.name for entry in entries if not entry.is_dir(follow_symlinks=False))


def _open_by_path(root: str, path: str, *, follow_links: bool) -> int:
    """The same on systems without handles of folders: looked at before and again once it is open."""
    place = _real_place(root, path)
    if not follow_links and place != os.path.normpath(f"{root}/{path}"):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
    if not stat.S_ISREG(os.stat(place).st_mode):  # noqa: PTH116 - a text, as everywhere here
        raise OSError(errno.EINVAL, "not a regular file", path)
    descriptor = os.open(place, _FLAGS)
    if _real_place(root, path) != place or not os.path.samestat(os.fstat(descriptor), os.stat(place)):  # noqa: PTH116 - a text, as everywhere here
        os.close(descriptor)
        _refuse(path)
    return descriptor


def _real_place(root: str, path: str) -> str:
    place = os.path.realpath(f"{root}/{path}", strict=True)
    inside, normal = os.path.normcase(root).rstrip(os.sep), os.path.normcase(place)
    if normal != inside and not normal.startswith(inside + os.sep):
        _refuse(path)
    return place


def _refuse(path: str) -> NoReturn:
    raise OSError(errno.EXDEV, "is a link or path that leads outside the project", path)
