"""What an analysis found, ranked: whole, with the orders it can be told in. Pages of it are cut above, in one place."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from drift.kernel.arguments import Direction

Row = TypeVar("Row")
Key = tuple[int | float | str, ...]


@dataclass(frozen=True, slots=True)
class Sort(Generic[Row]):
    """An order of a list: rows by their keys, the least first, which a caller calls `first`.

    Names begin with A; of amounts the largest come first, so their keys are negative and `first` is "desc".
    """

    key: Callable[[Row], Key]
    first: Direction = "asc"


def as_found(_row: object) -> Key:
    """The key of an order that is the one the rows came in."""
    return ()


@dataclass(frozen=True, slots=True)
class Ranked(Generic[Row]):
    """All rows, and by name the orders they can be had in, the usual one first.

    What decides between rows of equal keys, and where a page begins:
    - the usual order's keys, which are of one row each: a row that came or went since moves no other;
    - with `identity`, the row itself, which a page begins behind; where it is gone, the cursor is refused for `gone`;
    - where the usual order is `as_found` and no row has an identity, its place in the list.
    """

    rows: Sequence[Row]
    sorts: Mapping[str, Sort[Row]]
    identity: Callable[[Row], int | str] | None = None
    gone: str = "The list has changed since this cursor was given"

    def usual(self) -> Sort[Row]:
        return next(iter(self.sorts.values()))


def ranked_as_found(
    rows: Sequence[Row], *, place: Callable[[Row], Key], names: tuple[str, str] = ("rank", "file")
) -> Ranked[Row]:
    """Rows in the order they were measured in, or by place."""
    measured, by_place = names
    return Ranked(rows, {measured: Sort(as_found), by_place: Sort(place)})
