"""A tool's answer for a person: the summary, then tables and key-value lines, then what to type next."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from drift.cli.command_lines import command_line
from drift.cli.console import Console, Ink
from drift.cli.shown import cut, measure, shown, shown_lines
from drift.cli.tables import format_table
from drift.registry import Toolbox

_DEEPEST: Final = 8  # objects inside objects; deeper ones are written as JSON
_INDENT: Final = "  "
_NOT_KNOWN: Final = "-"
_FLATTENED_LEVELS: Final = 2

Row = Mapping[str, Any]


def say_answer(answer: Mapping[str, Any], console: Console, toolbox: Toolbox) -> None:
    """Write an answer as lines that fit the terminal."""
    console.say(console.paint(shown(str(answer["summary"])), Ink.BOLD))
    for warning in answer.get("warnings") or ():
        console.say(console.paint(f"! {shown(str(warning))}", Ink.YELLOW))
    lines = list(value_lines(answer.get("data"), width=console.width))
    for line in ["", *lines] if lines else ():
        console.say(line)
    for note in _notes(answer):
        console.say(console.paint(note, Ink.DIM))
    _say_next(answer.get("nextActions") or (), console, toolbox)


def value_lines(value: Any, *, width: int, depth: int = 0) -> Iterator[str]:
    """Any JSON value as lines."""
    if isinstance(value, Mapping) and value:
        yield from _object_lines(value, width=width, depth=depth)
    elif isinstance(value, list) and value:
        yield from _list_lines(value, width=width, depth=depth)
    elif isinstance(value, str):
        yield from shown_lines(value)
    elif value is not None and value not in ({}, []):
        yield _write_scalar(value)


def _object_lines(members: Mapping[str, Any], *, width: int, depth: int) -> Iterator[str]:
    if depth >= _DEEPEST:
        yield shown(json.dumps(members))
        return
    if rows := _rows_by_key(members):
        yield from _table_lines(rows, width=width)
        return
    margin = max((measure(shown(key)) for key, value in members.items() if _is_short(value)), default=0)
    for key, value in members.items():
        name = shown(key)
        if _is_short(value):
            yield f"{name}{' ' * (margin - measure(name))}  {_write_short(value)}"
        else:
            yield f"{name}:"
            inner = value_lines(value, width=max(width - len(_INDENT), 1), depth=depth + 1)
            yield from (_INDENT + line for line in inner)


def _list_lines(items: list[Any], *, width: int, depth: int) -> Iterator[str]:
    rows = [_flatten(item) for item in items]
    if all(row is not None for row in rows):
        yield from _table_lines([row for row in rows if row is not None], width=width)
        return
    if depth >= _DEEPEST:
        yield shown(json.dumps(items))
        return
    for item in items:
        lines = list(value_lines(item, width=max(width - len(_INDENT), 1), depth=depth + 1)) or [_NOT_KNOWN]
        yield f"- {lines[0]}"
        yield from (_INDENT + line for line in lines[1:])


def _table_lines(rows: Sequence[Row], *, width: int) -> Iterator[str]:
    keys = dict.fromkeys(key for row in rows for key, value in row.items() if value is not None)
    if not keys:
        return
    cells = [[_write_short(row.get(key)) for key in keys] for row in rows]
    yield from format_table(list(keys), cells, width=width)


def _rows_by_key(members: Mapping[str, Any]) -> list[Row]:
    """Objects of one shape under different keys are rows, too: the key is their first column."""
    values = list(members.values())
    shapes = {tuple(value) for value in values if isinstance(value, Mapping)}
    if len(values) < 2 or len(shapes) != 1 or not all(isinstance(value, Mapping) for value in values):  # noqa: PLR2004 - one row is no table
        return []
    rows = [_flatten(value) for value in values]
    if any(row is None for row in rows):
        return []
    return [{"": key, **row} for key, row in zip(members, rows, strict=True) if row is not None]


def _flatten(item: Any, levels: int = _FLATTENED_LEVELS) -> dict[str, Any] | None:
    """An object as a row, inner objects as dotted columns; None for what is no row."""
    if not isinstance(item, Mapping):
        return None
    row: dict[str, Any] = {}
    for key, value in item.items():
        if isinstance(value, Mapping) and value:
            inner = _flatten(value, levels - 1) if levels else None
            if inner is None:
                return None
            row |= {f"{key}.{name}": cell for name, cell in inner.items()}
        elif _is_short(value):
            row[key] = value
        else:
            return None
    return row


def _is_short(value: Any) -> bool:
    """Whether a value has room behind its key or in a cell."""
    if isinstance(value, str):
        return "\n" not in value
    if isinstance(value, list):
        return all(not isinstance(item, (Mapping, list)) and _is_short(item) for item in value)
    return not isinstance(value, Mapping) or not value


def _write_short(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_write_scalar, value)) or "none"
    return "none" if value == {} else _write_scalar(value)


def _write_scalar(value: Any) -> str:
    if value is None:
        return _NOT_KNOWN
    if isinstance(value, bool):
        return "yes" if value else "no"
    return shown(str(value))


def _notes(answer: Mapping[str, Any]) -> Iterator[str]:
    pagination, meta = answer.get("pagination") or {}, answer.get("meta") or {}
    if pagination.get("nextCursor"):
        yield f"{pagination['total']} in all; for more add: --cursor {shown(str(pagination['nextCursor']))}"
    if meta.get("truncated"):
        of = f" of {meta['totalAvailable']}" if meta.get("totalAvailable") else ""
        yield f"Cut to fit{of}; for the rest add: --max-tokens 100000"
    if meta.get("freshness") == "stale":
        yield f"The index is older than the files (scanned {shown(str(meta.get('dataAge')))})"


def _say_next(actions: Sequence[Mapping[str, Any]], console: Console, toolbox: Toolbox) -> None:
    if not actions:
        return
    console.say()
    console.say("Next:")
    for action in actions:
        line = shown(command_line(str(action["tool"]), action.get("args") or {}, toolbox))
        reason = cut(shown(str(action["reason"])), console.prose_width)
        console.say(f"  {console.paint(line, Ink.CYAN)}  {console.paint(f'# {reason}', Ink.DIM)}")
