"""What answers requests: routes of all frameworks the index knows, and operations that documents describe."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from drift.analyses.contracts.paths import parts_of
from drift.analyses.contracts.records import Endpoint, TypeUse

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.document_queries import DocumentItemRecord
    from drift.index.records import EntryPointRecord, SymbolRecord

_METHODS: Final = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE"})
_ANY: Final = frozenset({"ANY", "ALL", "VIEW", "MATCH"})
_RESPONSE_MODEL: Final = re.compile(
    r"\bresponse_model\s{0,9}=\s{0,9}([\w.\[\], |]{1,200}?)\s{0,9}(?:,\s{0,9}\w{1,60}\s{0,9}=|\)|\Z)"
)
_SERIALIZER: Final = re.compile(r"\bserializer_class\s{0,9}=\s{0,9}([\w.]{1,200})")
# A parameter that is the body: @RequestBody User user, @Body() user: User, [FromBody] User user.
_BODY: Final = re.compile(
    r"(?:@RequestBody(?:\([^)]{0,100}\))?|\[FromBody\])\s{1,80}(?:@\w{1,60}(?:\([^)]{0,200}\))?\s{1,80}){0,8}"
    r"(?:final\s{1,9})?([\w.<>\[\]]{1,200})\s{1,9}\w"
)
_NEST_BODY: Final = re.compile(r"@Body\([^)]{0,200}\)\s{0,80}\w{1,100}\??\s{0,9}:\s{0,9}([\w.<>\[\]]{1,200})")
_LANGUAGES: Final = {
    "python": "python", "java": "spring", "csharp": "aspnet", "php": "php", "go": "go", "rust": "rust", "ruby": "rails",
}  # fmt: skip


def find_endpoints(reader: "IndexReader") -> list[Endpoint]:
    """Every endpoint outside tests, one for each method; those of documents only where no code has them."""
    coded = [one for entry in _entries(reader) for one in _of_entry(reader, entry)]
    known = {(one.method, parts_of(one.path)) for one in coded}
    described = [
        one
        for item in reader.documents.items(("operation",))
        if (one := _of_document(item)) is not None and (one.method, parts_of(one.path)) not in known
    ]
    return list(dict.fromkeys([*coded, *described]))


def _entries(reader: "IndexReader") -> Iterator["EntryPointRecord"]:
    after = (-1, -1)
    while True:
        page = reader.facts.entry_points("http", after=after, limit=1_000)
        yield from page
        if not page:
            return
        after = (page[-1].registered_at, page[-1].position)


def _of_entry(reader: "IndexReader", entry: "EntryPointRecord") -> Iterator[Endpoint]:
    symbol = entry.symbol
    written, _, rest = entry.detail.partition(" ")
    path = rest.partition(" -> ")[0]
    if symbol.role == "test" or not path.startswith("/"):
        return
    methods = [each for each in written.upper().split(",") if each in _METHODS]
    if not methods and written.upper() not in _ANY:
        return
    response = _response(reader, symbol)
    for method in methods or ["ANY"]:
        yield Endpoint(
            method,
            path,
            _framework(symbol),
            symbol.path,
            entry.line if entry.registered_at == symbol.id else symbol.line,
            symbol.qualname if symbol.kind != "module" else path,
            symbol.id,
            TypeUse(response, symbol.path) if response else None,
            _request(symbol),
        )


def _framework(symbol: "SymbolRecord") -> str:
    return _LANGUAGES.get(symbol.language or "", "node")


def _response(reader: "IndexReader", symbol: "SymbolRecord") -> str | None:
    if symbol.language == "python":
        for one in reader.symbols.decorators(symbol.id):
            found = _RESPONSE_MODEL.search(one.text)
            if found is not None:
                return found[1].strip(" ,")
    return symbol.return_text


def _request(symbol: "SymbolRecord") -> TypeUse | None:
    found = _BODY.search(symbol.signature) or _NEST_BODY.search(symbol.signature)
    if found is not None:
        return TypeUse(found[1], symbol.path)
    if symbol.language not in {"python", "csharp"}:
        return None
    for one in symbol.parameters:
        text = one.type_text or ""
        # A model that is a parameter is the body; what is injected has a default or says so.
        if re.fullmatch(r"[A-Z]\w{2,100}", text) and one.default_text is None and not _is_injected(text):
            return TypeUse(text, symbol.path)
    return None


def _is_injected(name: str) -> bool:
    endings = (
        "Dep",
        "Deps",
        "Service",
        "Session",
        "Request",
        "Response",
        "User",
        "Token",
        "Tasks",
        "UUID",
        "Form",
        "Context",
    )
    return name.endswith(endings) or name in {
        "UploadFile",
        "UUID",
        "Request",
        "Response",
        "Session",
        "CancellationToken",
    }


def _of_document(item: "DocumentItemRecord") -> Endpoint | None:
    if item.method is None or item.document not in {"openapi", "protobuf", "graphql"}:
        return None
    path = item.path or f"/{item.name}"
    return Endpoint(
        item.method.upper() if item.document == "openapi" else item.method,
        path,
        item.document,
        item.file,
        item.line,
        item.name,
        None,
        None,
        None,
    )
