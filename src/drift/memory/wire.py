"""Memories and edges as JSON objects and back: the one form for the log, for exports and for imports.

A field that holds its default is left out; reading puts the default back, so nothing is lost. Names are those
of the records in camelCase.
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, Final

from drift.kernel.errors import invalid
from drift.kernel.similar import similar_names
from drift.kernel.wire import camel
from drift.memory.checks import MOST_TEXT, check_time, checked
from drift.memory.content import check_text
from drift.memory.ids import check_id
from drift.memory.records import CausalEdge, Evidence, EvidenceKind, FileLink, Importance, Memory, Relation

# `supersedes` is the other side of `supersededBy`: one of them says it all.
_DERIVED: Final = frozenset({"supersedes"})
_USAGE: Final = frozenset({"last_accessed_ms", "access_count"})
_IMPORTANCES: Final = tuple(Importance)
_NAME_LISTS: Final = ("tags", "functions", "patterns", "constraints")


def _defaults() -> dict[str, tuple[str, Any]]:
    """For each field its name on the wire and its default; MISSING where it has none."""
    return {
        one.name: (
            camel(one.name),
            one.default_factory() if one.default_factory is not MISSING else one.default,
        )
        for one in fields(Memory)
        if one.name not in _DERIVED
    }


_FIELDS: Final = _defaults()
_LOGGED: Final = {name: entry for name, entry in _FIELDS.items() if name not in _USAGE}
_BY_WIRE: Final = {wire: name for name, (wire, _default) in _FIELDS.items()}
MOST_COUNTED: Final = 2**53
_NONE: Final = type(None)
# Exact types: a bool is an int to Python and a mistake here.
_KINDS: Final[Mapping[str, tuple[tuple[type, ...], str]]] = {
    "id": ((str,), "a text"),
    "type": ((str,), "a text"),
    "recorded_at_ms": ((int,), "a time in Unix milliseconds"),
    "updated_at_ms": ((int,), "a time in Unix milliseconds"),
    "superseded_by": ((str, _NONE), "an id"),
    "archived": ((bool,), "true or false"),
    "archive_reason": ((str, _NONE), "a text"),
    "access_count": ((int,), "a count"),
}
_TIMES: Final = (
    "recorded_at_ms", "updated_at_ms", "last_validated_ms", "deleted_at_ms", "last_accessed_ms",
)  # fmt: skip
_REQUIRED: Final = ("id", "type", "recorded_at_ms")


def memory_to_wire(memory: Memory) -> dict[str, Any]:
    """The whole memory, for an export."""
    return _write(memory, _FIELDS)


def state_to_wire(memory: Memory) -> dict[str, Any]:
    """What the log keeps of a memory: all but how often it was used."""
    return _write(memory, _LOGGED)


def memory_from_wire(wire: Mapping[str, Any]) -> Memory:
    """The memory of an export. Raises INVALID_ARGUMENT for unknown fields and values that cannot be kept."""
    return _checked(memory_from_state(wire))


def memory_from_state(wire: Mapping[str, Any]) -> Memory:
    """The memory that the log tells of: its shape is checked, not whether its type still has such fields."""
    if not isinstance(wire, dict):
        raise invalid("memory", "must be an object")
    unknown = [key for key in wire if key not in _BY_WIRE]
    if unknown:
        name = str(unknown[0])
        raise invalid(name[:60], "a memory has no such field", similar=similar_names(name, _BY_WIRE))
    values = {_BY_WIRE[key]: value for key, value in wire.items()}
    for name in _REQUIRED:
        if name not in values:
            raise invalid(camel(name), "is missing")
    return Memory(**_read(values))


def edge_to_wire(edge: CausalEdge) -> dict[str, Any]:
    return {
        "source": edge.source,
        "target": edge.target,
        "relation": str(edge.relation),
        "strength": edge.strength,
        "evidence": [evidence_to_wire(one) for one in edge.evidence],
        "inferred": edge.inferred,
        "validatedAtMs": edge.validated_at_ms,
    }


def edge_from_wire(wire: Mapping[str, Any]) -> CausalEdge:
    """The edge of an export. Raises INVALID_ARGUMENT when it is none."""
    try:
        return CausalEdge(
            wire["source"],
            wire["target"],
            Relation(wire["relation"]),
            strength=wire.get("strength", 1.0),
            evidence=tuple(evidence_from_wire(one) for one in wire.get("evidence", ())),
            inferred=bool(wire.get("inferred", False)),
            validated_at_ms=wire.get("validatedAtMs"),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        known = ", ".join(Relation)
        raise invalid(
            "edge", f"needs source, target and a relation ({known}), of the form of an export"
        ) from error


def evidence_to_wire(evidence: Evidence) -> dict[str, Any]:
    return {
        "kind": str(evidence.kind),
        "description": evidence.description,
        "confidence": evidence.confidence,
        "reference": evidence.reference,
    }


def evidence_from_wire(wire: Mapping[str, Any]) -> Evidence:
    """Raises KeyError, TypeError or ValueError when it is none."""
    return Evidence(
        EvidenceKind(wire["kind"]), wire["description"], wire.get("confidence", 1.0), wire.get("reference")
    )


def _write(memory: Memory, entries: Mapping[str, tuple[str, Any]]) -> dict[str, Any]:
    written = {
        wire: value
        for name, (wire, default) in entries.items()
        if (value := getattr(memory, name)) != default
    }
    for name in _NAME_LISTS:
        if name in written:
            written[name] = list(written[name])
    if "files" in written:
        written["files"] = [_write_file(link) for link in memory.files]
    return written


def _write_file(link: FileLink) -> dict[str, Any]:
    values = {
        "path": link.path,
        "startLine": link.start_line,
        "endLine": link.end_line,
        "contentHash": link.content_hash,
    }
    return {key: value for key, value in values.items() if value is not None}


def _read(values: dict[str, Any]) -> dict[str, Any]:
    read = dict(values)
    read.setdefault("updated_at_ms", values["recorded_at_ms"])
    for name in _NAME_LISTS:
        if name in read:
            read[name] = _read_list(read[name], name)
    if "files" in read:
        read["files"] = tuple(_read_file(one) for one in _read_list(read["files"], "files"))
    for name, (kinds, wording) in _KINDS.items():
        if name in read and type(read[name]) not in kinds:
            raise invalid(camel(name), f"must be {wording}")
    if "importance" in read and read["importance"] in _IMPORTANCES:
        read["importance"] = Importance(read["importance"])
    return read


def _read_list(value: Any, argument: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise invalid(argument, "must be a list")
    return tuple(value)


def _read_file(wire: Any) -> FileLink:
    if not isinstance(wire, dict) or not wire.keys() <= {"path", "startLine", "endLine", "contentHash"}:
        raise invalid("files", "each must be an object with path, startLine, endLine, contentHash")
    lines = (wire.get("startLine"), wire.get("endLine"))
    if any(line is not None and (not isinstance(line, int) or isinstance(line, bool)) for line in lines):
        raise invalid("files", "lines must be integers")
    return FileLink(wire.get("path", ""), *lines, wire.get("contentHash"))


def _checked(memory: Memory) -> Memory:
    """What the store itself sets is checked here; the rest as for any draft."""
    check_id(memory.id)
    if memory.superseded_by is not None:
        check_id(memory.superseded_by)
    if memory.superseded_by == memory.id:
        raise invalid("supersededBy", "names the memory itself")
    for name in _TIMES:
        check_time(getattr(memory, name), camel(name))
    if not 0 <= memory.access_count < MOST_COUNTED:
        raise invalid("accessCount", "must be a count")
    check_text(memory.archive_reason or "", "archiveReason", most=MOST_TEXT)
    return checked(memory)
