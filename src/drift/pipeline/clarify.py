"""Clarify: where a call may mean several things, the person is asked which, if the client lets one ask."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from drift.kernel.errors import DriftError, ErrorCode, UnclearError
from drift.pipeline.request import Next, Request
from drift.registry import Outcome, Question

_WAIT_SECONDS: Final = 60.0
_KEY: Final = "clarify"
_ANSWER: Final = "choice"


class _Unclear(NamedTuple):
    """The argument that is not clear, what to ask, and what to write for each choice."""

    argument: str
    message: str
    choices: Mapping[str, str]


async def clarify(request: Request, step: Next) -> Outcome:
    """The answer, after a question where one is needed; without a reply, the error that names the choices."""
    given, max_tokens = dict(request.arguments), request.max_tokens
    try:
        return await step(request)
    except DriftError as error:
        unclear = _find(request, error, given)
        chosen = await _ask(request, unclear) if unclear is not None else None
        if unclear is None or chosen is None:
            raise
    request.arguments = {**given, unclear.argument: chosen}
    request.max_tokens = max_tokens
    request.warnings.clear()
    return await step(request)


def _find(request: Request, error: DriftError, given: Mapping[str, object]) -> _Unclear | None:
    if not request.may_ask or not request.client.can_answer:
        return None
    if isinstance(error, UnclearError):
        written = [name for name, value in given.items() if _is_same(value, error.written)]
        return (
            _Unclear(written[0], f"{error.message} Which one?", error.choices) if len(written) == 1 else None
        )
    argument = error.recovery.details.get("argument")
    if error.code is not ErrorCode.MISSING_REQUIRED_PARAM or not isinstance(argument, str):
        return None
    if argument not in request.tool.asks:
        return None
    choices = request.tool.code.asks[argument]()
    return _Unclear(argument, f"{request.tool.title}: which {argument}?", {each: each for each in choices})


def _is_same(value: object, written: str) -> bool:
    return isinstance(value, str) and value.strip() == written.strip()


async def _ask(request: Request, unclear: _Unclear) -> str | None:
    """What is to be written for the person's choice; None when nobody chose."""
    schema = {
        "type": "object",
        "properties": {_ANSWER: {"type": "string", "enum": list(unclear.choices)}},
        "required": [_ANSWER],
    }
    reply = await request.client.ask(Question(_KEY, unclear.message, schema, _WAIT_SECONDS))
    if reply is None or not reply.accepted:
        return None
    return unclear.choices.get(str(reply.content[_ANSWER]))
