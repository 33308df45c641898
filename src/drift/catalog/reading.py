"""One file as an instruction, or why it is none; and an instruction as a file."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from drift.catalog.entry import SCHEMA_VERSION, Instruction
from drift.catalog.files import UnreadableFileError
from drift.catalog.ids import ENDING, find_fault
from drift.catalog.normalisation import OWNER_RULE, lacks_owner, normalise
from drift.catalog.repeated_keys import find_repeated_key
from drift.catalog.structure import find_faults, schema
from drift.kernel.depth import json_depth_exceeds
from drift.kernel.text import shorten

BOM: Final = b"\xef\xbb\xbf"
_DEEPEST: Final = 64  # as of what clients send; what lies deeper could be read but not written again
_VERSION: Final = re.compile(r"([0-9]{1,6})(?:\.[0-9.]{0,20})?")


class Loaded(NamedTuple):
    """An instruction that a file gave, the object in the file, and what is not as it should be."""

    instruction: Instruction
    given: Mapping[str, Any]
    warnings: tuple[str, ...]

    @property
    def stored_hash(self) -> str | None:
        """The hash of the body that the file claims."""
        return self.given.get("sourceHash")

    @property
    def is_normal(self) -> bool:
        """Whether writing it again would change nothing but the layout."""
        return dict(self.given) == self.instruction.as_wire()


def load(name: str, content: bytes) -> Loaded:
    """The instruction in a file of this name. Raises UnreadableFileError with the line to blame."""
    given = _decode(content)
    instruction_id = name.removesuffix(ENDING)
    if problem := find_fault(instruction_id):
        raise UnreadableFileError(f"the file's name cannot be an id: it {problem}")
    given = migrate(given)
    if not isinstance(given.get("id"), str):
        reason = "is missing" if given.get("id") is None else "must be a string"
        raise UnreadableFileError(f"id: {reason}", _line_of(content, "id"))
    if given["id"] != instruction_id:
        found = ascii(shorten(given["id"], 60))
        raise UnreadableFileError(
            f"id is {found} but the file's name says {instruction_id!r}", _line_of(content, "id")
        )
    for fault in find_faults(given, lax=True):
        field = str(fault["instancePath"]).split("/")[1] if fault["instancePath"] else None
        where = f"{field}: " if field else ""
        raise UnreadableFileError(
            f"{where}{shorten(str(fault['message']), 200)}", _line_of(content, field) if field else None
        )
    if "\0" in given["body"]:
        raise UnreadableFileError("body: has a NUL character", _line_of(content, "body"))
    try:
        instruction = normalise(given)
    except ValueError as error:
        raise UnreadableFileError(str(error), _line_of(content, str(error).partition(":")[0])) from None
    return Loaded(instruction, given, _find_warnings(instruction, given))


def dump(instruction: Instruction) -> bytes:
    """The file of an instruction: fields in one order, indented, so that changes read well in a review."""
    import orjson  # 20 ms, and a start that touches no file needs none of it

    return orjson.dumps(instruction.as_wire(), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def migrate(given: Mapping[str, Any]) -> dict[str, Any]:
    """The object of an older file in the present form. Raises UnreadableFileError for one from a newer Drift."""
    version = _read_version(given.get("schemaVersion") or "1")
    if version > int(SCHEMA_VERSION):
        raise UnreadableFileError(f"was written by a newer Drift (schemaVersion {version})")
    migrated = dict(given)
    for older in range(max(version, 1), int(SCHEMA_VERSION)):
        migrated = _MIGRATIONS[older](migrated)
    return migrated


def _from_first(given: dict[str, Any]) -> dict[str, Any]:
    """Version 1 wrote null for what it did not know; its words for scopes are understood in any version."""
    return {name: value for name, value in given.items() if value is not None}


# The step from each version to the next.
_MIGRATIONS: Final[Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]]] = {1: _from_first}


def _read_version(given: object) -> int:
    found = _VERSION.fullmatch(given) if isinstance(given, str) else None
    if found is None:
        raise UnreadableFileError("schemaVersion: is not a version")
    return int(found[1])


def _decode(content: bytes) -> dict[str, Any]:
    import orjson  # 20 ms, and a start that touches no file needs none of it

    if json_depth_exceeds(content, _DEEPEST):
        raise UnreadableFileError(f"is JSON of a depth of more than {_DEEPEST} levels")
    try:
        given = orjson.loads(content.removeprefix(BOM))
    except orjson.JSONDecodeError as error:
        reason = f"is not JSON in UTF-8: {error.msg}, column {error.colno}"
        raise UnreadableFileError(reason, error.lineno) from None
    if not isinstance(given, dict):
        raise UnreadableFileError("holds no JSON object", 1)
    if repeated := find_repeated_key(content, given):
        raise UnreadableFileError(
            f"has the key {shorten(repeated.key, 60)!a} twice in one object", repeated.line
        )
    return given


def _find_warnings(instruction: Instruction, given: Mapping[str, Any]) -> tuple[str, ...]:
    found = []
    if lacks_owner(instruction):
        found.append(OWNER_RULE)
    stored = given.get("sourceHash")
    if stored is not None and stored != instruction.source_hash:
        found.append("sourceHash does not fit the body")
    if instruction.extra:
        known = schema()["properties"]
        unknown = ", ".join(
            ascii(shorten(name, 40)) for name in sorted(instruction.extra) if name not in known
        )
        found.append(f"unknown fields: {shorten(unknown, 200)}")
    return tuple(found)


def _line_of(content: bytes, field: str) -> int | None:
    """The line where a field stands, as far as a look at the text can tell."""
    found = content.find(b'"' + field.encode("utf-8", "replace") + b'"')
    return None if found < 0 else content.count(b"\n", 0, found) + 1
