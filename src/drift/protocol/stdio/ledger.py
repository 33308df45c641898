"""Which requests of a connection are open, in either direction."""

import asyncio
from dataclasses import dataclass
from typing import Final

from mcp.shared.dispatcher import coerce_request_id
from mcp_types import JSONRPCRequest, JSONRPCResponse, RequestId

from drift.protocol.batches import Batch

# A subscription ends with its connection, so nobody waits for its answer.
_ENDLESS_METHODS: Final = frozenset({"subscriptions/listen"})


class Bell:
    """Wakes the one task that waits for something on the connection to change."""

    def __init__(self) -> None:
        self._listener: asyncio.Future[None] | None = None

    def ring(self) -> None:
        """Wake the listener, if there is one."""
        if self._listener is not None and not self._listener.done():
            self._listener.set_result(None)

    async def wait(self, seconds: float | None = None) -> None:
        """Return at the next ring, or after so many seconds."""
        loop = asyncio.get_running_loop()
        self._listener = loop.create_future()
        alarm = None if seconds is None else loop.call_later(seconds, self.ring)
        try:
            await self._listener
        finally:
            self._listener = None
            if alarm is not None:
                alarm.cancel()


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """A request of the client that has no answer yet."""

    id: RequestId
    method: str
    batch: Batch | None


class Ledger:
    """The open requests of one connection, and the protocol version its handshake settled on."""

    def __init__(self, bell: Bell) -> None:
        self._bell = bell
        # The SDK takes "7" and 7 for one id when it cancels, so they are one here as well.
        self._open: dict[RequestId, OpenRequest] = {}
        self._endless = 0
        self._handshakes = 0
        self._questions: dict[RequestId, None] = {}
        self.protocol_version: str | None = None

    @property
    def awaits_handshake(self) -> bool:
        """Whether an `initialize` has not been answered yet."""
        return self._handshakes > 0

    @property
    def unfinished_calls(self) -> int:
        """Open requests that will end by themselves."""
        return len(self._open) - self._endless

    def is_open(self, request_id: RequestId) -> bool:
        """Whether an answer with this id would be taken for that of an earlier request."""
        return coerce_request_id(request_id) in self._open

    def open(self, request: JSONRPCRequest, batch: Batch | None) -> None:
        """Enter a request; its batch then expects the answer."""
        self._open[coerce_request_id(request.id)] = OpenRequest(request.id, request.method, batch)
        self._endless += request.method in _ENDLESS_METHODS
        self._handshakes += request.method == "initialize"
        if batch is not None:
            batch.expect()

    def settle(self, request_id: RequestId | None) -> OpenRequest | None:
        """Close the request, and hand back what was known of it."""
        if request_id is None:
            return None
        settled = self._open.pop(coerce_request_id(request_id), None)
        if settled is not None:
            self._endless -= settled.method in _ENDLESS_METHODS
            self._handshakes -= settled.method == "initialize"
            self._bell.ring()
        return settled

    def note_version(self, response: JSONRPCResponse) -> None:
        """Remember the version the answer to `initialize` names."""
        version = response.result.get("protocolVersion")
        self.protocol_version = version if isinstance(version, str) else None

    def ask(self, question: JSONRPCRequest) -> None:
        """Note a request of the server's own, such as an elicitation."""
        self._questions[question.id] = None
        self._bell.ring()

    def close_question(self, question_id: RequestId | None) -> None:
        """Note that the client replied, or that the server no longer wants to know."""
        if question_id is not None:
            self._questions.pop(coerce_request_id(question_id), None)

    def take_question(self) -> RequestId | None:
        """The id of a question still open, which then counts as answered."""
        return self._questions.popitem()[0] if self._questions else None
