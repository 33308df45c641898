"""The machine: Python, SQLite, git, and the packages Drift stands on."""

import sqlite3
import sys
from collections.abc import Iterator
from importlib import metadata
from importlib.util import find_spec
from typing import Final

from drift.cli.checks.finding import Finding, fail, ok, warn
from drift.project.git import git_version

_DISTRIBUTION: Final = "drift-mcp"
_OLDEST_PYTHON: Final = (3, 11)
# The first SQLite with strict tables, which Drift's stores are made of.
_OLDEST_SQLITE: Final = (3, 37)
_EXTRAS: Final = (
    ("splintr", "tokens", "exact token counts"),
    ("httptools", "http", "faster HTTP"),
    ("uvloop", "http", "faster HTTP"),
)


def check_machine() -> Iterator[Finding]:
    """How the machine is."""
    yield _check_python()
    yield from _check_sqlite()
    yield _check_git()
    yield from _check_packages()
    yield _check_grammars()


def _check_python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info[:2] < _OLDEST_PYTHON:
        return fail("python", f"{version} is too old", "Install Python 3.11 or newer.")
    return ok("python", f"{version} at {sys.executable}")


def _check_sqlite() -> Iterator[Finding]:
    version = sqlite3.sqlite_version
    if sqlite3.sqlite_version_info[:2] < _OLDEST_SQLITE:
        yield fail("sqlite", f"{version} is too old", "Use a Python built with SQLite 3.37 or newer.")
    else:
        yield ok("sqlite", version)
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("CREATE VIRTUAL TABLE probe USING fts5(text)")
    except sqlite3.OperationalError as error:
        yield fail(
            "sqlite fts5", f"full-text search is missing ({error})", "Use a Python whose SQLite has FTS5."
        )
    else:
        yield ok("sqlite fts5", "full-text search works")
    finally:
        connection.close()


def _check_git() -> Finding:
    version = git_version()
    if version is None:
        return warn(
            "git", "not found", "Install git; without it there is no history and no list of tracked files."
        )
    return ok("git", version)


def _check_packages() -> Iterator[Finding]:
    try:
        wanted = metadata.requires(_DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        fix = f"Install it: pip install {_DISTRIBUTION}"
        yield warn("packages", f"{_DISTRIBUTION} is not installed, so its needs are not known", fix)
        return
    needed = [line for line in wanted if "extra ==" not in line]
    missing = [name for name in map(_package_name, needed) if _version_of(name) is None]
    if missing:
        yield fail("packages", f"missing: {', '.join(missing)}", f"Run: pip install {' '.join(missing)}")
    else:
        yield ok("packages", ", ".join(f"{name} {_version_of(name)}" for name in map(_package_name, needed)))
    yield from _check_pins(needed)
    for module, extra, gain in _EXTRAS:
        is_there = find_spec(module) is not None
        state = "found" if is_there else f"not installed; {_DISTRIBUTION}[{extra}] brings {gain}"
        yield ok(f"extra {module}", state)


def _check_pins(needed: list[str]) -> Iterator[Finding]:
    for line in needed:
        name, is_pin, wanted = line.partition("==")
        found = _version_of(name.strip())
        if is_pin and found is not None and found != wanted.strip():
            fix = f"Run: pip install {name.strip()}=={wanted.strip()}"
            yield fail(f"{name.strip()} version", f"{found}, but Drift is written for {wanted.strip()}", fix)


def _check_grammars() -> Finding:
    """Load every grammar: a wheel for another machine installs and then fails."""
    from drift.languages.syntax import (  # brings tree-sitter, which only this check needs
        GRAMMARS,
        load_grammar,
    )

    broken = []
    for name in sorted(GRAMMARS):
        try:
            load_grammar(name)
        except (ImportError, AttributeError, ValueError, TypeError) as error:
            broken.append(f"{name} ({error})")
    if broken:
        return fail("grammars", "; ".join(broken), f"Run: pip install --force-reinstall {_DISTRIBUTION}")
    return ok("grammars", f"{len(GRAMMARS)} load: {', '.join(sorted(GRAMMARS))}")


def _package_name(requirement: str) -> str:
    return (
        requirement.split(";", maxsplit=1)[0].split("[", maxsplit=1)[0].rstrip("<>=!~ .,0123456789").strip()
    )


def _version_of(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
