"""Finds a project's manifests and lock files and reads them; what cannot be read is said, not skipped."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from drift.kernel.errors import DriftError
from drift.kernel.reading import list_files, read_text
from drift.kernel.text import shorten
from drift.manifests.contents import (
    Contents,
    Declared,
    Ecosystem,
    Locked,
    Parser,
    UnreadableManifestError,
)
from drift.manifests.documents import line_naming
from drift.manifests.formats import DEPENDENCY_FILES, fits

_MOST_BYTES: Final = 20_000_000
_MOST_FILES: Final = 500

# Folders beside a manifest that hold more of its kind.
_SUBFOLDERS: Final = ("requirements", "gradle", "tests/requirements")
# Words in the path of a requirements file that say it is not for production.
_SIDE_WORDS: Final = re.compile(
    r"(?<![a-z])(?:dev|develop|development|tests?|testing|docs?|lint|ci|build|examples?)(?![a-z])"
)


class DeclaredAt(NamedTuple):
    """A dependency with the file and line that declare it."""

    dependency: Declared
    ecosystem: Ecosystem
    file: str
    line: int


class LockedAt(NamedTuple):
    """A settled version with the file that has it."""

    package: Locked
    ecosystem: Ecosystem
    file: str


class Manifests(NamedTuple):
    """All that the manifests and lock files of a project say."""

    files: tuple[str, ...]
    declared: tuple[DeclaredAt, ...]
    locked: tuple[LockedAt, ...]
    own_packages: frozenset[tuple[Ecosystem, str]]
    problems: tuple[str, ...]

    @property
    def own_names(self) -> frozenset[str]:
        """What the project itself is called."""
        return frozenset(name for _, name in self.own_packages)


def read_manifests(root: Path, folders: Iterable[str]) -> Manifests:
    """What the manifests in these folders say, and those in the folders beside them made for the purpose."""
    files: list[str] = []
    declared: list[DeclaredAt] = []
    locked: list[LockedAt] = []
    own: set[tuple[Ecosystem, str]] = set()
    problems: list[str] = []
    for path, ecosystem, parser in _found(root, folders):
        try:
            text, contents = _read(root, path, parser)
        except (OSError, DriftError, UnreadableManifestError) as error:
            problems.append(f"{path}: {shorten(str(error), 200)}")
            continue
        files.append(path)
        lines = text.splitlines()
        own.update((ecosystem, name) for name in contents.own_names)
        declared += [
            DeclaredAt(_in_place(each, path), ecosystem, path, line_naming(lines, each.name))
            for each in contents.declared
        ]
        locked += [LockedAt(each, ecosystem, path) for each in contents.locked]
    return Manifests(tuple(files), tuple(declared), tuple(locked), frozenset(own), tuple(problems))


def _found(root: Path, folders: Iterable[str]) -> list[tuple[str, Ecosystem, Parser]]:
    wanted = {"", *folders}
    wanted |= {f"{folder}/{name}".lstrip("/") for folder in wanted for name in _SUBFOLDERS}
    found = []
    for folder in sorted(wanted):
        for name in list_files(root, folder):
            kind = next((one for one in DEPENDENCY_FILES if fits(one[0], name, folder)), None)
            if kind is not None:
                found.append((f"{folder}/{name}".lstrip("/"), kind[1], kind[2]))
    return found[:_MOST_FILES]


def _read(root: Path, path: str, parser: Parser) -> tuple[str, Contents]:
    text = read_text(root, path, _MOST_BYTES)
    return text, parser(text)


def _in_place(each: Declared, path: str) -> Declared:
    """The dependency with the scope that the path of a requirements file implies."""
    is_aside = path.endswith((".txt", ".in")) and each.scope == "prod" and _SIDE_WORDS.search(path.lower())
    return each._replace(scope="dev") if is_aside and "CMakeLists" not in path else each
