"""What documents of GraphQL ask for: the fields of the roots, each with what is chosen of its answer."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from drift.documents.readers.braces import Token, closing, tokens_of

_ROOTS: Final = frozenset({"query", "mutation", "subscription"})
_FRAGMENT: Final = "fragment"
_SPREAD: Final = "..."
_MOST_TOKENS: Final = 20_000
_MOST_FRAGMENTS: Final = 200  # that one answer is put together of


class Chosen(NamedTuple):
    """The names that are taken of an answer, and the fragments that have more of them."""

    names: tuple[str, ...]
    fragments: tuple[str, ...]


class Asked(NamedTuple):
    """A field of a root that an operation asks for; `chosen` is None where it is a plain value."""

    operation: str
    name: str | None  # of the operation
    line: int
    field: str
    chosen: Chosen | None


class Document(NamedTuple):
    """What a document asks for, and the fragments it declares."""

    asked: tuple[Asked, ...]
    fragments: Mapping[str, Chosen]


class _Field(NamedTuple):
    line: int
    name: str
    inside: tuple[int, int] | None  # where the tokens stand of what is chosen of it


def read_document(text: str) -> Document:
    """What the operations of a document ask for; a schema has none."""
    tokens = tokens_of(text, has_hash_comments=True)[:_MOST_TOKENS]
    asked: list[Asked] = []
    fragments: dict[str, Chosen] = {}
    at = 0
    while at < len(tokens) and (start := _opening(tokens, at)) is not None:
        word, name = tokens[at].text, tokens[at + 1] if at + 1 < start else None
        end = closing(tokens, start)
        if word == _FRAGMENT and name is not None:
            fragments[name.text] = _chosen(tokens, start + 1, end)
        elif word in _ROOTS or start == at:
            operation = word if word in _ROOTS else "query"
            said = name.text if name is not None and name.kind == "word" and name.text[0] != "@" else None
            for field in _fields(tokens, start + 1, end):
                chosen = _chosen(tokens, *field.inside) if field.inside is not None else None
                asked.append(Asked(operation, said, field.line, field.name, chosen))
        at = end + 1
    return Document(tuple(asked), fragments)


def all_names(chosen: Chosen, fragments: Mapping[str, Chosen]) -> tuple[str, ...]:
    """The names that are taken of an answer, with those of its fragments; one that is not known has none."""
    names = dict.fromkeys(chosen.names)
    waiting, met = list(chosen.fragments), set(chosen.fragments)
    while waiting and len(met) < _MOST_FRAGMENTS:
        more = fragments.get(waiting.pop())
        if more is not None:
            names.update(dict.fromkeys(more.names))
            waiting += [each for each in more.fragments if each not in met]
            met.update(more.fragments)
    return tuple(names)


def _opening(tokens: list[Token], at: int) -> int | None:
    """Where the braces of a definition open: behind its variables, whose defaults may have braces of their own."""
    while at < len(tokens):
        if tokens[at].kind == "mark" and tokens[at].text == "{":
            return at
        is_given = tokens[at].kind == "mark" and tokens[at].text == "("
        at = closing(tokens, at, "()") + 1 if is_given else at + 1
    return None


def _chosen(tokens: list[Token], at: int, end: int) -> Chosen:
    names = (one.name for one in _fields(tokens, at, end))
    return Chosen(
        tuple(dict.fromkeys(name for name in names if not name.startswith("__"))),
        tuple(_spreads(tokens, at, end)),
    )


def _fields(tokens: list[Token], at: int, end: int) -> Iterator[_Field]:
    """The fields between braces by their own names, not by those the document gives them; without fragments."""
    while at < end:
        token = tokens[at]
        if token.kind != "word":
            at += 1
            continue
        if token.text.startswith(_SPREAD):
            at = _behind(tokens, at + 2 if _is_typed(tokens, at) else at, end)[0]
            continue
        if at + 2 < end and tokens[at + 1].text == ":":
            at += 2
        name = tokens[at].text
        at, inside = _behind(tokens, at, end)
        yield _Field(token.line, name, inside)


def _spreads(tokens: list[Token], at: int, end: int) -> Iterator[str]:
    """The fragments by name between braces, not in what is chosen of the fields."""
    depth = 0
    for place in range(at, end):
        token = tokens[place]
        if token.kind == "mark":
            depth += {"{": 1, "}": -1}.get(token.text, 0)
        elif not depth and token.kind == "word" and token.text.startswith(_SPREAD) and token.text != _SPREAD:
            yield token.text.removeprefix(_SPREAD)


def _is_typed(tokens: list[Token], at: int) -> bool:
    """Whether a fragment is written in place: `... on Photo { url }`."""
    return tokens[at].text == _SPREAD and at + 2 < len(tokens) and tokens[at + 1].text == "on"


def _behind(tokens: list[Token], at: int, end: int) -> tuple[int, tuple[int, int] | None]:
    """What follows a name with its arguments, directives and what is chosen of it; and where the last stands."""
    at += 1
    while at < end and (tokens[at].text == "(" or tokens[at].text.startswith("@")):
        at = closing(tokens, at, "()") + 1 if tokens[at].text == "(" else at + 1
    if at < end and tokens[at].text == "{":
        closed = closing(tokens, at)
        return closed + 1, (at + 1, min(closed, end))
    return at, None
