"""Calls as they come in: the counts of a project, sent to the page whenever they change."""

from collections.abc import Callable
from typing import Any, Final

import anyio
import orjson
from starlette.types import Receive, Scope, Send

from drift.dashboard.inquiry import Inquiry
from drift.protocol.http.drain import Drain
from drift.protocol.http.reply import reply_json

_LOOK_SECONDS: Final = 2.0
_MOST_STREAMS: Final = 16
_TOO_MANY: Final = reply_json(
    503, {"error": "Too many pages follow the activity.", "hint": "Close some of them."}
)
_HEADERS: Final = [(b"content-type", b"text/event-stream; charset=utf-8")]


class ActivityStream:
    """Answers with server-sent events until the reader leaves or the server ends."""

    def __init__(self, inquiry: Inquiry, drain: Drain, *, every_seconds: float = _LOOK_SECONDS) -> None:
        self._inquiry = inquiry
        self._drain = drain
        self._every_seconds = every_seconds
        self._streams = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._streams >= _MOST_STREAMS:
            await _TOO_MANY.send_to(send)
            return
        self._streams += 1
        try:
            await self._drain.serve_stream(self._follow, scope, receive, send)
        finally:
            self._streams -= 1

    async def _follow(self, _scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_until_gone, receive, tasks.cancel_scope.cancel)
            told: dict[str, Any] | None = None
            while True:
                counts = await self._inquiry.count_calls()
                if counts != told:
                    told = counts
                    body = b"data: " + orjson.dumps(counts) + b"\n\n"
                    await send({"type": "http.response.body", "body": body, "more_body": True})
                await anyio.sleep(self._every_seconds)


async def _until_gone(receive: Receive, end: Callable[[], None]) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    end()
