"""New files of a scaffold on disk: all or none, never over what is there, never through a link."""

import errno
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from drift.kernel.errors import DriftError, ErrorCode, Recovery, invalid
from drift.kernel.files import write_new
from drift.templates.filling import FilledTemplate


def write_files(root: Path, directory: str, files: Sequence[FilledTemplate]) -> tuple[str, ...]:
    """Put the files below a folder of the project, and say where. Raises INVALID_ARGUMENT where one is in the way."""
    paths = [Path(directory, each.filename).as_posix() for each in files]
    taken = [path for path in paths if os.path.lexists(root / path)]
    if taken:
        raise _in_the_way(taken)
    made: list[Path] = []
    try:
        for path, each in zip(paths, files, strict=True):
            _make_folders(root, path, made)
            write_new(root / path, each.content.encode())
            made.append(root / path)
    except BaseException as error:
        _take_back(made)
        if isinstance(error, FileExistsError):
            raise _in_the_way([str(error.filename2 or error.filename)]) from error
        if isinstance(error, OSError):
            raise _unwritable(error) from error
        raise
    return tuple(paths)


def _make_folders(root: Path, path: str, made: list[Path]) -> None:
    place = root
    for part in path.split("/")[:-1]:
        place /= part
        if place.is_symlink():
            raise OSError(errno.ELOOP, "is a link", str(place))
        if not place.is_dir():
            place.mkdir()
            made.append(place)


def _take_back(made: list[Path]) -> None:
    for path in reversed(made):
        with suppress(OSError):  # somebody put something into a folder of ours: it stays
            path.rmdir() if path.is_dir() else path.unlink()


def _in_the_way(paths: Sequence[str]) -> DriftError:
    shown = ", ".join(paths[:5]) + (f" and {len(paths) - 5} more" if len(paths) > 5 else "")  # noqa: PLR2004 - enough to see
    return invalid(
        "write",
        f"nothing was written, for there is already {shown}",
        hint="Leave those templates out, or name another directory.",
    )


def _unwritable(error: OSError) -> DriftError:
    return DriftError(
        ErrorCode.STORE_UNAVAILABLE,
        f"nothing was written: {error.filename}: {error.strerror}",
        Recovery(hint="Name a directory that can be written and is no link."),
    )
