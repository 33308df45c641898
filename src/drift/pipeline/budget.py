"""Budget: the answer within the tokens the caller allows; first lists give way, then long texts.

The format never breaks: lists lose their tail, texts their end, and `truncated` and
`totalAvailable` say so.
"""

import logging
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any

import jsonschema_rs

from drift.kernel.answer import Answer
from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.render import render_answer
from drift.kernel.text import shorten
from drift.kernel.tokens import count_tokens
from drift.kernel.wire import to_wire
from drift.pipeline.request import Request
from drift.registry import Outcome, ToolDefinition

logger = logging.getLogger(__name__)

Handler = Callable[[Request], Awaitable[Answer[Any] | Outcome]]

_SHORTEST_TEXT_CHARS = 80
_MOST_ROUNDS = 24
_CUT_PAGE = (
    "The page was cut, so it has no cursor; repeat the call with a smaller limit or a larger maxTokens"
)


class Budget:
    """Shapes a handler's answer for the wire, as long as the call, the tool or the configuration allows."""

    def __init__(self, handler: Handler) -> None:
        self._handler = handler
        self._compiled: dict[ToolDefinition, jsonschema_rs.Draft202012Validator] = {}

    async def __call__(self, request: Request) -> Outcome:
        answer = await self._handler(request)
        if isinstance(answer, Outcome):
            return answer
        usual = request.tool.max_tokens or request.settled_project.config.mcp.max_tokens
        outcome = shape(answer, request.max_tokens or usual, request.warnings)
        self._check(request.tool, outcome)
        return outcome

    def _check(self, tool: ToolDefinition, outcome: Outcome) -> None:
        """Clients refuse answers that break the schema they were promised; better to find it here."""
        if tool not in self._compiled:
            self._compiled[tool] = jsonschema_rs.Draft202012Validator(tool.output_schema)
        error = next(iter(self._compiled[tool].iter_errors({**outcome.body, "meta": {}})), None)
        if error is not None:
            place = "/".join(str(part) for part in error.instance_path)
            logger.error(
                "%s answered outside its schema at %s: %s", tool.name, place, shorten(error.message, 200)
            )
            raise DriftError(
                ErrorCode.INTERNAL_ERROR, f"{tool.name} made an answer that breaks its own schema"
            )


@dataclass(frozen=True, slots=True)
class _Cut:
    """What was taken away to fit."""

    happened: bool = False
    total_available: int | None = None


def shape(answer: Answer[Any], max_tokens: int, warnings: list[str]) -> Outcome:
    """The answer as body and text, cut to the budget."""
    body = _body(answer, warnings)
    text = render_answer(body)
    tokens = count_tokens(text)
    cut = _Cut()
    if tokens > max_tokens:
        cut = _cut(body, tokens, max_tokens)
        text = render_answer(body)
        tokens = count_tokens(text)
    return Outcome(
        body=body,
        text=text,
        links=answer.links,
        tokens=tokens,
        truncated=cut.happened,
        total_available=cut.total_available,
    )


def _body(answer: Answer[Any], warnings: list[str]) -> dict[str, Any]:
    optional = {
        "pagination": to_wire(answer.pagination),
        "nextActions": to_wire(answer.next),
        "warnings": [*answer.warnings, *warnings],
    }
    present = {key: value for key, value in optional.items() if value}
    return {"summary": answer.summary, "data": to_wire(answer.data), **present}


def _cut(body: dict[str, Any], tokens: int, max_tokens: int) -> _Cut:
    """Shorten lists, longest first, then texts, until the rendered answer fits or nothing is left to take."""
    longest = max((len(items) for items in _lists(body["data"])), default=0)
    total = longest or None
    if longest > 1:
        _withhold_cursor(body)
    happened = False
    for _round in range(_MOST_ROUNDS):
        if not (_shorten_lists(body, max_tokens / tokens) or _shorten_texts(body, max_tokens / tokens)):
            break
        happened = True
        tokens = count_tokens(render_answer(body))
        if tokens <= max_tokens:
            break
    return _Cut(happened, total)


def _withhold_cursor(body: dict[str, Any]) -> None:
    """The cursor points behind the whole page: following it would skip what is cut off here."""
    pagination = body.get("pagination")
    if pagination and pagination["nextCursor"]:
        pagination["nextCursor"] = None
        body["warnings"] = [*body.get("warnings", ()), _CUT_PAGE]


def _shorten_lists(body: dict[str, Any], keep: float) -> bool:
    lists = [items for items in _lists(body["data"]) if len(items) > 1]
    if not lists:
        return False
    longest = max(lists, key=len)
    # A little less than proportional: headers and the summary do not shrink with the list.
    del longest[max(1, int(len(longest) * keep * 0.95)) :]
    return True


def _shorten_texts(body: dict[str, Any], keep: float) -> bool:
    changed = False
    for holder, key in _texts(body["data"]):
        text = holder[key]
        limit = max(_SHORTEST_TEXT_CHARS, int(len(text) * keep * 0.9))
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
