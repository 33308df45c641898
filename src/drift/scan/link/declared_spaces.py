"""Files by the package or namespace they declare, for languages in which the folder decides nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drift.scan.link.keys import around_key, package_key, space_key, type_key

if TYPE_CHECKING:
    from drift.scan.link.sources import WatchedSources


class DeclaredSpaces:
    """The packages of a project with their files and names."""

    def __init__(self, sources: WatchedSources, language: str, separator: str) -> None:
        self._sources = sources
        self._language = language
        self._separator = separator

    def locate(self, dotted: str) -> tuple[str, tuple[str, ...]] | None:
        """A package and the names in it that a text means together; none for what is not the project's."""
        if self.is_declared(dotted):
            return dotted, ()
        parts = dotted.split(self._separator)
        for count in range(len(parts) - 1, 0, -1):
            package = self._separator.join(parts[:count])
            if self.files_with(package, parts[count]):
                return package, tuple(parts[count:])
        return (dotted, ()) if self.is_known(dotted) else None

    def files_with(self, package: str, name: str) -> tuple[str, ...]:
        """The files of a package that declare a name."""
        return self._sources.providing(space_key(self._language, package, name))

    def is_known(self, package: str) -> bool:
        """Whether there is such a package, or one inside it."""
        return self._sources.is_provided(around_key(self._language, package))

    def is_declared(self, package: str) -> bool:
        """Whether files declare to be of the package."""
        return self._sources.is_provided(package_key(self._language, package))

    def has_type(self, name: str) -> bool:
        """Whether any type in the project, nested ones too, has that name."""
        return self._sources.is_provided(type_key(self._language, name))
