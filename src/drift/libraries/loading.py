"""The libraries Drift knows, and those that the files of a project tell of."""

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from drift.libraries.form import Library
from drift.libraries.reading import LANGUAGES, SECTIONS, LibraryError, read_library
from drift.project import StateDir
from drift.project.rule_files import read_rule_files

_MOST_OWN: Final = 50
# What makes a file of .drift/rules/ one about a library, and not about something else.
_TELLING: Final = frozenset(SECTIONS)


class OwnLibraries(NamedTuple):
    """The libraries a project tells of, and what is wrong with others."""

    libraries: tuple[Library, ...] = ()
    problems: tuple[str, ...] = ()


@cache
def shipped_libraries(language: str) -> tuple[Library, ...]:
    """The libraries of a language, by name."""
    folder = files("drift.libraries").joinpath(language)
    if language not in LANGUAGES or not folder.is_dir():
        return ()
    names = sorted(
        path.name.removesuffix(".toml") for path in folder.iterdir() if path.name.endswith(".toml")
    )
    return tuple(_read(language, name) for name in names)


def read_own_libraries(state: StateDir) -> OwnLibraries:
    """What the files in .drift/rules/ say of libraries; those that cannot be read are named, and the others count."""
    found: list[Library] = []
    problems: list[str] = []
    for file in read_rule_files(state):
        # Files of dimensions and decisions have lists of other names; who reads those tells what is wrong with them.
        if file.problem is not None or not _TELLING & file.tables.keys():
            continue
        if len(found) == _MOST_OWN:
            problems.append(f"{file.place}: more than {_MOST_OWN} files of libraries; this one is not read")
            continue
        try:
            found.append(read_library(file.tables, name=file.name.removesuffix(".toml"), is_own=True))
        except LibraryError as error:
            problems.append(f"{file.place}: {error}")
    return OwnLibraries(tuple(found), tuple(problems))


def used_libraries(
    language: str, packages: Iterable[str], own: Iterable[Library] = ()
) -> tuple[Library, ...]:
    """Those whose packages are among these, or that come with the language."""
    imported = tuple({each.replace("/", ".").replace("\\", ".").lower() for each in packages})
    libraries = (*shipped_libraries(language), *(each for each in own if each.language == language))
    return tuple(each for each in libraries if not each.packages or _is_imported(each.packages, imported))


def libraries_by_language(own: Iterable[Library] = ()) -> Mapping[str, tuple[Library, ...]]:
    """Every library there is, whatever a project imports."""
    extra = tuple(own)
    return {
        language: (*shipped_libraries(language), *(each for each in extra if each.language == language))
        for language in LANGUAGES
    }


def _is_imported(packages: Iterable[str], imported: Iterable[str]) -> bool:
    """Whether one of the packages, or a part of it, is imported."""
    wanted = [package.replace("/", ".").replace("\\", ".").lower() for package in packages]
    return any(name == package or name.startswith(f"{package}.") for name in imported for package in wanted)


def _read(language: str, name: str) -> Library:
    text = files("drift.libraries").joinpath(language).joinpath(f"{name}.toml").read_text(encoding="utf-8")
    try:
        return read_library(tomllib.loads(text), name=name, language=language)
    except (tomllib.TOMLDecodeError, LibraryError) as error:
        raise LibraryError(f"libraries/{language}/{name}.toml: {error}") from error
