"""Pages of a list that survive restarts and refuse to be mixed up between queries."""

import time
from collections.abc import Callable
from typing import Any

from drift.kernel.answer import Pagination
from drift.kernel.arguments import Page
from drift.kernel.cursors import decode_cursor, encode_cursor
from drift.project import cursor_key
from drift.registry.call import Call

_NOT_PART_OF_THE_QUERY = frozenset({"cursor", "limit", "maxTokens", "project"})


def _query(call: Call) -> dict[str, Any]:
    wanted = {key: value for key, value in call.arguments.items() if key not in _NOT_PART_OF_THE_QUERY}
    return {"tool": call.tool.name, "project": call.project.id, **wanted}


def page_position(call: Call, page: Page) -> Any:
    """Where the page begins: the last key of the page before it, or None for the first."""
    if page.cursor is None:
        return None
    return decode_cursor(_key(call), page.cursor, _query(call), now=time.time())


def page_info(
    call: Call,
    page: Page,
    *,
    total: int,
    last_key: Any,
    shown: int = 0,
    key_at: Callable[[int], Any] | None = None,
) -> Pagination:
    """What to tell about a page; `last_key` is None on the last one.

    With `key_at`, which tells the key of each of the `shown` rows, a page that does not fit into the answer can be cut
    and still be gone on from.
    """

    def cursor_at(key: Any) -> str:
        return encode_cursor(_key(call), key, _query(call), now=time.time())

    cursor = None if last_key is None else cursor_at(last_key)
    return Pagination(
        total=total,
        has_more=cursor is not None,
        next_cursor=cursor,
        page_size=page.limit,
        shown=shown,
        cursor_behind=None if key_at is None else lambda count: cursor_at(key_at(count - 1)),
    )


def _key(call: Call) -> bytes:
    return cursor_key(call.project.root)
