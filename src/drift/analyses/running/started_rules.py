"""Which frameworks start applications for tests and what they run then, read from `started.toml`."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

_Methods = Mapping[str, frozenset[str]]
"""Names of methods by the name of a parent."""


class Annotated(NamedTuple):
    """A framework that puts an application together from annotated classes."""

    language: str
    starting: tuple[str, ...]
    slices: tuple[str, ...]
    importing: tuple[str, ...]
    whole: frozenset[str]
    components: frozenset[str]
    making: tuple[str, ...]
    after: tuple[str, ...]
    listening: tuple[str, ...]
    observing: tuple[str, ...]
    lazy: tuple[str, ...]
    lazily: tuple[str, ...]
    events: re.Pattern[str]
    conditions: re.Pattern[str]
    methods: _Methods
    listeners: _Methods
    overriding: re.Pattern[str] | None


class Hosted(NamedTuple):
    """A framework whose tests start the program that makes a host."""

    language: str
    starting: re.Pattern[str]
    program: str
    hosts: re.Pattern[str]
    fixtures: frozenset[str]
    made: frozenset[str]
    collections: tuple[str, str]
    around: tuple[str, ...]
    before: tuple[str, ...]
    startup: str
    configuring: frozenset[str]
    methods: _Methods
    making: frozenset[str]


@cache
def _tables() -> dict[str, list[dict[str, Any]]]:
    text = files("drift.analyses.running").joinpath("started.toml").read_text("utf-8")
    return tomllib.loads(text)


@cache
def annotated_rules() -> tuple[Annotated, ...]:
    """The frameworks of annotated classes."""
    return tuple(_annotated(row) for row in _tables()["annotated"])


@cache
def hosted_rules() -> tuple[Hosted, ...]:
    """The frameworks of hosts."""
    return tuple(_hosted(row) for row in _tables()["hosted"])


def _annotated(row: dict[str, Any]) -> Annotated:
    overriding = row.get("overriding", {}).get("parents")
    return Annotated(
        row["language"],
        tuple(row["starting"]),
        tuple(row["slices"]),
        tuple(row["importing"]),
        frozenset(row["whole"]),
        frozenset(row["components"]),
        tuple(row["making"]),
        tuple(row["after"]),
        tuple(row["listening"]),
        tuple(row.get("observing", ())),
        tuple(row.get("lazy", ())),
        tuple(row.get("lazily", ())),
        re.compile(rf"\b(?:{'|'.join(row['events'])})\b"),
        re.compile(row["conditions"]),
        _methods(row.get("methods", {})),
        _methods(row.get("listeners", {})),
        re.compile(overriding) if overriding else None,
    )


def _hosted(row: dict[str, Any]) -> Hosted:
    defining, member = row["collections"]
    return Hosted(
        row["language"],
        re.compile(row["starting"]),
        row["program"],
        re.compile(row["hosts"]),
        frozenset(row["fixtures"]),
        frozenset(row["made"]),
        (defining, member),
        tuple(row["around"]),
        tuple(row["before"]),
        row["startup"],
        frozenset(row["configuring"]),
        _methods(row["methods"]),
        frozenset(row["making"]["parents"]),
    )


def _methods(table: Mapping[str, list[str]]) -> _Methods:
    return {parent: frozenset(names) for parent, names in table.items()}
