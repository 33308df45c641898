"""JSON-RPC batches, which only revision 2025-03-26 of MCP knows and the SDK does not serve.

Each message of the array goes through the transport by itself, with the headers of the whole request,
and the answers come back as one array. What a call sends besides its answer has no place in an array:
notifications are left out, and questions to the client are declined so that the call does not wait.
"""

from http import HTTPStatus
from typing import Any

import anyio
import orjson
from mcp_types import INTERNAL_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, JSONRPCRequest, RequestId
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from drift.protocol.batches import find_batch_fault
from drift.protocol.frames import Ignored, Refusal, read_envelope, refuse_answer
from drift.protocol.http.events import take_events
from drift.protocol.http.message import replay_body
from drift.protocol.http.reply import HeaderPairs, JsonReply

_SESSION_HEADER = b"mcp-session-id"


def refuse_batch(messages: list[Any], protocol_version: str | None, *, has_session: bool) -> JsonReply | None:
    """The refusal of an array that is no proper batch of the session's version, or None."""
    fault = find_batch_fault(messages, protocol_version) or _find_message_fault(messages)
    if fault is None and not has_session:
        # Each message would open a session of its own, only to be refused in it.
        fault = Refusal(INVALID_REQUEST, "Invalid Request: a batch needs the Mcp-Session-Id of its session")
    return None if fault is None else JsonReply(400, fault.encode())


def _find_message_fault(messages: list[Any]) -> Refusal | None:
    calls = [message for message in messages if isinstance(message, dict)]
    if any(call.get("method") == "initialize" for call in calls):
        return Refusal(INVALID_REQUEST, "Invalid Request: initialize must not be part of a batch")
    # As text, because the transport tells the streams of a session apart by that.
    ids = [str(call["id"]) for call in calls if "method" in call and "id" in call]
    if len(set(ids)) < len(ids):
        return Refusal(INVALID_REQUEST, "Invalid Request: two requests of the batch have the same id")
    return None


async def answer_batch(
    app: ASGIApp, scope: Scope, receive: Receive, *, messages: list[Any], max_bytes: int
) -> JsonReply:
    """Run every message and reply with the array of answers, in the order of the requests."""
    batch = _Batch(app, scope, max_bytes)
    exchanges = [_Exchange(batch, message) for message in messages]
    async with anyio.create_task_group() as watching:
        watching.start_soon(batch.watch_client, receive)
        async with anyio.create_task_group() as running:
            for exchange in exchanges:
                running.start_soon(exchange.run)
        watching.cancel_scope.cancel()
    return _collect(exchanges)


def _collect(exchanges: list["_Exchange"]) -> JsonReply:
    # The envelopes are sound, so what the transport refuses it refuses for all: session, Accept, version.
    failed = next((exchange for exchange in exchanges if exchange.is_refused), None)
    if failed is not None:
        return JsonReply(failed.status, bytes(failed.received), failed.session_headers)
    answers = [answer for exchange in exchanges if (answer := exchange.answer) is not None]
    headers = exchanges[0].session_headers
    if not answers:
        return JsonReply(202, b"", headers)
    return JsonReply(200, b"[" + b",".join(answers) + b"]", headers)


class _Batch:
    """What the messages of one batch share: the way to the transport, the client, and the room for answers."""

    def __init__(self, app: ASGIApp, scope: Scope, max_bytes: int) -> None:
        self._app = app
        self._scope = scope
        self._max_bytes = max_bytes
        self._left_bytes = max_bytes
        self._client_left = anyio.Event()

    async def watch_client(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._client_left.set()

    async def post(self, message: object, send: Send) -> None:
        """Give one message to the transport as a request of its own."""
        await self._app({**self._scope}, replay_body(orjson.dumps(message), self._await_client_left), send)

    def admit(self, answer: bytes, request_id: RequestId) -> bytes:
        """The answer, or an error in its place when the batch has grown too large."""
        if len(answer) <= self._left_bytes:
            self._left_bytes -= len(answer)
            return answer
        return refuse_answer(request_id, size_bytes=len(answer), max_bytes=self._max_bytes).encode()

    async def _await_client_left(self) -> Message:
        await self._client_left.wait()
        return {"type": "http.disconnect"}


class _Exchange:
    """One message of a batch on its way through the transport, and what came back."""

    def __init__(self, batch: _Batch, message: object) -> None:
        self._batch = batch
        self._message = message
        self._envelope = read_envelope(message)
        self._is_stream = False
        self._answer: bytes | None = None
        self.status = 0
        self.session_headers: HeaderPairs = ()
        self.received = bytearray()

    @property
    def is_refused(self) -> bool:
        """Whether the transport refused the HTTP request, and not the message in it."""
        return self.status >= HTTPStatus.BAD_REQUEST

    @property
    def answer(self) -> bytes | None:
        """The answer, or None when the message asks for none."""
        if isinstance(self._envelope, Refusal):
            return self._envelope.encode()
        if self._answer is None and isinstance(self._envelope, JSONRPCRequest):
            return Refusal(
                INTERNAL_ERROR, "The session ended before the answer came", self._envelope.id
            ).encode()
        return self._answer

    async def run(self) -> None:
        if not isinstance(self._envelope, (Refusal, Ignored)):
            await self._batch.post(self._message, self._take)

    async def _take(self, message: Message) -> None:
        """The `send` of this exchange: keep what the transport answers."""
        if message["type"] == "http.response.start":
            self._take_start(message)
            return
        self.received += message.get("body", b"")
        if self._is_stream:
            for data in take_events(self.received):
                await self._take_event(data)
        elif not message.get("more_body") and not self.is_refused and self.received:
            self._keep(bytes(self.received))

    def _take_start(self, start: Message) -> None:
        self.status = start["status"]
        headers = dict(start["headers"])
        self._is_stream = headers.get(b"content-type", b"").startswith(b"text/event-stream")
        if _SESSION_HEADER in headers:
            self.session_headers = ((_SESSION_HEADER, headers[_SESSION_HEADER]),)

    async def _take_event(self, data: bytes) -> None:
        message = orjson.loads(data)
        if "method" not in message:
            self._keep(data)
        elif "id" in message:
            error = {"code": METHOD_NOT_FOUND, "message": "A call inside a batch cannot ask the client"}
            await _Exchange(self._batch, {"jsonrpc": "2.0", "id": message["id"], "error": error}).run()

    def _keep(self, answer: bytes) -> None:
        if isinstance(self._envelope, JSONRPCRequest):
            self._answer = self._batch.admit(answer, self._envelope.id)
        self.received.clear()
