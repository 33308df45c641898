"""Whether the compiler of TypeScript holds a file to what its types say of null."""

import re
from pathlib import Path
from typing import Final

from drift.index.path_text import text_to_path
from drift.kernel.reading import read_beginning

_MOST_BYTES: Final = 100_000
_CONFIGS: Final = ("tsconfig.json", "tsconfig.app.json", "tsconfig.base.json")
_SAYING: Final = tuple(
    re.compile(rf'"{name}"\s{{0,20}}:\s{{0,20}}(true|false)') for name in ("strictNullChecks", "strict")
)


class Strictness:
    """What the configurations of a project say, by folder; without one a type does not speak of null."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._folders: dict[str, bool] = {}

    def holds(self, path: str) -> bool:
        """Whether a type in a file that does not name null excludes it."""
        folder = path.rpartition("/")[0]
        if folder not in self._folders:
            said = next((found for name in _CONFIGS if (found := self._said(folder, name)) is not None), None)
            above = self.holds(folder) if said is None and folder else bool(said)
            self._folders[folder] = above
        return self._folders[folder]

    def _said(self, folder: str, name: str) -> bool | None:
        path = f"{folder}/{name}" if folder else name
        try:
            text = read_beginning(self._root, text_to_path(path), _MOST_BYTES).decode("utf-8", "replace")
        except OSError:
            return None
        found = next((match for pattern in _SAYING if (match := pattern.search(text))), None)
        return found[1] == "true" if found else None
