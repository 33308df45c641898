"""What goes between a scan and the processes that read files: frames of a length and a message.

Tasks go out as a pickle, rows come back marshalled, which is several times as fast and all that plain tuples
need. Unpickling runs what the message says, so it is done in the direction of trust alone. Rows come from where
strangers' files are parsed: neither their size nor their shape is taken on trust.
"""

import marshal
import sys
from itertools import chain
from struct import Struct
from typing import Any, Final

from drift.index.document_rows import DocumentItemRow, DocumentRow, ElementRow, MarkupBindingRow
from drift.index.ids import calls_of_file, fingerprints_of_file, symbols_of_file
from drift.index.rows import (
    CallDetailRow,
    CommentRow,
    ConstantRow,
    ConstructRow,
    DecoratorRow,
    EntryPointRow,
    EnvironmentReadRow,
    FieldRow,
    FileRow,
    FileRows,
    FingerprintRow,
    GuardRow,
    HandlingRow,
    MemberRow,
    SearchRow,
    SiteRow,
    SymbolRow,
)
from drift.scan.describing import Task

_BY_FILE: Final = frozenset({"comments", "sites", "documents", "document_items"})
LENGTH: Final = Struct("<I")
# The rows of honest files were seen to have five times the bytes of the file; the largest that may be read has 100 MB.
MOST_BYTES: Final = 512_000_000
_MARSHAL_VERSION: Final = 2  # later ones look every object up, to send none twice
_PLAIN: Final = frozenset({str, int, float, bool, bytes, type(None)})
_WIDTHS: Final = {
    "symbols": len(SymbolRow._fields),
    "search": len(SearchRow._fields),
    "decorators": len(DecoratorRow._fields),
    "constants": len(ConstantRow._fields),
    "members": len(MemberRow._fields),
    "environment_reads": len(EnvironmentReadRow._fields),
    "setting_reads": len(EnvironmentReadRow._fields),
    "comments": len(CommentRow._fields),
    "handlings": len(HandlingRow._fields),
    "entry_points": len(EntryPointRow._fields),
    "guards": len(GuardRow._fields),
    "fingerprints": len(FingerprintRow._fields),
    "constructs": len(ConstructRow._fields),
    "call_details": len(CallDetailRow._fields),
    "fields": len(FieldRow._fields),
    "sites": len(SiteRow._fields),
    "elements": len(ElementRow._fields),
    "markup_bindings": len(MarkupBindingRow._fields),
    "documents": len(DocumentRow._fields),
    "document_items": len(DocumentItemRow._fields),
}


class UnfitRowsError(Exception):
    """A worker has sent something else than the rows of the file it was given."""


def rows_to_bytes(rows: FileRows) -> bytes:
    """The rows as a worker sends them."""
    return marshal.dumps((tuple(rows.file), *rows[1:]), _MARSHAL_VERSION)


def rows_from_bytes(data: bytes, task: Task) -> FileRows:
    """The rows a worker has sent for a task. UnfitRowsError unless they are plain values about that file alone."""
    try:
        file, *facts = load_plain(data)
        rows = FileRows(FileRow._make(file), *facts)
    except (EOFError, TypeError, ValueError) as error:
        raise UnfitRowsError(str(error)) from error
    if not _is_fit(rows, task):
        raise UnfitRowsError("rows of another form, or of another file")
    return rows


def load_plain(data: bytes) -> Any:
    """The plain values of a marshalled message."""
    if sys.version_info >= (3, 13):
        return marshal.loads(data, allow_code=False)  # noqa: S302 - nothing but values; see above
    return marshal.loads(data)  # noqa: S302 - makes values and runs none of them; see above


def _is_fit(rows: FileRows, task: Task) -> bool:
    file = rows.file
    if (file.id, file.path, file.mtime_ns) != (task.file_id, task.path, task.mtime_ns):
        return False
    if not {*map(type, file)} <= _PLAIN or type(rows.packed) is not bytes or type(rows.provides) is not bytes:
        return False
    return all(_is_table(getattr(rows, name), width, name=name, task=task) for name, width in _WIDTHS.items())


def _is_table(table: object, width: int, *, name: str, task: Task) -> bool:
    """Whether a table is made of rows of the right width, of plain values, with ids in the ranges of the file."""
    if type(table) is not tuple or not {*map(type, table)} <= {tuple} or not {*map(len, table)} <= {width}:
        return False
    if not {*map(type, chain.from_iterable(table))} <= _PLAIN:
        return False
    ids = [row[0] for row in table]
    if not {*map(type, ids)} <= {int}:
        return False
    first, last = _range_of(name, task)
    return not ids or (first <= min(ids) and max(ids) <= last)


def _range_of(name: str, task: Task) -> tuple[int, int]:
    if name in _BY_FILE:
        return task.file_id, task.file_id
    if name == "call_details":
        return calls_of_file(task.file_id)
    return fingerprints_of_file(task.file_id) if name == "fingerprints" else symbols_of_file(task.file_id)
