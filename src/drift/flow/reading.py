"""A file read anew: its tree, and its functions in the small form, each when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

# Readers enter themselves in the tables of lowering.
from drift.flow import blocks as _blocks  # noqa: F401 - enters its readers
from drift.flow import call_forms as _call_forms  # noqa: F401 - enters its readers
from drift.flow import literals as _literals  # noqa: F401 - enters its readers
from drift.flow.functions import read_function
from drift.flow.ir import Function, Statement
from drift.flow.lowering import Form, Lowering, load_form
from drift.languages.ruby.erb import ENDING as PAGE
from drift.languages.ruby.erb import script_of
from drift.languages.syntax import SourceText, parse

if TYPE_CHECKING:
    from tree_sitter import Node

_GRAMMARS: Final = {
    "python": "python",
    "java": "java",
    "php": "php",
    "go": "go",
    "csharp": "csharp",
    "ruby": "ruby",
}
_SCRIPTS: Final = {".ts": "typescript", ".mts": "typescript", ".cts": "typescript"}
LANGUAGES: Final = frozenset({*_GRAMMARS, "javascript", "typescript"})
_MOST_BYTES: Final = 1_500_000
_MOST_LOOKED_AT: Final = 60


def form_name(language: str) -> str:
    """The table a language is read by."""
    return "javascript" if language == "typescript" else language


class SourceFile:
    """The tree of a file and what of it was brought into the small form."""

    def __init__(self, language: str, path: str, source: bytes) -> None:
        self.form: Form = load_form(form_name(language))
        self.source = (script_of(source) if path.endswith(PAGE) else source)[:_MOST_BYTES]
        self.is_cut = len(source) > _MOST_BYTES
        ending = path[path.rfind(".") :] if "." in path else ""
        grammar = (
            _GRAMMARS.get(language)
            or _SCRIPTS.get(ending)
            or ("tsx" if language == "typescript" else "javascript")
        )
        self._text = SourceText(self.source)
        self._tree = parse(grammar, self.source)
        self._root = self._tree.root_node
        self._functions: dict[int, Function | None] = {}
        self._outside: tuple[Statement, ...] | None = None

    def function_at(self, start: int, end: int) -> Function | None:
        """The function that begins at a byte, with its body; None where none does."""
        if start not in self._functions:
            node = self._find(start, end)
            self._functions[start] = self._read(node) if node is not None else None
        return self._functions[start]

    def outside(self) -> tuple[Statement, ...]:
        """What stands outside of functions."""
        if self._outside is None:
            low = Lowering(self.form, self._text)
            low.is_outside = True
            self._outside = low.statements(self._root)
            self.is_cut = self.is_cut or low.is_cut
        return self._outside

    def _read(self, node: Node) -> Function:
        low = Lowering(self.form, self._text)
        return read_function(low, node, self.form.roles[node.type][1])

    def _find(self, start: int, end: int) -> Node | None:
        """The function of a symbol, which begins behind annotations where the node has them in it."""
        found = node = self._root.descendant_for_byte_range(start, max(start, end - 1))
        while node is not None and node.end_byte <= end + 1:
            if self.form.roles.get(node.type, ("",))[0] == "function":
                return node
            node = node.parent
        return self._below(found, start)

    def _below(self, node: Node | None, start: int) -> Node | None:
        """The function among the first nodes below one, for a symbol that begins before its function."""
        queue = [node] if node is not None else []
        for each in queue:
            if self.form.roles.get(each.type, ("",))[0] == "function" and each.start_byte >= start:
                return each
            if len(queue) < _MOST_LOOKED_AT:
                queue += each.named_children[:12]
        return None
