"""The framework words of frameworks.toml, checked when first asked for."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

_ENTRY_KINDS: Final = frozenset({"http", "job", "event", "cli"})


@dataclass(frozen=True, slots=True)
class Frameworks:
    """What is written in the file, by use."""

    tests: frozenset[str]
    test_openings: tuple[str, ...]  # the tests, for a first quick look
    test_modifiers: frozenset[str]
    suites: frozenset[str]
    suite_openings: tuple[str, ...]  # the suites, for a first quick look
    receivers: frozenset[str]
    receiver_endings: tuple[str, ...]
    router_constructors: frozenset[str]
    router_types: frozenset[str]
    methods: frozenset[str]
    command_handlers: frozenset[str]
    command_openings: frozenset[str]
    command_roots: frozenset[str]
    job_calls: frozenset[str]
    job_constructors: frozenset[str]
    job_endings: tuple[str, ...]
    event_methods: frozenset[str]
    decorators: dict[str, tuple[str, str]]  # name to kind and word
    controllers: frozenset[str]
    resolvers: frozenset[str]
    graphql: frozenset[str]
    mains: frozenset[str]
    wrappers: frozenset[str]


@cache
def load_frameworks() -> Frameworks:
    """The words of frameworks.toml.

    Raises:
        ValueError: the file names a kind of entry point there is none of.
        KeyError: a table or list is missing.
    """
    text = files(__package__).joinpath("frameworks.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(text)
    unknown = tables["decorators"].keys() - _ENTRY_KINDS
    if unknown:
        raise ValueError(f"frameworks.toml has decorators of unknown kinds {sorted(unknown)}")
    routes, jobs = tables["routes"], tables["jobs"]
    return Frameworks(
        tests=frozenset(tables["tests"]["names"]),
        test_openings=tuple(tables["tests"]["names"]),
        test_modifiers=frozenset(tables["tests"]["modifiers"]),
        suites=frozenset(tables["tests"]["suites"]),
        suite_openings=tuple(tables["tests"]["suites"]),
        receivers=frozenset(routes["receivers"]),
        receiver_endings=tuple(routes["receiver_endings"]),
        router_constructors=frozenset(routes["constructors"]),
        router_types=frozenset(routes["types"]),
        methods=frozenset(routes["methods"]),
        command_handlers=frozenset(tables["commands"]["handlers"]),
        command_openings=frozenset(tables["commands"]["openings"]),
        command_roots=frozenset(tables["commands"]["roots"]),
        job_calls=frozenset(jobs["calls"]),
        job_constructors=frozenset(jobs["constructors"]),
        job_endings=tuple(jobs["call_endings"]),
        event_methods=frozenset(tables["events"]["methods"]),
        decorators={
            name: (kind, word) for kind, words in tables["decorators"].items() for name, word in words.items()
        },
        controllers=frozenset(tables["controllers"]["decorators"]),
        resolvers=frozenset(tables["controllers"]["resolvers"]),
        graphql=frozenset(tables["controllers"]["graphql"]),
        mains=frozenset(tables["main"]["names"]),
        wrappers=frozenset(tables["wrappers"]["names"]),
    )
