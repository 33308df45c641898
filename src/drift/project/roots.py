"""Which directory is the project: the one given, the one named by DRIFT_PROJECT_ROOT, or the one around."""

import os
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from itertools import takewhile
from pathlib import Path

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.text import shorten
from drift.project.home import HOME_VARIABLE, drift_home, expand_home, home_directory

ROOT_VARIABLE = "DRIFT_PROJECT_ROOT"

# The nearest of these upward is the project, whatever manifests lie nearer: in a monorepo a package's
# own manifest would cut its callers off. `.git` is a file in worktrees and submodules.
_BOUNDARY_MARKERS = frozenset({".git", "drift.toml", ".drift"})
_MANIFESTS = (
    "package.json",
    "Cargo.toml",
    "go.mod",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "pyproject.toml",
    "setup.py",
    "composer.json",
    "*.csproj",
    "*.sln",
    "Gemfile",
    "CMakeLists.txt",
)


def find_root(given: str | None, *, cwd: Path, environ: Mapping[str, str]) -> Path:
    """The real path of the project: `given`, else DRIFT_PROJECT_ROOT, else the one around `cwd`.

    Around means the nearest directory upward with `.git`, `drift.toml` or `.drift`, else the nearest
    with a manifest, else `cwd` itself. Neither the home directory nor the top of a file system is
    found by looking upward: a stray file there must not make a whole disk the project. The globally
    active project of the registry never counts, so two windows never answer for each other.
    """
    if given is not None:
        return _existing_directory(given, named_by="the given path", cwd=cwd, environ=environ)
    from_environment = environ.get(ROOT_VARIABLE, "").strip()
    if from_environment:
        return _existing_directory(from_environment, named_by=ROOT_VARIABLE, cwd=cwd, environ=environ)
    start = _existing_directory(str(cwd), named_by="the working directory", cwd=cwd, environ=environ)
    return _root_around(start, environ)


def is_directory(path: Path) -> bool:
    """Whether there is such a directory; False also for paths no file system can hold."""
    try:
        return path.is_dir()
    except (OSError, ValueError):  # too long, a loop of links, a NUL
        return False


def is_file(path: Path) -> bool:
    """Whether there is such a file; False also where it may not be looked for."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _existing_directory(text: str, *, named_by: str, cwd: Path, environ: Mapping[str, str]) -> Path:
    shown = shorten(ascii(text), 200)
    if not text.strip():
        raise _not_found(f"{named_by} is empty")
    place = cwd / expand_home(text, environ)
    if is_directory(place):
        return Path(os.path.realpath(place))
    if "${" in text:
        raise _not_found(f"{named_by} holds a variable the client did not replace: {shown}")
    raise _not_found(f"{named_by} is not an existing directory: {shown}")


def _not_found(problem: str) -> DriftError:
    return DriftError(
        ErrorCode.PROJECT_NOT_FOUND,
        f"No project: {problem}.",
        Recovery(hint=f"Give the path of an existing directory, or set {ROOT_VARIABLE} to one."),
    )


def _root_around(start: Path, environ: Mapping[str, str]) -> Path:
    manifest_root: Path | None = None
    # A user-wide directory that happens to be called `.drift` makes no project of its parent.
    # (`~/.drift` needs no care: home is never a candidate.)
    user_wide = Path(os.path.realpath(drift_home(environ))) if environ.get(HOME_VARIABLE) else None
    for directory in _candidates(start, environ):
        names = _names_in(directory)
        if directory / ".drift" == user_wide:
            names.discard(".drift")
        if _BOUNDARY_MARKERS & names:
            return directory
        if manifest_root is None and _has_manifest(names):
            manifest_root = directory
    return manifest_root or start


def _candidates(start: Path, environ: Mapping[str, str]) -> Iterator[Path]:
    home = home_directory(environ)
    ends = {Path(start.anchor)} | ({Path(os.path.realpath(home))} if home else set())
    return takewhile(lambda directory: directory not in ends, (start, *start.parents))


def _names_in(directory: Path) -> set[str]:
    try:
        with os.scandir(directory) as entries:
            return {entry.name for entry in entries}
    except OSError:  # a parent we may not list has nothing to tell us
        return set()


def _has_manifest(names: set[str]) -> bool:
    return any(
        fnmatchcase(name, manifest)
        for manifest in _MANIFESTS
        for name in (names if "*" in manifest else names & {manifest})
    )
