"""The list of a fleet: which repositories, where their indexes go, and what keeping them may take. A TOML file of its owner."""

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.reading import read_text
from drift.kernel.text import shorten
from drift.project.git_mirror import Bounds, Source, check_source, path_url

_MOST_BYTES: Final = 20_000_000
_MOST_REPOSITORIES: Final = 20_000
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", re.ASCII)
_MB: Final = 1_000_000
_NUMBERS: Final[Mapping[str, tuple[int, int]]] = {
    "workers": (1, 1_000),
    "worker_memory_mb": (200, 1_000_000),
    "keep_snapshots": (1, 1_000),
    "max_disk_mb": (1, 100_000_000),
    "max_repository_mb": (1, 100_000),
    "max_repository_files": (1, 10_000_000),
    "fetch_timeout_seconds": (1, 86_400),
    "old_after_days": (1, 10_000),
}
_TEXTS: Final = ("home", "store", "instructions")
_HOME: Final = "fleet"
_DATABASE: Final = "fleet.db"


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository of the fleet."""

    name: str
    source: Source


@dataclass(frozen=True, slots=True)
class Fleet:
    """A fleet as its list says. `home` holds the copies, the database of the questions and what is not published elsewhere."""

    file: Path
    home: Path
    store: str
    repositories: tuple[Repository, ...]
    instructions: Path | None = None
    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    worker_memory_mb: int = 2_000
    keep_snapshots: int = 3
    max_disk_mb: int = 50_000
    max_repository_mb: int = 2_000
    max_repository_files: int = 200_000
    fetch_timeout_seconds: int = 600
    old_after_days: int = 7

    @property
    def database(self) -> Path:
        return self.home / _DATABASE

    @property
    def bounds(self) -> Bounds:
        """What fetching one repository may take."""
        return Bounds(
            float(self.fetch_timeout_seconds), self.max_repository_mb * _MB, self.max_repository_files
        )


def read_fleet(file: Path) -> Fleet:
    """The fleet of a list. CONFIG_INVALID names the key that is wrong; FILE_NOT_FOUND without a file."""
    try:
        told = tomllib.loads(read_text(file.parent, file.name, _MOST_BYTES))
    except OSError as error:
        raise DriftError(
            ErrorCode.FILE_NOT_FOUND,
            f"The fleet's list {file} cannot be read: {error.strerror or error}",
            Recovery(hint="docs/fleet.md shows one; name it with --file or fleet.file in settings.toml."),
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _wrong(file, shorten(str(error), 200)) from error
    try:
        return _fleet(file, told)
    except ValueError as error:
        raise _wrong(file, str(error)) from error


def _fleet(file: Path, told: Mapping[str, Any]) -> Fleet:
    _check_keys("", told, {*_NUMBERS, *_TEXTS, "repositories"})
    home = file.parent / _text(told, "home", _HOME)
    instructions = _text(told, "instructions", "")
    entries = told.get("repositories", [])
    if not isinstance(entries, list) or len(entries) > _MOST_REPOSITORIES:
        raise ValueError(f"repositories must be a list of at most {_MOST_REPOSITORIES:,} tables")
    repositories = tuple(_repository(file.parent, entry) for entry in entries)
    names = [each.name.casefold() for each in repositories]
    if twice := sorted(
        {name for name in names if names.count(name) > 1} if len(set(names)) < len(names) else ()
    ):
        raise ValueError(f"name {twice[0]} is there twice")
    return Fleet(
        file,
        home,
        _text(told, "store", os.fspath(home / "snapshots")),
        repositories,
        file.parent / instructions if instructions else None,
        **{key: _number(told, key) for key in _NUMBERS if key in told},
    )


def _repository(folder: Path, entry: object) -> Repository:
    if not isinstance(entry, dict):
        raise ValueError("repositories must be tables: [[repositories]]")  # noqa: TRY004 - what a file says is a value
    name = entry.get("name")
    if not isinstance(name, str) or _NAME.fullmatch(name) is None:
        raise ValueError(f"name {shorten(ascii(name), 60)} is not of letters, digits, '.', '_' and '-'")
    _check_keys(f"{name}: ", entry, {"name", "url", "path", "branch"})
    url, path, branch = (_optional(name, entry, key) for key in ("url", "path", "branch"))
    if (url is None) == (path is None):
        raise ValueError(f"{name}: give url or path")
    try:
        return Repository(name, check_source(url or path_url(folder / str(path)), branch))
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error


def _optional(name: str, entry: Mapping[str, Any], key: str) -> str | None:
    value = entry.get(key)
    if value is not None and (not isinstance(value, str) or not value.strip() or "\0" in value):
        raise ValueError(f"{name}: {key} must be a text")
    return value


def _text(told: Mapping[str, Any], key: str, default: str) -> str:
    value = told.get(key, default)
    if not isinstance(value, str) or "\0" in value:
        raise ValueError(f"{key} must be a text")
    return value


def _number(told: Mapping[str, Any], key: str) -> int:
    least, most = _NUMBERS[key]
    value = told[key]
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{key} must be a number from {least:,} to {most:,}")
    return value


def _check_keys(where: str, told: Mapping[str, Any], known: set[str]) -> None:
    if unknown := sorted(set(told) - known):
        raise ValueError(f"{where}{shorten(ascii(unknown[0]), 60)} is no key of a fleet's list")


def _wrong(file: Path, problem: str) -> DriftError:
    return DriftError(
        ErrorCode.CONFIG_INVALID,
        f"The fleet's list {file} is wrong: {problem}",
        Recovery(hint="docs/fleet.md lists the keys."),
    )
