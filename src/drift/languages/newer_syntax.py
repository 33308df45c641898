"""Trees of sources in a syntax that is newer than the grammar of their language, as far as `newer_syntax.toml` knows it."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.languages.syntax import parse

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tree_sitter import Tree

_EXTENDED: Final = {"tsx": ("typescript", "tsx")}


class Alteration(NamedTuple):
    """What is looked for, and what stands in the place of its group; blanks for nothing. Without `always`, in errors alone."""

    pattern: re.Pattern[bytes]
    instead: bytes
    is_always: bool


@cache
def load_alterations() -> Mapping[str, tuple[Alteration, ...]]:
    """The rows of `newer_syntax.toml`, by grammar."""
    tables = tomllib.loads(files("drift.languages").joinpath("newer_syntax.toml").read_text("utf-8"))
    return {
        grammar: tuple(
            Alteration(
                re.compile(row["pattern"].encode(), re.MULTILINE),
                row.get("instead", "").encode(),
                row.get("always", False),
            )
            for row in rows
        )
        for grammar, rows in tables.items()
    }


@cache
def alterations(grammar: str) -> tuple[Alteration, ...]:
    """What is altered for a grammar, and for the one that it extends."""
    found = load_alterations()
    return tuple(row for name in _EXTENDED.get(grammar, (grammar,)) for row in found.get(name, ()))


def parse_newer(grammar: str, source: bytes) -> Tree:
    """The tree of a source; where it has errors, that of the altered source if it has fewer.

    Both are of the same length, so places in the tree are places in the source.
    """
    rows = alterations(grammar)
    tree = parse(grammar, _altered(source, [row for row in rows if row.is_always]))
    if not tree.root_node.has_error:
        return tree
    altered = _altered(source, rows)
    if altered == source:
        return tree
    other = parse(grammar, altered)
    return other if _broken_bytes(other) < _broken_bytes(tree) else tree


def _altered(source: bytes, rows: Sequence[Alteration]) -> bytes:
    if not rows:
        return source
    text = bytearray(source)
    for row in rows:
        for match in row.pattern.finditer(source):
            start, end = match.span(1)
            # Lines stay lines.
            blank = bytes(byte if byte in b"\r\n" else 32 for byte in source[start:end])
            text[start:end] = row.instead or blank
    return bytes(text)


def _broken_bytes(tree: Tree) -> int:
    """How much of a source is in errors, and how much is missing."""
    found, waiting = 0, [tree.root_node]
    while waiting:  # no recursion: trees of hostile sources are deep
        node = waiting.pop()
        if node.is_error or node.is_missing:
            found += node.end_byte - node.start_byte + 1
        elif node.has_error:
            waiting += node.children
    return found
