"""GraphQL's schema language: types with their fields, and the operations of the roots."""

from collections.abc import Iterator
from typing import Final

from drift.documents.items import Item, short
from drift.documents.readers.braces import Token, closing, next_mark, tokens_of

_TYPES: Final = frozenset({"type", "interface", "input", "enum"})
_ROOTS: Final = {"Query": "query", "Mutation": "mutation", "Subscription": "subscription"}
_NAMED: Final = frozenset({"scalar", "union", "directive"})


def read(text: str, _kind: str) -> Iterator[Item]:
    """The types in their order, each with its fields; a text of queries declares none."""
    tokens = tokens_of(text, has_hash_comments=True)
    roots = {**_ROOTS, **_declared_roots(tokens)}
    at = 0
    while at + 1 < len(tokens):
        token, name = tokens[at], tokens[at + 1]
        if token.kind == "word" and token.text in _TYPES and name.kind == "word":
            start = next_mark(tokens, at, "{")
            following = next((p for p in range(at + 2, start) if tokens[p].text in _TYPES | _NAMED), None)
            if name.text not in roots:
                yield Item(token.line, "schema", short(name.text), type=token.text)
            if following is not None or start >= len(tokens):
                at = following if following is not None else len(tokens)
                continue
            end = closing(tokens, start)
            yield from _fields(tokens[start + 1 : end], token.text, short(name.text), roots.get(name.text))
            at = end + 1
        elif token.kind == "word" and token.text in {"scalar", "union"} and name.kind == "word":
            yield Item(token.line, "schema", short(name.text), type=token.text)
            at += 2
        elif token.text == "{":
            at = closing(tokens, at) + 1
        else:
            at += 1


def _declared_roots(tokens: list[Token]) -> dict[str, str]:
    """The roots that `schema { query: Root }` names."""
    for at in range(len(tokens) - 1):
        if tokens[at].text == "schema" and tokens[at + 1].text == "{":
            inside = [each.text for each in tokens[at + 2 : closing(tokens, at + 1)] if each.text != ":"]
            return {
                name: word
                for word, name in zip(inside[::2], inside[1::2], strict=False)
                if word in _ROOTS.values()
            }
    return {}


def _fields(tokens: list[Token], kind: str, owner: str, method: str | None) -> Iterator[Item]:
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.kind != "word" or token.text.startswith("@"):
            at = closing(tokens, at, "()") + 1 if token.text == "(" else at + 1
            continue
        if kind == "enum":
            yield Item(token.line, "value", short(token.text), owner)
            at += 1
            continue
        after = at + 1
        if after < len(tokens) and tokens[after].text == "(":
            after = closing(tokens, after, "()") + 1
        if after >= len(tokens) or tokens[after].text != ":":
            at += 1
            continue
        end = after + 1
        while end < len(tokens) and (tokens[end].text in "[]!" or tokens[end - 1].text in "[:"):
            end += 1
        written = "".join(each.text for each in tokens[after + 1 : end])
        is_required = written.endswith("!")
        has_default = end < len(tokens) and tokens[end].text == "="
        if method is not None:
            yield Item(
                token.line, "operation", short(token.text), owner, short(written), method, has_value=None
            )
        else:
            yield Item(
                token.line,
                "field",
                short(token.text),
                owner,
                short(written),
                has_value=has_default,
                is_required=is_required,
            )
        at = end + 2 if has_default else end
