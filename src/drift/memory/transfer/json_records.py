"""Records of a JSON file, read as a stream: a list, a document with a list in it, or one record a line.

The file is never in memory as a whole. A record may have at most `MOST_RECORD_CHARS`.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, TextIO

import orjson

from drift.kernel.errors import DriftError, invalid
from drift.memory.records import CausalEdge, Memory
from drift.memory.wire import edge_to_wire, memory_to_wire

FORMAT: Final = "drift-memories"
VERSION: Final = 1
MOST_RECORD_CHARS: Final = 4_000_000
_CHUNK: Final = 1 << 18
_SPACE: Final = re.compile(r"[ \t\r\n\ufeff]*")
_DOCUMENT: Final = re.compile(r'\{\s*"(?:format|version|exportedAtMs|memories|edges)"\s*:')
_LISTS: Final = frozenset({"memories", "edges"})


def write_json(memories: Iterable[Memory], edges: Iterable[CausalEdge]) -> Iterator[str]:
    """The document, piece by piece; each record stands on a line of its own.

    It says no time of its own: the same memories are the same document, for git and for comparing.
    """
    yield f'{{"format": "{FORMAT}", "version": {VERSION},\n"memories": ['
    yield from _write_list(memory_to_wire(one) for one in memories)
    yield '\n],\n"edges": ['
    yield from _write_list(edge_to_wire(one) for one in edges)
    yield "\n]}\n"


def read_json(file: TextIO) -> Iterator[Any]:
    """Each record of the file in order. Raises INVALID_ARGUMENT where it is no JSON."""
    source = _Source(file)
    first = source.peek()
    if first == "[":
        yield from source.items()
    elif first == "{" and _DOCUMENT.match(source.buffer, source.position):
        yield from source.members()
    elif first:
        yield from source.lines()


def _write_list(records: Iterable[dict[str, Any]]) -> Iterator[str]:
    mark = "\n"
    for record in records:
        yield mark + orjson.dumps(record).decode()
        mark = ",\n"


class _Source:
    """A file of JSON and the place reached in it."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._decoder = json.JSONDecoder()
        self._has_ended = False
        self.buffer = ""
        self.position = 0
        self.records = 0
        self._more()

    def peek(self) -> str:
        """The next character that is no space; empty at the end."""
        while True:
            found = _SPACE.match(self.buffer, self.position)
            self.position = found.end() if found else self.position
            if self.position < len(self.buffer):
                return self.buffer[self.position]
            if not self._more():
                return ""

    def take(self, mark: str) -> None:
        found = self.peek()
        if found != mark:
            raise self._wrong(
                f"{mark!r} is missing" if not found else f"{found!r} stands where {mark!r} belongs"
            )
        self.position += 1

    def value(self) -> Any:
        """The next value, read further while it may be incomplete."""
        self.peek()
        while True:
            try:
                value, end = self._decoder.raw_decode(self.buffer, self.position)
            except RecursionError:
                raise self._wrong("it is nested too deep") from None
            except ValueError as error:
                if not self._grow():
                    raise self._wrong(str(error)[:200]) from None
                continue
            # A number at the end of what was read may go on.
            if end == len(self.buffer) and isinstance(value, int | float) and self._more():
                continue
            self.position = end
            self.records += 1
            return value

    def items(self) -> Iterator[Any]:
        self.take("[")
        if self.peek() == "]":
            self.take("]")
            return
        while True:
            yield self.value()
            if self.peek() != ",":
                break
            self.take(",")
        self.take("]")

    def members(self) -> Iterator[Any]:
        """The records in the lists of a document; what else it says is passed over."""
        self.take("{")
        while True:
            key = self.value()
            self.take(":")
            if key in _LISTS and self.peek() == "[":
                yield from self.items()
            else:
                self._check_header(key, self.value())
            if self.peek() != ",":
                break
            self.take(",")
        self.take("}")

    def lines(self) -> Iterator[Any]:
        while self.peek():
            yield self.value()

    def _check_header(self, key: Any, value: Any) -> None:
        if key == "format" and value != FORMAT:
            raise invalid("path", f"its format is {str(value)[:60]!r}, not {FORMAT!r}")
        if key == "version" and value != VERSION:
            raise invalid("path", f"it is of version {str(value)[:20]}; this Drift reads version {VERSION}")

    def _grow(self) -> bool:
        """Read more of a value that could not be read yet; each time twice as much, so that it stays linear."""
        wanted = max(_CHUNK, len(self.buffer) - self.position)
        if len(self.buffer) - self.position > MOST_RECORD_CHARS:
            raise self._wrong(
                f"it has more than {MOST_RECORD_CHARS:,} characters, or a bracket is not closed"
            )
        return self._more(wanted)

    def _more(self, wanted: int = _CHUNK) -> bool:
        if self._has_ended:
            return False
        try:
            read = self._file.read(wanted)
        except UnicodeDecodeError as error:
            raise self._wrong(f"byte {error.object[error.start]:#04x} is no UTF-8") from None
        self._has_ended = not read
        self.buffer = self.buffer[self.position :] + read
        self.position = 0
        return bool(read)

    def _wrong(self, problem: str) -> DriftError:
        return invalid(
            "path",
            f"record {self.records} cannot be read: {problem}",
            hint="Give a JSON list of memories, a document of drift_memory_export, or one JSON object a line.",
        )
