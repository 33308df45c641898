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

An object whose members are such rows is a table, too, with each member's name before its row and no count:

    byTool{calls,tokens} with errors=0:
     drift_callers: 12,3400
     drift_status: 1,210
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

from drift.kernel.cells import write_first_key, write_key, write_member, write_path
from drift.kernel.columns import write_column
from drift.kernel.quoted import quote_like_ours, write_heading

_DEEPEST_COLUMN: Final = 3
_FEWEST_ROWS_TO_FACTOR: Final = 3
_FEWEST_NAMED_ROWS: Final = 3
_SPARSEST: Final = 32  # cells for each value; a table this empty saves nothing and would take quadratic time
_COST_OF_MEMBER: Final = 5  # characters around a name that has a line of its own
_COST_OF_HEADING: Final = 7  # characters of a repeated cell it must save to be worth a line of its own


class Table(NamedTuple):
    """What follows `name[count]`, and the lines below it, indented as they stand to it."""

    header: str
    lines: tuple[str, ...]


class _Column(NamedTuple):
    path: tuple[str, ...]
    values: Sequence[Any]
    cells: list[str]


def write_table(rows: Sequence[Any]) -> Table | None:
    """The rows as a table; None where they are no objects, hold large values, or a table is not shorter."""
    split = _split_columns(rows)
    if split is None:
        return None
    constants, varying = split
    heading = _choose_heading(varying)
    if heading:
        varying.remove(heading)
    return Table(_write_header(constants, varying, heading), tuple(_write_lines(varying, heading)))


def write_named_rows(members: Mapping[str, Any]) -> Table | None:
    """An object of like objects as a table with their names; None where it is none, or a table is not shorter."""
    rows = {name: row for name, row in members.items() if row is not None}
    split = _split_columns(list(rows.values())) if len(rows) >= _FEWEST_NAMED_ROWS else None
    if split is None or not split[1]:
        return None
    constants, varying = split
    lines = (
        f" {write_first_key(name)}:{line if line != ' null' else ''}"
        for name, line in zip(rows, _write_lines(varying, None), strict=True)
    )
    return Table(_write_header(constants, varying, None), tuple(lines))


def _split_columns(rows: Sequence[Any]) -> tuple[list[_Column], list[_Column]] | None:
    """The columns with one value throughout and the others; None where there is no table to be made."""
    if not _are_objects(rows):
        return None
    columns = _find_columns(rows, levels=_DEEPEST_COLUMN)
    if columns is None or _count_saved(columns, len(rows)) < 0:
        return None
    constants: list[_Column] = []
    varying: list[_Column] = []
    for column in columns:
        (constants if _is_constant(column) else varying).append(column)
    return constants, varying


def _write_header(constants: Sequence[_Column], varying: Sequence[_Column], heading: _Column | None) -> str:
    names = _write_names([column.path for column in varying])
    by = f" by {write_path(heading.path)}" if heading else ""
    pairs = ",".join(f"{write_path(column.path)}={write_member(column.values[0])}" for column in constants)
    return f"{{{names}}}{by}{' with ' * bool(pairs)}{pairs}:"


def _are_objects(values: Sequence[Any]) -> bool:
    # Answers hold plain dicts, which are told without a look at each.
    return set(map(type, values)) == {dict} or all(isinstance(value, Mapping) for value in values)


def _find_columns(rows: Sequence[Mapping[str, Any]], *, levels: int) -> list[_Column] | None:
    """The columns that have a value, in order of appearance; None if they are sparse or hold large values."""
    found = _transpose(rows)
    if found is None:
        return None
    columns: list[_Column] = []
    for key, values in found:
        # Only where every row has an object: otherwise an empty one and a missing one would look the same.
        is_group = levels > 0 and isinstance(values[0], Mapping) and _are_objects(values)
        if is_group and (parts := _find_columns(values, levels=levels - 1)):
            columns += [_Column((key, *part.path), part.values, part.cells) for part in parts]
        elif (cells := write_column(values)) is not None:
            columns.append(_Column((key,), values, cells))
        else:
            return None
    return columns


def _transpose(rows: Sequence[Mapping[str, Any]]) -> list[tuple[str, Sequence[Any]]] | None:
    """Each key that has a value with its values, in order of appearance; None where most have none."""
    keys = tuple(rows[0])
    # Most lists have the same members throughout, none of them null.
    if keys and all(tuple(row) == keys and None not in row.values() for row in rows):
        return list(zip(keys, zip(*(row.values() for row in rows), strict=True), strict=True))
    filled = Counter(key for row in rows for key, value in row.items() if value is not None)
    if len(filled) * len(rows) > _SPARSEST * filled.total():
        return None
    return [(key, [row.get(key) for row in rows]) for key in filled]


def _count_saved(columns: Sequence[_Column], row_count: int) -> int:
    """Characters a table takes less than a `key: value` line for each member."""
    saved = 0
    for column in columns:
        name_length, filled = len(column.path[-1]), row_count - column.cells.count("")
        saved += (name_length + _COST_OF_MEMBER) * filled - (name_length + 1) - row_count
    return saved


def _is_constant(column: _Column) -> bool:
    first, count = column.cells[0], len(column.cells)
    return count >= _FEWEST_ROWS_TO_FACTOR and first != "" and column.cells.count(first) == count


def _choose_heading(columns: Sequence[_Column]) -> _Column | None:
    """The column that saves most when each run of equal cells stands once above its rows."""
    if len(columns) < 2:  # noqa: PLR2004 - rows without any cell left would be blank lines
        return None
    best, most_saved = None, 0
    for column in columns:
        saved = _count_saved_by_heading(column.cells)
        if saved > most_saved:
            best, most_saved = column, saved
    return best


def _count_saved_by_heading(cells: Sequence[str]) -> int:
    different = set(cells)
    if len(different) == len(cells) or "" in different:
        return 0
    runs = [cell for cell, _ in groupby(cells)]
    return sum(map(len, cells)) - sum(map(len, runs)) - len(runs) * _COST_OF_HEADING


def _write_names(paths: Sequence[tuple[str, ...]]) -> str:
    names = []
    for key, group in groupby(paths, key=lambda path: path[0]):
        parts = [path[1:] for path in group if len(path) > 1]
        names.append(f"{write_key(key)}{{{_write_names(parts)}}}" if parts else write_key(key))
    return ",".join(names)


def _write_lines(columns: Sequence[_Column], heading: _Column | None) -> Iterator[str]:
    rows = zip(*(column.cells for column in columns), strict=True)
    # A lone empty cell would be a blank line.
    written = (",".join((quote_like_ours(row[0]), *row[1:])) or "null" for row in rows)
    if heading is None:
        yield from (f" {row}" for row in written)
        return
    for cell, run in groupby(heading.cells):
        yield write_heading(cell)
        yield from (f" {next(written)}" for _ in run)
