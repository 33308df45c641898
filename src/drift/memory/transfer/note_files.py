"""A memory as a Markdown file of its own: a head of fields between two lines of dashes, then the text.

    ---
    id: m_1hf3c8z0kq7w2x9
    type: decision
    tags: ["billing"]
    recordedAtMs: 1700000000000
    ---

    Prices are integers of cents because floats lost a cent in invoices.

The head is YAML of the plainest kind: a field a line, its value bare or in JSON, a list also as lines that begin with a
dash. A file without a head is a text to keep. What differs between two readers (uses, the time of the last change) is
left out, so that the same memory is the same file everywhere.
"""

import json
import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, Final

import orjson

from drift.kernel.errors import DriftError, invalid
from drift.memory.records import Memory
from drift.memory.titles import make_title
from drift.memory.transfer.records import read_record
from drift.memory.wire import memory_to_wire

_DASHES: Final = "---"
_LEFT_OUT: Final = frozenset({"text", "updatedAtMs", "lastAccessedMs", "accessCount", "supersedes"})
# What only the store says: a file is there for what holds.
_STATE: Final = frozenset({"supersededBy", "archived", "archiveReason", "deletedAtMs"})
_FIRST: Final = ("id", "type", "title", "importance", "confidence", "tags", "files")
_FIELD: Final = re.compile(r"([A-Za-z]\w{0,40}):(?:\s{1,9}(.{0,100000}))?")
_ITEM: Final = re.compile(r"\s{0,9}-\s{1,9}(.{1,10000})")
_BARE: Final = re.compile(r"[A-Za-z_][\w./@-]{0,200}")
_CONFLICT: Final = re.compile(r"^(?:<{7}|>{7}|\|{7}) ", re.MULTILINE)
_MOST_SLUG: Final = 50


def write_note(memory: Memory) -> str:
    """The file of a memory."""
    fields = _fields(memory)
    names = [*(name for name in _FIRST if name in fields), *(name for name in fields if name not in _FIRST)]
    head = [f"{name}: {_write_value(fields[name])}" for name in names]
    return "\n".join((_DASHES, *head, _DASHES, "", memory.text.strip(), ""))


def read_note(content: bytes, *, now_ms: int) -> Memory:
    """The memory of a file, with an id of its own where it names none. Raises INVALID_ARGUMENT with what is wrong."""
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise invalid("file", f"byte {error.object[error.start]:#04x} is no UTF-8") from None
    if "\0" in text:
        raise invalid("file", "it holds a NUL")
    if _CONFLICT.search(text):
        raise invalid("file", "it holds the marks of a merge that was not finished")
    head, body = _split(text)
    record = {**_read_head(head), "text": body.strip()}
    barred = sorted(_STATE & record.keys())
    if barred:
        raise invalid(barred[0], "is for the store to say", hint="Delete the file to hide its memory.")
    found = read_record(record, now_ms=now_ms)
    if found.unread:
        raise invalid(found.unread[0], "a memory has no such field")
    if not isinstance(found.value, Memory):
        raise invalid("file", "it is no memory")
    if any(_leads_out(link.path) for link in found.value.files):
        raise invalid("files", "must be paths inside the project")
    return found.value


def digest_note(memory: Memory) -> str:
    """What two files of the same memory share, however they are written."""
    said = orjson.dumps({**_fields(memory), "text": memory.text.strip()}, option=orjson.OPT_SORT_KEYS)
    return blake2b(said, digest_size=16).hexdigest()


def name_note(memory: Memory) -> str:
    """A name for the file of a memory, from its title and its id."""
    words = re.findall(r"[^\W_]{1,40}", memory.title.lower())
    slug = ""
    for word in words:
        if len(slug) + len(word) > _MOST_SLUG:
            break
        slug += f"{word}-"
    return f"{slug}{memory.id.replace(':', '-')}.md"


def _leads_out(path: str) -> bool:
    parts = re.split(r"[/\\]", path)
    return ".." in parts or not parts[0] or parts[0].endswith(":")


def _fields(memory: Memory) -> dict[str, Any]:
    wire = memory_to_wire(memory)
    is_made = memory.title == make_title(memory.text, memory.content)
    left_out = _LEFT_OUT | _STATE | ({"title"} if is_made else set())
    return {name: value for name, value in wire.items() if name not in left_out}


def _split(text: str) -> tuple[list[str], str]:
    """The lines of the head, and what stands behind it."""
    first, _, rest = text.partition("\n")
    if first.rstrip() != _DASHES:
        return [], text
    lines = rest.split("\n")
    end = next((place for place, line in enumerate(lines) if line.rstrip() == _DASHES), None)
    if end is None:
        raise invalid("file", f"its head is not closed by a line {_DASHES}")
    return lines[:end], "\n".join(lines[end + 1 :])


def _read_head(lines: Sequence[str]) -> dict[str, Any]:
    record: dict[str, Any] = {}
    open_list: list[Any] | None = None
    for number, line in enumerate(lines, 2):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        item, found = _ITEM.fullmatch(line), _FIELD.fullmatch(line.rstrip())
        if item and open_list is not None:
            open_list.append(_read_value(item[1].strip()))
        elif found is None:
            raise invalid("file", f"line {number} of its head is no field")
        elif found[1] in record:
            raise invalid(found[1], f"is there twice, again on line {number}")
        else:
            open_list = [] if not found[2] else None
            record[found[1]] = open_list if open_list is not None else _read_value(found[2].strip())
    return record


def _read_value(written: str) -> Any:
    try:
        return json.loads(written, parse_constant=_refuse)
    except RecursionError:
        raise invalid("file", "a value of its head is nested too deep") from None
    except ValueError:
        pass
    if written.startswith("[") and written.endswith("]"):
        return [_read_value(one.strip()) for one in written[1:-1].split(",") if one.strip()]
    if len(written) > 1 and written[0] == written[-1] == "'":
        return written[1:-1].replace("''", "'")
    return written


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _write_value(value: Any) -> str:
    if isinstance(value, str) and _BARE.fullmatch(value) and value not in ("true", "false", "null"):
        return value
    return orjson.dumps(value).decode()


def say_problem(error: DriftError) -> str:
    """Why a file was not taken, in a sentence."""
    hint = error.recovery.hint
    return f"{error.message}. {hint}" if hint else error.message
