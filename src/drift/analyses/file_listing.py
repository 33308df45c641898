"""Files of the index by pattern, language, role and state."""

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from drift.analyses.file_globs import PathGlob
from drift.index.records import FileRecord

if TYPE_CHECKING:
    from drift.index import IndexReader


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


class FilePage(NamedTuple):
    """A part of the list, how long the whole is, and the key of the next part."""

    rows: tuple[FileRow, ...]
    total: int
    last_key: str | None


def list_files(reader: "IndexReader", wish: FileWish, *, after: str = "", limit: int = 20) -> FilePage:
    """The files that fit, by path, from the one behind `after`."""
    # Loaded here: it brings SQLite, and the rows above are part of the tool's schema.
    from drift.index.listing_queries import PathFilter

    glob = PathGlob(wish.glob) if wish.glob else None
    beginning = f"{glob.beginning}/" if glob and glob.beginning else ""
    paths = reader.listings.paths(PathFilter(beginning, wish.language, wish.role, wish.status))
    if glob is not None:
        paths = [path for path in paths if glob.matches(path)]
    start = bisect_right(paths, after)
    shown = paths[start : start + limit]
    records = [record for path in shown if (record := reader.files.at(path)) is not None]
    has_more = start + limit < len(paths)
    return FilePage(
        tuple(_row(reader, record) for record in records), len(paths), shown[-1] if has_more else None
    )


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
