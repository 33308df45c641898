"""What answers requests: routes of all frameworks the index knows, and operations that documents describe."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from drift.analyses.contracts.handlers import request_of, response_of
from drift.analyses.contracts.paths import parts_of
from drift.analyses.contracts.records import Endpoint, TypeUse
from drift.analyses.contracts.type_names import TypeNames

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.records import EntryPointRecord, SymbolRecord

_METHODS: Final = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE"})
_ANY: Final = frozenset({"ANY", "ALL", "VIEW", "MATCH"})
_DOCUMENTS: Final = frozenset({"openapi", "protobuf", "graphql"})
_LANGUAGES: Final = {
    "python": "python", "java": "spring", "csharp": "aspnet", "php": "php", "go": "go", "rust": "rust", "ruby": "rails",
}  # fmt: skip


def find_endpoints(reader: "IndexReader", names: TypeNames) -> list[Endpoint]:
    """Every endpoint outside tests, one for each method; those of documents only where no code has them.

    What code says nothing of has the shapes that a document gives it.
    """
    described = {(one.method, parts_of(one.path)): one for one in _described(reader)}
    found = [
        _completed(one, described.pop((one.method, parts_of(one.path)), None))
        for entry in _entries(reader)
        for one in _of_entry(reader, names, entry)
    ]
    return list(dict.fromkeys([*found, *described.values()]))


def _completed(coded: Endpoint, described: Endpoint | None) -> Endpoint:
    if described is None:
        return coded
    return coded._replace(
        response=coded.response or described.response, request=coded.request or described.request
    )


def _entries(reader: "IndexReader") -> Iterator["EntryPointRecord"]:
    after = (-1, -1)
    while True:
        page = reader.facts.entry_points("http", after=after, limit=1_000)
        yield from page
        if not page:
            return
        after = (page[-1].registered_at, page[-1].position)


def _of_entry(reader: "IndexReader", names: TypeNames, entry: "EntryPointRecord") -> Iterator[Endpoint]:
    symbol = entry.symbol
    written, _, rest = entry.detail.partition(" ")
    path = rest.partition(" -> ")[0]
    if symbol.role == "test" or not path.startswith("/"):
        return
    methods = [each for each in written.upper().split(",") if each in _METHODS]
    if not methods and written.upper() not in _ANY:
        return
    for method in methods or ["ANY"]:
        yield Endpoint(
            method,
            path,
            _framework(symbol),
            symbol.path,
            entry.line if entry.registered_at == symbol.id else symbol.line,
            symbol.qualname if symbol.kind != "module" else path,
            symbol.id,
            response_of(reader, names, symbol, method),
            request_of(reader, names, entry, method),
        )


def _framework(symbol: "SymbolRecord") -> str:
    return _LANGUAGES.get(symbol.language or "", "node")


def _described(reader: "IndexReader") -> Iterator[Endpoint]:
    """The operations of documents, with what they are sent and what they answer."""
    items = reader.documents.items(("operation", "request"))
    sent = {(item.file, item.method, item.path): item.type for item in items if item.kind == "request"}
    for item in items:
        if item.kind != "operation" or item.method is None or item.document not in _DOCUMENTS:
            continue
        asked = sent.get((item.file, item.method, item.path))
        yield Endpoint(
            item.method.upper() if item.document == "openapi" else item.method,
            item.path or f"/{item.name}",
            item.document,
            item.file,
            item.line,
            item.name,
            None,
            TypeUse(item.type, item.file) if item.type else None,
            TypeUse(asked, item.file, "request") if asked else None,
        )
