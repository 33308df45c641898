"""Pages of lists that are worked out whole: a page begins after the key of the last row of the one before."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from drift.index.walk import Reached
from drift.kernel.answer import Pagination
from drift.kernel.errors import DriftError, ErrorCode
from drift.registry import Call, Direction, Page, page_info, page_position

Row = TypeVar("Row")
Key = tuple[int | float | str, ...]


@dataclass(frozen=True, slots=True)
class Sort(Generic[Row]):
    """An order of a list: rows by their keys, the least first, which a caller calls `first`.

    Names begin with A; of amounts the largest come first, so their keys are negative and `first` is "desc".
    """

    key: Callable[[Row], Key]
    first: Direction = "asc"


REACHED_SORTS: Final = ("depth", "file")


def sort_reached(nearest: Callable[[Reached], tuple[int, int, str, int]]) -> dict[str, Sort[Reached]]:
    """The orders of what a walk came to: nearest first, as its key has it, or by place."""
    usual, by_file = REACHED_SORTS
    return {usual: Sort(nearest), by_file: Sort(lambda one: nearest(one)[2:])}


def sort_page(
    call: Call, page: Page, rows: Sequence[Row], *, sorts: Mapping[str, Sort[Row]]
) -> tuple[tuple[Row, ...], Pagination]:
    """The wanted page of the rows in the wanted order, and what to tell about it.

    The first of `sorts` is the usual one: its keys are of one row each, and decide where those of another are equal.
    """
    usual = next(iter(sorts.values()))
    chosen = sorts[page.sort] if page.sort else usual

    def key(row: Row) -> Key:
        return usual.key(row) if chosen is usual else (*chosen.key(row), *usual.key(row))

    is_reversed = is_turned(page, chosen.first)
    ordered = sorted(rows, key=key, reverse=is_reversed)
    return page_rows(call, page, ordered, key=key, is_reversed=is_reversed)


def is_turned(page: Page, first: Direction) -> bool:
    """Whether the list is wanted the other way round than it comes."""
    return page.order not in {None, first}


def page_rows(
    call: Call, page: Page, rows: Sequence[Row], *, key: Callable[[Row], Key], is_reversed: bool = False
) -> tuple[tuple[Row, ...], Pagination]:
    """The rows of the wanted page, and what to tell about it. Rows are in the order of their keys, or in the reverse.

    A row that came or went since the page before moves no other row into or out of sight.
    """
    after = read_position(call, page)
    left = [row for row in rows if after is None or _is_after(key(row), after, is_reversed=is_reversed)]
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


def _is_after(key: Key, after: Key, *, is_reversed: bool) -> bool:
    try:
        return key < after if is_reversed else key > after
    except TypeError as error:
        raise _other_list() from error


def _other_list() -> DriftError:
    return DriftError(ErrorCode.INVALID_CURSOR, "The cursor cannot be used: it is from another list")
