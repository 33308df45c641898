"""The files of a project that say something about packages, read once each."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, TypeVar

from drift.index.path_text import text_to_path
from drift.kernel.reading import list_files, read_text
from drift.kernel.text import shorten
from drift.manifests.contents import UnreadableManifestError
from drift.manifests.formats import is_read

T = TypeVar("T")

_MOST_BYTES: Final = 5_000_000
_MOST_FILES: Final = 3_000


class ManifestFiles:
    """The manifests in the folders of a project. What cannot be read stands in `problems`."""

    def __init__(self, root: Path, paths: Iterable[str]) -> None:
        self._root = root
        self._texts: dict[str, str | None] = {}
        self.problems: list[str] = []
        found = [
            f"{folder}/{name}".lstrip("/") for folder in _folders(paths) for name in _names(root, folder)
        ]
        self.paths = tuple(found[:_MOST_FILES])
        """Where they are, by folder."""
        if len(found) > _MOST_FILES:
            self.problems.append(f"only the first {_MOST_FILES:,} of {len(found):,} manifests were read")

    def read(self, path: str, parse: Callable[[str], T | None]) -> T | None:
        """What the parser makes of a file; None, and a problem, where it cannot be read."""
        text = self.text(path)
        if text is None:
            return None
        try:
            return parse(text)
        except UnreadableManifestError as error:
            self._problem(path, error)
            return None

    def text(self, path: str) -> str | None:
        """The text of a file; None, and a problem, where it cannot be read."""
        if path not in self._texts:
            self._texts[path] = self._load(path)
        return self._texts[path]

    def _load(self, path: str) -> str | None:
        try:
            return read_text(self._root, text_to_path(path), _MOST_BYTES).removeprefix("\ufeff")
        except OSError as error:
            self._problem(path, error)
            return None

    def _problem(self, path: str, error: Exception) -> None:
        problem = f"{path}: {shorten(str(error), 200)}"
        if problem not in self.problems:
            self.problems.append(problem)


def _folders(paths: Iterable[str]) -> list[str]:
    """The folders with files and those around them, the root first."""
    found = {""}
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return sorted(found)


def _names(root: Path, folder: str) -> list[str]:
    return [name for name in list_files(root, text_to_path(folder)) if is_read(folder, name)]
