"""Any JSON value as lines of text: members, lists, tables and blocks, children one space deeper."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from drift.kernel.cells import is_scalar, write_after_key, write_first_key, write_item, write_member
from drift.kernel.columns import fits_cell, write_scalars
from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.quoted import is_block, quote_like_ours, write_block
from drift.kernel.tables import Table, write_named_rows, write_table

_DEEPEST: Final = 64  # requests are held to the same depth; what lies deeper stays JSON
_LONGEST_SMALL: Final = 130  # characters of an object that still reads well on one line


def outline(value: Any) -> list[str]:
    """The lines of a value. Members named like a line of ours get quotes."""
    lines: list[str] = []
    if isinstance(value, Mapping) and _has_members(value):
        _add_members(lines, value, column=0, depth=0)
    else:
        _add(lines, value, column=0, depth=0)
    return lines


def _add_members(lines: list[str], members: Mapping[str, Any], *, column: int, depth: int) -> None:
    for key, value in members.items():
        if value is not None:
            _add(lines, value, column=column, depth=depth, key=write_first_key(key))


def _add(
    lines: list[str], value: Any, *, column: int, depth: int, key: str | None = None, bullet: str = ""
) -> None:
    head = " " * column + (key or bullet)
    start = head if key is None else f"{head}: "
    if isinstance(value, str) and is_block(value):
        lines.append(f"{start}|")
        lines += write_block(value, " " * column)
    elif is_scalar(value):
        lines.append(start + (quote_like_ours(write_item(value)) if key is None else write_after_key(value)))
    elif not isinstance(value, (Mapping, list, tuple)):
        raise TypeError(f"{type(value).__name__} is not a JSON value")
    elif isinstance(value, Mapping) and not _has_members(value):
        lines.append(f"{start}{{}}")
    elif not value:
        lines.append(f"{start}[]")
    elif depth >= _DEEPEST:
        lines.append(start + _write_json(value))
    elif not isinstance(value, Mapping):
        _add_list(lines, value, head=head, column=column, depth=depth + 1)
    elif key is None:
        first, inner = len(lines), column + len(bullet)
        _add_members(lines, value, column=inner, depth=depth + 1)
        lines[first] = head + lines[first][inner:]
    else:
        _add_object(lines, value, head=head, column=column, depth=depth + 1)


def _add_object(lines: list[str], members: Mapping[str, Any], *, head: str, column: int, depth: int) -> None:
    if small := _write_small(members):
        lines.append(f"{head}: {small}")
    elif table := write_named_rows(members):
        _add_table(lines, table, head=head, column=column)
    else:
        lines.append(f"{head}:")
        _add_members(lines, members, column=column + 1, depth=depth)


def _has_members(value: Mapping[str, Any]) -> bool:
    return any(item is not None for item in value.values())


def _write_small(value: Mapping[str, Any]) -> str | None:
    """The object on one line, where that is short and needs no quotes; else None."""
    if not fits_cell(value):
        return None
    written = write_member(value)
    return written if len(written) <= _LONGEST_SMALL and '"' not in written else None


def _add_list(lines: list[str], items: Sequence[Any], *, head: str, column: int, depth: int) -> None:
    counted = f"{head}[{len(items)}]"
    if (cells := write_scalars(items)) is not None:
        lines.append(f"{counted}: {','.join(cells)}")
    elif table := write_table(items):
        _add_table(lines, table, head=counted, column=column)
    else:
        lines.append(f"{counted}:")
        for item in items:
            _add(lines, item, column=column + 1, depth=depth, bullet="- ")


def _add_table(lines: list[str], table: Table, *, head: str, column: int) -> None:
    lines.append(head + table.header)
    margin = " " * column
    lines.extend([margin + line for line in table.lines] if margin else table.lines)


def _write_json(value: Any) -> str:
    try:
        return json.dumps(value, separators=(",", ":"))
    except RecursionError:
        raise DriftError(ErrorCode.TOO_LARGE, "The answer is nested too deeply to write down") from None
