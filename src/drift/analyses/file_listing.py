"""Files of the index by pattern, language, role and state."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from drift.analyses.file_globs import PathGlob
from drift.index.records import FileRecord

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.listing_queries import SizedPath


@dataclass(frozen=True, slots=True)
class FileRow:
    """A file. `lines` is null where it was not read as code; `problem` says what went wrong with it."""

    file: str
    language: str | None
    role: str
    lines: int | None
    symbols: int
    problem: str | None = None


class FileWish(NamedTuple):
    """Which files are wanted; None wants all."""

    glob: str | None = None
    language: str | None = None
    role: str | None = None
    status: str | None = None


def find_files(reader: "IndexReader", wish: FileWish) -> "list[SizedPath]":
    """The files that fit, by path, with their lines."""
    # Loaded here: it brings SQLite, and the rows above are part of the tool's schema.
    from drift.index.listing_queries import PathFilter

    glob = PathGlob(wish.glob) if wish.glob else None
    beginning = f"{glob.beginning}/" if glob and glob.beginning else ""
    found = reader.listings.sized_paths(PathFilter(beginning, wish.language, wish.role, wish.status))
    return [one for one in found if glob is None or glob.matches(one.path)]


def describe_files(reader: "IndexReader", paths: Iterable[str]) -> tuple[FileRow, ...]:
    """What the index has of each of these files."""
    records = (reader.files.at(path) for path in paths)
    return tuple(_row(reader, record) for record in records if record is not None)


def count_lines(record: FileRecord) -> int | None:
    """All lines of a file; None where it was not read as code."""
    if record.code_lines is None:
        return None
    return record.code_lines + (record.comment_lines or 0) + (record.blank_lines or 0)


def _row(reader: "IndexReader", record: FileRecord) -> FileRow:
    return FileRow(
        record.path,
        record.language,
        record.role,
        count_lines(record),
        reader.listings.symbol_count(record.id),
        record.problem,
    )
