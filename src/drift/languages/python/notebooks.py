"""The code cells of a notebook as one Python text whose lines are those of the notebook's file.

A notebook is JSON, and its cells are lists of texts, one for each line, each usually on a line of its own: there the
line of code stands. Where several stand on one line of the file they follow each other from there on. The file is read
token by token and never as a whole value, so that neither its depth nor its size can do harm; what is no JSON ends the
reading.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Final

ENDING: Final = ".ipynb"
_MOST_LEVELS: Final = 100
_MOST_LINES: Final = 200_000
# A text that does not end goes on to the end of the file, and is none: so each character is looked at once.
_TOKEN: Final = re.compile(r"\"(?:[^\"\\]|\\.)*+\"?|[{}\[\],:]|[^\s{}\[\],:\"]++", re.DOTALL)
_MAGIC: Final = re.compile(r"(\s{0,200})[%!?]")
_PYTHON: Final = frozenset({"python", "python3", "python2", "ipython"})
# Magics of whole cells whose text is Python all the same.
_TRANSPARENT: Final = ("%%time", "%%timeit", "%%capture", "%%prun", "%%memit")
_LANGUAGES: Final = (("metadata", "kernelspec", "language"), ("metadata", "language_info", "name"))

Lines = list[tuple[int, str]]
"""Lines of code with their numbers in the file."""


@dataclass(slots=True)
class _Notebook:
    """What has been read of a notebook, and where in it the reading is."""

    cells: list[Lines] = field(default_factory=list)
    languages: set[str] = field(default_factory=set)
    has_cells: bool = False
    names: list[str] = field(
        default_factory=list
    )  # to here: of an object the name at hand, of a list nothing
    opened: list[str] = field(default_factory=list)
    is_name: bool = False
    kind: str = ""  # of the cell at hand
    lines: Lines = field(default_factory=list)

    def take(self, mark: str, line: int) -> bool:
        """Read on by one token; whether that goes together with what was read."""
        if not self.opened and mark != "{":
            return False
        if mark in {"{", "["}:
            self.has_cells |= mark == "[" and self.names == ["cells"]
            self.opened.append(mark)
            self.names.append("")
        elif mark in {"}", "]"}:
            self._close(mark)
        elif mark[0] == '"':
            return self._take_text(mark, line)
        self.is_name = mark in {"{", ","} and self.opened[-1:] == ["{"]
        return len(self.opened) <= _MOST_LEVELS

    def _close(self, mark: str) -> None:
        self.opened.pop()
        self.names.pop()
        if self.names == ["cells", ""] and mark == "}":
            if self.kind == "code":
                self.cells.append(self.lines)
            self.kind, self.lines = "", []

    def _take_text(self, mark: str, line: int) -> bool:
        try:
            text = str(json.loads(mark, strict=False))
        except ValueError:
            return False
        path = tuple(self.names)
        if self.is_name:
            self.names[-1] = text
        elif path in _LANGUAGES:
            self.languages.add(text.lower())
        elif path == ("cells", "", "cell_type"):
            self.kind = text
        elif path in {("cells", "", "source"), ("cells", "", "source", "")}:
            self.lines += [(line, one) for one in text.splitlines()]
        self.is_name = False
        return True


def notebook_source(source: bytes) -> bytes | None:
    """The Python of a notebook's code cells; None for what is no notebook."""
    found = _read(source.decode("utf-8", "replace"))
    if found is None:
        return None
    if found.languages and not found.languages & _PYTHON:
        return b""
    written: list[str] = []
    for cell in found.cells:
        for line, text in _plain_lines(cell):
            if len(written) >= _MOST_LINES:
                break
            written += [""] * (min(line, _MOST_LINES) - 1 - len(written))
            written.append(text)
    return "\n".join(written).encode("utf-8", "replace") + b"\n"


def _plain_lines(cell: Lines) -> Lines:
    """The lines of a cell without what the shell of notebooks alone understands; none where the cell is in another language."""
    first = next((text for _, text in cell if text.strip()), "")
    if first.startswith("%%") and not first.startswith(_TRANSPARENT):
        return []
    return [(line, f"{magic[1]}pass" if (magic := _MAGIC.match(text)) else text) for line, text in cell]


def _read(text: str) -> _Notebook | None:
    """The parts of a notebook that are code, and what language it is in; None where the text is no object with cells."""
    found = _Notebook()
    line, at = 1, 0
    for token in _TOKEN.finditer(text):
        line += text.count("\n", at, token.start())
        at = token.start()
        if not found.take(token[0], line):
            return None
        if not found.opened:
            break
    return found if found.has_cells else None
