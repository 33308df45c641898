"""Finds a project's manifests and lock files and reads them; what cannot be read is said, not skipped."""

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final, NamedTuple

from drift.analyses.manifests import compiled_files, node_files, project_files, python_files
from drift.analyses.manifests.documents import line_naming
from drift.analyses.manifests.shapes import (
    Contents,
    Declared,
    Ecosystem,
    Locked,
    Parser,
    UnreadableManifestError,
)
from drift.kernel.errors import DriftError
from drift.kernel.reading import list_files, read_text
from drift.kernel.text import shorten

_MOST_BYTES: Final = 20_000_000
_MOST_FILES: Final = 500

# In this order: a file is read by the first that fits.
_KINDS: Final[tuple[tuple[str, Ecosystem, Parser], ...]] = (
    ("pyproject.toml", "python", python_files.parse_pyproject),
    ("setup.cfg", "python", python_files.parse_setup_cfg),
    ("requirements*.txt", "python", python_files.parse_requirements),
    ("requirements*.in", "python", python_files.parse_requirements),
    ("Pipfile", "python", python_files.parse_pipfile),
    ("Pipfile.lock", "python", python_files.parse_pipfile_lock),
    ("poetry.lock", "python", python_files.parse_package_tables),
    ("uv.lock", "python", python_files.parse_package_tables),
    ("pylock.toml", "python", python_files.parse_package_tables),
    ("package.json", "node", node_files.parse_package_json),
    ("deno.json", "node", node_files.parse_deno_json),
    ("package-lock.json", "node", node_files.parse_package_lock),
    ("npm-shrinkwrap.json", "node", node_files.parse_package_lock),
    ("yarn.lock", "node", node_files.parse_yarn_lock),
    ("pnpm-lock.yaml", "node", node_files.parse_pnpm_lock),
    ("go.mod", "go", compiled_files.parse_go_mod),
    ("go.sum", "go", compiled_files.parse_go_sum),
    ("Cargo.toml", "rust", compiled_files.parse_cargo_toml),
    ("Cargo.lock", "rust", compiled_files.parse_cargo_lock),
    ("pom.xml", "jvm", project_files.parse_pom),
    ("build.gradle", "jvm", project_files.parse_gradle),
    ("build.gradle.kts", "jvm", project_files.parse_gradle),
    ("libs.versions.toml", "jvm", project_files.parse_gradle_catalog),
    ("composer.json", "php", compiled_files.parse_composer_json),
    ("composer.lock", "php", compiled_files.parse_composer_lock),
    ("*.csproj", "dotnet", project_files.parse_csproj),
    ("Directory.Packages.props", "dotnet", project_files.parse_csproj),
    ("Directory.Build.props", "dotnet", project_files.parse_csproj),
    ("packages.config", "dotnet", project_files.parse_packages_config),
    ("CMakeLists.txt", "cpp", compiled_files.parse_cmake),
    ("conanfile.txt", "cpp", compiled_files.parse_conanfile),
    ("conanfile.py", "cpp", compiled_files.parse_conanfile),
    ("vcpkg.json", "cpp", compiled_files.parse_vcpkg),
)
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
    own_names: frozenset[str]
    problems: tuple[str, ...]


def read_manifests(root: Path, folders: Iterable[str]) -> Manifests:
    """What the manifests in these folders say, and those in the folders beside them made for the purpose."""
    files: list[str] = []
    declared: list[DeclaredAt] = []
    locked: list[LockedAt] = []
    own: set[str] = set()
    problems: list[str] = []
    for path, ecosystem, parser in _found(root, folders):
        try:
            text, contents = _read(root, path, parser)
        except (OSError, DriftError, UnreadableManifestError) as error:
            problems.append(f"{path}: {shorten(str(error), 200)}")
            continue
        files.append(path)
        lines = text.splitlines()
        own.update(contents.own_names)
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
            kind = next((one for one in _KINDS if fnmatchcase(name, one[0])), None)
            if kind is None and folder.rpartition("/")[2] == "requirements" and name.endswith(".txt"):
                kind = ("*.txt", "python", python_files.parse_requirements)
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
