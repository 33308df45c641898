"""Pages of lists that are worked out whole: a page begins after the key of the last row of the one before."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from drift.kernel.answer import Pagination
from drift.kernel.errors import DriftError, ErrorCode
from drift.registry import Call, Page, page_info, page_position

Row = TypeVar("Row")
Key = tuple[int | float | str, ...]


def page_rows(
    call: Call, page: Page, rows: Sequence[Row], *, key: Callable[[Row], Key]
) -> tuple[tuple[Row, ...], Pagination]:
    """The rows of the wanted page, and what to tell about it. Rows are in the order of their keys.

    A row that came or went since the page before moves no other row into or out of sight.
    """
    after = read_position(call, page)
    left = [row for row in rows if after is None or _is_after(key(row), after)]
    shown = tuple(left[: page.limit])
    last = key(shown[-1]) if len(left) > len(shown) else None
    return shown, page_info(
        call, page, total=len(rows), last_key=last, shown=len(shown), key_at=lambda place: key(shown[place])
    )


def read_position(call: Call, page: Page) -> Key | None:
    """The key of the last row of the page before; None on the first page."""
    position = page_position(call, page)
    if position is None:
        return None
    if not isinstance(position, list):
        raise _other_list()
    return tuple(position)


def _is_after(key: Key, after: Key) -> bool:
    try:
        return key > after
    except TypeError as error:
        raise _other_list() from error


def _other_list() -> DriftError:
    return DriftError(ErrorCode.INVALID_CURSOR, "The cursor cannot be used: it is from another list")
