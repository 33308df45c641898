"""What linking reads of a project: its files, their facts, and the configuration beside them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from typing import Protocol

from drift.languages.facts import FileFacts
from drift.scan.link.exported_facts import ExportedFacts, exported_facts
from drift.scan.link.keys import presence_key
from drift.scan.link.links import Place
from drift.scan.link.reading import read_facts


class Sources(Protocol):
    """A project as linking sees it. Facts are asked for file by file, so they can be unpacked late."""

    def paths(self) -> tuple[str, ...]:
        """Every file that has facts, in the order they are numbered by; relative to the root, with `/` between parts."""

    def facts_of(self, path: str) -> FileFacts:
        """The facts of one of these files, as linking reads them; what is costly to unpack is kept."""

    def text_of(self, path: str) -> str | None:
        """The text of a configuration file (go.mod, tsconfig.json); None where there is none to read."""

    def has_text(self, path: str) -> bool:
        """Whether there is such a configuration file."""

    def package_of(self, path: str) -> str:
        """The package that a file declares to be of; empty for none."""

    def providing(self, key: int) -> tuple[str, ...]:
        """The files that have what a project-wide key names, in the order of their paths."""

    def overriders(self, place: Place, *, most: int) -> tuple[Place, ...] | None:
        """The methods known to override one; None where they are more than `most`."""

    def set_overrides(self, path: str, pairs: Iterable[tuple[Place, Place]]) -> None:
        """Take over, in the place of what was known, which methods those of a file override: (method, overrider)."""


class WatchedSources:
    """The same sources, of which note is taken what project-wide keys are asked for."""

    def __init__(self, sources: Sources, note: Callable[[int], None]) -> None:
        self._sources = sources
        self._note = note
        self.paths = sources.paths
        self.facts_of = sources.facts_of
        self.text_of = sources.text_of
        self.has_text = sources.has_text
        self.package_of = sources.package_of
        self.overriders = sources.overriders
        self.set_overrides = sources.set_overrides

    def note(self, key: int) -> None:
        """Take note of a key of one file."""
        self._note(key)

    def providing(self, key: int) -> tuple[str, ...]:
        self._note(key)
        return self._sources.providing(key)

    def is_provided(self, key: int) -> bool:
        """Whether any file has what a key names, whichever that is."""
        self._note(presence_key(key))
        return bool(self._sources.providing(key))


class MemorySources:
    """A project whose facts and configuration files are at hand."""

    def __init__(self, facts: Mapping[str, FileFacts], texts: Mapping[str, str] | None = None) -> None:
        self.facts = {path: read_facts(found) for path, found in facts.items()}
        self.texts = texts or {}
        self._overriders: dict[Place, dict[Place, None]] = {}
        self._overrides: dict[str, tuple[tuple[Place, Place], ...]] = {}

    def paths(self) -> tuple[str, ...]:
        return tuple(sorted(self.facts))

    def facts_of(self, path: str) -> FileFacts:
        return self.facts[path]

    def text_of(self, path: str) -> str | None:
        return self.texts.get(path)

    def has_text(self, path: str) -> bool:
        return path in self.texts

    def package_of(self, path: str) -> str:
        return self.facts[path].package

    def providing(self, key: int) -> tuple[str, ...]:
        return self._providers.get(key, ())

    def overriders(self, place: Place, *, most: int) -> tuple[Place, ...] | None:
        found = tuple(self._overriders.get(place, ()))
        return found if len(found) <= most else None

    def set_overrides(self, path: str, pairs: Iterable[tuple[Place, Place]]) -> None:
        for method, overrider in self._overrides.pop(path, ()):
            self._overriders[method].pop(overrider, None)
        self._overrides[path] = tuple(pairs)
        for method, overrider in self._overrides[path]:
            self._overriders.setdefault(method, {})[overrider] = None

    def known_overrides(self) -> Mapping[Place, Collection[Place]]:
        """Each overridden method with what overrides it."""
        return self._overriders

    @cached_property
    def exported(self) -> dict[str, ExportedFacts]:
        """What each file provides."""
        return {path: exported_facts(path, facts) for path, facts in self.facts.items()}

    @cached_property
    def _providers(self) -> dict[int, tuple[str, ...]]:
        found: dict[int, list[str]] = {}
        for path in self.paths():
            for key in self.exported[path].shared:
                found.setdefault(key, []).append(path)
        return {key: tuple(paths) for key, paths in found.items()}
