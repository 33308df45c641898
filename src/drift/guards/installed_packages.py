"""What packages say that are installed inside a project: whether a name stands in one of them.

Only read, never loaded. A project that keeps its packages elsewhere has none here.
"""

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
_MOST_FILES: Final = 3_000
_MOST_BYTES: Final = 2_000_000
_MOST_DEPTH: Final = 8


def says_name(root: Path, language: str, package: str, *, name: str) -> bool:
    """Whether a file of an installed package has the name in it; not so where the package is not installed here."""
    wanted = name.encode()
    for pattern in _PLACES.get(language, ()):
        for place in root.glob(f"{pattern}/{package}"):
            if any(wanted in text for text in _texts(root, place)):
                return True
    return False


def _texts(root: Path, place: Path) -> Iterator[bytes]:
    left = _MOST_FILES
    waiting = [(place, 0)]
    while waiting and left:
        folder, depth = waiting.pop()
        for entry in _entries(folder):
            if entry.is_symlink():
                continue  # it may lead anywhere
            if entry.is_dir():
                waiting += [(entry, depth + 1)] * (depth < _MOST_DEPTH)
            elif entry.name.endswith(_ENDINGS) and left:
                left -= 1
                try:
                    yield read_file(root, entry.relative_to(root).as_posix(), _MOST_BYTES)
                except OSError:
                    continue


def _entries(folder: Path) -> list[Path]:
    try:
        with scandir(folder) as found:
            return sorted(Path(each.path) for each in found)
    except OSError:
        return []
