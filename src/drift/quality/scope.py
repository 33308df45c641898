"""What part of a project an analysis looks at: a path, a toolchain's languages, patterns to include and to leave out."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.file_globs import PathGlob
from drift.index.file_queries import FileFilter
from drift.kernel.errors import DriftError, ErrorCode, Recovery, invalid
from drift.kernel.similar import similar_names

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.records import FileRecord

AUTO: Final = "auto"
# Written by people for the product; what is generated or comes from elsewhere is nobody's to mend here.
_ROLES: Final = frozenset({"source", "test"})


class Scope(NamedTuple):
    """The files that are looked at, in the order of their paths, and what has to be said about their choice."""

    subject: str
    files: tuple["FileRecord", ...]
    notes: tuple[str, ...] = ()

    @property
    def paths(self) -> frozenset[str]:
        return frozenset(one.path for one in self.files)

    @property
    def code_lines(self) -> int:
        return sum(one.code_lines or 0 for one in self.files)


def choose_scope(
    reader: "IndexReader",
    project_path: str = ".",
    *,
    toolchain: str | None = None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    with_tests: bool = True,
) -> Scope:
    """The code below a path of the project. Raises FILE_NOT_FOUND where there is none, and why.

    `toolchain` None or `auto` means every language; generated and vendored files are left out.
    """
    inside = project_path.removeprefix("./").strip("/")
    below = _below(reader, "" if inside in {"", "."} else inside)
    languages = _languages(toolchain)
    wanted, unwanted = _globs("include", include), _globs("exclude", exclude)
    chosen = tuple(
        one
        for one in below
        if (languages is None or one.language in languages)
        and (with_tests or one.role != "test")
        and (not wanted or any(glob.matches(one.path) for glob in wanted))
        and not any(glob.matches(one.path) for glob in unwanted)
    )
    if not chosen:
        raise _nothing(inside or ".", below, toolchain)
    return Scope(inside or ".", chosen, tuple(_notes(chosen)))


def product_scope(
    reader: "IndexReader",
    project_path: str = ".",
    *,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
) -> Scope:
    """The product's code below a path: tests left out."""
    return choose_scope(reader, project_path, include=include, exclude=exclude, with_tests=False)


@cache
def toolchains() -> Mapping[str, frozenset[str]]:
    """The languages of each toolchain."""
    text = files("drift.quality").joinpath("toolchains.toml").read_text("utf-8")
    return {name: frozenset(found) for name, found in tomllib.loads(text)["toolchains"].items()}


def _languages(toolchain: str | None) -> frozenset[str] | None:
    if toolchain is None or toolchain == AUTO:
        return None
    known = toolchains()
    if toolchain not in known:
        names = [AUTO, *known]
        raise invalid(
            "toolchain",
            f"{toolchain!r} is not known; known are {', '.join(names)}",
            similar=similar_names(toolchain, names),
        )
    return known[toolchain]


def _below(reader: "IndexReader", inside: str) -> list["FileRecord"]:
    """Code at a path: a file, or what lies in a folder."""
    one = reader.files.at(inside) if inside else None
    found: Iterable[FileRecord] = (
        [one] if one else reader.files.page(FileFilter(directory=inside or None), limit=-1)
    )
    return [each for each in found if each.language is not None and each.role in _ROLES]


def _globs(argument: str, patterns: Sequence[str]) -> list[PathGlob]:
    if any(not pattern.strip() for pattern in patterns):
        raise invalid(argument, "a pattern is empty")
    return [PathGlob(pattern.strip()) for pattern in patterns]


def _nothing(inside: str, below: Sequence["FileRecord"], toolchain: str | None) -> DriftError:
    if not below:
        return DriftError(
            ErrorCode.FILE_NOT_FOUND,
            f"No code of the project lies in {inside!r}",
            Recovery(hint="Give a file or folder with code, relative to the root."),
        )
    there = ", ".join(sorted({str(one.language) for one in below}))
    wanted = f" of the toolchain {toolchain}" if toolchain not in {None, AUTO} else ""
    return DriftError(
        ErrorCode.FILE_NOT_FOUND,
        f"No file{wanted} in {inside!r} fits; there are {len(below):,} files in {there}",
        Recovery(hint="Leave toolchain, include and exclude out, or change them."),
    )


def _notes(chosen: Sequence["FileRecord"]) -> Iterable[str]:
    unread = [one.path for one in chosen if one.status in {"failed", "skipped"}]
    if unread:
        yield f"{len(unread):,} files could not be read and count for nothing, such as {unread[0]}"
