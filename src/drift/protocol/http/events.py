"""Server-sent events as the transport writes them, and the size limit on what goes out."""

import logging

import orjson
from starlette.types import Message, Send

from drift.protocol.frames import RequestId, as_id, refuse_answer

logger = logging.getLogger(__name__)


def take_events(buffer: bytearray) -> list[bytes]:
    """The data of each event complete in the buffer; what follows the last of them stays there."""
    *complete, rest = bytes(buffer).replace(b"\r\n", b"\n").split(b"\n\n")
    buffer[:] = rest
    return [data for event in complete if (data := _read_data(event))]


def _read_data(event: bytes) -> bytes:
    lines = (line for line in event.split(b"\n") if line.startswith(b"data:"))
    return b"\n".join(line[len(b"data:") :].removeprefix(b" ") for line in lines)


class CappedResponse:
    """Passes an answer on, with an error in place of a message above the size limit."""

    def __init__(self, send: Send, max_bytes: int, *, request_id: RequestId | None = None) -> None:
        self._send = send
        self._max_bytes = max_bytes
        self._request_id = request_id
        self._is_replaced = False

    async def send(self, message: Message) -> None:
        """The ASGI `send` to give to the application."""
        if message["type"] == "http.response.start":
            size_bytes = _declared_length(message)
            self._is_replaced = size_bytes > self._max_bytes
            if self._is_replaced:
                await self._send_error(message, size_bytes)
            else:
                await self._send(message)
        elif not self._is_replaced:
            body = message.get("body", b"")
            # An event stream declares no length; the transport writes each event as one piece.
            await self._send(
                message if len(body) <= self._max_bytes else {**message, "body": self._shrink(body)}
            )

    async def _send_error(self, start: Message, size_bytes: int) -> None:
        error = refuse_answer(self._request_id, size_bytes=size_bytes, max_bytes=self._max_bytes).encode()
        kept = [pair for pair in start["headers"] if pair[0] != b"content-length"]
        length = (b"content-length", str(len(error)).encode())
        await self._send({**start, "headers": [*kept, length]})
        await self._send({"type": "http.response.body", "body": error, "more_body": False})

    def _shrink(self, chunk: bytes) -> bytes:
        events = []
        for data in take_events(bytearray(chunk)):
            message = orjson.loads(data)
            if "method" in message:
                # Only answers can be replaced: nobody waits for a notification.
                logger.warning(
                    "Dropped %s of %d bytes: over the response limit", message["method"], len(data)
                )
                continue
            error = refuse_answer(as_id(message.get("id")), size_bytes=len(data), max_bytes=self._max_bytes)
            events.append(b"event: message\r\ndata: " + error.encode() + b"\r\n\r\n")
        return b"".join(events)


def _declared_length(start: Message) -> int:
    for name, value in start["headers"]:
        if name == b"content-length":
            return int(value)
    return 0
