"""Files by the package or namespace they declare, for languages in which the folder decides nothing."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from drift.languages.facts import FileFacts

if TYPE_CHECKING:
    from drift.scan.link.sources import Sources

_TYPES: Final = frozenset({"class", "enum", "interface", "struct", "trait", "type"})


class DeclaredSpaces:
    """The packages of a project with their files and names, gathered when first asked for."""

    def __init__(self, sources: Sources, suffixes: tuple[str, ...], separator: str) -> None:
        self._sources = sources
        self._suffixes = suffixes
        self._separator = separator

    @cached_property
    def _files(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in sorted(self._sources.paths()):
            if path.endswith(self._suffixes):
                found.setdefault(self._sources.facts_of(path).package, []).append(path)
        return found

    @cached_property
    def _outer(self) -> frozenset[str]:
        """Every package and what it is in."""
        found: set[str] = set()
        for package in self._files:
            parts = package.split(self._separator)
            found.update(self._separator.join(parts[:count]) for count in range(1, len(parts) + 1))
        return frozenset(found - {""})

    @cached_property
    def _names(self) -> dict[str, frozenset[str]]:
        return {
            package: frozenset().union(*(_top_names(self._sources.facts_of(path)) for path in files))
            for package, files in self._files.items()
        }

    @cached_property
    def _types(self) -> frozenset[str]:
        return frozenset(
            symbol.name
            for files in self._files.values()
            for path in files
            for symbol in self._sources.facts_of(path).symbols[1:]
            if symbol.kind in _TYPES
        )

    def locate(self, dotted: str) -> tuple[str, tuple[str, ...]] | None:
        """A package and the names in it that a text means together; none for what is not the project's."""
        if self.is_declared(dotted):
            return dotted, ()
        parts = dotted.split(self._separator)
        for count in range(len(parts) - 1, 0, -1):
            package = self._separator.join(parts[:count])
            if self.has(package, parts[count]):
                return package, tuple(parts[count:])
        return (dotted, ()) if self.is_known(dotted) else None

    def files(self, package: str) -> tuple[str, ...]:
        """The files that declare to be of a package."""
        return tuple(self._files.get(package, ()))

    def has(self, package: str, name: str) -> bool:
        """Whether a package declares a name itself."""
        return name in self._names.get(package, ())

    def is_known(self, package: str) -> bool:
        """Whether there is such a package, or one inside it."""
        return package in self._outer

    def is_declared(self, package: str) -> bool:
        return package in self._files

    def has_type(self, name: str) -> bool:
        """Whether any type in the project, nested ones too, has that name."""
        return name in self._types


def _top_names(facts: FileFacts) -> set[str]:
    return {symbol.name for symbol in facts.symbols[1:] if symbol.parent == 0}
