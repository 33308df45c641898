"""The MCP client behind a call: it can be asked, told of progress, and log to."""

import asyncio
import logging
import time
import warnings
from typing import Any

import jsonschema_rs
import mcp_types as types
from mcp.shared.exceptions import MCPDeprecationWarning, MCPError, NoBackChannelError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from drift.kernel.errors import invalid
from drift.protocol.sources import Context
from drift.registry import InputRequired, Question, Reply

logger = logging.getLogger(__name__)

_LEAST_SECONDS_BETWEEN_REPORTS = 0.05
LEVEL_KEY = "drift.log_level"
LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")


def client_name(context: Context) -> str | None:
    """What the client calls itself: in its handshake, or since 2026-07-28 in each request, where it may be left out."""
    params = context.session.client_params
    return params.client_info.name if params is not None else None


class McpClient:
    """One request's client. Made on the event loop; `report` may come from any thread."""

    def __init__(self, context: Context, responses: dict[str, Any] | None = None) -> None:
        self._context = context
        self._responses = responses or {}
        self._loop = asyncio.get_running_loop()
        meta = context.meta or {}
        self._wants_progress = "progress_token" in meta or "progressToken" in meta
        self._reported_at = float("-inf")
        self._has_reported = False
        self._sending: set[asyncio.Task[None]] = set()
        self._is_over = False

    @property
    def name(self) -> str | None:
        return client_name(self._context)

    @property
    def can_answer(self) -> bool:
        capabilities = self._context.session.client_capabilities
        asked = capabilities.elicitation if capabilities is not None else None
        # A client that names neither kind of question means forms; one that names URLs alone has none.
        return asked is not None and (asked.form is not None or asked.url is None)

    async def ask(self, question: Question) -> Reply | None:
        """The person's reply. Since 2026-07-28 the call ends and comes again with it."""
        if not self.can_answer:
            return None
        if self._context.protocol_version in MODERN_PROTOCOL_VERSIONS:
            if question.key not in self._responses:
                raise InputRequired(question)
            return _reply(question, self._responses[question.key])
        await self._flush()
        try:
            async with asyncio.timeout(question.wait_seconds):
                result = await self._context.session.elicit_form(
                    question.message, question.schema, related_request_id=self._context.request_id
                )
        except (NoBackChannelError, MCPError, TimeoutError):
            return None  # the client said it could be asked, but it cannot, or nobody is there
        return _reply(question, result)

    def report(self, done: float, total: float | None, message: str | None) -> None:
        if not self._wants_progress or self._is_over:
            return
        now = time.monotonic()
        is_last = total is not None and done >= total
        if now - self._reported_at < _LEAST_SECONDS_BETWEEN_REPORTS and not is_last:
            return
        self._reported_at = now
        self._has_reported = True
        self._loop.call_soon_threadsafe(self._send_report, done, total, message)

    async def finish(self) -> None:
        """Have all reports sent before the answer, and none after it."""
        try:
            await self._flush()
        finally:
            self._is_over = True

    async def log(self, level: types.LoggingLevel, text: str) -> None:
        """A log line to clients of older revisions that asked for this level."""
        wanted = self._context.session._connection.state.get(LEVEL_KEY)  # noqa: SLF001 - pinned SDK, no public name
        if wanted is None or LEVELS.index(level) < LEVELS.index(wanted):
            return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MCPDeprecationWarning)
            sending = self._context.session.send_log_message(
                level, text, logger="drift", related_request_id=self._context.request_id
            )
        await sending

    async def _flush(self) -> None:
        if not self._has_reported:
            return
        await asyncio.sleep(0)  # reports from threads are in line before this
        # A report that could not be sent must not cost the caller the answer.
        for failure in await asyncio.gather(*self._sending, return_exceptions=True):
            if failure is not None:
                logger.debug("a progress report was not sent (%s)", type(failure).__name__)

    def _send_report(self, done: float, total: float | None, message: str | None) -> None:
        if self._is_over:
            return
        task = self._loop.create_task(self._context.session.report_progress(done, total, message))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)


def _reply(question: Question, result: object) -> Reply:
    """What the person did. Clients check forms on their own word, so the content is checked here again."""
    if not isinstance(result, types.ElicitResult):
        raise invalid("inputResponses", f"the reply to {question.key} is not one to a form")
    content = result.content or {}
    is_accepted = result.action == "accept"
    if is_accepted and not jsonschema_rs.is_valid(question.schema, content):
        raise invalid("inputResponses", f"the reply to {question.key} does not fit the form that was asked")
    return Reply(accepted=is_accepted, content=content)
