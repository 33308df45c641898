"""Trees of sources in which a line's end alone ends a call signature: the grammar reads on over it.

interface Read {
  (key: string): Store
  <T>(key: T): Other<T>      // to the grammar `Store<T>`, and an error from there on, at worst to the file's end
}
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.languages.newer_syntax import parse_newer
from drift.languages.syntax import parse

if TYPE_CHECKING:
    from tree_sitter import Tree

_GENERIC_LINE: Final = re.compile(rb"^[ \t]+(?=<[\s\w])", re.MULTILINE)
_ENDING: Final = re.compile(rb"[\w\])}>\"'$]$")  # what the last word of a member's type may end with
_COMMENTED: Final = (b"//", b"/*", b"*")


def parse_script(grammar: str, source: bytes) -> Tree:
    """The tree of a source; where it has errors, of one with `;` for the blank before such lines, if that has none.

    Both are of the same length, so places in the tree are places in the source.
    """
    tree = parse_newer(grammar, source)
    if not tree.root_node.has_error:
        return tree
    ended = _with_ends(source)
    if ended == source:
        return tree
    other = parse(grammar, ended)
    return tree if other.root_node.has_error else other


def _with_ends(source: bytes) -> bytes:
    text = bytearray(source)
    for match in _GENERIC_LINE.finditer(source):
        if _ENDING.search(_last_code(source, match.start())):
            text[match.end() - 1] = ord(";")
    return bytes(text)


def _last_code(source: bytes, end: int) -> bytes:
    """The last line before a place that is neither blank nor a comment."""
    while end > 0:
        start = source.rfind(b"\n", 0, end - 1) + 1
        line = source[start:end].strip()
        if line and not line.startswith(_COMMENTED):
            return line.partition(b" //")[0].rstrip()
        end = start
    return b""
