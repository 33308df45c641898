"""Pages of a list that is whole in memory, such as the list of tools."""

from collections.abc import Sequence
from typing import TypeVar

from drift.kernel.cursors import decode_cursor, encode_cursor
from drift.kernel.errors import DriftError, ErrorCode

T = TypeVar("T")


def page_of(
    items: Sequence[T], cursor: str | None, *, key: bytes, query: str, size: int, now: float
) -> tuple[list[T], str | None]:
    """One page and the cursor of the next, if there is more."""
    start = 0 if cursor is None else decode_cursor(key, cursor, query, now=now)
    if not isinstance(start, int) or not 0 <= start <= len(items):
        raise DriftError(ErrorCode.INVALID_CURSOR, "The list has changed since this cursor was given")
    end = start + size
    following = encode_cursor(key, end, query, now=now) if end < len(items) else None
    return list(items[start:end]), following
