"""Calls that reach data, and which table or model they name."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.guards.constraints.form import Values, fits_name

if TYPE_CHECKING:
    from drift.guards.constraints.scene import Call, Scene

UNKNOWN_TABLE: Final = ""
_TABLE: Final = re.compile(
    r"\b(?:from|into|update|join)\s{1,20}[\"'`\[]?(?:\w{1,60}\.)?[\"'`\[]?([a-z_]\w{0,80})", re.IGNORECASE
)
_NO_TABLES: Final = frozenset({"select", "set", "lateral", "unnest", "generate_series", "only", "where"})


class Access(NamedTuple):
    """A call that reaches data. A table is unknown where neither the call nor its text names one."""

    call: "Call"
    tables: tuple[str, ...]


class _Patterns(NamedTuple):
    calls: Values
    not_calls: Values
    verbs: Values


@cache
def _patterns() -> _Patterns:
    text = files("drift.guards.constraints").joinpath("data_access.toml").read_text("utf-8")
    data = tomllib.loads(text)
    return _Patterns(tuple(data["calls"]), tuple(data["not_calls"]), tuple(data["verbs"]))


def find_accesses(scene: "Scene") -> Iterator[Access]:
    """What the product's functions here do with data."""
    for _, calls in scene.functions:
        for call in calls:
            if scene.files[call.file].role != "source":
                continue
            written = _tables_in(call.literal) if call.literal else ()
            if written or _is_access(call.names[0]):
                yield Access(call, written or _receiver(call.names[-1]))


@lru_cache(maxsize=65_536)
def _is_access(name: str) -> bool:
    known = _patterns()
    return fits_name(known.calls, name) and not fits_name(known.not_calls, name)


@lru_cache(maxsize=16_384)
def _tables_in(text: str) -> tuple[str, ...]:
    begin = text.lstrip().lower()
    if not begin.startswith(_patterns().verbs):
        return ()
    found = (each.lower() for each in _TABLE.findall(text))
    return tuple(dict.fromkeys(each for each in found if each not in _NO_TABLES))


def _receiver(text: str) -> tuple[str, ...]:
    """The model that a call is made on, where its text begins with one: User.objects.filter, Song::query."""
    head = re.split(r"::|\.|->|\(", text, maxsplit=1)[0]
    return (head,) if head[:1].isupper() and any(mark in text for mark in ("::", ".")) else ()
