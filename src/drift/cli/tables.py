"""Tables fitted to the terminal: the widest columns give way first, their cells wrap and then end in an ellipsis."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from drift.cli.shown import cut, measure, shown

_GAP: Final = "  "
_NARROWEST: Final = 8  # columns; narrower cells are no longer words
_MOST_LINES: Final = 6  # of one cell
_NUMBER: Final = re.compile(r"-?[0-9][0-9.,]*%?|-|")


def format_table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, width: int) -> list[str]:
    """The lines of a table, headings first; none is wider than `width`."""
    cells = [[shown(cell) for cell in row] for row in (headings, *rows)]
    columns = list(zip(*cells, strict=True))
    widths = fit_widths([max(map(measure, column)) for column in columns], width)
    are_numbers = [len(column) > 1 and all(map(_NUMBER.fullmatch, column[1:])) for column in columns]
    return [cut(line, width) for row in cells for line in _write_row(row, widths, are_numbers)]


def fit_widths(wanted: Sequence[int], width: int) -> list[int]:
    """The columns' widths: as wanted where there is room, else the widest cut to one common size."""
    room = max(width - len(_GAP) * (len(wanted) - 1), 1)
    widest = min(max(wanted, default=1), room)
    while widest > _NARROWEST and sum(min(each, widest) for each in wanted) > room:
        widest -= 1
    return [min(each, widest) for each in wanted]


def wrap(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` columns, broken between words where that is possible."""
    lines: list[str] = []
    line = ""
    for word in _pieces(text, width):
        joined = f"{line} {word}" if line else word
        if measure(joined) <= width:
            line = joined
        else:
            lines.append(line)
            line = word
    return [*lines, line]


def _pieces(text: str, width: int) -> Iterator[str]:
    for word in text.split():
        rest = word
        while measure(rest) > width:
            head = cut(rest, width + 1)[:-1] or rest[0]
            yield head
            rest = rest[len(head) :]
        if rest:
            yield rest


def _write_row(row: Sequence[str], widths: Sequence[int], are_numbers: Sequence[bool]) -> Iterator[str]:
    wrapped = [_wrap_cell(cell, width) for cell, width in zip(row, widths, strict=True)]
    for position in range(max(map(len, wrapped), default=0)):
        parts = [cell[position] if position < len(cell) else "" for cell in wrapped]
        padded = [
            " " * (width - measure(part)) + part if is_number else part + " " * (width - measure(part))
            for part, width, is_number in zip(parts, widths, are_numbers, strict=True)
        ]
        yield _GAP.join(padded).rstrip()


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
