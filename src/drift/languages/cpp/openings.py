"""Namespaces that macros of the same file open and close around declarations."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from drift.languages.cpp.walk import CppWalk

_DEFINED = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]++([^\r\n]*[{}])[ \t]*+\r?$", re.MULTILINE)
_NAMED: Final = re.compile(rb"(inline\s+)?\bnamespace\b\s*+(\w*)\s*+\{")
_CLOSING: Final = re.compile(rb"[\s}]+\Z")


class Opening(NamedTuple):
    """The bytes between a macro that opens namespaces and the one that closes them, with their names."""

    start: int
    end: int
    names: tuple[str, ...]


def find_openings(source: bytes, is_code: Callable[[int], bool]) -> list[Opening]:
    """The stretches of a file that macros of its own put into namespaces, the first one first."""
    opening: dict[bytes, tuple[str, ...]] = {}
    closing: set[bytes] = set()
    for macro in _DEFINED.finditer(source):
        if _CLOSING.match(macro[2]):
            closing.add(macro[1])
        elif not _NAMED.sub(b"", macro[2]).strip():
            named = [one[2].decode() for one in _NAMED.finditer(macro[2]) if not one[1]]
            opening.setdefault(macro[1], tuple(name for name in named if name))
    if not closing or not any(opening.values()):
        return []
    found: list[Opening] = []
    waiting: list[tuple[int, tuple[str, ...]]] = []
    words = b"|".join(re.escape(word) for word in sorted((*opening, *closing)))
    for use in re.finditer(rb"^[ \t]*(" + words + rb")[ \t]*\r?$", source, re.MULTILINE):
        if not is_code(use.start(1)):
            continue
        if use[1] in opening:
            waiting.append((use.start(1), opening[use[1]]))
        elif waiting:
            start, names = waiting.pop()
            found.append(Opening(start, use.start(1), names))
    return sorted(found)


def enter_openings(cpp: CppWalk, node: Node) -> None:
    """Leave the namespaces of macros that end before a node, and enter those that begin before it."""
    byte = node.start_byte
    while cpp.entered and cpp.entered[-1][0] <= byte:
        _, inner, outer = cpp.entered.pop()
        if cpp.scope == inner:
            cpp.scope = outer
    while cpp.openings and cpp.openings[0].start <= byte:
        opening = cpp.openings.pop(0)
        if opening.end <= byte:
            continue
        outer = cpp.scope
        for name in opening.names:
            cpp.namespaces.add(name)
            symbol = cpp.begin("namespace", name, node)
            end_line = cpp.text.line_of(opening.end)
            cpp.scope = cpp.keep(
                symbol._replace(end_line=end_line, end_byte=opening.end, signature=f"namespace {name}")
            )
        cpp.entered.append((opening.end, cpp.scope, outer))
