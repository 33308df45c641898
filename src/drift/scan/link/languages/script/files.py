"""Which source file a path without an extension, or with that of its compiled form, means."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from drift.scan.link.folders import join, resolve
from drift.scan.link.keys import part_key

# In the order in which compilers look: sources before what is made of them.
SUFFIXES: Final = (
    ".ts", ".tsx", ".mts", ".cts", ".d.ts", ".d.mts", ".d.cts", ".js", ".jsx", ".mjs", ".cjs",
    ".vue", ".svelte", ".astro",
)  # fmt: skip
_WRITTEN_AS: Final = {
    ".js": (".ts", ".tsx", ".d.ts", ".js", ".jsx"),
    ".jsx": (".tsx", ".jsx"),
    ".mjs": (".mts", ".d.mts", ".mjs"),
    ".cjs": (".cts", ".d.cts", ".cjs"),
}
DECLARATIONS: Final = (".d.ts", ".d.mts", ".d.cts")
_BUILT_FOLDERS: Final = frozenset(
    {"dist", "build", "lib", "out", "esm", "cjs", "es", "umd", "types", "output", "module"}
)
_SOURCE_FOLDERS: Final = ("src", "source", "lib")
_MOST_BUILT_LEVELS: Final = 3


class ScriptFiles:
    """The TypeScript and JavaScript files of a project.

    Where a script stands beside a declaration of what it has, TypeScript means the declaration; what runs, and
    what JavaScript means, is the script.
    """

    def __init__(self, paths: Iterable[str], note: Callable[[int], None], *, prefers_scripts: bool) -> None:
        self.prefers_scripts = prefers_scripts
        self._note = note
        self._suffixes = self._in_order(SUFFIXES)
        self._written_as = {suffix: self._in_order(others) for suffix, others in _WRITTEN_AS.items()}
        self._files = frozenset(path for path in paths if path.endswith(SUFFIXES))

    def _in_order(self, suffixes: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(sorted(suffixes, key=DECLARATIONS.__contains__)) if self.prefers_scripts else suffixes

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def file_at(self, path: str) -> str | None:
        """The file itself, its source, or the one that the path with an extension would be."""
        self._note(part_key(path.rpartition("/")[2].partition(".")[0]))
        return self._find(path)

    def _find(self, path: str) -> str | None:
        stem, suffix = posixpath.splitext(path)
        for other in self._written_as.get(suffix, ()):
            if stem + other in self._files:
                return stem + other
        if path in self._files:
            return path
        return next((path + other for other in self._suffixes if path + other in self._files), None)

    def index_of(self, folder: str) -> str | None:
        """The file that stands for a folder."""
        self._note(part_key(folder.rpartition("/")[2]))
        return self._find(join(folder, "index"))

    def source_of(self, package: str, target: str) -> str | None:
        """The file that a path in a package means, or is built from: `dist/index.js` from `src/index.ts`."""
        inner = resolve("", target)
        if not inner:
            return None
        for candidate in _possible_sources(inner):
            place = join(package, candidate)
            found = self.file_at(place) or self.file_at(_without_suffix(place)) or self.index_of(place)
            if found is not None:
                return found
        return None


def _possible_sources(inner: str) -> list[str]:
    """The path as written, then below each source folder in the place of the folders of what is built."""
    candidates = [inner]
    parts = inner.split("/")
    for count in range(_MOST_BUILT_LEVELS + 1):
        if count >= len(parts) or (count and parts[count - 1] not in _BUILT_FOLDERS):
            break
        rest = "/".join(parts[count:])
        candidates.extend(f"{source}/{rest}" for source in _SOURCE_FOLDERS)
        candidates.append(rest)
    return list(dict.fromkeys(candidates))


def _without_suffix(path: str) -> str:
    for suffix in sorted(SUFFIXES, key=len, reverse=True):
        if path.endswith(suffix):
            return path.removesuffix(suffix)
    return path
