"""The rows of reads.toml, by language."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

_LANGUAGES: Final = {"javascript": "typescript"}


class CallRule(NamedTuple):
    """A call that reads configuration."""

    kind: str
    default: tuple[int | str, ...] = ()
    required: bool = False
    packages: tuple[str, ...] = ()
    first: str = ""


class TextRule(NamedTuple):
    """A read that is no call."""

    kind: str
    pattern: re.Pattern[bytes]
    needs: bytes
    required: bool = False
    name: str = "{}"
    """How what is found is told: a name in angle brackets is that of a variable, * the rest of a name."""


class Rules(NamedTuple):
    """What reads configuration in one language."""

    calls: dict[str, tuple[tuple[str, CallRule], ...]]  # the whole ends of what is called, by its last name
    texts: tuple[TextRule, ...]
    decorators: dict[str, re.Pattern[str]]
    fields: tuple[str, ...]
    is_bare_required: bool


@cache
def rules_of(language: str) -> Rules:
    """The rules of a language; none where it has none."""
    data = _read()
    own = _LANGUAGES.get(language, language)
    calls: dict[str, list[tuple[str, CallRule]]] = defaultdict(list)
    for row in (each for each in data["calls"] if each["language"] == own):
        rule = CallRule(
            row["kind"],
            tuple(row.get("default", ())),
            row.get("required", False),
            tuple(row.get("packages", ())),
            row.get("first", ""),
        )
        for name in row["names"]:
            calls[last_name(name)].append((name, rule))
    return Rules(
        {name: tuple(rows) for name, rows in calls.items()},
        tuple(
            TextRule(
                row["kind"],
                re.compile(row["pattern"].encode()),
                row["needs"].encode(),
                row.get("required", False),
                row.get("name", "{}"),
            )
            for row in data["texts"]
            if row["language"] == own
        ),
        {
            name: re.compile(row["pattern"])
            for row in data["decorators"]
            if row["language"] == own
            for name in row["names"]
        },
        tuple(data["fields"].get(own, ())),
        bool(data["bare"].get(own, False)),
    )


@cache
def _read() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("reads.toml").read_text("utf-8"))


@lru_cache(maxsize=4096)  # asked of every call, and the same things are called again and again
def last_name(called: str) -> str:
    """What is called, without what stands before its last dot, arrow or colon, and without type arguments."""
    # An expression would take five times as long.
    bare = called.partition("<")[0] if "<" in called else called
    return bare.rpartition(".")[2].rpartition(">")[2].rpartition(":")[2]
