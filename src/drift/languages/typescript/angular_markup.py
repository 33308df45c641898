"""What Angular's templates name without an expression: elements and attributes by selectors, and pipes.

Such names bear a mark in front, so that no variable is taken for one: `<app-cart`, `[appGlow`, `|money`.
"""

import re
from collections.abc import Iterator
from typing import Final

from drift.languages.expressions import Expression

MARKS: Final = ("<", "[", "|")
"""What stands before a name that templates alone use."""

_TRANSFORM: Final = "transform"  # what runs of a pipe
_ELEMENT: Final = re.compile(rb"<([a-z][\w.]{0,60}+-[\w.-]{1,60}+)")
# A directive is put by its name alone or bound by it: names of HTML are written without capitals.
_ATTRIBUTE: Final = re.compile(rb"\s[*\[(]{0,2}+([a-z]{1,30}+[A-Z]\w{0,60}+)[\])]{0,2}+(?=[\s=>/])")
_PIPED: Final = re.compile(rb"(?<!\|)\|(?!\|)\s{0,8}+([a-z]\w{0,60}+)")
_EXPRESSION: Final = re.compile(
    rb"\{\{[^{}]{0,2000}+\}\}|=\s{0,8}+\"[^\"|]{0,2000}+\|[^\"]{0,2000}+\"|@\w{1,12}+\s{0,8}+\([^{}]{0,800}+\{"
)
_SELECTOR: Final = re.compile(r"([a-zA-Z][\w.-]{0,80}+)?(?:\[([\w.-]{1,80}+)[^\]]{0,80}+\])?")
_MOST_SELECTORS: Final = 20


def pipe_name(name: str) -> str:
    """The name of a pipe as templates' own."""
    return f"|{name}"


def selected_names(selector: str) -> list[str]:
    """The names that a selector stands for: `app-cart, button[appGlow]`."""
    found = []
    for part in selector.split(",")[:_MOST_SELECTORS]:
        read = _SELECTOR.match(part.strip())
        if read is not None and read[2]:
            found.append(f"[{read[2]}")
        elif read is not None and read[1]:
            found.append(f"<{read[1]}")
    return found


def markup_uses(source: bytes, start: int = 0, end: int | None = None) -> Iterator[tuple[int, Expression]]:
    """What a template names, each with its place."""
    end = len(source) if end is None else end
    for mark, pattern in (("<", _ELEMENT), ("[", _ATTRIBUTE)):
        for found in pattern.finditer(source, start, end):
            yield found.start(1), ("name", mark + found[1].decode())
    for expression in _EXPRESSION.finditer(source, start, end):
        for found in _PIPED.finditer(source, *expression.span()):
            yield found.start(1), ("member", ("name", pipe_name(found[1].decode())), _TRANSFORM)
