"""Questions about files."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from drift.index.ids import FileId, fingerprints_of_file
from drift.index.path_text import path_to_text
from drift.index.records import CommentRecord, FileRecord, FingerprintRecord
from drift.index.selection import Selection

_COLUMNS: Final = ", ".join(FileRecord._fields)
_BY_PATH: Final = f"SELECT {_COLUMNS} FROM files WHERE path = ?"  # noqa: S608 - our own names
_BY_ID: Final = f"SELECT {_COLUMNS} FROM files WHERE id = ?"  # noqa: S608 - our own names
_PAGE: Final = f"""
    SELECT {_COLUMNS} FROM files
    WHERE path > :after AND path >= :first AND (:beyond IS NULL OR path < :beyond)
        AND (:language IS NULL OR language = :language)
        AND (:role IS NULL OR role = :role)
        AND (:status IS NULL OR status = :status)
    ORDER BY path LIMIT :limit
"""  # noqa: S608 - our own names
_BEGINNING: Final = "SELECT path FROM files WHERE path >= ?1 AND path < ?2 ORDER BY path LIMIT ?3"
_STAMPS: Final = "SELECT id, path, size, mtime_ns, hash, language, role, status, problem FROM files"
_PACKED: Final = "SELECT packed FROM file_facts WHERE file_id = ?"
_COMMENTS: Final = "SELECT file_id, line, end_line, text FROM comments WHERE file_id = ?"
_FINGERPRINTS: Final = """
    SELECT id >> 20, hash, line, end_line FROM fingerprints WHERE id BETWEEN ? AND ? ORDER BY id
"""
_SHARING: Final = "SELECT id >> 20, hash, line, end_line FROM fingerprints WHERE hash = ? ORDER BY id"
_PROVIDES: Final = "SELECT file_id, provides FROM file_facts WHERE provides <> x'' ORDER BY file_id"
_TRACES: Final = "SELECT file_id, traces FROM file_facts WHERE traces <> x'' ORDER BY file_id"
_PACKAGES: Final = "SELECT path, language, package FROM files WHERE language IS NOT NULL ORDER BY path"


class FileStamp(NamedTuple):
    """What tells whether a file has changed since it was read."""

    id: FileId
    path: str
    size: int
    mtime_ns: int
    hash: str
    language: str | None
    role: str
    status: str
    problem: str | None


class FileFilter(NamedTuple):
    """Which files are asked for; None asks for all."""

    directory: str | None = None
    language: str | None = None
    role: str | None = None
    status: str | None = None


_ALL_FILES: Final = FileFilter()


class FileQueries:
    """Questions about files."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def at(self, path: str) -> FileRecord | None:
        """The file with this path."""
        row = self._selection.row(_BY_PATH, (path_to_text(path),))
        return FileRecord._make(row) if row else None

    def get(self, file: FileId) -> FileRecord | None:
        """The file with this id."""
        row = self._selection.row(_BY_ID, (file,))
        return FileRecord._make(row) if row else None

    def page(self, wanted: FileFilter = _ALL_FILES, *, after: str = "", limit: int = 100) -> list[FileRecord]:
        """Files in the order of their paths, from the one after `after`; a negative limit is none."""
        inside = path_to_text(wanted.directory.rstrip("/")) if wanted.directory else ""
        rows = self._selection.rows(
            _PAGE,
            {
                "after": path_to_text(after),
                "first": f"{inside}/" if inside else "",
                "beyond": f"{inside}0" if inside else None,  # "0" is what follows "/"
                "language": wanted.language,
                "role": wanted.role,
                "status": wanted.status,
                "limit": limit,
            },
        )
        return list(map(FileRecord._make, rows))

    def paths_beginning(self, prefix: str, *, limit: int = 100) -> list[str]:
        """Paths that begin so."""
        rows = self._selection.rows(_BEGINNING, (prefix, f"{prefix}\U0010ffff", limit))
        return [path for (path,) in rows]

    def stamps(self) -> list[FileStamp]:
        """Of every file what tells whether it has changed."""
        return list(map(FileStamp._make, self._selection.rows(_STAMPS)))

    def packed_facts(self, file: FileId) -> bytes | None:
        """What extraction made of the file, in the scan's own form."""
        row = self._selection.row(_PACKED, (file,))
        return row[0] if row else None

    def provides(self) -> Iterator[tuple[FileId, bytes]]:
        """Of every file that offers something to others what that is, in the scan's own form."""
        return ((FileId(file), provides) for file, provides in self._selection.each(_PROVIDES))

    def traces(self) -> Iterator[tuple[FileId, bytes]]:
        """Of every file what its links were made from, in the scan's own form; not of those that have none."""
        return ((FileId(file), traces) for file, traces in self._selection.each(_TRACES))

    def paths_with_packages(self) -> list[tuple[str, str, str | None]]:
        """The path and language of every file that has one, and the package it declares to belong to."""
        return [(path, language, package) for path, language, package in self._selection.rows(_PACKAGES)]

    def comments(self, file: FileId) -> list[CommentRecord]:
        """The comments of a file, in order."""
        return list(map(CommentRecord._make, self._selection.rows(_COMMENTS, (file,))))

    def fingerprints(self, file: FileId) -> list[FingerprintRecord]:
        """The fingerprints of a file, in order."""
        return list(
            map(FingerprintRecord._make, self._selection.rows(_FINGERPRINTS, fingerprints_of_file(file)))
        )

    def sharing(self, fingerprint: int) -> list[FingerprintRecord]:
        """Every place that has this fingerprint."""
        return list(map(FingerprintRecord._make, self._selection.rows(_SHARING, (fingerprint,))))
