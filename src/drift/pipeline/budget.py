"""Budget: the answer within the tokens the caller allows; `truncated` and `totalAvailable` say what was cut."""

import logging
import marshal
from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import Any, Final

import jsonschema_rs
from cachetools import LRUCache

from drift.kernel.answer import Answer
from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.text import shorten
from drift.kernel.wire import to_wire
from drift.pipeline.cutting import fit
from drift.pipeline.request import Request
from drift.registry import Outcome, ToolDefinition

logger = logging.getLogger(__name__)

Handler = Callable[[Request], Awaitable[Answer[Any] | Outcome]]

_MOST_SHAPED: Final = 64
_LARGEST_SHAPED_CHARS: Final = 50_000
_MOST_SHAPED_ROWS: Final = 1_000  # an answer is kept with all it was cut from


class Budget:
    """Shapes a handler's answer for the wire, as long as the call, the tool or the configuration allows."""

    def __init__(self, handler: Handler) -> None:
        self._handler = handler
        self._compiled: dict[ToolDefinition, jsonschema_rs.Draft202012Validator] = {}
        self._shaped: LRUCache[Hashable, tuple[Answer[Any], Outcome]] = LRUCache(_MOST_SHAPED)

    async def __call__(self, request: Request) -> Outcome:
        answer = await self._handler(request)
        if isinstance(answer, Outcome):
            return answer
        return self._shape(request, answer, request.max_tokens or answer.max_tokens or request.token_limit)

    def _shape(self, request: Request, answer: Answer[Any], max_tokens: int) -> Outcome:
        """The answer shaped. One that the question got before is not shaped again: to tell them equal is cheaper."""
        tool = request.tool
        if tool.ttl_seconds:  # the cache keeps such answers
            return self._shape_anew(request, answer, max_tokens)
        key = (tool.name, marshal.dumps(request.arguments), max_tokens, *request.warnings)
        known = self._shaped.get(key)
        if known is not None and known[0] == answer:
            return known[1]
        outcome = self._shape_anew(request, answer, max_tokens)
        is_small = len(outcome.text) <= _LARGEST_SHAPED_CHARS
        if is_small and (outcome.total_available or 0) <= _MOST_SHAPED_ROWS:
            self._shaped[key] = answer, outcome
        return outcome

    def _shape_anew(self, request: Request, answer: Answer[Any], max_tokens: int) -> Outcome:
        outcome = shape(answer, max_tokens, request.warnings, is_snake=request.tool.is_snake)
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


def shape(
    answer: Answer[Any], max_tokens: int, warnings: Sequence[str], *, is_snake: bool = False
) -> Outcome:
    """The answer as body and text, cut to the budget."""
    fitted = fit(
        _body(answer, warnings, is_snake=is_snake), max_tokens, answer.pagination, total=answer.total
    )
    return Outcome(
        body=fitted.body,
        text=fitted.text,
        links=answer.links,
        tokens=fitted.tokens,
        truncated=fitted.is_cut,
        total_available=fitted.total,
    )


def _body(answer: Answer[Any], warnings: Sequence[str], *, is_snake: bool) -> dict[str, Any]:
    optional = {
        "pagination": to_wire(answer.pagination),
        "nextActions": to_wire(answer.next),
        "warnings": [*answer.warnings, *warnings],
    }
    present = {key: value for key, value in optional.items() if value}
    return {"summary": answer.summary, "data": to_wire(answer.data, is_snake=is_snake), **present}
