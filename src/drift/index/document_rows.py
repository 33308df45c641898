"""Rows of what is no code: documents, what they declare, and what markup puts somewhere."""

from typing import NamedTuple

from drift.index.ids import FileId, SymbolId


class DocumentRow(NamedTuple):
    """A row of `documents`."""

    file_id: FileId
    kind: str


class DocumentItemRow(NamedTuple):
    """A row of `document_items`."""

    file_id: FileId
    position: int
    line: int
    kind: str
    name: str
    owner: str | None = None
    type: str | None = None
    method: str | None = None
    path: str | None = None
    has_value: bool | None = None
    is_required: bool | None = None


class ElementRow(NamedTuple):
    """A row of `elements`."""

    symbol_id: SymbolId
    position: int
    line: int
    tag: str
    identity: str | None = None
    classes: str | None = None
    attributes: str | None = None


class MarkupBindingRow(NamedTuple):
    """A row of `markup_bindings`."""

    symbol_id: SymbolId
    position: int
    line: int
    element: str
    property: str
    kind: str
    path: str | None = None
    mode: str | None = None
    converter: str | None = None
    source: str | None = None
    context: str | None = None
