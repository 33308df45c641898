"""What tsconfig.json and jsconfig.json say of import paths: baseUrl and paths, along extends and references."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from drift.manifests.documents import parse_configuration
from drift.scan.link.folders import folder_of, join, resolve

if TYPE_CHECKING:
    from drift.scan.link.sources import WatchedSources

# The first two are what editors and compilers look for; workspaces and bundlers name the others to them.
_NAMES: Final = ("tsconfig.json", "jsconfig.json", "tsconfig.app.json", "tsconfig.base.json")
_MOST_STEPS: Final = 16  # of configurations that extend each other
_MOST_REFERENCES: Final = 16
_MOST_PARENTS: Final = 4  # that one configuration extends, so that steps do not multiply without end


class MappedPath(NamedTuple):
    """A pattern of import texts, with at most one star, and the paths of the project it stands for."""

    pattern: str
    targets: tuple[str, ...]

    def fits(self, module: str) -> bool:
        before, star, after = self.pattern.partition("*")
        if not star:
            return self.pattern == module
        is_long_enough = len(module) >= len(before) + len(after)
        return is_long_enough and module.startswith(before) and module.endswith(after)


class ImportPaths(NamedTuple):
    """How one configuration maps import texts to paths of the project."""

    base_url: str | None = None
    mappings: tuple[MappedPath, ...] = ()

    def candidates(self, module: str) -> list[str]:
        """The paths an import text may mean, the best first; none for one the configuration says nothing of."""
        found: list[str] = []
        fitting = [mapping for mapping in self.mappings if mapping.fits(module)]
        if fitting:
            # An exact pattern wins, else the one with the longest text before its star.
            best = max(fitting, key=lambda mapping: ("*" not in mapping.pattern, mapping.pattern.find("*")))
            before, star, after = best.pattern.partition("*")
            middle = module[len(before) : len(module) - len(after)] if star else ""
            found.extend(target.replace("*", middle) for target in best.targets)
        if self.base_url is not None:
            found.append(join(self.base_url, module))
        return [path for text in found if (path := resolve("", text))]


_NO_PATHS: Final = ImportPaths()


class ConfigIndex:
    """The configurations of a project, each read when a file below it is first asked about."""

    def __init__(self, sources: WatchedSources) -> None:
        self._sources = sources
        self._by_folder: dict[str, ImportPaths] = {}

    def paths_for(self, folder: str) -> ImportPaths:
        """What holds for the files of a folder: the nearest configuration upward."""
        below = [folder]
        while below[-1] not in self._by_folder and below[-1]:
            path = self._config_in(below[-1])
            if path is not None:
                self._by_folder[below[-1]] = self._read_with_references(path)
                break
            below.append(folder_of(below[-1]))
        if below[-1] not in self._by_folder:
            path = self._config_in("")
            self._by_folder[""] = _NO_PATHS if path is None else self._read_with_references(path)
        found = self._by_folder[below[-1]]
        self._by_folder.update(dict.fromkeys(below, found))
        return found

    def _config_in(self, folder: str) -> str | None:
        paths = (join(folder, name) for name in _NAMES)
        return next((path for path in paths if self._sources.text_of(path) is not None), None)

    def _read_with_references(self, path: str) -> ImportPaths:
        """A configuration has its own mappings, and those of others that it names beside."""
        found = self._read(path, _MOST_STEPS)
        references = parse_configuration(self._sources.text_of(path)).get("references")
        for reference in references[:_MOST_REFERENCES] if isinstance(references, list) else ():
            inner = reference.get("path") if isinstance(reference, dict) else None
            # A folder among the references has a configuration of its own that its files find themselves.
            place = resolve(folder_of(path), inner) if isinstance(inner, str) else None
            if place is not None and place.endswith(".json"):
                found = _joined(found, self._read(place, _MOST_STEPS))
        return found

    def _read(self, path: str, steps: int) -> ImportPaths:
        config = parse_configuration(self._sources.text_of(path))
        folder = folder_of(path)
        extended = config.get("extends")
        parents = extended if isinstance(extended, list) else [extended]
        found = _NO_PATHS
        for parent in parents[:_MOST_PARENTS] if steps else ():
            # A parent that is a package is not in the project; a relative one is the only kind to be read.
            place = resolve(folder, parent) if isinstance(parent, str) and parent.startswith(".") else None
            if place is not None:
                inherited = self._read(place if place.endswith(".json") else f"{place}.json", steps // 2)
                found = inherited if inherited != _NO_PATHS else found
        return _overlay(found, config.get("compilerOptions"), folder)


def _joined(first: ImportPaths, second: ImportPaths) -> ImportPaths:
    """What the first says, and what of the second it says nothing of."""
    known = {one.pattern for one in first.mappings}
    more = tuple(one for one in second.mappings if one.pattern not in known)
    base_url = first.base_url if first.base_url is not None else second.base_url
    return ImportPaths(base_url, (*first.mappings, *more))


def _overlay(inherited: ImportPaths, options: Any, folder: str) -> ImportPaths:
    if not isinstance(options, dict):
        return inherited
    base = options.get("baseUrl")
    base_url = resolve(folder, base) if isinstance(base, str) else inherited.base_url
    paths = options.get("paths")
    if not isinstance(paths, dict):
        return ImportPaths(base_url, inherited.mappings)
    root = base_url if base_url is not None else folder
    mappings = tuple(
        MappedPath(
            pattern, tuple(posixpath.join(root, target) for target in targets if isinstance(target, str))
        )
        for pattern, targets in paths.items()
        if isinstance(targets, list)
    )
    return ImportPaths(base_url, mappings)
