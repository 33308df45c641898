"""Pages of a list that survive restarts and refuse to be mixed up between queries."""

import time
from typing import Any

from drift.kernel.answer import Pagination
from drift.kernel.cursors import decode_cursor, encode_cursor
from drift.project import cursor_key
from drift.registry.arguments import Page
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


def page_info(call: Call, page: Page, *, total: int, last_key: Any) -> Pagination:
    """What to tell about a page; `last_key` is None on the last one."""
    cursor = None
    if last_key is not None:
        cursor = encode_cursor(_key(call), last_key, _query(call), now=time.time())
    return Pagination(total=total, has_more=cursor is not None, next_cursor=cursor, page_size=page.limit)


def _key(call: Call) -> bytes:
    # Merely reading leaves no trace in a project that is not set up; its cursors last as long as the process.
    return cursor_key(call.project.root, may_write=call.project.state.path.is_dir())
