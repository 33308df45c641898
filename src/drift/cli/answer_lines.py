"""Any JSON value as lines for a person: tables, names with their values, and what is empty left out."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from drift.cli.answer_rows import (
    NOT_KNOWN,
    PLACES,
    Page,
    flatten,
    ink_for,
    is_short,
    rows_by_key,
    table_lines,
    with_place,
)
from drift.cli.console import Ink
from drift.cli.shown import measure, shown, shown_lines
from drift.cli.tables import wrap

_DEEPEST: Final = 8  # objects inside objects; deeper ones are written as JSON
_INDENT: Final = "  "
_MOST_INLINE: Final = 8  # members of an object that is written on one line
_LONGEST_INLINE: Final = 90
_NARROWEST: Final = 20  # columns; text in narrower ones is left to the terminal to wrap


def value_lines(value: Any, page: Page, *, depth: int = 0) -> Iterator[str]:
    """The lines of a value; none for an empty one."""
    if isinstance(value, Mapping) and value:
        yield from _object_lines(value, page, depth=depth)
    elif isinstance(value, list) and value:
        yield from _list_lines(value, page, depth=depth)
    elif isinstance(value, str):
        yield from shown_lines(value) if "\n" in value else [page.scalar("", value)]
    elif not _is_empty(value):
        yield page.scalar("", value)


def _object_lines(given: Mapping[str, Any], page: Page, *, depth: int) -> Iterator[str]:
    if depth >= _DEEPEST:
        yield shown(json.dumps(given))
        return
    members = {key: value for key, value in with_place(given).items() if not _is_empty(value)}
    if rows := rows_by_key(members):
        yield from table_lines(rows, page)
        return
    written = {key: _write_inline(key, value, page) for key, value in members.items()}
    margin = max((measure(page.name(key)) for key, text in written.items() if text is not None), default=0)
    for key, value in members.items():
        name, text = page.name(key), written[key]
        if text is not None:
            first, *rest = _wrap_value(key, text, page.width - margin - len(_INDENT))
            ink = ink_for(key, first)
            painted = first if ink is None else page.paint(first, ink)
            yield f"{page.paint(name, Ink.DIM)}{' ' * (margin - measure(name))}{_INDENT}{painted}"
            yield from (f"{' ' * margin}{_INDENT}{line}" for line in rest)
        else:
            lines = list(value_lines(value, page.narrowed(len(_INDENT)), depth=depth + 1))
            yield from (
                [page.paint(f"{name}:", Ink.BOLD), *(_INDENT + line for line in lines)] if lines else []
            )


def _write_inline(key: str, value: Any, page: Page) -> str | None:
    """The value as it stands behind its name; None for one that needs lines of its own."""
    if is_short(value):
        return page.short(key, value)
    if not isinstance(value, Mapping) or not all(
        is_short(each) and not isinstance(each, list) for each in value.values()
    ):
        return None
    members = {inner: each for inner, each in with_place(value).items() if not _is_empty(each)}
    parts = [f"{page.name(inner)} {page.short(inner, each)}" for inner, each in members.items()]
    text = ", ".join(parts)
    has_room = 0 < len(parts) <= _MOST_INLINE and measure(text) <= min(page.width, _LONGEST_INLINE)
    return text if has_room else None


def _wrap_value(key: str, text: str, width: int) -> list[str]:
    """The value in lines, unless it is a place or there is hardly room for lines."""
    return [text] if key in PLACES or width < _NARROWEST else wrap(text, width)


def _list_lines(items: list[Any], page: Page, *, depth: int) -> Iterator[str]:
    rows = [flatten(item) for item in items]
    if all(row is not None for row in rows):
        yield from table_lines([row for row in rows if row is not None], page)
        return
    if depth >= _DEEPEST:
        yield shown(json.dumps(items))
        return
    for item in items:
        lines = list(value_lines(item, page.narrowed(len(_INDENT)), depth=depth + 1)) or [NOT_KNOWN]
        yield f"- {lines[0]}"
        yield from (_INDENT + line for line in lines[1:])


def _is_empty(value: Any) -> bool:
    """Whether there is nothing to tell: the summary says what was not found."""
    return value is None or value in ("", [], {})
