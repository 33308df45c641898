"""Paths of a project as texts: folders, stems, joining, and what stands above a file."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator


def folder_of(path: str) -> str:
    """The folder a file or folder is in; empty for the project's own."""
    return path.rpartition("/")[0]


def stem_of(path: str) -> str:
    """A file's name up to its first dot."""
    return path.rpartition("/")[2].partition(".")[0]


def join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def resolve(folder: str, name: str) -> str | None:
    """A relative path seen from a folder; None where it leads out of the project."""
    found = posixpath.normpath(join(folder, name))
    return None if found.startswith(("..", "/")) else "" if found == "." else found


def folders_above(path: str) -> Iterator[str]:
    """The folders around a file, the nearest first, the project's own last."""
    folder = path
    while folder:
        folder = folder_of(folder)
        yield folder


def all_folders(paths: Iterable[str]) -> set[str]:
    """Every folder that holds one of the files, directly or below."""
    found = {""}
    for path in paths:
        folder = folder_of(path)
        while folder not in found:
            found.add(folder)
            folder = folder_of(folder)
    return found
