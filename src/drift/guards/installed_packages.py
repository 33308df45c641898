"""What packages say that are installed inside a project: whether a name stands in one of them.

Only read, never loaded. A project that keeps its packages elsewhere has none here.
"""

import re
from collections.abc import Iterator
from os import scandir
from pathlib import Path
from typing import Final

from drift.kernel.reading import read_file

_PLACES: Final = {
    "python": (
        ".venv/lib/python3*/site-packages",
        "venv/lib/python3*/site-packages",
        "env/lib/python3*/site-packages",
    ),
    "typescript": ("node_modules",),
    "javascript": ("node_modules",),
}
_ENDINGS: Final = (".py", ".pyi", ".d.ts", ".js", ".ts")
_PACKAGE: Final = re.compile(r"[\w@./-]{1,200}")
_MOST_FILES: Final = 3_000
_MOST_BYTES: Final = 2_000_000
_MOST_DEPTH: Final = 8


def may_say_name(root: Path, language: str, package: str, *, name: str) -> bool:
    """Whether a file of an installed package has the name in it, or not all of the package could be looked at.

    Not so where the package is not installed here.
    """
    places = _PLACES.get(language)
    if places is None:
        return False
    if not _PACKAGE.fullmatch(package) or ".." in package.split("/"):
        return True  # nothing that an installed package is called, and a pattern if it were taken for one
    wanted = name.encode()
    return any(
        text is None or wanted in text
        for pattern in places
        for place in root.glob(f"{pattern}/{package}")
        for text in _texts(root, place)
    )


def _texts(root: Path, place: Path) -> Iterator[bytes | None]:
    """The texts of a package; None for what could not be looked at."""
    left = _MOST_FILES
    waiting = [(place, 0)]
    while waiting:
        folder, depth = waiting.pop()
        entries = _entries(folder)
        if entries is None or depth > _MOST_DEPTH:
            yield None
            continue
        for entry in entries:
            if entry.is_symlink():
                continue  # it may lead anywhere
            if entry.is_dir():
                waiting.append((entry, depth + 1))
            elif entry.name.endswith(_ENDINGS):
                left -= 1
                yield _read(root, entry) if left >= 0 else None


def _read(root: Path, place: Path) -> bytes | None:
    try:
        return read_file(root, place.relative_to(root).as_posix(), _MOST_BYTES)
    except OSError:
        return None


def _entries(folder: Path) -> list[Path] | None:
    try:
        with scandir(folder) as found:
            return sorted(Path(each.path) for each in found)
    except OSError:
        return None
