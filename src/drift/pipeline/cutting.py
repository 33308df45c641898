"""What an answer loses to fit: first lists give way, then long texts. The format never breaks.

A long list is grown from its beginning rather than shrunk from its end: to write a thousand rows down takes fifty
times as long as to write those that fit.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from drift.kernel.answer import Pagination
from drift.kernel.render import render_answer
from drift.kernel.text import shorten
from drift.kernel.tokens import count_tokens

Body = dict[str, Any]

_SHORTEST_TEXT_CHARS: Final = 80
_MOST_ROUNDS: Final = 24
_FIRST_ROWS: Final = 16
_MANY_ROWS: Final = 2 * _FIRST_ROWS
_LOOK_AHEAD: Final = 1.1  # rows more than should fit: the step that goes beyond proves that no more do
_CUT_PAGE: Final = (
    "The page was cut, so it has no cursor; repeat the call with a smaller limit or a larger maxTokens"
)


@dataclass(frozen=True, slots=True)
class Fitted:
    """A body and its text. `total` is how many items its longest list had, where something was taken away."""

    body: Body
    text: str
    tokens: int
    is_cut: bool = False
    total: int | None = None


def fit(body: Body, max_tokens: int, page: Pagination | None = None) -> Fitted:
    """The body cut until its text has no more tokens than that, or nothing is left to take."""
    member = _find_page(body["data"], page)
    rows = _outer_rows(body["data"])
    row_count = len(rows)
    text, tokens = _write_promising(body, rows, max_tokens)
    if tokens <= max_tokens:
        return Fitted(body, text, tokens)
    own: Body = _copy(body)
    total = max([row_count, *map(len, _lists(own["data"]))])
    is_cut = len(rows) < row_count
    for _round in range(_MOST_ROUNDS):  # of thousands of short lists, each round shortens one
        if tokens <= max_tokens or not _take_away(own, max_tokens / tokens):
            break
        is_cut = True
        if page is not None and total > 1:
            _move_cursor(own, page, member)
        text = render_answer(own)
        tokens = count_tokens(text)
    return Fitted(own, text, tokens, is_cut=is_cut, total=total or None)


def _write_promising(body: Body, rows: list[Any], max_tokens: int) -> tuple[str, int]:
    """The text and its tokens. Of a long list that does not fit, `rows` keeps as many as show that."""
    whole = list(rows)
    kept = _FIRST_ROWS if len(whole) > _MANY_ROWS else len(whole)
    while True:
        rows[:] = whole[:kept]
        text = render_answer(body)
        tokens = count_tokens(text)
        if tokens > max_tokens or kept >= len(whole):
            return text, tokens
        kept = max(2 * kept, int(kept * max_tokens / max(tokens, 1) * _LOOK_AHEAD))


def _outer_rows(data: Any) -> list[Any]:
    """The longest list that is the data or one of its members."""
    members = data.values() if isinstance(data, dict) else [data]
    empty: list[Any] = []
    return max((member for member in members if isinstance(member, list)), key=len, default=empty)


def _copy(value: Any) -> Any:
    """The value with lists and objects of its own: an answer's may belong to whoever keeps them at hand."""
    if isinstance(value, dict):
        return {key: _copy(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_copy(item) for item in value]
    return value


def _take_away(body: Body, share: float) -> bool:
    """Leave about this share of the longest list, or else of each text; whether there was something to take."""
    return _shorten_lists(body, share) or _shorten_texts(body, share)


def _find_page(data: Any, page: Pagination | None) -> str | None:
    """The member of the data that holds the rows of the page; None where several might."""
    if page is None or not page.shown or not isinstance(data, dict):
        return None
    fitting = [key for key, value in data.items() if isinstance(value, list) and len(value) == page.shown]
    return fitting[0] if len(fitting) == 1 else None


def _move_cursor(body: Body, page: Pagination, member: str | None) -> None:
    """Have the cursor stand behind what is left of the page; without that, it would skip what is cut off."""
    told = body["pagination"]
    if member is not None and page.cursor_behind is not None:
        left = len(body["data"][member])
        if left < page.shown:
            told |= {"hasMore": True, "nextCursor": page.cursor_behind(left), "pageSize": left}
    elif told["nextCursor"]:
        told["nextCursor"] = None
        body["warnings"] = [*body.get("warnings", ()), _CUT_PAGE]


def _shorten_lists(body: Body, share: float) -> bool:
    lists = [items for items in _lists(body["data"]) if len(items) > 1]
    if not lists:
        return False
    longest = max(lists, key=len)
    # A little less than proportional: headers and the summary do not shrink with the list.
    del longest[max(1, int(len(longest) * share * 0.95)) :]
    return True


def _shorten_texts(body: Body, share: float) -> bool:
    changed = False
    for holder, key in _texts(body["data"]):
        text = holder[key]
        limit = max(_SHORTEST_TEXT_CHARS, int(len(text) * share * 0.9))
        if len(text) > limit:
            holder[key] = shorten(text, limit)
            changed = True
    return changed


def _lists(value: Any) -> Iterator[list[Any]]:
    if isinstance(value, list):
        yield value
        for item in value:
            yield from _lists(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _lists(item)


def _texts(value: Any) -> Iterator[tuple[Any, Any]]:
    """Where texts stand: the holder and the key or index in it."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in list(pairs):
        if isinstance(item, str):
            yield value, key
        else:
            yield from _texts(item)
