"""What an answer loses to fit: lists give way first, then long texts, then what to call next and warnings.

At last the data itself goes, and the summary stands alone with a word about the limit. The format never breaks.

A long list is grown from its beginning rather than shrunk from its end: to write a thousand rows down takes fifty
times as long as to write those that fit.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from drift.kernel.answer import Pagination
from drift.kernel.render import render_answer, render_error
from drift.kernel.text import shorten
from drift.kernel.tokens import count_tokens
from drift.registry.outcome import cut_note

Body = dict[str, Any]

_SHORTEST_TEXT_CHARS: Final = 80
_MOST_ROUNDS: Final = 24
_FIRST_ROWS: Final = 16
_MANY_ROWS: Final = 2 * _FIRST_ROWS
_ALWAYS_TOLD: Final = frozenset({"code", "message"})
_MOST_WARNINGS: Final = 3
_LONGEST_WARNING_CHARS: Final = 160
_LOOK_AHEAD: Final = 1.1  # rows more than should fit: the step that goes beyond proves that no more do
_CUT_PAGE: Final = (
    "The page was cut, so it has no cursor; repeat the call with a smaller limit or a larger maxTokens"
)


@dataclass(frozen=True, slots=True)
class Fitted:
    """A body and its text. `total` is how many items there were, where something was taken away.

    The tokens are those of all a model reads: the text, the tail and the note that something was cut.
    """

    body: Body
    text: str
    tokens: int
    is_cut: bool = False
    total: int | None = None


def fit(
    body: Body,
    max_tokens: int,
    page: Pagination | None = None,
    *,
    total: int | None = None,
    tail: str = "",
) -> Fitted:
    """The body cut until what a model reads has no more tokens than that.

    `total` is how many items there are where the body never had all, `tail` what will stand behind the text. Lists
    of the body may become shorter in place.
    """
    member = _find_page(body.get("data"), page)
    rows = _outer_rows(body.get("data"))
    row_count = len(rows)
    text, tokens = _write_promising(body, rows, max_tokens, tail)
    if tokens <= max_tokens:
        return Fitted(body, text, tokens)
    own: Body = copied(body)
    total = total or max([row_count, *map(len, _lists(own.get("data")))]) or None
    cutting = _Cutting(own, max_tokens, tail=f"{tail}\n{cut_note(total)}", tokens=tokens)
    if page is not None and (total or 0) > 1:
        cutting.is_page(page, member)
    cutting.has_inside(_inner_pages(own.get("data"), body.get("data")))
    for _round in range(_MOST_ROUNDS):  # of thousands of short lists, each round shortens one
        if cutting.fits or not _take_away(own, cutting.share):
            break
        cutting.write()
    for take in _HARSHER:
        if cutting.fits:
            break
        take(own)
        cutting.write()
    if not cutting.fits:
        cutting.give_up()
    return Fitted(own, cutting.text, cutting.tokens, is_cut=True, total=total)


class _Cutting:
    """An answer that is being cut, and how long it is by now."""

    def __init__(self, body: Body, max_tokens: int, *, tail: str, tokens: int) -> None:
        self._body = body
        self._max_tokens = max_tokens
        self._tail = tail
        self._page: tuple[Pagination, str | None] | None = None
        self._inner: list[tuple[Body, Body]] = []
        self.text = ""
        self.tokens = tokens

    def is_page(self, page: Pagination, member: str | None) -> None:
        self._page = page, member

    def has_inside(self, pages: Iterable[tuple[Body, Body]]) -> None:
        self._inner = list(pages)

    @property
    def fits(self) -> bool:
        return self.tokens <= self._max_tokens

    @property
    def share(self) -> float:
        """How much of the answer there is room for."""
        return self._max_tokens / self.tokens

    def write(self) -> None:
        """Write down what is left; cursors stand behind it, or are gone."""
        if self._page is not None and "pagination" in self._body:
            _move_cursor(self._body, *self._page)
        for inner, before in self._inner:
            if inner["data"] != before["data"]:
                _drop_cursor(inner)
        self.text = render_answer(self._body)
        self.tokens = count_tokens(self.text + self._tail)

    def give_up(self) -> None:
        """Leave the summary alone, and say why."""
        least = self.tokens
        summary = self._body["summary"]
        self._body.clear()
        self._body |= {
            "summary": summary,
            "warnings": [f"The data takes {least:,} tokens or more; maxTokens is {self._max_tokens:,}"],
        }
        self.write()
        while not self.fits and summary:
            summary = shorten(summary, len(summary) // 2) if len(summary) > 1 else ""
            self._body["summary"] = summary
            self.write()


def fit_error(error: Mapping[str, Any], max_tokens: int) -> dict[str, Any]:
    """The error within the tokens: details go first, then the ways out, then the end of its message."""
    body = dict(error)
    for name in [name for name in reversed(body) if name not in _ALWAYS_TOLD]:
        if count_tokens(render_error(body)) <= max_tokens:
            return body
        del body[name]
    while count_tokens(render_error(body)) > max_tokens and len(body["message"]) > 1:
        body["message"] = shorten(body["message"], len(body["message"]) // 2)
    return body


def _write_promising(body: Body, rows: list[Any], max_tokens: int, tail: str) -> tuple[str, int]:
    """The text and its tokens. Of a long list that does not fit, `rows` keeps as many as show that."""
    whole = list(rows)
    kept = _FIRST_ROWS if len(whole) > _MANY_ROWS else len(whole)
    while True:
        rows[:] = whole[:kept]
        text = render_answer(body)
        tokens = count_tokens(text + tail)
        if tokens > max_tokens or kept >= len(whole):
            return text, tokens
        kept = max(2 * kept, int(kept * max_tokens / max(tokens, 1) * _LOOK_AHEAD))


def _outer_rows(data: Any) -> list[Any]:
    """The longest list that is the data or one of its members."""
    members = data.values() if isinstance(data, dict) else [data]
    empty: list[Any] = []
    return max((member for member in members if isinstance(member, list)), key=len, default=empty)


def copied(value: Any) -> Any:
    """The value with lists and objects of its own: an answer's may belong to whoever keeps them at hand."""
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    if isinstance(value, list):
        return [copied(item) for item in value]
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
    else:
        _drop_cursor(body)


def _drop_cursor(body: Body) -> None:
    """Without a cursor that would skip what is cut off."""
    if body["pagination"]["nextCursor"]:
        body["pagination"]["nextCursor"] = None
        body["warnings"] = [*body.get("warnings", ()), _CUT_PAGE]


def _inner_pages(value: Any, before: Any) -> Iterator[tuple[Body, Body]]:
    """Answers inside an answer that are pages, such as those of a batch, with how each was before."""
    if isinstance(value, dict):
        if (
            isinstance(value.get("pagination"), dict)
            and "data" in value
            and value["pagination"].get("nextCursor")
        ):
            yield value, before
        for key, item in value.items():
            yield from _inner_pages(item, before[key])
    elif isinstance(value, list):
        for item, earlier in zip(value, before, strict=False):
            yield from _inner_pages(item, earlier)


def _shorten_lists(body: Body, share: float) -> bool:
    lists = [items for items in _lists(body.get("data")) if len(items) > 1]
    if not lists:
        return False
    longest = max(lists, key=len)
    # A little less than proportional: headers and the summary do not shrink with the list.
    del longest[max(1, int(len(longest) * share * 0.95)) :]
    return True


def _shorten_texts(body: Body, share: float) -> bool:
    changed = False
    for holder, key in _texts(body.get("data")):
        text = holder[key]
        limit = max(_SHORTEST_TEXT_CHARS, int(len(text) * share * 0.9))
        if len(text) > limit:
            holder[key] = shorten(text, limit)
            changed = True
    return changed


def _cap_lists(most: int) -> Callable[[Body], None]:
    def cap(body: Body) -> None:
        for items in _lists(body.get("data")):
            del items[most:]

    return cap


def _leave_actions(most: int) -> Callable[[Body], None]:
    def leave(body: Body) -> None:
        body["nextActions"] = (body.get("nextActions") or [])[:most]
        if not body["nextActions"]:
            del body["nextActions"]

    return leave


def _leave_warnings(body: Body) -> None:
    warnings = body.get("warnings") or []
    if warnings:
        kept = [shorten(each, _LONGEST_WARNING_CHARS) for each in warnings[:_MOST_WARNINGS]]
        rest = len(warnings) - len(kept)
        body["warnings"] = [*kept, f"and {rest} more"] if rest else kept


def _cap_texts(body: Body) -> None:
    _shorten_texts(body, 0.0)


# What goes when lists and texts have given way in proportion and that was not enough.
_HARSHER: Final[tuple[Callable[[Body], None], ...]] = (
    _leave_actions(1),
    _cap_lists(8),
    _cap_texts,
    _leave_actions(0),
    _leave_warnings,
    _cap_lists(3),
    _cap_lists(1),
)


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
