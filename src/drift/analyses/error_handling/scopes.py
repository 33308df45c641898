"""Which application a file belongs to: the nearest folder above it with a build file of its own."""

from collections.abc import Iterable
from typing import Final

_BUILD_FILES: Final = frozenset(
    {
        "package.json", "pyproject.toml", "setup.py", "requirements.txt", "Pipfile", "go.mod", "pom.xml",
        "build.gradle", "build.gradle.kts", "composer.json", "Cargo.toml", "Gemfile", "manage.py",
    }
)  # fmt: skip
_BUILD_ENDINGS: Final = (".csproj", ".fsproj")


class Scopes:
    """The applications of a project, and those that have entry points of their own."""

    def __init__(self, paths: Iterable[str], entries: Iterable[str]) -> None:
        self._folders = {
            folder
            for folder, _, name in (path.rpartition("/") for path in paths)
            if name in _BUILD_FILES or name.endswith(_BUILD_ENDINGS)
        }
        self._entered = {self.of(path) for path in entries}

    def of(self, path: str) -> str:
        """The folder of the application that a file is of."""
        folder = path.rpartition("/")[0]
        while folder and folder not in self._folders:
            folder = folder.rpartition("/")[0]
        return folder

    def covers(self, boundary: str, entry: str) -> bool:
        """Whether a handler in one file is that of an entry point in another: of one application, or of what it shares."""
        own = self.of(boundary)
        return own == self.of(entry) or own not in self._entered
