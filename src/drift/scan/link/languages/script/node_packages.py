"""The packages of a project by package.json, and which of their files an import of one means."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from drift.manifests.documents import parse_configuration
from drift.manifests.node import texts_in, workspace_globs
from drift.scan.link.folders import all_folders, folder_of, join
from drift.scan.link.languages.script.files import DECLARATIONS, ScriptFiles

if TYPE_CHECKING:
    from drift.scan.link.sources import WatchedSources

_ENTRIES: Final = ("source", "types", "typings", "module", "main", "browser")
_MOST_LEVELS: Final = 8  # of conditions in conditions
_MOST_STARS: Final = 6  # in a pattern of folders; more would only cost time to match


class Package(NamedTuple):
    """One package.json."""

    folder: str
    name: str
    manifest: dict[str, Any]


class PackageIndex:
    """The packages that hold source files, and those a workspace makes known to the others."""

    def __init__(self, sources: WatchedSources, files: ScriptFiles) -> None:
        self._files = files
        self._packages = {
            folder: package for folder in all_folders(files) if (package := _read(sources, folder))
        }
        self._members = self._find_members(sources)

    def package_around(self, folder: str) -> Package | None:
        """The package a folder belongs to."""
        while True:
            if folder in self._packages:
                return self._packages[folder]
            if not folder:
                return None
            folder = folder_of(folder)

    def member(self, name: str, folder: str) -> Package | None:
        """The package of that name that code in a folder can import: of its workspace, or its own."""
        around = self.package_around(folder)
        while around is not None and around.name != name:
            # A package inside another, as an example is, means the one around it by that name.
            around = self.package_around(folder_of(around.folder)) if around.folder else None
        return around or self._members.get(name)

    def file_of(self, package: Package, subpath: str) -> str | None:
        """The source that `name/subpath` means; the empty subpath is the package itself."""
        declared: str | None = None
        for target in (*self._targets(package, subpath), subpath or "index"):
            found = self._files.source_of(package.folder, target)
            if found is not None:
                if not (self._files.prefers_scripts and found.endswith(DECLARATIONS)):
                    return found
                declared = declared or found
        return declared

    def private_file_of(self, package: Package, module: str) -> str | None:
        """The source that a text such as `#db` means inside a package."""
        for target in _exported(package.manifest.get("imports"), module):
            found = self._files.source_of(package.folder, target)
            if found is not None:
                return found
        return None

    def folder_entry(self, folder: str) -> str | None:
        """The file that a package.json in a folder names as the one to be loaded for it."""
        package = self._packages.get(folder)
        return self.file_of(package, "") if package is not None else None

    def _targets(self, package: Package, subpath: str) -> Iterator[str]:
        exports = package.manifest.get("exports")
        is_map = isinstance(exports, dict) and any(key.startswith(".") for key in exports)
        if not is_map:
            exports = {".": exports}
        assert isinstance(exports, dict)
        yield from _exported(exports, f"./{subpath}" if subpath else ".")
        if not subpath:
            for entry in _ENTRIES:
                yield from texts_in(package.manifest.get(entry))

    def _find_members(self, sources: WatchedSources) -> dict[str, Package]:
        members: dict[str, Package] = {}
        for root in {"", *self._packages}:
            manifest = self._packages[root].manifest if root in self._packages else {}
            wanted, refused = _workspace_patterns(sources, root, manifest)
            if not wanted:
                continue
            for folder, package in sorted(self._packages.items()):
                if root and not folder.startswith(f"{root}/"):
                    continue
                inner = folder[len(root) + 1 :] if root else folder
                is_member = any(pattern.fullmatch(inner) for pattern in wanted)
                if is_member and not any(pattern.fullmatch(inner) for pattern in refused):
                    members.setdefault(package.name, package)
        return members


def _read(sources: WatchedSources, folder: str) -> Package | None:
    text = sources.text_of(join(folder, "package.json"))
    if text is None:
        return None
    manifest = parse_configuration(text)
    name = manifest.get("name")
    return Package(folder, name if isinstance(name, str) else "", manifest)


def _workspace_patterns(
    sources: WatchedSources, root: str, manifest: dict[str, Any]
) -> tuple[list[re.Pattern[str]], list[re.Pattern[str]]]:
    """The folders that are packages of a workspace, and those that are not."""
    pnpm = sources.text_of(join(root, "pnpm-workspace.yaml")) or ""
    found = workspace_globs(manifest, pnpm=pnpm, lerna=sources.text_of(join(root, "lerna.json")))
    globs = [text for text in found if text.count("*") <= _MOST_STARS]
    wanted = [_glob(text) for text in globs if not text.startswith("!")]
    return wanted, [_glob(text[1:]) for text in globs if text.startswith("!")]


def _glob(text: str) -> re.Pattern[str]:
    plain = text.removeprefix("./").rstrip("/")
    parts = re.split(r"(\*\*|\*)", plain)
    return re.compile("".join({"**": ".*", "*": "[^/]*"}.get(part, re.escape(part)) for part in parts))


def _exported(exports: Any, key: str) -> Iterator[str]:
    """The targets under a key, or under the pattern with the longest text before its star."""
    if not isinstance(exports, dict):
        return
    if key in exports:
        yield from _targets_in(exports[key], _MOST_LEVELS)
        return
    patterns = sorted((name for name in exports if "*" in name), key=lambda name: -name.index("*"))
    for pattern in patterns:
        before, _, after = pattern.partition("*")
        if key.startswith(before) and key.endswith(after) and len(key) >= len(before) + len(after):
            middle = key[len(before) : len(key) - len(after)]
            for target in _targets_in(exports[pattern], _MOST_LEVELS):
                yield target.replace("*", middle)
            return


def _targets_in(value: object, levels: int) -> Iterator[str]:
    """Every target of whatever condition, as written: which condition holds is not the code's to say."""
    if isinstance(value, str):
        yield value
    elif levels and isinstance(value, dict):
        for part in value.values():
            yield from _targets_in(part, levels - 1)
    elif levels and isinstance(value, list):
        for part in value:
            yield from _targets_in(part, levels - 1)
