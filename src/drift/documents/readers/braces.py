"""Languages of declarations in braces: their words one by one, without comments."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_TOKENS: Final = re.compile(
    r"(?P<skip>[\s,]+|//[^\n]*|\#[^\n]*|/\*.*?(?:\*/|\Z))"
    r'|(?P<text>""".*?(?:"""|\Z)|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\')'
    r"|(?P<word>[\w.$@-]+)|(?P<mark>.)",
    re.DOTALL,
)


class Token(NamedTuple):
    """A word, a text in quotes or a single mark, with its line."""

    line: int
    kind: str
    text: str


def tokens_of(text: str, *, has_hash_comments: bool) -> list[Token]:
    """The tokens of a text in their order; commas and comments left out."""
    return list(_tokens(text, has_hash_comments=has_hash_comments))


def _tokens(text: str, *, has_hash_comments: bool) -> Iterator[Token]:
    line, at = 1, 0
    while at < len(text):
        found = _TOKENS.match(text, at)
        assert found is not None  # a single mark fits anything
        if found["skip"] and found["skip"][0] == "#" and not has_hash_comments:
            yield Token(line, "mark", "#")
            at += 1
            continue
        if not found["skip"]:
            yield Token(line, found.lastgroup or "mark", found[0])
        line += found[0].count("\n")
        at = found.end()


def closing(tokens: list[Token], at: int, pair: str = "{}") -> int:
    """The place of the mark that closes the one at a place; the end where none does."""
    depth = 0
    for place in range(at, len(tokens)):
        token = tokens[place]
        if token.kind == "mark" and token.text in pair:
            depth += 1 if token.text == pair[0] else -1
            if depth == 0:
                return place
    return len(tokens)


def next_mark(tokens: list[Token], at: int, marks: str) -> int:
    """The place of the next of some marks; the end where there is none."""
    for place in range(at, len(tokens)):
        if tokens[place].kind == "mark" and tokens[place].text in marks:
            return place
    return len(tokens)
