"""Pages of what analyses rank: order, cursor, rows and what to tell about them, for every tool that lists."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from drift.kernel.answer import Answer, NextAction, Pagination
from drift.kernel.arguments import Direction, Page
from drift.kernel.errors import DriftError, ErrorCode, invalid
from drift.kernel.ranking import Key, Ranked, Row, as_found
from drift.registry.call import Call
from drift.registry.paging import page_info, page_position

T = TypeVar("T")
Next = tuple[NextAction, ...]


def list_answer(
    call: Call,
    page: Page,
    found: Ranked[Row],
    data: Callable[[tuple[Row, ...]], T],
    *,
    summary: str,
    next: Callable[[tuple[Row, ...]], Next] | Next = (),  # noqa: A002 - as the answer has it
    warnings: tuple[str, ...] = (),
) -> Answer[T]:
    """The answer with the wanted page; data and next calls are made from the rows that it shows."""
    shown, pagination = cut_page(call, page, found)
    actions = next if isinstance(next, tuple) else next(shown)
    return Answer(summary, data(shown), pagination=pagination, next=actions, warnings=warnings)


def cut_page(call: Call, page: Page, found: Ranked[Row]) -> tuple[tuple[Row, ...], Pagination]:
    """The wanted page of the rows in the wanted order, and what to tell about it."""
    if page.sort is not None and page.sort not in found.sorts:
        raise invalid("sort", f"{page.sort} is of another list; this one goes by {', '.join(found.sorts)}")
    usual = found.usual()
    chosen = found.sorts[page.sort] if page.sort else usual
    keys = [chosen.key(row) for row in found.rows]
    if found.identity is not None:
        order = sorted(range(len(keys)), key=keys.__getitem__)
        order = order[::-1] if is_turned(page, chosen.first) else order
        rows = [found.rows[place] for place in order]
        marks: Sequence[Any] = [found.identity(row) for row in rows]
        start = _behind(marks, page_position(call, page), found.gone)
    else:
        if usual.key is as_found:
            keys = [(*key, place) for place, key in enumerate(keys)]
        elif chosen is not usual:
            keys = [(*key, *usual.key(row)) for key, row in zip(keys, found.rows, strict=True)]
        is_reversed = is_turned(page, chosen.first)
        order = sorted(range(len(keys)), key=keys.__getitem__, reverse=is_reversed)
        rows, marks = [found.rows[place] for place in order], [keys[place] for place in order]
        start = _after(marks, read_position(call, page), is_reversed=is_reversed)
    end = start + page.limit
    shown = tuple(rows[start:end])
    return shown, page_info(
        call,
        page,
        total=len(rows),
        last_key=marks[end - 1] if end < len(rows) else None,
        shown=len(shown),
        key_at=lambda place: marks[start + place],
    )


def is_turned(page: Page, first: Direction) -> bool:
    """Whether the list is wanted the other way round than it comes."""
    return page.order not in {None, first}


def read_position(call: Call, page: Page) -> Key | None:
    """The key of the last row of the page before; None on the first page."""
    position = page_position(call, page)
    if position is None:
        return None
    if not isinstance(position, list):
        raise _other_list()
    return tuple(position)


def _behind(marks: Sequence[Any], position: Any, gone: str) -> int:
    """Where the row stands that comes behind the one of this identity."""
    if position is None:
        return 0
    if position not in marks:
        raise DriftError(ErrorCode.INVALID_CURSOR, gone)
    return marks.index(position) + 1


def _after(keys: Sequence[Key], position: Key | None, *, is_reversed: bool) -> int:
    """Where the first row stands whose key comes after a position; all rows have come before it where none does."""
    if position is None:
        return 0
    try:
        passed = (key >= position if is_reversed else key <= position for key in keys)
        return sum(passed)
    except TypeError as error:
        raise _other_list() from error


def _other_list() -> DriftError:
    return DriftError(ErrorCode.INVALID_CURSOR, "The cursor cannot be used: it is from another list")
