"""What the client sends: each line admitted, refused or ignored, and what is admitted handed to the SDK."""

import asyncio
import logging
import math
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from types import TracebackType
from typing import Final, Self

import anyio
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp_types import (
    CONNECTION_CLOSED,
    INVALID_REQUEST,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    RequestId,
)

from drift.protocol.batches import Batch, find_batch_fault
from drift.protocol.frames import Ignored, Refusal, parse_line, read_envelope, refuse_overlong
from drift.protocol.framing import OverlongLine
from drift.protocol.limits import RATE_LIMITED, TokenBucket, WireLimits
from drift.protocol.stdio.ledger import Bell, Ledger
from drift.protocol.stdio.line_input import LineInput
from drift.protocol.stdio.line_output import LineOutput

_log: Final = logging.getLogger(__name__)

# A hostile client must not fill the log, nor block us on a stderr that nobody reads.
_LOG_BURST: Final = 20
_LOG_LINES_PER_SECOND: Final = 0.2


@dataclass(frozen=True, slots=True)
class Wire:
    """The parts both directions of one connection share."""

    limits: WireLimits
    bell: Bell
    ledger: Ledger
    input: LineInput
    output: LineOutput


class Inbound:
    """The read stream of the SDK: it pulls one message at a time, so nothing piles up here."""

    def __init__(
        self,
        wire: Wire,
        *,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._wire = wire
        self._now = now
        self._requests = TokenBucket(wire.limits.burst, wire.limits.sustained_per_second, clock)
        self._log_lines = TokenBucket(_LOG_BURST, _LOG_LINES_PER_SECOND, clock)
        self._admitted: deque[SessionMessage] = deque()
        self._is_stopped = False
        self._deadline: float | None = None

    def stop(self) -> None:
        """Read no more and let calls in flight finish; the second time, leave them."""
        if self._is_stopped:
            self._wire.output.abandon()
        self._is_stopped = True
        self._wire.bell.ring()

    async def receive(self) -> SessionMessage:
        """The next message for the SDK. Raises EndOfStream when the connection is over and drained."""
        while not self._admitted:
            if self._wire.output.is_broken:
                raise anyio.EndOfStream
            if self._is_stopped or self._wire.input.is_exhausted:
                await self._drain()
            elif (line := self._next_line()) is None:
                await self._wire.bell.wait()
            else:
                self._admit_line(line)
                if not self._admitted:
                    await asyncio.sleep(0)  # a flood of refused lines must not keep handlers from running
        return self._admitted.popleft()

    def _next_line(self) -> bytes | OverlongLine | None:
        if self._wire.output.is_congested:
            return None
        line = self._wire.input.peek()
        if isinstance(line, bytes) and line.startswith(b"[") and self._wire.ledger.awaits_handshake:
            return None  # whether a batch is allowed is known once `initialize` has been answered
        if line is not None:
            self._wire.input.discard()
        return line

    def drain_seconds_left(self) -> float:
        """How long answers may still take to be written; the time runs from the end of the input."""
        now = asyncio.get_running_loop().time()
        if self._deadline is None:
            self._deadline = now + self._wire.limits.drain_seconds
        return max(0.0, self._deadline - now)

    async def _drain(self) -> None:
        ledger, seconds_left = self._wire.ledger, self.drain_seconds_left()
        if (question_id := ledger.take_question()) is not None:
            # The client can no longer reply; a handler that waits for it must hear so.
            gone = ErrorData(code=CONNECTION_CLOSED, message="The client left before it replied")
            self._hand_over(JSONRPCError(jsonrpc="2.0", id=question_id, error=gone))
        elif not ledger.unfinished_calls or not seconds_left:
            raise anyio.EndOfStream
        else:
            await self._wire.bell.wait(seconds_left)

    def _admit_line(self, line: bytes | OverlongLine) -> None:
        limits = self._wire.limits
        if isinstance(line, OverlongLine):
            self._refuse(refuse_overlong(line, limits.max_request_bytes), None)
            return
        value = parse_line(line, limits.max_depth)
        if isinstance(value, Refusal):
            self._refuse(value, None)
        elif isinstance(value, list):
            self._admit_batch(value)
        else:
            self._admit(read_envelope(value), None)

    def _admit_batch(self, elements: list[object]) -> None:
        fault = find_batch_fault(elements, self._wire.ledger.protocol_version)
        if fault is not None:
            self._refuse(fault, None)
            return
        batch = Batch(self._wire.limits.max_response_bytes)
        for element in elements:
            self._admit(read_envelope(element), batch)
        batch.finish_reading()
        self._write_if_complete(batch)

    def _admit(self, message: JSONRPCMessage | Refusal | Ignored, batch: Batch | None) -> None:
        match message:
            case JSONRPCRequest():
                self._admit_request(message, batch)
            case JSONRPCNotification():
                self._hand_over(message)
            case Refusal():
                self._refuse(message, batch)
            case Ignored(reason):
                if not self._log_lines.take():
                    _log.warning("ignored a message of the client: %s", reason)
            case reply:
                self._wire.ledger.close_question(reply.id)
                self._hand_over(reply)

    def _admit_request(self, request: JSONRPCRequest, batch: Batch | None) -> None:
        fault = self._find_request_fault(request, batch)
        if fault is not None:
            self._refuse(fault, batch)
            return
        self._wire.ledger.open(request, batch)
        unanswered = partial(self._settle_unanswered, request.id)
        self._admitted.append(
            SessionMessage(request, ServerMessageMetadata(on_request_unanswered=unanswered))
        )

    def _find_request_fault(self, request: JSONRPCRequest, batch: Batch | None) -> Refusal | None:
        if self._wire.ledger.is_open(request.id):
            return Refusal(
                INVALID_REQUEST, "Invalid Request: the id belongs to a request still open", request.id
            )
        if batch is not None and request.method == "initialize":
            return Refusal(
                INVALID_REQUEST, "Invalid Request: initialize must not be part of a batch", request.id
            )
        wait_seconds = self._requests.take()
        return self._refuse_rate(request.id, wait_seconds) if wait_seconds else None

    def _refuse_rate(self, request_id: RequestId, wait_seconds: float) -> Refusal:
        reset_at = self._now() + timedelta(seconds=wait_seconds)
        data = {
            "retryAfterMs": math.ceil(wait_seconds * 1000),
            "limit": self._wire.limits.burst,
            "remaining": self._requests.remaining,
            "resetAt": reset_at.isoformat(timespec="milliseconds"),
        }
        return Refusal(RATE_LIMITED, "Rate limit exceeded", request_id, data)

    def _refuse(self, refusal: Refusal, batch: Batch | None) -> None:
        if refusal.id is not None and self._wire.ledger.is_open(refusal.id):
            # With its id the error would pass for the answer to the request that is still open.
            data = {**(refusal.data or {}), "requestId": refusal.id}
            refusal = replace(refusal, id=None, data=data)
        if batch is None:
            self._wire.output.write_line(refusal.encode())
        else:
            batch.refuse(refusal)

    async def _settle_unanswered(self, request_id: RequestId) -> None:
        settled = self._wire.ledger.settle(request_id)
        if settled is not None and settled.batch is not None:
            settled.batch.settle(request_id, None)
            self._write_if_complete(settled.batch)

    def _write_if_complete(self, batch: Batch) -> None:
        answer = batch.take_answer()
        if answer is not None:
            self._wire.output.write_line(answer)

    def _hand_over(self, message: JSONRPCMessage) -> None:
        self._admitted.append(SessionMessage(message))

    async def aclose(self) -> None:
        """Nothing to release: the descriptors outlive the SDK's use of the stream."""

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        return None
