"""Broken files: keep the definitions that one unclosed bracket would otherwise swallow.

A parser that meets `f(` at the end of a half-written function reads all that follows as its arguments.
People see where the next definition starts; so does this.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from drift.languages.syntax import parse

if TYPE_CHECKING:
    from tree_sitter import Tree

_START = re.compile(rb"^(?:@|(?:async[ \t]+)?def\b|class\b|from\b|import\b)", re.MULTILINE)
_NOT_LINE_FEED = re.compile(rb"[^\n]")
_DEFINITIONS: Final = frozenset({"function_definition", "class_definition", "decorated_definition"})


def parse_recovering(source: bytes) -> tuple[Tree, Tree | None]:
    """The tree of a source, and where it is broken a second one that keeps more definitions, if there is.

    The second is parsed with the broken top-level parts blanked out, byte for byte, so that places agree.
    """
    tree = parse("python", source)
    if not tree.root_node.has_error:
        return tree, None
    blanked = _blank_broken(source)
    recovered = parse("python", blanked)
    return tree, recovered if _count_definitions(recovered) > _count_definitions(tree) else None


def _blank_broken(source: bytes) -> bytes:
    parts: list[bytes] = []
    for start, end in pairwise((0, *_part_starts(source), len(source))):
        part = source[start:end]
        is_broken = parse("python", part).root_node.has_error
        parts.append(_NOT_LINE_FEED.sub(b" ", part) if is_broken else part)
    return b"".join(parts)


def _part_starts(source: bytes) -> list[int]:
    """Where the definitions and imports of the file start; a decorator is one part with what it decorates."""
    starts: list[int] = []
    is_after_decorator = False
    for found in _START.finditer(source):
        if not is_after_decorator:
            starts.append(found.start())
        is_after_decorator = found.group() == b"@"
    return starts


def _count_definitions(tree: Tree) -> int:
    return sum(child.type in _DEFINITIONS for child in tree.root_node.named_children)
