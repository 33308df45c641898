"""Shutting down: calls in flight finish, streams that would never end are ended."""

from collections.abc import Callable, Iterable

import anyio
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from drift.protocol.http.reply import reply_json

# Listeners that were asked to close send a last frame within milliseconds; later ones are cut off.
_FAREWELL_SECONDS = 0.25
_LAST_WRITE_SECONDS = 1.0

_SHUTTING_DOWN = reply_json(503, {"error": "The server is shutting down.", "hint": "Connect again later."})


class Drain:
    """Knows whether the server has begun to shut down, and ends endless streams when it has."""

    def __init__(self, closers: Iterable[Callable[[], None]] = ()) -> None:
        self._closers = tuple(closers)
        self._begun = anyio.Event()

    def begin(self) -> None:
        """Ask every endless stream to end; must be called in the server's event loop."""
        for close in self._closers:
            close()
        self._begun.set()

    async def serve_stream(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Run a request whose answer has no end of its own, and end it properly when the drain begins."""
        response = _TrackedResponse(send)

        async def receive_until_drained() -> Message:
            return await self._race(receive)

        await app(scope, receive_until_drained, response.send)
        if not response.has_begun:
            await _SHUTTING_DOWN.send_to(response.send)
        elif response.is_open:
            with anyio.move_on_after(_LAST_WRITE_SECONDS):
                await response.send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _race(self, receive: Receive) -> Message:
        """The client's next message, or its disconnection as soon as the drain has begun."""
        first: Message = {"type": "http.disconnect"}

        async with anyio.create_task_group() as tasks:

            async def await_client() -> None:
                nonlocal first
                first = await receive()
                tasks.cancel_scope.cancel()

            tasks.start_soon(await_client)
            await self._begun.wait()
            await anyio.sleep(_FAREWELL_SECONDS)
            tasks.cancel_scope.cancel()
        return first


class _TrackedResponse:
    """Passes an answer on and knows whether it has begun and not ended."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.has_begun = False
        self.is_open = False

    async def send(self, message: Message) -> None:
        self.has_begun = True
        self.is_open = message["type"] == "http.response.start" or bool(message.get("more_body"))
        await self._send(message)
