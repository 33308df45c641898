"""Shapes that OpenAPI, GraphQL and protobuf describe, from what the index has of those documents."""

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from drift.analyses.contracts.paths import data
from drift.analyses.contracts.records import Fields, FieldShape
from drift.analyses.contracts.type_texts import camel_case

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.document_queries import DocumentItemRecord

_KINDS: Final = frozenset({"openapi", "graphql", "protobuf"})
_MOST_DEPTH: Final = 8
_LIST: Final = re.compile(r"\A\[(.{1,200})\]!?\Z")


class DocumentShapes:
    """The schemas of documents, by file and name."""

    def __init__(self, reader: "IndexReader") -> None:
        self._fields: dict[tuple[str, str], list[DocumentItemRecord]] = defaultdict(list)
        self._parents: dict[tuple[str, str], list[str]] = defaultdict(list)
        self._places: dict[tuple[str, str], list[str]] = defaultdict(list)  # files by kind and name
        self.kinds: dict[str, str] = {
            one.path: one.kind for one in reader.documents.all() if one.kind in _KINDS
        }
        for item in reader.documents.items(("schema", "field", "parent")) if self.kinds else ():
            if item.document not in _KINDS:
                continue
            if item.kind == "schema":
                self._places[item.document, item.name].append(item.file)
            elif item.kind == "parent":
                self._parents[item.file, item.owner or ""].append(item.name)
            else:
                self._fields[item.file, item.owner or ""].append(item)

    def fields(self, name: str, file: str, depth: int = 0) -> Fields:
        """The fields of a schema of the document at a path, or of another of its kind."""
        document = self.kinds[file]
        places = [file] if (file, name) in self._fields else self._places.get((document, name), [])
        if len(set(places)) != 1:
            told = f"there are {len(places)} schemas {name}" if places else f"{name} is not described"
            return Fields({}, why=told, file=file)
        at, why = places[0], None
        found: dict[str, FieldShape] = {}
        for parent in self._parents.get((at, name), ()):
            above = self.fields(parent, at, depth + 1) if depth < _MOST_DEPTH else Fields({}, why="too deep")
            found, why = {**found, **above.fields}, why or above.why
        for item in self._fields.get((at, name), ()):
            field = _field(item)
            found[field.name] = field
        return Fields(found, why=why, file=at)


def plain_type(text: str, document: str) -> str:
    """A type of a document as code writes it: `[Post!]!` is `Post[]`, `string:date-time` is `string`."""
    bare = text.removeprefix("stream ").partition(":")[0]
    if document == "graphql":
        listed = _LIST.match(bare)
        bare = f"{listed[1].rstrip('!')}[]" if listed else bare.rstrip("!")
    if document == "protobuf":
        bare = bare.rpartition(".")[2] if not bare.startswith("google.protobuf") else "Any"
    return str(data()["documents"]["types"].get(bare, bare))


def _field(item: "DocumentItemRecord") -> FieldShape:
    kind = plain_type(item.type, item.document) if item.type else None
    if item.document == "protobuf":
        # As protobuf writes JSON: long numbers are texts, so that both may be meant.
        known = None if kind in data()["documents"]["either"] else kind
        return FieldShape(camel_case(item.name), known, None, None)
    if item.document == "graphql":
        return FieldShape(item.name, kind, is_optional=False, is_nullable=not item.is_required)
    return FieldShape(item.name, kind, is_optional=item.is_required is not True, is_nullable=None)
