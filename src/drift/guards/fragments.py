"""A piece of code without its file, put where it would stand: in the place of what has its name, else at the end.

A method without its class stands in one of which nothing is known, so that nothing is said of its other members.
"""

import re
import textwrap
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from drift.index.records import SymbolRecord

Kind = Literal["function", "class", "component", "test", "full-file"]

_DECLARED: Final = re.compile(
    r"^[^\S\n]{0,40}(?:(?:export|default|public|private|protected|static|async|abstract|final|pub|override|virtual)\s{1,5}){0,6}"
    r"(?:def|class|function|func|fn|interface|struct|trait|enum|const|let|type)\s{1,5}(?:\([^()\n]{0,80}\)\s{0,5})?([A-Za-z_$][\w$]{0,100})",
    re.MULTILINE,
)
_METHOD: Final = re.compile(
    r"^[^\S\n]{0,40}(?:async\s{1,5})?def\s{1,5}\w{1,100}\s{0,5}\(\s{0,5}(?:self|cls)\b", re.MULTILINE
)
_IN_CLASSES: Final = frozenset({"java", "csharp"})
_OPENINGS: Final = {"go": "package fragment\n", "php": "<?php\n"}
_WRAPPERS: Final = {
    "python": ("class Fragment(Unknown):\n", "", "    "),
    "java": ("class Fragment extends Unknown {\n", "}\n", ""),
    "csharp": ("partial class Fragment : Unknown {\n", "}\n", ""),
    "php": ("class Fragment extends Unknown {\n", "}\n", ""),
    "typescript": ("class Fragment extends Unknown {\n", "}\n", ""),
    "javascript": ("class Fragment extends Unknown {\n", "}\n", ""),
}
_TYPES: Final = re.compile(
    r"^[^\S\n]{0,8}(?:[\w@]{1,40}\s{1,5}){0,6}(?:class|interface|enum|record|struct)\s", re.MULTILINE
)


class Placed(NamedTuple):
    """The text of a file with a fragment in it, and the lines that the fragment has there."""

    text: str
    first: int
    last: int

    def line_of(self, line: int) -> int:
        """The line of the fragment that a line of the text is."""
        return line - self.first + 1

    def holds(self, line: int) -> bool:
        return self.first <= line <= self.last


def place_fragment(
    code: str, existing: str | None, *, language: str | None, kind: Kind, symbols: Sequence[SymbolRecord] = ()
) -> Placed:
    """The text that a fragment makes at its place; `symbols` are those of the text that is there."""
    if kind == "full-file":
        return Placed(code, 1, _count(code))
    name = _DECLARED.search(code)
    same = [
        one
        for one in symbols
        if name is not None and one.name == name[1] and one.kind not in {"field", "variable"}
    ]
    if existing is not None and len(same) == 1:
        return _replaced(code, existing, same[0])
    before = existing if existing is not None else _OPENINGS.get(language or "", "")
    if before and not before.endswith("\n"):
        before += "\n"
    opening, closing, indent = _wrapper(code, language)
    body = textwrap.indent(textwrap.dedent(code), indent) if indent else code
    first = before.count("\n") + opening.count("\n") + 1
    return Placed(f"{before}{opening}{body.rstrip()}\n{closing}", first, first + _count(body) - 1)


def _replaced(code: str, existing: str, symbol: SymbolRecord) -> Placed:
    lines = existing.split("\n")
    old = lines[symbol.line - 1]
    indent = old[: len(old) - len(old.lstrip())]
    first = symbol.line
    # Decorators stand before the line that a symbol is said to begin at.
    while first > 1 and lines[first - 2].lstrip().startswith("@"):
        first -= 1
    body = textwrap.indent(textwrap.dedent(code).rstrip("\n"), indent)
    text = "\n".join([*lines[: first - 1], *body.split("\n"), *lines[symbol.end_line :]])
    return Placed(text, first, first + _count(body) - 1)


def _wrapper(code: str, language: str | None) -> tuple[str, str, str]:
    is_method = bool(_METHOD.search(code)) if language == "python" else language in _IN_CLASSES
    if not is_method or _TYPES.search(code) or language not in _WRAPPERS:
        return "", "", ""
    return _WRAPPERS[language]


def _count(text: str) -> int:
    return text.rstrip("\n").count("\n") + 1
