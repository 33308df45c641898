"""What a handler says of the shapes that it takes and gives: its signature, its decorators, its class, its body."""

import re
from typing import TYPE_CHECKING, Final

from drift.analyses.contracts.laravel import returned_resource
from drift.analyses.contracts.paths import data
from drift.analyses.contracts.records import TypeUse

if TYPE_CHECKING:
    from drift.analyses.contracts.type_names import TypeNames
    from drift.index import IndexReader
    from drift.index.records import EntryPointRecord, SymbolRecord

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
# A schema that is given what a request has: schema.parse(req.body), zValidator('json', schema), validate(schema).
_PARSED: Final = re.compile(
    r"\b([\w$]{1,100})\.(?:safeParse|parse|validate|validateSync)(?:Async)?\(\s{0,20}(?:await\s{1,9})?"
    r"(?:[\w$]{1,40}\.){0,3}(?:body|json\(\))"
)
_VALIDATED: Final = re.compile(
    r"(?i)\b\w{0,40}validat\w{0,40}\(\s{0,20}(?:[\"']json[\"']\s{0,9},\s{0,20})?([\w$]{1,100})\s{0,9}[,)]"
)
_ANSWERED: Final = re.compile(rb"erializer(?:\[\w{1,40}\])?\.data\b|(?<!request)\)\.data\b|\bsuper\(\)")
_TAKEN: Final = re.compile(rb"erializer|\bsuper\(\)")
_SCRIPTS: Final = frozenset({"typescript", "javascript"})


def response_of(
    reader: "IndexReader", names: "TypeNames", symbol: "SymbolRecord", method: str
) -> TypeUse | None:
    """The type of what a handler answers."""
    if symbol.kind == "class":
        return _serializer(reader, names, symbol, method, _ANSWERED) if method != "DELETE" else None
    if symbol.language == "python":
        for one in reader.symbols.decorators(symbol.id):
            found = _RESPONSE_MODEL.search(one.text)
            if found is not None:
                return TypeUse(found[1].strip(" ,"), symbol.path)
    if symbol.language == "php":
        resource = returned_resource(names.text(symbol))
        if resource is not None:
            return TypeUse(resource, symbol.path)
    return TypeUse(symbol.return_text, symbol.path) if symbol.return_text else None


def request_of(
    reader: "IndexReader", names: "TypeNames", entry: "EntryPointRecord", method: str
) -> TypeUse | None:
    """The type of what a handler is sent."""
    symbol = entry.symbol
    if symbol.kind == "class":
        is_sent = method in {"POST", "PUT", "PATCH"}
        found = _serializer(reader, names, symbol, method, _TAKEN) if is_sent else None
        return found._replace(side="request") if found is not None else None
    bodies = _BODY.findall(symbol.signature) or _NEST_BODY.findall(symbol.signature)
    if bodies:
        # A body that several parameters read has the fields of all.
        return TypeUse(" & ".join(dict.fromkeys(bodies)), symbol.path, "request")
    if symbol.language in _SCRIPTS and method != "GET":
        return _validated(reader, names, entry)
    if symbol.language not in {"python", "csharp", "php"}:
        return None
    for one in symbol.parameters:
        text = (one.type_text or "").rpartition("\\")[2]
        # A model that is a parameter is the body; what is injected has a default or says so.
        is_model = re.fullmatch(r"[A-Z]\w{2,100}", text) and one.default_text is None
        if re.search(rf"\{{{re.escape(one.name)}[:}}]", entry.detail):  # a part of the path
            continue
        if is_model and _is_body(text, symbol.language):
            return TypeUse(text, symbol.path, "request")
    return None


def _is_body(name: str, language: str) -> bool:
    injected = data()["handlers"]["injected"]
    if language == "php":
        return name.endswith("Request") and name != "Request"
    return not name.endswith(tuple(injected))


def _serializer(
    reader: "IndexReader",
    names: "TypeNames",
    symbol: "SymbolRecord",
    method: str,
    used: re.Pattern[bytes],
) -> TypeUse | None:
    """The serializer of a view, unless code chooses it, or the method that answers does not use it so."""
    words = data()["handlers"]
    asked = {method.lower(), *words["actions"].get(method, ())}
    if method == "ANY":
        asked = {"get", *words["actions"]["GET"]}
    is_by_hand = False
    for one in names.line(symbol)[0]:
        members = {each.name: each for each in reader.symbols.members(one.id)}
        if not members.keys().isdisjoint(words["choosing"]):
            return None
        for name in asked & members.keys():
            is_by_hand = is_by_hand or used.search(names.text(members[name])) is None
        found = (
            _SERIALIZER.search(members["serializer_class"].signature)
            if "serializer_class" in members
            else None
        )
        if found is not None:
            return None if is_by_hand else TypeUse(found[1], one.path)
    return None


def _validated(reader: "IndexReader", names: "TypeNames", entry: "EntryPointRecord") -> TypeUse | None:
    """The schema that checks a body, in the handler or before it."""
    body = names.text(entry.symbol) if entry.symbol.kind != "module" else b""
    found = _PARSED.search(body.decode("utf-8", "replace"))
    if found is None:
        texts = (one.text for one in reader.facts.guards_of(entry) if one.how != "decorator")
        found = next((match for text in texts if (match := _VALIDATED.search(text))), None)
    if found is None or names.value(found[1], entry.symbol.path) is None:
        return None
    return TypeUse(f"z.infer<typeof {found[1]}>", entry.symbol.path, "request")
