"""Functions of JavaScript that are named where they are handed on: `nextTick(function tick() {…})`.

Their name is for stack traces and for themselves, so that nobody else calls them by it proves nothing.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from drift.index.ids import SymbolId
from drift.index.records import SymbolRecord

_LANGUAGES: Final = frozenset({"javascript", "typescript"})
_WRITTEN: Final = re.compile(rb"(?:async\s+)?function\s*+\*?\s*+([\w$]+)")
# What stands before an expression; a declaration stands behind a brace, a semicolon or a line of its own.
_BEFORE: Final = re.compile(rb"(?:[(,=:\[?&|!+]|\b(?:return|new|yield|await|typeof|void|case))\s*\Z")
_LOOKED_BACK_BYTES: Final = 200


class Expressions:
    """Notes, while texts pass by, which of the symbols are functions written as expressions."""

    def __init__(self, symbols: Iterable[SymbolRecord]) -> None:
        self.found: set[SymbolId] = set()
        self._wanted: dict[str, list[SymbolRecord]] = {}
        for one in symbols:
            if one.kind == "function" and one.language in _LANGUAGES:
                self._wanted.setdefault(one.path, []).append(one)

    def watch(self, texts: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, bytes]]:
        """The same texts."""
        for path, text in texts:
            wanted = self._wanted.get(path, ())
            self.found.update(one.id for one in wanted if is_expression(text, one.start_byte, one.name))
            yield path, text


def is_expression(text: bytes, start_byte: int, name: str) -> bool:
    """Whether the function of this name that begins here is handed on or kept where it is written."""
    written = _WRITTEN.match(text, start_byte)
    if written is None or written[1] != name.encode("utf-8", "replace"):
        return False
    return _BEFORE.search(text[max(0, start_byte - _LOOKED_BACK_BYTES) : start_byte]) is not None
