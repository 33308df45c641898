"""The log's entries: how a change is written down, and what the entries of a memory add up to.

A patch holds the fields that a change set, in the form of wire.py, and null for those it emptied: the first
patch of a memory is the whole of it. Short ones are kept as JSON that a person can read with any SQLite tool,
long ones deflated.
"""

import sqlite3
import zlib
from collections.abc import Iterable, Mapping
from typing import Any, Final

import orjson

from drift.kernel.connections import Connection
from drift.kernel.errors import DriftError, ErrorCode
from drift.memory.content import check_text
from drift.memory.records import LogEntry, Memory
from drift.memory.wire import memory_from_state, state_to_wire

_SHORT_BYTES: Final = 200  # below it, deflating saves next to nothing
_MOST_ACTOR: Final = 200
_MOST_BYTES: Final = 10_000_000
_WINDOW_BITS: Final = -15  # raw: no header, no checksum; SQLite's pages are trusted as for every other value
_MEMORY_LEVEL: Final = 5

_INSERT: Final = "INSERT INTO log (at_ms, actor, action, number, patch) VALUES (?, ?, ?, ?, ?)"

LogRow = tuple[int, int, str, str, str | None, str | bytes]


def diff_states(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """The patch that makes one state the other."""
    patch = {key: value for key, value in after.items() if key not in before or before[key] != value}
    return {**patch, **dict.fromkeys(before.keys() - after.keys())}


def apply_patch(state: Mapping[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    """The state after a change."""
    return {key: value for key, value in {**state, **patch}.items() if value is not None}


def append(
    connection: Connection,
    number: int,
    *,
    at_ms: int,
    actor: str,
    action: str,
    patch: Mapping[str, Any],
) -> None:
    """Write one entry, in the transaction of the change it tells of."""
    check_text(actor, "actor", most=_MOST_ACTOR)
    packed = pack(patch) if isinstance(connection, sqlite3.Connection) else orjson.dumps(patch).decode()
    connection.execute(_INSERT, (at_ms, actor, action, number, packed))


def replay(entries: Iterable[LogEntry]) -> Memory | None:
    """The memory that its entries, oldest first, add up to; None if they do not begin with its first."""
    state: dict[str, Any] = {}
    for entry in entries:
        if (state or entry.action in FIRST_ACTIONS) and entry.action not in EDGE_ACTIONS:
            state = apply_patch(state, entry.patch)
    return memory_from_state(state) if state else None


def state_patch(before: Memory | None, after: Memory) -> dict[str, Any]:
    """What the log says of a change from one to the other."""
    return diff_states(state_to_wire(before) if before else {}, state_to_wire(after))


def entry_of(row: LogRow) -> LogEntry:
    sequence, at_ms, actor, action, memory, packed = row
    return LogEntry(sequence, at_ms, actor, action, memory, unpack(packed))


def pack(patch: Mapping[str, Any]) -> str | bytes:
    raw = orjson.dumps(patch)
    if len(raw) >= _SHORT_BYTES:
        deflate = zlib.compressobj(6, zlib.DEFLATED, _WINDOW_BITS, _MEMORY_LEVEL, zdict=_USUAL)
        packed = deflate.compress(raw) + deflate.flush()
        if len(packed) < len(raw):
            return packed
    return raw.decode()


def unpack(packed: str | bytes) -> dict[str, Any]:
    """The patch. Raises CORTEX_UNAVAILABLE when it is none, as in a damaged file."""
    try:
        if isinstance(packed, bytes):
            inflate = zlib.decompressobj(_WINDOW_BITS, zdict=_USUAL)
            packed = inflate.decompress(packed, _MOST_BYTES)  # a bound: few bytes can inflate to gigabytes
        patch = orjson.loads(packed)
        if isinstance(patch, dict):
            return patch
    except (zlib.error, ValueError, TypeError) as error:
        raise _damaged() from error
    raise _damaged()


def _damaged() -> DriftError:
    return DriftError(ErrorCode.CORTEX_UNAVAILABLE, "An entry of the memory log is damaged")


FIRST_ACTIONS: Final = frozenset({"add", "import"})
EDGE_ACTIONS: Final = frozenset({"edge", "unedge"})

# What patches have in common, so that even the first one deflates well. Part of the file format: entries
# written with it can be read only with it, so it never changes.
_USUAL: Final = (
    b'"archiveReason":"supersededBy":"m_1"lastValidatedMs":1"deletedAtMs":1"archived":true"validUntilMs":1'
    b'"validFromMs":1"createdBy":"session":"s_1"functions":["patterns":["constraints":["contentHash":'
    b'"startLine":1,"endLine":1"files":[{"path":"src/.py"}],"importance":"critical"high"low"'
    b'"warnings":["consequences":["severity":"warning","knowledge":"topic":"decisionSummary":"alternatives":["'
    b'"rootCause":"resolution":"lessonsLearned":["interaction":{"userQuery":"agentResponse":"outcome":"'
    b" because  instead of  when the  should  always  never  use the  file  function  error  test  "
    b'"kind":"decision","kind":"finding","source":"manual","tags":["confidence":0.8,"content":{"'
    b'"type":"semantic","type":"episodic","type":"tribal","title":"The ","text":"The ","id":"m_1","recordedAtMs":1'
    b'7"updatedAtMs":17'
)
