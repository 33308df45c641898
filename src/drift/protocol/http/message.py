"""The body of a POST: read once, bounded, and given on to the transport as if it had just arrived."""

import asyncio
from collections.abc import Iterable, Mapping

from starlette.types import Message, Receive

from drift.protocol.frames import OverlongLine, refuse_overlong
from drift.protocol.http.reply import JsonReply, reply_json
from drift.protocol.http.settings import HttpSettings

_BLANKS = b" \t"
_HEAD_BYTES = 4096  # of a body too long, enough to find the id its refusal is for
_LONGEST_LENGTH = 18  # digits of a Content-Length that is a number and no attack on int()


def first_values(headers: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """Each header by name; of repeated ones the first, as the SDK reads them."""
    found: dict[bytes, bytes] = {}
    for name, value in headers:
        found.setdefault(name, value)
    return found


def trim_headers(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """The headers with the blanks around `Mcp-*` values gone, which HTTP allows and the SDK compares."""
    for name, value in headers:
        if name.startswith(b"mcp-") and value != value.strip(_BLANKS):
            return [(key, text.strip(_BLANKS) if key.startswith(b"mcp-") else text) for key, text in headers]
    return headers


def is_plain_request(message: object) -> bool:
    """Whether the value is beyond doubt a request, told without building the models of its envelope."""
    return (
        type(message) is dict
        and message.get("jsonrpc") == "2.0"
        and type(message.get("method")) is str
        and type(message.get("id")) in (int, str)
        and type(message.get("params")) is dict
    )


async def read_body(
    headers: Mapping[bytes, bytes], receive: Receive, settings: HttpSettings
) -> bytes | JsonReply:
    """The whole body, or the refusal of one that is too long, too slow or cut off."""
    max_bytes = settings.limits.max_request_bytes
    declared = headers.get(b"content-length", b"0")
    if len(declared) > _LONGEST_LENGTH or (declared.isdigit() and int(declared) > max_bytes):
        return _refuse_long_body(b"", max_bytes)
    try:
        # asyncio's timeout, not anyio's: every call passes here, and this is the cheaper one.
        async with asyncio.timeout(settings.body_timeout_seconds):
            return await _receive_all(receive, max_bytes)
    except TimeoutError:
        return reply_json(
            408, {"error": "The request body did not arrive in time.", "hint": "Send it again."}
        )


async def _receive_all(receive: Receive, max_bytes: int) -> bytes | JsonReply:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return reply_json(400, {"error": "The request body ended too early.", "hint": "Send it again."})
        body += message.get("body", b"")
        if len(body) > max_bytes:
            return _refuse_long_body(bytes(body[:_HEAD_BYTES]), max_bytes)
        if not message.get("more_body", False):
            return bytes(body)


def _refuse_long_body(head: bytes, max_bytes: int) -> JsonReply:
    return JsonReply(413, refuse_overlong(OverlongLine(head, b""), max_bytes).encode())


def replay_body(body: bytes, receive: Receive) -> Receive:
    """A `receive` that yields the body that was read already, then what the client sends further."""
    is_pending = True

    async def receive_again() -> Message:
        nonlocal is_pending
        if is_pending:
            is_pending = False
            return {"type": "http.request", "body": body, "more_body": False}
        return await receive()

    return receive_again
