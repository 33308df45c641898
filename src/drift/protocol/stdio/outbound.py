"""What the server sends: the write stream of the SDK, which puts each message on the wire or into its batch."""

from types import TracebackType
from typing import Self

from mcp.shared.dispatcher import as_request_id
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from drift.protocol.frames import encode_message
from drift.protocol.stdio.inbound import Wire


class Outbound:
    """The write stream of the SDK; it waits when the client lags behind with reading."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    async def send(self, item: SessionMessage) -> None:
        """Write one message. Raises BrokenResourceError when nobody reads any more."""
        message = item.message
        if isinstance(message, (JSONRPCResponse, JSONRPCError)):
            self._answer(message)
        else:
            self._wire.output.write_line(encode_message(message, self._wire.limits.max_response_bytes))
            self._note_question(message)
        await self._wire.output.drain()

    def _answer(self, answer: JSONRPCResponse | JSONRPCError) -> None:
        line: bytes | None = encode_message(answer, self._wire.limits.max_response_bytes)
        settled = self._wire.ledger.settle(answer.id)
        if settled is not None and settled.method == "initialize" and isinstance(answer, JSONRPCResponse):
            self._wire.ledger.note_version(answer)
        if settled is not None and settled.batch is not None:
            settled.batch.settle(answer.id, line)
            line = settled.batch.take_answer()
        if line is not None:
            self._wire.output.write_line(line)

    def _note_question(self, message: JSONRPCRequest | JSONRPCNotification) -> None:
        if isinstance(message, JSONRPCRequest):
            self._wire.ledger.ask(message)
        elif message.method == "notifications/cancelled":
            self._wire.ledger.close_question(as_request_id((message.params or {}).get("requestId")))

    async def aclose(self) -> None:
        """Nothing to release: the descriptors outlive the SDK's use of the stream."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        return None
