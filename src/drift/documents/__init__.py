"""Documents that configure a project or describe its data: what they declare, by kind. No value of a secret is kept."""

from drift.documents.elements import PageElement
from drift.documents.items import Item
from drift.documents.kinds import DocumentKind, document_kind
from drift.documents.reading import Document, read_document

__all__ = ["Document", "DocumentKind", "Item", "PageElement", "document_kind", "read_document"]
