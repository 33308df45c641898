"""JSON-RPC envelopes: a parsed line as a message or a refusal, and messages as bytes."""

from dataclasses import dataclass
from typing import Any

import orjson
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    PARSE_ERROR,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
)
from pydantic import ValidationError

from drift.kernel.depth import json_depth_exceeds
from drift.protocol.framing import OverlongLine, as_id, find_id
from drift.protocol.limits import RESPONSE_TOO_LARGE

__all__ = [
    "Ignored",
    "OverlongLine",
    "Refusal",
    "RequestId",
    "as_id",
    "encode_message",
    "parse_line",
    "read_envelope",
    "refuse_answer",
    "refuse_overlong",
]


@dataclass(frozen=True, slots=True)
class Refusal:
    """A message that is answered with an error and goes no further."""

    code: int
    message: str
    id: RequestId | None = None
    data: dict[str, Any] | None = None

    def encode(self) -> bytes:
        """The error as one JSON object, without a newline."""
        error: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.data is not None:
            error["data"] = self.data
        return orjson.dumps({"jsonrpc": "2.0", "id": self.id, "error": error})


@dataclass(frozen=True, slots=True)
class Ignored:
    """A message JSON-RPC gives no answer to, and why it goes no further."""

    reason: str


def refuse_overlong(line: OverlongLine, max_bytes: int) -> Refusal:
    return Refusal(
        INVALID_REQUEST,
        f"Invalid Request: the message is longer than the limit of {max_bytes} bytes; send less at a time",
        find_id(line),
        {"limit": max_bytes},
    )


def parse_line(line: bytes, max_depth: int) -> object:
    """The JSON value on the line, or the `Refusal` to answer it with."""
    if json_depth_exceeds(line, max_depth):
        return Refusal(
            INVALID_REQUEST,
            f"Invalid Request: the message nests deeper than the limit of {max_depth} levels",
            find_id(OverlongLine.of(line)),
            {"limit": max_depth},
        )
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError as error:
        return Refusal(
            PARSE_ERROR, "Parse error: the line is not JSON in UTF-8", None, {"detail": str(error)}
        )


def read_envelope(value: object) -> JSONRPCMessage | Refusal | Ignored:
    """One parsed value as a JSON-RPC message of MCP, or why it is none."""
    if not isinstance(value, dict):
        return _invalid("a message is a JSON object", None)
    if "method" in value:
        return _read_call(value)
    if "result" in value or "error" in value:
        return _read_reply(value)
    return _invalid("there is no method", as_id(value.get("id")))


def _read_call(value: dict[str, Any]) -> JSONRPCMessage | Refusal | Ignored:
    problem = _find_call_problem(value)
    # Presence decides, not value: `"id": 1.5` is a bad request and no notification.
    if "id" in value:
        if problem is not None:
            return _invalid(problem, as_id(value["id"]))
        return JSONRPCRequest(
            jsonrpc="2.0", id=value["id"], method=value["method"], params=value.get("params")
        )
    if problem is None:
        return JSONRPCNotification(jsonrpc="2.0", method=value["method"], params=value.get("params"))
    # Without a method's name it cannot be told for a notification, and JSON-RPC wants an answer.
    return Ignored(problem) if isinstance(value["method"], str) else _invalid(problem, None)


def _find_call_problem(value: dict[str, Any]) -> str | None:
    if value.get("jsonrpc") != "2.0":
        return 'jsonrpc must be "2.0"'
    if not isinstance(value["method"], str):
        return "method must be a string"
    if "id" in value and as_id(value["id"]) is None:
        return "id must be a string or an integer of at most 64 bits"
    if not isinstance(value.get("params"), (dict, type(None))):
        return "params must be an object"
    return None


def _read_reply(value: dict[str, Any]) -> JSONRPCResponse | JSONRPCError | Ignored:
    kind = JSONRPCResponse if "result" in value else JSONRPCError
    try:
        return kind.model_validate(value, by_name=False)
    except ValidationError as error:
        return Ignored(f"a malformed response ({error.error_count()} faults)")


def _invalid(problem: str, request_id: RequestId | None) -> Refusal:
    return Refusal(INVALID_REQUEST, f"Invalid Request: {problem}", request_id)


def encode_message(message: JSONRPCMessage, max_bytes: int) -> bytes:
    """The message as one JSON object; an answer above the limit, or that is no JSON, becomes an error."""
    if isinstance(message, (JSONRPCRequest, JSONRPCNotification)):
        return _dump(message)
    try:
        text = _dump(message)
    except ValueError:
        # A result with lone surrogates or foreign objects: the handler's fault, yet the client must hear.
        return Refusal(
            INTERNAL_ERROR, "Internal error: the answer cannot be written as JSON", message.id
        ).encode()
    if len(text) <= max_bytes:
        return text
    return refuse_answer(message.id, size_bytes=len(text), max_bytes=max_bytes).encode()


def refuse_answer(request_id: RequestId | None, *, size_bytes: int, max_bytes: int) -> Refusal:
    return Refusal(
        RESPONSE_TOO_LARGE,
        f"Response too large: {size_bytes} bytes, above the limit of {max_bytes}; ask for less at a time",
        request_id,
        {"limit": max_bytes, "size": size_bytes},
    )


def _dump(message: JSONRPCMessage) -> bytes:
    if isinstance(message, JSONRPCResponse):
        try:
            # The SDK has already made plain data of the result; orjson writes it several times faster.
            return orjson.dumps({"jsonrpc": "2.0", "id": message.id, "result": message.result})
        except TypeError:
            pass  # integers above 64 bits and keys that are no strings: the slow way knows them
    return message.model_dump_json(by_alias=True, exclude_unset=True).encode()
