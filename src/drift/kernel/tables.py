"""Lists of objects as tables: every name once, and what repeats is not repeated.

    callers[4]{name,at{line}} by at.file with language=python:
    src/app.py:
     main,12
     run,20
     stop,31
    src/jobs.py:
     work,

A column with one value throughout stands in the header after `with`. A column whose values come in runs is named
after `by`, and each value stands once above its rows. An empty cell is null.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

from drift.kernel.cells import is_scalar, write_cell, write_key, write_member, write_path

_LINES_WORTH_A_BLOCK: Final = 4  # shorter text stays in its cell: one docstring must not break up a table
_LARGEST_CELL: Final = 8  # scalars in a nested cell; with more of them a row is hard to read
_DEEPEST_CELL: Final = 3
_DEEPEST_COLUMN: Final = 3
_FEWEST_ROWS_TO_FACTOR: Final = 3
_SPARSEST: Final = 32  # cells for each value; a table this empty saves nothing and would take quadratic time
_COST_OF_MEMBER: Final = 5  # characters around a name that has a line of its own
_COST_OF_HEADING: Final = 7  # characters of a repeated cell it must save to be worth a line of its own


class Table(NamedTuple):
    """What follows `name[count]`, and the lines below it, indented as they stand to it."""

    header: str
    lines: tuple[str, ...]


class _Column(NamedTuple):
    path: tuple[str, ...]
    values: list[Any]
    cells: list[str]


def write_table(rows: Sequence[Any]) -> Table | None:
    """The rows as a table; None where they are no objects, hold large values, or a table is not shorter."""
    if not all(isinstance(row, Mapping) for row in rows):
        return None
    columns = _find_columns(rows, levels=_DEEPEST_COLUMN)
    if columns is None or _count_saved(columns, len(rows)) < 0:
        return None
    constants = [column for column in columns if _is_constant(column)]
    varying = [column for column in columns if not _is_constant(column)]
    heading = _choose_heading(varying)
    if heading:
        varying.remove(heading)
    names = _write_names([column.path for column in varying])
    by = f" by {write_path(heading.path)}" if heading else ""
    pairs = ",".join(f"{write_path(column.path)}={write_member(column.values[0])}" for column in constants)
    return Table(f"{{{names}}}{by}{' with ' * bool(pairs)}{pairs}:", tuple(_write_lines(varying, heading)))


def _find_columns(rows: Sequence[Mapping[str, Any]], *, levels: int) -> list[_Column] | None:
    """The columns that have a value, in order of appearance; None if they are sparse or hold large values."""
    filled = Counter(key for row in rows for key, value in row.items() if value is not None)
    if len(filled) * len(rows) > _SPARSEST * filled.total():
        return None
    columns: list[_Column] = []
    for key in filled:
        values = [row.get(key) for row in rows]
        # Only where every row has an object: otherwise an empty one and a missing one would look the same.
        is_group = levels > 0 and all(isinstance(value, Mapping) for value in values)
        if is_group and (parts := _find_columns([row[key] for row in rows], levels=levels - 1)):
            columns += [_Column((key, *part.path), part.values, part.cells) for part in parts]
        elif all(map(fits_cell, values)):
            cells = ["" if value is None else write_cell(value) for value in values]
            columns.append(_Column((key,), values, cells))
        else:
            return None
    return columns


def fits_cell(value: Any) -> bool:
    """Whether the value is small enough to stand between commas."""
    if is_scalar(value):
        return _is_short(value)
    if not isinstance(value, Mapping) and all(is_scalar(item) and _is_short(item) for item in value):
        return True
    return _count_scalars(value, levels=_DEEPEST_CELL) <= _LARGEST_CELL


def _is_short(value: Any) -> bool:
    return not isinstance(value, str) or value.count("\n") < _LINES_WORTH_A_BLOCK - 1


def _count_scalars(value: Any, *, levels: int) -> int:
    """How many scalars a cell would hold; more than the largest cell has where it may not hold them."""
    if is_scalar(value):
        return 1 if _is_short(value) else _LARGEST_CELL + 1
    if not levels:
        return _LARGEST_CELL + 1
    items = value.values() if isinstance(value, Mapping) else value
    return 1 + sum(_count_scalars(item, levels=levels - 1) for item in items)


def _count_saved(columns: Sequence[_Column], row_count: int) -> int:
    """Characters a table takes less than a `key: value` line for each member."""
    saved = 0
    for column in columns:
        name_length, filled = len(column.path[-1]), sum(map(bool, column.cells))
        saved += (name_length + _COST_OF_MEMBER) * filled - (name_length + 1) - row_count
    return saved


def _is_constant(column: _Column) -> bool:
    first, count = column.cells[0], len(column.cells)
    return count >= _FEWEST_ROWS_TO_FACTOR and first != "" and column.cells.count(first) == count


def _choose_heading(columns: Sequence[_Column]) -> _Column | None:
    """The column that saves most when each run of equal cells stands once above its rows."""
    candidates = [column for column in columns if all(column.cells)]
    if len(columns) < 2 or not candidates:  # noqa: PLR2004 - rows without any cell left would be blank lines
        return None
    best = max(candidates, key=_count_saved_by_heading)
    return best if _count_saved_by_heading(best) > 0 else None


def _count_saved_by_heading(column: _Column) -> int:
    runs = sum(len(cell) + _COST_OF_HEADING for cell, _ in groupby(column.cells))
    return sum(map(len, column.cells)) - runs


def _write_names(paths: Sequence[tuple[str, ...]]) -> str:
    names = []
    for key, group in groupby(paths, key=lambda path: path[0]):
        parts = [path[1:] for path in group if len(path) > 1]
        names.append(f"{write_key(key)}{{{_write_names(parts)}}}" if parts else write_key(key))
    return ",".join(names)


def _write_lines(columns: Sequence[_Column], heading: _Column | None) -> Iterator[str]:
    rows = zip(*(column.cells for column in columns), strict=True)
    # A lone empty cell would be a blank line.
    written = (",".join(row) or "null" for row in rows)
    if heading is None:
        yield from (f" {row}" for row in written)
        return
    for cell, run in groupby(heading.cells):
        yield f"{cell}:"
        yield from (f" {next(written)}" for _ in run)
