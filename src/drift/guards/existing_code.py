"""Functions of a text that the project already has, whatever names they use.

Small ones are found by what is counted of their code, and held against each other word by word; of large ones it is
enough that most of their pieces are the same.
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from drift.analyses.source_text import read_lines
from drift.guards.overlay import OverlaidFile, Overlay
from drift.index.ids import FileId, SymbolId
from drift.index.path_text import text_to_path
from drift.index.records import SymbolRecord
from drift.languages.facts import Symbol

_LEAST_SHARED: Final = 0.7
_LEAST_HASHES: Final = 3
_COMMONPLACE: Final = 20  # a hash that so many places share says nothing
_FUNCTIONS: Final = frozenset({"function", "method"})
_LEAST_COUNTED: Final = 20  # operators and operands: smaller ones are alike by chance
_MOST_FUNCTIONS: Final = 40
_WORD: Final = re.compile(r"[A-Za-z_$][\w$]{0,200}|\d{1,100}|\S")
_COMMENTS: Final = ("#", "//", "*", "/*")
_DOC_QUOTES: Final = '"""'


class Existing(NamedTuple):
    """A function of the text, and what does the same."""

    symbol: str
    lines: tuple[int, int]
    name: str
    path: str
    line: int
    likeness: float
    why: str


def existing_code(root: Path, overlay: Overlay, file: OverlaidFile) -> Iterator[Existing]:
    """The functions of a text that are there already, elsewhere in the product."""
    if file.draft.rows.file.role != "source":
        return
    functions = [(number, one) for number, one in enumerate(file.facts.symbols) if one.kind in _FUNCTIONS]
    for number, symbol in functions[:_MOST_FUNCTIONS]:
        found = _by_words(root, overlay, file, number=number) or _by_pieces(overlay, file, number, symbol)
        if found is not None:
            yield found


def _by_words(root: Path, overlay: Overlay, file: OverlaidFile, *, number: int) -> Existing | None:
    symbol = file.facts.symbols[number]
    measured = symbol.complexity
    if measured is None or measured.operators + measured.operands < _LEAST_COUNTED:
        return None
    own = _shape(file.lines[symbol.line - 1 : symbol.end_line])
    symbols = overlay.reader.symbols
    # Not by operands, of which documentation is one.
    for record in symbols.measured_alike(
        symbol.kind, operators=measured.operators, cyclomatic=measured.cyclomatic
    ):
        if record.role != "source" or _is_of_text(file, record):
            continue
        count = record.end_line - record.line + 1
        if _shape(read_lines(root, text_to_path(record.path), first=record.line, count=count)) == own:
            return _existing(file, number, record, likeness=1.0, why="the same code but for names")
    return None


def _shape(lines: list[str]) -> list[int | str]:
    """Code with its names numbered in the order they come, without comments and documentation."""
    undocumented = "".join("\n".join(lines).split(_DOC_QUOTES)[::2])
    text = "\n".join(line for line in undocumented.split("\n") if not line.lstrip().startswith(_COMMENTS))
    seen: dict[str, int] = {}
    return [
        seen.setdefault(word, len(seen)) if word[0].isalpha() or word[0] in "_$" else _quote(word)
        for word in _WORD.findall(text)
    ]


def _quote(word: str) -> str:
    return '"' if word in "'`" else word


def _by_pieces(overlay: Overlay, file: OverlaidFile, number: int, symbol: Symbol) -> Existing | None:
    rows = ((int(str(row[1])), int(str(row[2])), int(str(row[3]))) for row in file.draft.rows.fingerprints)
    own = {hashed for hashed, line, end_line in rows if symbol.line <= line and end_line <= symbol.end_line}
    if len(own) < _LEAST_HASHES:
        return None
    reader, found = overlay.reader, Counter[SymbolId]()
    for hashed in own:
        places = reader.files.sharing(hashed)
        if len(places) <= _COMMONPLACE:
            holders = {_holder(overlay, file, place.file_id, place.line) for place in places}
            found.update({one for one in holders if one is not None})
    for other, count in found.most_common(1):
        record = reader.symbols.get(other)
        if record is not None and count / len(own) >= _LEAST_SHARED:
            told = f"{count} of {len(own)} pieces of its code are the same"
            return _existing(file, number, record, likeness=round(count / len(own), 2), why=told)
    return None


def _existing(
    file: OverlaidFile, number: int, record: SymbolRecord, *, likeness: float, why: str
) -> Existing:
    symbol = file.facts.symbols[number]
    lines = (symbol.line, symbol.end_line)
    return Existing(file.names[number], lines, record.qualname, record.path, record.line, likeness, why)


def _holder(overlay: Overlay, file: OverlaidFile, at: FileId, line: int) -> SymbolId | None:
    """The function around a place of the product."""
    if at == file.draft.rows.file.id:
        return None
    record = overlay.reader.symbols.at_line(at, line)
    if record is None or record.kind not in _FUNCTIONS or record.role != "source":
        return None
    return record.id


def _is_of_text(file: OverlaidFile, record: SymbolRecord) -> bool:
    """Whether a symbol of the index is of the file that the text takes the place of."""
    return text_to_path(record.path) == file.path
