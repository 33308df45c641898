"""Tables for a terminal. Words and places stay whole: other cells wrap, and where that does not help rows stand as records."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final

from drift.cli.console import Ink
from drift.cli.shown import cut, measure, shown

Paint = Callable[[str, Ink], str]
InkOf = Callable[[int, int], Ink | None]

_GAP: Final = "  "
_BELOW: Final = "    "
_NOTHING: Final = frozenset({"", "-"})
_NARROWEST: Final = 8  # columns; narrower cells are hard to read
_MOST_LINES: Final = 6  # of one cell
_LONGEST_WORD: Final = 120  # what is longer is no word of a person's; places are exempt
_NUMBER: Final = re.compile(r"-?[0-9][0-9.,]*%?|-|")


def unpainted(text: str, _ink: Ink) -> str:
    """The text as it is, for who has no colours."""
    return text


def format_table(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    width: int,
    whole: Collection[int] = (),
    paint: Paint = unpainted,
    ink_of: InkOf = lambda _row, _column: None,
) -> list[str]:
    """The lines of a table, headings first. Cells of the columns in `whole` are neither wrapped nor cut.

    Where most rows would be too long all the same, each is a record: its first cell, and the others below it.
    """
    cells = [
        [shown(cell) if at in whole else _shorten_words(shown(cell)) for at, cell in enumerate(row)]
        for row in (headings, *rows)
    ]
    columns = list(zip(*cells, strict=True))
    widths = fit_widths(columns, width, whole=whole)
    if sum(widths) + len(_GAP) * (len(widths) - 1) > width and len(widths) > 1:
        return list(_write_records(cells[0], cells[1:], width, paint=paint, ink_of=ink_of))
    are_numbers = [len(column) > 1 and all(map(_NUMBER.fullmatch, column[1:])) for column in columns]
    lines: list[str] = []
    for number, row in enumerate(cells):
        inks = [Ink.DIM if number == 0 else ink_of(number - 1, at) for at in range(len(row))]
        wrapped = [[cell] if at in whole else _wrap_cell(cell, widths[at]) for at, cell in enumerate(row)]
        lines += _write_row(wrapped, widths, are_numbers, inks=inks, paint=paint)
    return lines


def _write_records(
    headings: Sequence[str], rows: Sequence[Sequence[str]], width: int, *, paint: Paint, ink_of: InkOf
) -> Iterator[str]:
    """Each row as its first cell and, below it, what else it says; what says nothing is left out."""
    for number, (first, *rest) in enumerate(rows):
        ink = ink_of(number, 0)
        yield first if ink is None else paint(first, ink)
        said = [
            f"{heading} {cell}".strip()
            for heading, cell in zip(headings[1:], rest, strict=True)
            if cell not in _NOTHING
        ]
        yield from (f"{_BELOW}{line}" for line in wrap(" · ".join(said), width - len(_BELOW)) if line)


def fit_widths(columns: Sequence[Sequence[str]], width: int, *, whole: Collection[int] = ()) -> list[int]:
    """The columns' widths: as wanted where there is room, else the widest narrowed, but never below a word's."""
    wanted = [max(map(measure, column)) for column in columns]
    room = max(width - len(_GAP) * (len(wanted) - 1), 1)
    least = [
        # One path that is far longer than the others must not push every row over the edge.
        min(wanted[at], max(room // 2, _NARROWEST)) if at in whole else _longest_word(column)
        for at, column in enumerate(columns)
    ]
    widest = min(max(wanted, default=1), room)
    while widest > _NARROWEST and sum(_settle(wanted, least, widest)) > room:
        widest -= 1
    return _settle(wanted, least, widest)


def wrap(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` columns, broken between words; a longer word has its own line."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        joined = f"{line} {word}" if line else word
        if measure(joined) <= width or not line:
            line = joined
        else:
            lines.append(line)
            line = word
    return [*lines, line]


def _settle(wanted: Sequence[int], least: Sequence[int], widest: int) -> list[int]:
    return [max(min(each, widest), low) for each, low in zip(wanted, least, strict=True)]


def _longest_word(column: Sequence[str]) -> int:
    return max((measure(word) for cell in column for word in cell.split()), default=1)


def _shorten_words(cell: str) -> str:
    if measure(cell) <= _LONGEST_WORD:
        return cell
    return " ".join(cut(word, _LONGEST_WORD) for word in cell.split())


def _write_row(
    wrapped: Sequence[Sequence[str]],
    widths: Sequence[int],
    are_numbers: Sequence[bool],
    *,
    inks: Sequence[Ink | None],
    paint: Paint,
) -> Iterator[str]:
    for position in range(max(map(len, wrapped), default=0)):
        line, pending = "", ""
        for cell, width, is_number, ink in zip(wrapped, widths, are_numbers, inks, strict=True):
            part = cell[position] if position < len(cell) else ""
            blank = " " * (width - measure(part))
            text = part if ink is None or not part else paint(part, ink)
            # Blanks are written with what follows them, so that no line ends in one.
            before, after = (blank, "") if is_number else ("", blank)
            line, pending = (line + pending + before + text, after) if part else (line, pending + blank)
            pending += _GAP
        yield line


def _wrap_cell(cell: str, width: int) -> list[str]:
    if measure(cell) <= width:
        return [cell]
    # A hostile cell may be huge; what would be cut off anyway is not worth wrapping.
    most = width * (_MOST_LINES + 1)
    lines = wrap(cell[:most], width)
    if len(lines) <= _MOST_LINES and len(cell) <= most:
        return lines
    last = lines[_MOST_LINES - 1 : _MOST_LINES] or [""]
    return [*lines[: _MOST_LINES - 1], cut(last[0], width - 1).removesuffix("…") + "…"]
