"""Source bytes and their syntax tree: parsing with lazily loaded grammars, and places in the text."""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from importlib import import_module
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from drift.kernel.text import shorten
from drift.languages.facts import Problem
from drift.languages.limits import MOST_CALLEE_CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Language, Node, Parser, Tree

# Language name to the module and function of its grammar wheel.
GRAMMARS: Final = {
    "c": ("tree_sitter_c", "language"),
    "cpp": ("tree_sitter_cpp", "language"),
    "csharp": ("tree_sitter_c_sharp", "language"),
    "go": ("tree_sitter_go", "language"),
    "java": ("tree_sitter_java", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "php": ("tree_sitter_php", "language_php"),
    "python": ("tree_sitter_python", "language"),
    "ruby": ("tree_sitter_ruby", "language"),
    "rust": ("tree_sitter_rust", "language"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
}
_MOST_PROBLEMS: Final = 20
_MOST_PROBLEM_CHARACTERS: Final = 60


@cache
def load_grammar(language_name: str) -> Language:
    """The grammar of a language as tree-sitter holds it; loaded once per process."""
    from tree_sitter import Language  # a worker loads only what its files need

    module_name, function_name = GRAMMARS[language_name]
    return Language(getattr(import_module(module_name), function_name)())


@cache
def _parser(language_name: str) -> Parser:
    from tree_sitter import Parser  # likewise

    return Parser(load_grammar(language_name))


def parse(language_name: str, source: bytes) -> Tree:
    """The syntax tree of any bytes; what makes no sense becomes ERROR nodes in it."""
    return _parser(language_name).parse(source)


class SourceText:
    """The bytes of one file and where its lines start."""

    __slots__ = ("line_starts", "source")

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.line_starts = [0, *accumulate([len(line) + 1 for line in source.split(b"\n")])]
        self.line_starts.pop()  # what follows the last line is no line

    @property
    def line_count(self) -> int:
        """How many lines tree-sitter sees: one more than there are line feeds."""
        return len(self.line_starts)

    def line_of(self, byte: int) -> int:
        """The line, from 1, that a byte stands in."""
        return bisect_right(self.line_starts, byte)

    def line_start(self, line: int) -> int:
        """The byte at which a line, from 1, begins."""
        return self.line_starts[line - 1]

    def column_of(self, byte: int) -> int:
        """The column, in bytes from 0, that a byte stands in."""
        return byte - self.line_starts[bisect_right(self.line_starts, byte) - 1]

    def text(self, node: Node) -> str:
        """What a node covers, with invalid bytes replaced."""
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def slice(self, start_byte: int, end_byte: int) -> str:
        """What stands between two bytes, with invalid bytes replaced."""
        return self.source[start_byte:end_byte].decode("utf-8", "replace")

    def brief(self, node: Node, limit: int) -> str:
        """What a node covers on one line, at most `limit` characters."""
        return self.brief_slice(node.start_byte, node.end_byte, limit=limit)

    def brief_slice(self, start_byte: int, end_byte: int, *, limit: int) -> str:
        """What stands between two bytes on one line, at most `limit` characters."""
        # Four bytes are the most a character takes; a huge literal is never decoded whole.
        cut = self.source[start_byte : min(end_byte, start_byte + 4 * limit + 4)]
        if len(cut) <= limit and b"\n" not in cut and b"  " not in cut:
            return cut.decode("utf-8", "replace").strip()
        return shorten(" ".join(cut.decode("utf-8", "replace").split()), limit)

    def callee(self, start_byte: int, end_byte: int) -> str:
        """A callee as written, on one line; of a long chain its end, which says what is called."""
        if end_byte - start_byte <= MOST_CALLEE_CHARACTERS:
            written = self.slice(start_byte, end_byte)
            return written if written.isascii() and written.isprintable() else " ".join(written.split())
        # A long chain must not be copied for each of its links.
        tail = self.slice(max(start_byte, end_byte - 4 * MOST_CALLEE_CHARACTERS), end_byte)
        words = " ".join(tail.split())
        return words if len(words) <= MOST_CALLEE_CHARACTERS else "…" + words[1 - MOST_CALLEE_CHARACTERS :]


def decodable(language_name: str, root: Node, text: SourceText) -> Node:
    """The tree, for queries that compare texts; of a file that is no UTF-8, one with `?` for each stray byte.

    Queries decode every text they compare, and would raise.
    """
    try:
        text.source.decode()
    except UnicodeDecodeError:
        plain = text.source.decode("utf-8", "surrogateescape").encode("utf-8", "replace")
        return parse(language_name, plain).root_node
    return root


def describe_problems(nodes: Iterable[Node], text: SourceText) -> tuple[Problem, ...]:
    """The first ERROR and MISSING nodes as problems, one a line, in the order of the file."""
    messages: dict[int, str] = {}
    for node in sorted(nodes, key=lambda node: node.start_byte):
        line = text.line_of(node.start_byte)
        if line in messages:
            continue
        if len(messages) == _MOST_PROBLEMS:
            break
        if node.is_missing:
            messages[line] = f"expected {node.type}"
        else:
            messages[line] = f"unexpected {text.brief(node, _MOST_PROBLEM_CHARACTERS)!r}"
    return tuple(Problem(line, message) for line, message in messages.items())
