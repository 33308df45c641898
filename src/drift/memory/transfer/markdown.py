"""Memories as Markdown that people can read and edit, and that gives back every field when it is read again.

Each memory is a heading, a comment with all fields but the text, its content as a list for the reader, and the
text in a fence longer than any in it. Only the comment and the fence are read back.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, TextIO

import orjson

from drift.kernel.errors import DriftError, invalid
from drift.kernel.text import shorten
from drift.memory.content import texts_in
from drift.memory.records import CausalEdge, Memory
from drift.memory.wire import edge_to_wire, memory_to_wire

HEAD: Final = "<!-- drift-memories 1 -->"
_MEMORY: Final = "<!-- memory "
_EDGE: Final = "<!-- edge "
_END: Final = " -->"
_FENCE: Final = re.compile(r"(`{3,})text")
_TICKS: Final = re.compile(r"`+")
_MOST_SHOWN: Final = 300
_MOST_LINE: Final = 4_000_000


def write_markdown(memories: Iterable[Memory], edges: Iterable[CausalEdge]) -> Iterator[str]:
    """The page, piece by piece."""
    yield f"{HEAD}\n# Memories\n"
    for memory in memories:
        yield _write_memory(memory)
    mark = "\n## How they bear on each other\n\n"
    for edge in edges:
        shown = f"- {edge.source} {edge.relation} {edge.target}\n"
        yield f"{mark}{shown}{_EDGE}{_dump(edge_to_wire(edge))}{_END}\n"
        mark = ""


def read_markdown(file: TextIO) -> Iterator[Any]:
    """Each record of the page in order. Raises INVALID_ARGUMENT where it is no page of an export."""
    lines = _read_lines(file)
    if next(lines, "").lstrip("\ufeff").strip() != HEAD:
        raise invalid(
            "path",
            f"it does not begin with {HEAD}",
            hint="drift_memory_export with format=markdown writes such a page; drift_memory_ingest takes any other.",
        )
    record: dict[str, Any] | None = None
    for line in lines:
        fence = _FENCE.fullmatch(line.rstrip("\r"))
        if line.startswith(_MEMORY):
            if record is not None:
                yield record
            record = _load(line, _MEMORY)
        elif line.startswith(_EDGE):
            if record is not None:
                yield record
            record = None
            yield _load(line, _EDGE)
        elif fence and record is not None and "text" not in record:
            record["text"] = _read_text(lines, fence[1])
    if record is not None:
        yield record


def _write_memory(memory: Memory) -> str:
    wire = memory_to_wire(memory)
    text = wire.pop("text", None)
    shown = [f"- {name}: {_one_line(value)}" for name, value in memory.content.items()]
    parts = [f"\n## {_one_line(memory.title)}", f"{_MEMORY}{_dump(wire)}{_END}", *shown]
    if text is not None:
        ticks = "`" * max(3, 1 + max((len(found) for found in _TICKS.findall(text)), default=0))
        parts += [f"{ticks}text", text, ticks]
    return "\n".join(parts) + "\n"


def _one_line(value: Any) -> str:
    said = "; ".join(texts_in(value)) or (orjson.dumps(value).decode() if not isinstance(value, str) else "")
    return shorten(" ".join(said.split()), _MOST_SHOWN)


def _dump(record: dict[str, Any]) -> str:
    # A comment ends at its first `-->`, which a text inside may hold.
    return orjson.dumps(record).decode().replace(">", "\\u003e")


def _load(line: str, mark: str) -> Any:
    text = line.rstrip("\r ")
    if not text.endswith(_END.strip()):
        raise _broken(f"a comment {mark.strip()} is not closed on its line")
    try:
        read = orjson.loads(text[len(mark) : -len(_END.strip())])
    except ValueError as error:
        raise _broken(f"a comment {mark.strip()} holds no JSON ({error})") from None
    if not isinstance(read, dict):
        raise _broken(f"a comment {mark.strip()} holds no object")
    return read


def _read_lines(file: TextIO) -> Iterator[str]:
    """Lines without their ends; only a line feed ends one, since texts may hold any other."""
    try:
        while line := file.readline(_MOST_LINE):
            if len(line) == _MOST_LINE:
                raise _broken(f"a line has more than {_MOST_LINE:,} characters")
            yield line.removesuffix("\n")
    except UnicodeDecodeError as error:
        raise _broken(f"byte {error.object[error.start]:#04x} is no UTF-8") from None


def _read_text(lines: Iterator[str], fence: str) -> str:
    text: list[str] = []
    for line in lines:
        if line.rstrip("\r") == fence:
            return "\n".join(text)
        text.append(line)
    raise _broken("a fence with a text is not closed")


def _broken(problem: str) -> DriftError:
    return invalid("path", f"the page cannot be read: {problem}")
