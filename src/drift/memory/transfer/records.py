"""One record of an import as a memory or an edge: our own exports exactly, and what others write where it is clear."""

import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from drift.kernel.errors import invalid
from drift.kernel.wire import camel
from drift.memory.ids import make_id
from drift.memory.records import CausalEdge, Memory
from drift.memory.wire import edge_from_wire, memory_from_wire

DEFAULT_TYPE: Final = "insight"  # "something found out while working": all that is known of an untyped note
_OWN: Final = frozenset(camel(one.name) for one in fields(Memory))
_EDGE: Final = frozenset({"source", "target", "relation"})
_SNAKE: Final = re.compile(r"_([a-z])")
# What other memories call the same thing. The first name there is wins; our own names win over these.
_ALSO: Final[Mapping[str, tuple[str, ...]]] = {
    "type": ("memoryType",),
    "title": ("summary", "name"),
    "text": ("content", "body", "memory", "observation"),
    "files": ("linkedFiles",),
    "functions": ("linkedFunctions",),
    "patterns": ("linkedPatterns",),
    "constraints": ("linkedConstraints",),
    "recordedAtMs": ("recordedAt", "createdAt", "timestamp", "date"),
    "updatedAtMs": ("updatedAt",),
    "lastAccessedMs": ("lastAccessed",),
    "lastValidatedMs": ("lastValidated",),
    "validFromMs": ("validFrom",),
    "validUntilMs": ("validUntil",),
    "deletedAtMs": ("deletedAt",),
    "session": ("sessionId",),
}
_SECONDS_END: Final = (
    100_000_000_000  # a number below it is a time in seconds: the year 5138, or March 1973 in ms
)


class ReadRecord(NamedTuple):
    """What a record is, and the names of its fields that mean nothing here."""

    value: Memory | CausalEdge
    unread: tuple[str, ...] = ()


def read_record(record: object, *, now_ms: int) -> ReadRecord:
    """The memory or edge of a record. Raises INVALID_ARGUMENT naming what is wrong."""
    if not isinstance(record, dict):
        raise invalid("record", "must be an object")
    if record.keys() >= _EDGE:
        return ReadRecord(edge_from_wire(record))
    # Most records speak our names alone; those of others are translated, which takes as long as the rest.
    is_own = record.keys() <= _OWN and not isinstance(record.get("content"), str)
    known, unread = (dict(record), ()) if is_own and not _has_other_forms(record) else _translate(record)
    known.pop("supersedes", None)  # the other side of `supersededBy`, which says it all
    known.setdefault("type", DEFAULT_TYPE)
    known.setdefault("recordedAtMs", now_ms)
    if "id" not in known:
        known["id"] = make_id(now_ms)
    return ReadRecord(memory_from_wire(known), unread)


def _translate(record: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    given = {_SNAKE.sub(lambda found: found[1].upper(), str(key)): one for key, one in record.items()}
    if isinstance(given.get("content"), str):
        text = given.pop("content")
        given.setdefault("text", text)
    known = {key: one for key, one in given.items() if key in _OWN}
    used = set(known)
    for name, others in _ALSO.items():
        found = next((other for other in others if other in given and other not in _OWN), None)
        if name not in known and found is not None:
            known[name] = given[found]
            used.add(found)
    for name, convert in _CONVERSIONS.items():
        if name in known:
            known[name] = convert(known[name], name)
    unread = tuple(key[:60] for key in given if key not in used)
    return {key: one for key, one in known.items() if one is not None}, unread


def _has_other_forms(record: Mapping[str, Any]) -> bool:
    files = record.get("files")
    has_bare_paths = isinstance(files, list) and any(isinstance(one, str) for one in files)
    return has_bare_paths or isinstance(record.get("recordedAtMs", 0), str | float)


def _time(value: Any, argument: str) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return value
    if isinstance(value, int | float):
        return int(value * 1000) if 0 < value < _SECONDS_END else int(value)
    try:
        read = datetime.fromisoformat(value)
    except ValueError:
        raise invalid(argument, "must be a time in Unix milliseconds or in ISO 8601") from None
    return int((read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp() * 1000)


def _file_links(value: Any, argument: str) -> Any:
    if not isinstance(value, list):
        raise invalid(argument, "must be a list")
    return [{"path": one} if isinstance(one, str) else one for one in value]


_CONVERSIONS: Final[Mapping[str, Callable[[Any, str], Any]]] = {
    **{name: _time for name in _ALSO if name.endswith("Ms")},
    "files": _file_links,
}
