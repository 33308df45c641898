"""Folders for temporary files that stand in for `.git`, each named after the process that uses it."""

import contextlib
import os
import shutil
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Final

_PREFIX: Final = "drift-git-"
_LEFT_FOR_SECONDS: Final = (
    86_400  # a container may share the folder, where the same number is another process
)


def make_folder() -> Path:
    """A new folder of this process."""
    return Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-"))


@cache
def delete_left_folders() -> None:
    """Delete, once in a process, those of processes that were killed and could not do it themselves."""
    if os.name == "nt":
        return  # signal 0 would end a process there
    with contextlib.suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            owner = entry.name.removeprefix(_PREFIX).partition("-")[0]
            if entry.name.startswith(_PREFIX) and owner.isdecimal() and _is_left(entry, int(owner)):
                shutil.rmtree(entry.path, ignore_errors=True)


def _is_left(entry: os.DirEntry[str], owner: int) -> bool:
    if not entry.is_dir(follow_symlinks=False):
        return False
    status = entry.stat(follow_symlinks=False)
    if status.st_uid != os.geteuid() or time.time() - status.st_mtime < _LEFT_FOR_SECONDS:
        return False
    try:
        os.kill(owner, 0)
    except (ProcessLookupError, OverflowError):
        return True
    except PermissionError:
        pass  # it lives, and is another's
    return False
