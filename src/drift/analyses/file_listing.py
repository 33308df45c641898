"""Files of the index by pattern, language, role and state."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from drift.analyses.file_globs import PathGlob
from drift.index import IndexReader
from drift.index.listing_queries import PathFilter, SizedPath
from drift.index.records import FileRecord
from drift.kernel.errors import invalid
from drift.kernel.ranking import Ranked, Sort
from drift.kernel.similar import similar_names

Role = Literal["source", "test", "config", "generated", "vendored", "doc"]


Status = Literal["ok", "partial", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class FileRow:
    """A file. `lines` is null where it was not read as code; `problem` says what went wrong with it.

    `pattern_count` is by how many conventions it decides, `categories` are theirs; both where they were asked for.
    """

    file: str
    language: str | None
    role: str
    lines: int | None
    symbols: int
    problem: str | None = None
    pattern_count: int | None = None
    categories: tuple[str, ...] | None = None


class FileWish(NamedTuple):
    """Which files are wanted; None wants all."""

    glob: str | None = None
    language: str | None = None
    role: str | None = None
    status: str | None = None


def find_files(reader: IndexReader, wish: FileWish) -> list[SizedPath]:
    """The files that fit, by path, with their lines."""
    glob = PathGlob(wish.glob) if wish.glob else None
    beginning = f"{glob.beginning}/" if glob and glob.beginning else ""
    found = reader.listings.sized_paths(PathFilter(beginning, wish.language, wish.role, wish.status))
    return [one for one in found if glob is None or glob.matches(one.path)]


def describe_files(reader: IndexReader, paths: Iterable[str]) -> tuple[FileRow, ...]:
    """What the index has of each of these files."""
    records = (reader.files.at(path) for path in paths)
    return tuple(_row(reader, record) for record in records if record is not None)


def count_lines(record: FileRecord) -> int | None:
    """All lines of a file; None where it was not read as code."""
    if record.code_lines is None:
        return None
    return record.code_lines + (record.comment_lines or 0) + (record.blank_lines or 0)


def _row(reader: IndexReader, record: FileRecord) -> FileRow:
    return FileRow(
        record.path,
        record.language,
        record.role,
        count_lines(record),
        reader.listings.symbol_count(record.id),
        record.problem,
    )


@dataclass(frozen=True, slots=True)
class FilesData:
    """The files that fit, by path."""

    files: tuple[FileRow, ...]


def describe_wish(wish: FileWish) -> str:
    given = [f"{name} {value}" for name, value in wish._asdict().items() if value is not None]
    return f" with {', '.join(given)}" if given else ""


def say_nothing_there(wish: FileWish) -> tuple[str, ...]:
    if wish.glob is None:
        return ()
    return ("Patterns are from the project's root; ** stands for any folders. Ignored files are not indexed",)


FILE_SORTS: Final[Mapping[str, Sort[SizedPath]]] = {
    "file": Sort(lambda one: (one.path,)),
    "lines": Sort(lambda one: (-one.lines,), "desc"),
}


def rank_files(reader: IndexReader, wish: FileWish) -> Ranked[SizedPath]:
    """The files that fit. INVALID_ARGUMENT where none has the language that is wanted."""
    known = reader.listings.languages()
    if wish.language is not None and wish.language not in known:
        raise invalid(
            "language",
            f"no file is {wish.language!r}; there are {', '.join(known) or 'none'}",
            similar=similar_names(wish.language, known),
        )
    return Ranked(find_files(reader, wish), FILE_SORTS)
