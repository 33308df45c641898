"""JSON-RPC batches, which only the 2025-03-26 revision of MCP has."""

from typing import Final

from mcp_types import INVALID_REQUEST, RequestId

from drift.protocol.frames import Refusal, refuse_answer

BATCH_VERSION: Final = "2025-03-26"

# As many as may run at once by default; a longer batch could only wait in line behind itself.
MAX_BATCH_ELEMENTS: Final = 128


def find_batch_fault(elements: list[object], protocol_version: str | None) -> Refusal | None:
    """Why the batch as a whole is refused, or None when its elements may be looked at."""
    if protocol_version != BATCH_VERSION:
        return Refusal(INVALID_REQUEST, f"Invalid Request: batches are part of {BATCH_VERSION} only")
    if not elements:
        return Refusal(INVALID_REQUEST, "Invalid Request: the batch is empty")
    if len(elements) > MAX_BATCH_ELEMENTS:
        return Refusal(
            INVALID_REQUEST,
            f"Invalid Request: the batch has {len(elements)} elements, above the limit of {MAX_BATCH_ELEMENTS}",
            None,
            {"limit": MAX_BATCH_ELEMENTS},
        )
    return None


class Batch:
    """The answers to one batch, held until its last request has settled."""

    def __init__(self, max_response_bytes: int) -> None:
        self._max_response_bytes = max_response_bytes
        self._entries: list[bytes] = []
        self._size_bytes = 0
        self._unsettled_requests = 0
        self._is_read = False

    def expect(self) -> None:
        """Count one more request whose answer is to come."""
        self._unsettled_requests += 1

    def refuse(self, refusal: Refusal) -> None:
        """Answer an element that goes no further."""
        self._append(refusal.encode())

    def settle(self, request_id: RequestId | None, entry: bytes | None) -> None:
        """Take the answer to an expected request, or None when it was cancelled and gets none."""
        self._unsettled_requests -= 1
        if entry is None:
            return
        size_bytes = self._size_bytes + len(entry)
        if size_bytes > self._max_response_bytes:
            entry = refuse_answer(
                request_id, size_bytes=size_bytes, max_bytes=self._max_response_bytes
            ).encode()
        self._append(entry)

    def finish_reading(self) -> None:
        """Say that every element has been seen."""
        self._is_read = True

    def take_answer(self) -> bytes | None:
        """The whole answer, once, as soon as nothing is outstanding; None before, and when there is nothing to say."""
        if not self._is_read or self._unsettled_requests or not self._entries:
            return None
        entries, self._entries = self._entries, []
        return b"[" + b",".join(entries) + b"]"

    def _append(self, entry: bytes) -> None:
        self._entries.append(entry)
        self._size_bytes += len(entry) + 1
