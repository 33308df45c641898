"""Protocol buffers: messages with their fields, enums, and the operations of services."""

from collections.abc import Iterator
from typing import Final

from drift.documents.items import Item, UnreadableError, short
from drift.documents.readers.braces import Token, closing, next_mark, tokens_of

_LABELS: Final = frozenset({"repeated", "optional", "required"})
_NO_FIELDS: Final = frozenset({"option", "reserved", "extensions", "import", "syntax", "edition"})
_MOST_DEPTH: Final = 50
_METHODS: Final = frozenset({"get", "put", "post", "delete", "patch"})


def read(text: str, _kind: str) -> Iterator[Item]:
    """The messages, enums and services in their order."""
    tokens = tokens_of(text, has_hash_comments=False)
    package = next((tokens[at + 1].text for at in range(len(tokens) - 1) if tokens[at].text == "package"), "")
    yield from _declared(tokens, "", package, 0)


def _declared(tokens: list[Token], owner: str, package: str, depth: int) -> Iterator[Item]:
    if depth > _MOST_DEPTH:
        raise UnreadableError(f"nested more than {_MOST_DEPTH} levels deep")
    at = 0
    while at < len(tokens):
        token = tokens[at]
        opening = at + 2 < len(tokens) and tokens[at + 2].text == "{"
        if opening and token.text in {"message", "enum", "service", "oneof"}:
            end = closing(tokens, at + 2)
            inside = tokens[at + 3 : end]
            name = f"{owner}.{tokens[at + 1].text}" if owner else tokens[at + 1].text
            if token.text == "oneof":
                yield from _declared(inside, owner, package, depth + 1)
            else:
                yield from _block(token, short(name), inside, package=package, depth=depth)
            at = end + 1
        elif token.text in {"extend", "group"}:
            at = closing(tokens, next_mark(tokens, at, "{;")) + 1
        else:
            end = next_mark(tokens, at, ";{")
            if owner and token.text not in _NO_FIELDS:
                yield from _field(tokens[at:end], owner)
            at = (closing(tokens, end) if end < len(tokens) and tokens[end].text == "{" else end) + 1


def _block(token: Token, name: str, inside: list[Token], *, package: str, depth: int) -> Iterator[Item]:
    if token.text == "message":
        yield Item(token.line, "schema", name, type="message")
        yield from _declared(inside, name, package, depth + 1)
    elif token.text == "enum":
        yield Item(token.line, "schema", name, type="enum")
        for at, each in enumerate(inside[:-1]):
            if each.kind == "word" and inside[at + 1].text == "=" and (at == 0 or inside[at - 1].text == ";"):
                yield Item(each.line, "value", short(each.text), name)
    else:
        yield Item(token.line, "service", name)
        yield from _operations(inside, name, package)


def _field(words: list[Token], owner: str) -> Iterator[Item]:
    equals = next((at for at, each in enumerate(words) if each.text == "="), 0)
    if not equals:
        return
    label = words[0].text if words[0].text in _LABELS else None
    written = _joined(words[1 if label else 0 : equals - 1])
    kind = f"{written}[]" if label == "repeated" else written
    is_required = {"required": True, "optional": False}.get(label or "")
    yield Item(
        words[equals - 1].line,
        "field",
        short(words[equals - 1].text),
        owner,
        short(kind),
        is_required=is_required,
    )


def _joined(words: list[Token]) -> str:
    """A type as it is written; the comma of a map is between two words."""
    text = ""
    for at, each in enumerate(words):
        is_second = at > 0 and words[at - 1].kind == each.kind == "word"
        text += f", {each.text}" if is_second else each.text
    return text


def _operations(tokens: list[Token], service: str, package: str) -> Iterator[Item]:
    whole = f"{package}.{service}" if package else service
    for at in range(len(tokens) - 1):
        if tokens[at].text != "rpc" or tokens[at + 1].kind != "word":
            continue
        name = tokens[at + 1].text
        returned = next(
            (p for p in range(at, min(at + 30, len(tokens))) if tokens[p].text == "returns"), None
        )
        asked = _within(tokens, at + 2)
        answer = _within(tokens, returned + 1) if returned is not None else None
        ways = [("rpc", f"/{whole}/{name}"), *_over_http(tokens, returned or at)]
        for method, path in ways:
            yield Item(tokens[at].line, "operation", short(name), service, answer, method, short(path))
            if asked:
                yield Item(tokens[at].line, "request", short(name), service, asked, method, short(path))


def _within(tokens: list[Token], at: int) -> str | None:
    """The type that stands in parentheses."""
    inside = tokens[at : closing(tokens, at, "()")]
    return short(" ".join(each.text for each in inside if each.text != "(")) or None


def _over_http(tokens: list[Token], at: int) -> Iterator[tuple[str, str]]:
    """The methods and paths that `option (google.api.http)` gives an operation."""
    start = next_mark(tokens, at, "{;")
    if start >= len(tokens) or tokens[start].text != "{":
        return
    inside = tokens[start : closing(tokens, start)]
    for place in range(len(inside) - 2):
        word, path = inside[place], inside[place + 2]
        if word.text in _METHODS and inside[place + 1].text == ":" and path.kind == "text":
            yield word.text.upper(), path.text.strip("\"'")
