"""Whether anything has happened in some folders, heard from Linux instead of looked up: microseconds a time.

Only silence is believed, and only on file systems that are known to tell everything. Whatever is heard, the caller
looks for itself: of the events nothing is read but the names they are about.

Known limits: what another machine or another name of a file changes is not told (so network file systems are
not watched, and the caller must not rely on silence about files with several names), nor what is written
through memory until the mapping ends. The caller looks for itself now and then for their sake.
"""

from __future__ import annotations  # ctypes is loaded late

import errno
import logging
import os
import struct
import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import ctypes
    from collections.abc import Collection
    from pathlib import Path

logger = logging.getLogger(__name__)

# From <sys/inotify.h>: what may change a file, a folder's names, or the folder itself.
_MODIFY, _ATTRIB, _CLOSE_WRITE = 0x2, 0x4, 0x8
_MOVED_FROM, _MOVED_TO, _CREATE, _DELETE = 0x40, 0x80, 0x100, 0x200
_DELETE_SELF, _MOVE_SELF = 0x400, 0x800
_UNMOUNT, _OVERFLOW, _IGNORED = 0x2000, 0x4000, 0x8000
_ONLYDIR, _DONT_FOLLOW = 0x0100_0000, 0x0200_0000
_WANTED: Final = (
    _MODIFY | _ATTRIB | _CLOSE_WRITE | _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE | _DELETE_SELF | _MOVE_SELF
    | _ONLYDIR | _DONT_FOLLOW
)  # fmt: skip
# After these it is not known what else has happened.
_BREAKS: Final = _DELETE_SELF | _MOVE_SELF | _UNMOUNT | _OVERFLOW | _IGNORED
_EVENT: Final = struct.Struct("iIII")  # watch, mask, cookie, length of the name that follows
# From <linux/magic.h>: local file systems on which every change passes through this kernel, by one path.
_TELLING: Final = frozenset(
    {
        0xEF53,  # ext2, ext3, ext4
        0x5846_5342,  # xfs
        0x9123_683E,  # btrfs
        0xF2F5_2010,  # f2fs
        0x0102_1994,  # tmpfs
    }
)
# A watch costs the kernel about a kilobyte, and some systems allow a person's programs 8,192 in all.
_MOST_FOLDERS: Final = 4_000
# A folder that is no more, or is a link or a file by now.
_GONE: Final = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})
_STATFS_BYTES: Final = 256  # more than the structure has anywhere
_READ_BYTES: Final = 65_536
_MOST_READS: Final = 16


class FolderWatch:
    """Listens to folders of one project. For one thread at a time.

    It is off, and never quiet, where listening is not possible; why is told to the log once.
    """

    def __init__(self, root: Path) -> None:
        self._descriptor = -1
        self._root = os.fspath(root)
        self._is_whole = False
        self._place: tuple[int, int] | None = None
        self._libc: ctypes.CDLL | None = None
        self._open()

    @property
    def is_off(self) -> bool:
        """Whether it has given up listening."""
        return self._descriptor < 0

    @property
    def is_listening(self) -> bool:
        """Whether it hears of everything it was last told to listen to, as far as it knows."""
        return self._is_whole and not self.is_off

    def is_quiet(self) -> bool:
        """Whether nothing has happened since it began to listen; False whenever that is not known.

        Once something has happened it is never quiet again, until it is told to listen anew.
        """
        self._is_whole = (
            self._is_whole
            and not self.is_off
            and not self._has_heard()
            # A folder above that was renamed is not heard of.
            and self._place == _place_of(self._root)
        )
        return self._is_whole

    def hear(self) -> set[str] | None:
        """The names in a folder that something happened to since it was last asked; None when that is not known.

        For a watch of one folder: names do not tell which of several they are in. Once they are not known they
        stay so, until it is told to listen anew.
        """
        names: set[str] = set()
        while self._is_whole and not self.is_off and (events := self._take()):
            found = _read_names(events)
            self._is_whole = found is not None
            names |= found or set()
        self._is_whole = self._is_whole and not self.is_off and self._place == _place_of(self._root)
        return names if self._is_whole else None

    def listen(self, folders: Collection[str]) -> None:
        """Hear of all that happens in these folders, relative to the root, from now on: look afterwards.

        All of them anew each time: one that was deleted and made again is another one, under the same name.
        """
        if not self.is_off:
            # What is left after so many is heard next time, and looked for once more.
            for _ in range(_MOST_READS):
                if not self._has_heard():
                    break
            self._place = _place_of(self._root)
            self._is_whole = self._add(folders)

    def close(self) -> None:
        """Stop listening."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __del__(self) -> None:
        # Its owner may be in the middle of a look in another thread when all ends, so nobody calls close there. When the
        # interpreter itself ends, `os` may be gone before; the system closes what is open then.
        if os is not None:
            self.close()

    def _open(self) -> None:
        if sys.platform != "linux":
            return
        import ctypes  # here: a process that answers one question never watches

        self._libc = ctypes.CDLL(None, use_errno=True)
        if _file_system(self._libc, self._root) not in _TELLING:
            logger.debug("%s is looked through before every call: its file system may not tell", self._root)
            return
        self._descriptor = self._libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self.is_off:
            self._give_up(os.strerror(ctypes.get_errno()))

    def _has_heard(self) -> bool:
        """Whether there is news; an overflow of what waits to be heard is news, too."""
        return bool(self._take())

    def _take(self) -> bytes:
        try:
            return os.read(self._descriptor, _READ_BYTES)
        except BlockingIOError:
            return b""

    def _add(self, folders: Collection[str]) -> bool:
        """Whether all folders are listened to; one that has vanished is the caller's to find out."""
        if len(folders) > _MOST_FOLDERS:
            return self._give_up(f"{len(folders):,} folders are too many to watch")
        return all(self._add_one(f"{self._root}/{folder}" if folder else self._root) for folder in folders)

    def _add_one(self, path: str) -> bool:
        import ctypes  # see above

        place = _place_of(path)
        if self._libc is None or self._place is None or place is None:
            return False
        if place[0] != self._place[0]:
            return self._give_up(f"{path} is on another file system")
        if self._libc.inotify_add_watch(self._descriptor, os.fsencode(path), _WANTED) >= 0:
            return True
        number = ctypes.get_errno()
        return False if number in _GONE else self._give_up(os.strerror(number))

    def _give_up(self, reason: str) -> bool:
        logger.info("%s is looked through before every call: %s", self._root, reason)
        self.close()
        return False


def _read_names(events: bytes) -> set[str] | None:
    """What whole events are about; None where one says that others are missing."""
    names: set[str] = set()
    at = 0
    while at < len(events):
        _, mask, _, length = _EVENT.unpack_from(events, at)
        if mask & _BREAKS:
            return None
        at += _EVENT.size + length
        # Without a name it is about the folder itself: its rights or its time.
        if name := events[at - length : at].rstrip(b"\0"):
            names.add(os.fsdecode(name))
    return names


def _place_of(path: str) -> tuple[int, int] | None:
    try:
        found = os.lstat(path)
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino


def _file_system(libc: ctypes.CDLL, path: str) -> int | None:
    """The kind of file system at a path, as statfs(2) numbers it."""
    import ctypes  # see above

    answer = ctypes.create_string_buffer(_STATFS_BYTES)
    if libc.statfs(os.fsencode(path), answer) != 0:
        return None
    # The kind comes first, in a word of the machine; its upper half says nothing.
    return int(ctypes.c_long.from_buffer(answer).value) & 0xFFFF_FFFF
