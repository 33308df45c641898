"""Packs: bundles of tools for one kind of task. Six are built in; a project adds its own."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import orjson

from drift.context.composition import Step, check_steps
from drift.kernel.depth import json_depth_exceeds
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.reading import read_file
from drift.kernel.similar import similar_names
from drift.kernel.text import shorten
from drift.registry.schema import decode

_MAX_PACK_BYTES = 65_536
_MAX_PACKS = 200  # read anew for every list of tools
_MAX_DEPTH = 16
_PACK_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["name", "title", "description", "tools"],
    "properties": {
        "name": {"type": "string", "pattern": "^[a-z0-9][a-z0-9-]{0,63}$"},
        "title": {"type": "string", "maxLength": 100},
        "description": {"type": "string", "maxLength": 500},
        "version": {"type": "string", "maxLength": 40},
        "tools": {
            "type": "array",
            "minItems": 1,
            "maxItems": 50,
            "items": {"type": "string", "maxLength": 128},
        },
        "categories": {"type": "array", "maxItems": 50, "items": {"type": "string", "maxLength": 128}},
        "patterns": {"type": "array", "maxItems": 200, "items": {"type": "string", "maxLength": 200}},
        "steps": {
            "type": "array",
            "maxItems": 20,
            "items": {
                "type": "object",
                "required": ["id", "tool"],
                "additionalProperties": False,
                "properties": {
                    "id": {"type": "string", "pattern": "^[a-z][a-z0-9_-]{0,39}$"},
                    "tool": {"type": "string", "maxLength": 128},
                    "args": {"type": "object", "maxProperties": 30},
                    "when": {"type": "string", "maxLength": 300},
                    "required": {"type": "boolean"},
                    "share": {"type": "number", "minimum": 0.1, "maximum": 10},
                },
            },
        },
        "config": {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "maxExamples": {"type": "integer", "minimum": 0, "maximum": 50},
                "contextLines": {"type": "integer", "minimum": 0, "maximum": 100},
                "minConfidence": {"type": "number", "minimum": 0, "maximum": 1},
                "includeDeprecated": {"type": "boolean"},
                "depth": {"enum": ["overview", "standard", "deep"]},
                "maxTokens": {"type": "integer", "minimum": 100, "maximum": 100_000},
            },
        },
        "triggers": {
            "type": "array",
            "maxItems": 50,
            "items": {
                "type": "object",
                "required": ["type", "value"],
                "additionalProperties": False,
                "properties": {
                    "type": {"enum": ["intent", "file", "keyword"]},
                    "value": {"type": "string", "maxLength": 200},
                },
            },
        },
    },
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class PackConfig:
    """How much of everything a pack's answer holds."""

    max_examples: int = 3
    context_lines: int = 5
    min_confidence: float = 0.5
    include_deprecated: bool = False
    depth: Literal["overview", "standard", "deep"] = "standard"
    max_tokens: int = 8_000


@dataclass(frozen=True, slots=True)
class PackTrigger:
    """When a pack suggests itself."""

    type: Literal["intent", "file", "keyword"]
    value: str


@dataclass(frozen=True, slots=True)
class Pack:
    """A named bundle of tools. `steps` say how some are called; the others are called with what is at hand."""

    name: str
    title: str
    description: str
    tools: tuple[str, ...]
    version: str = "1.0.0"
    categories: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    config: PackConfig = PackConfig()
    triggers: tuple[PackTrigger, ...] = ()
    steps: tuple[Step, ...] = ()
    is_custom: bool = False
    file_name: str | None = None
    """Where a project keeps it, in its folder of packs."""

    @property
    def intent(self) -> str | None:
        """The task it is for, where it is for one."""
        return next((trigger.value for trigger in self.triggers if trigger.type == "intent"), None)


@dataclass(frozen=True, slots=True)
class Packs:
    """The packs a project has, and what is wrong with those it could not load."""

    by_name: Mapping[str, Pack]
    problems: tuple[str, ...] = ()

    def get(self, name: str) -> Pack:
        if name in self.by_name:
            return self.by_name[name]
        raise DriftError(
            ErrorCode.PACK_NOT_FOUND,
            f"There is no pack named {name[:80]!r}",
            Recovery(similar=similar_names(name, self.by_name)),
        )


@cache
def built_in_packs() -> tuple[Pack, ...]:
    rows = orjson.loads(files("drift.registry").joinpath("data/packs.json").read_bytes())
    return tuple(decode(Pack, row) for row in rows)


def load_packs(custom_dir: Path | None = None, disabled: Iterable[str] = ()) -> Packs:
    """Built-in packs less the disabled ones, then a project's own, which win over built-in names."""
    off = set(disabled)
    found = {pack.name: pack for pack in built_in_packs() if pack.name not in off}
    problems: list[str] = []
    for path in _pack_files(custom_dir) if custom_dir else ():
        try:
            pack = _read_pack(path)
        except ValueError as problem:
            problems.append(f"{path.name}: {problem}")
            continue
        other = found.get(pack.name)
        if other is not None and other.is_custom:
            problems.append(
                f"{path.name}: name: {other.file_name} has a pack {pack.name!r}, too; this one counts"
            )
        found[pack.name] = pack
    return Packs(found, tuple(problems))


def parse_pack(row: object) -> Pack:
    """The pack a document describes; ValueError names the place in it and what is expected there."""
    # Imported here: most projects have no packs of their own, and it costs 36 ms.
    import jsonschema_rs

    if json_depth_exceeds(row, _MAX_DEPTH):
        raise ValueError(f"is nested deeper than {_MAX_DEPTH} levels")
    for wrong in jsonschema_rs.Draft202012Validator(_PACK_SCHEMA).iter_errors(row):
        place = ".".join(str(part) for part in wrong.instance_path) or "pack"
        raise ValueError(f"{place}: {shorten(wrong.message, 200)}")
    assert isinstance(row, dict)
    pack: Pack = decode(Pack, {**row, "isCustom": True})
    check_steps(pack.steps)
    return pack


def _pack_files(custom_dir: Path) -> list[Path]:
    try:
        return sorted(islice(custom_dir.glob("*.json"), _MAX_PACKS))
    except OSError:  # not there, or not to be read
        return []


def _read_pack(path: Path) -> Pack:
    """The pack in a file; ValueError says what is wrong with it."""
    try:
        # A repository may bring a link along; what it leads to must not show in a message.
        raw = read_file(path.parent, path.name, _MAX_PACK_BYTES)
    except OSError as error:
        raise ValueError(f"cannot be read ({error.strerror})") from error
    try:
        row = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise ValueError(f"not valid JSON ({error})") from error
    return replace(parse_pack(row), file_name=path.name)
