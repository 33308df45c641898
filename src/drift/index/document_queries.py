"""Questions about documents: which there are, and what they declare or ask for."""

from collections.abc import Collection
from typing import Final, NamedTuple

from drift.index.selection import Selection

_ITEMS: Final = """
    SELECT files.path, documents.kind, line, document_items.kind, name, owner, type, method, document_items.path,
        has_value, is_required
    FROM document_items JOIN documents USING (file_id) JOIN files ON files.id = file_id
"""
_IN_ORDER: Final = "ORDER BY files.path, position"


class DocumentRecord(NamedTuple):
    """A document and its kind."""

    path: str
    kind: str


class DocumentItemRecord(NamedTuple):
    """Something a document declares or asks for; schema.sql says what each field means."""

    file: str
    document: str
    line: int
    kind: str
    name: str
    owner: str | None
    type: str | None
    method: str | None
    path: str | None
    has_value: bool | None
    is_required: bool | None


class DocumentQueries:
    """What documents of the project say."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def all(self) -> list[DocumentRecord]:
        """Every document, by path."""
        query = "SELECT path, kind FROM documents JOIN files ON files.id = file_id ORDER BY path"
        return list(map(DocumentRecord._make, self._selection.rows(query)))

    def items(self, kinds: Collection[str]) -> list[DocumentItemRecord]:
        """What is of one of these kinds, in the order of files and of their texts."""
        marks = ",".join("?" * len(kinds))
        rows = self._selection.rows(
            f"{_ITEMS} WHERE document_items.kind IN ({marks}) {_IN_ORDER}", tuple(kinds)
        )
        return list(map(_record, rows))

    def named(self, name: str, kinds: Collection[str]) -> list[DocumentItemRecord]:
        """What has a name and is of one of these kinds."""
        marks = ",".join("?" * len(kinds))
        query = f"{_ITEMS} WHERE name = ? AND document_items.kind IN ({marks}) {_IN_ORDER}"
        return list(map(_record, self._selection.rows(query, (name, *kinds))))


def _record(row: tuple[object, ...]) -> DocumentItemRecord:
    *told, has_value, is_required = row
    flags = (None if each is None else bool(each) for each in (has_value, is_required))
    return DocumentItemRecord._make((*told, *flags))
