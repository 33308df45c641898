"""The types of memory, as types.toml lists them."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Any

from drift.kernel.data_files import read_data
from drift.kernel.errors import invalid
from drift.kernel.similar import similar_names


class FieldKind(StrEnum):
    """What a field of a memory's content holds."""

    TEXT = "text"
    TEXTS = "texts"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    TIME = "time"
    OBJECT = "object"
    CHOICE = "choice"
    RECORD = "record"
    RECORDS = "records"


@dataclass(frozen=True, slots=True)
class ContentField:
    """One field: its kind, the words of a choice, the fields of a record."""

    kind: FieldKind
    choices: tuple[str, ...] = ()
    fields: Mapping[str, "ContentField"] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MemoryType:
    """One type. `half_life_days` is None for what never fades."""

    name: str
    meaning: str
    half_life_days: float | None
    least_confidence: float
    fields: Mapping[str, ContentField]


@cache
def memory_types() -> Mapping[str, MemoryType]:
    """All types by name, in the order of the table."""
    table = tomllib.loads(read_data("drift.memory", "types.toml"))
    return {name: _read_type(name, row) for name, row in table.items()}


def memory_type(name: str) -> MemoryType:
    """The type of this name. Raises INVALID_ARGUMENT with the names most like it."""
    found = memory_types().get(name)
    if found is not None:
        return found
    raise invalid(
        "type",
        f"{name[:60]!r} is no type of memory",
        hint=f"Types: {', '.join(memory_types())}.",
        similar=similar_names(name, memory_types()),
    )


def _read_type(name: str, row: Mapping[str, Any]) -> MemoryType:
    fields = {key: _read_field(given) for key, given in row["fields"].items()}
    half_life_days = float(row["half_life_days"]) or None
    return MemoryType(name, row["meaning"], half_life_days, float(row["least_confidence"]), fields)


def _read_field(given: Any) -> ContentField:
    if isinstance(given, str):
        return ContentField(FieldKind(given))
    if isinstance(given, list):
        return ContentField(FieldKind.CHOICE, choices=tuple(given))
    ((kind, inner),) = given.items()
    return ContentField(FieldKind(kind), fields={key: _read_field(value) for key, value in inner.items()})
