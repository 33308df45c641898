"""A byte stream cut into lines, in bounded memory."""

import re
from dataclasses import dataclass
from typing import Final

import orjson
from mcp_types import RequestId

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_BLANKS: Final = b" \t\r"

# How much of an over-long line is kept to find its id: clients put it in front of `params` or after.
_HEAD_BYTES: Final = 4096
_TAIL_BYTES: Final = 512


@dataclass(frozen=True, slots=True)
class OverlongLine:
    """What is kept of a line above the size limit."""

    head: bytes
    tail: bytes

    @classmethod
    def of(cls, line: bytes) -> "OverlongLine":
        """The two ends of a whole line."""
        return cls(line[:_HEAD_BYTES], line[-_TAIL_BYTES:])


class LineFramer:
    """Cuts a byte stream into lines; of a line above `max_bytes` only the ends are kept."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._partial = bytearray()
        self._overlong_head: bytes | None = None
        self._is_at_start = True

    def feed(self, chunk: bytes) -> list[bytes | OverlongLine]:
        """The lines this chunk completes, blank ones left out."""
        *ends, rest = chunk.split(b"\n")
        lines = [line for end in ends if (line := self._finish(end))]
        self._extend(rest)
        return lines

    def close(self) -> list[bytes | OverlongLine]:
        """The last line, when the stream ended without a newline."""
        line = self._finish(b"")
        return [line] if line else []

    def _extend(self, piece: bytes) -> None:
        self._partial += piece
        if self._overlong_head is None and len(self._partial) > self._max_bytes + len(
            _BYTE_ORDER_MARK + b"\r"
        ):
            self._overlong_head = bytes(self._partial[:_HEAD_BYTES])
        if self._overlong_head is not None:
            del self._partial[:-_TAIL_BYTES]

    def _finish(self, end: bytes) -> bytes | OverlongLine:
        self._extend(end)
        line, head = bytes(self._partial), self._overlong_head
        self._partial, self._overlong_head = bytearray(), None
        if self._is_at_start:
            self._is_at_start = False
            line = line.removeprefix(_BYTE_ORDER_MARK) if head is None else line
        if head is not None:
            return OverlongLine(head, line)
        if len(line.removesuffix(b"\r")) > self._max_bytes:
            return OverlongLine.of(line)
        return line.strip(_BLANKS)


_STRING: Final = rb'"(?:[^"\\]++|\\.)*+"'
_SCALAR: Final = rb"(?:" + _STRING + rb"|-?[0-9][0-9.eE+-]*+|true|false|null)"
_ID_IN_HEAD: Final = re.compile(
    rb"[\xef\xbb\xbf\s]*+\{(?:\s*+(?!\"id\")" + _STRING + rb"\s*+:\s*+" + _SCALAR + rb"\s*+,)*+"
    rb"\s*+\"id\"\s*+:\s*+(" + _SCALAR + rb")\s*+[,}]",
    re.DOTALL,
)
# In valid JSON a member in front of the very last brace belongs to the outermost object.
_ID_IN_TAIL: Final = re.compile(rb"[,{]\s*+\"id\"\s*+:\s*+(" + _SCALAR + rb")\s*+\}\s*+\Z", re.DOTALL)


def find_id(line: OverlongLine) -> RequestId | None:
    """The id of a request that is not to be parsed, when it stands outside `params` near an end of the line."""
    if not line.head.lstrip(_BLANKS + _BYTE_ORDER_MARK).startswith(b"{"):
        return None
    found = _ID_IN_HEAD.match(line.head) or _ID_IN_TAIL.search(line.tail)
    if found is None:
        return None
    try:
        return as_id(orjson.loads(found[1]))
    except orjson.JSONDecodeError:
        return None


def as_id(value: object) -> RequestId | None:
    """The value when MCP allows it as a request id; `True` is no integer here."""
    return value if isinstance(value, (str, int)) and not isinstance(value, bool) else None
