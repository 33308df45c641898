"""What a finding must not have about it to be `high`: rules as data, and the facts that they speak of.

What it does: a finding whose way is read whole and whose sink is sure is `high` only if no rule of grading.toml speaks
against it; else it is `medium`, with the rule's reason.
Why: who reads `high` stops what they do for it. What was wrong among such findings was never a way that is not there, but data
that something else had limited, or that its receiver is meant to choose.
Limits: facts are signs. A condition that asks about data may leave everything through.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple, Protocol

from drift.flow.values import ASKED_NO, ASKED_YES, INSIDE, LOOKED_UP, QUESTIONED, Taint

_CALLS: Final = ("given to ", "given back by ")
_SPACES: Final = {ord("."): " ", ord(":"): None}
_MARKS: Final = {
    ASKED_YES: "asked",
    ASKED_NO: "asked",
    QUESTIONED: "asked",
    LOOKED_UP: "looked-up",
    INSIDE: "part-of-name",
}


class _Place(Protocol):
    @property
    def what(self) -> str: ...


class Rule(NamedTuple):
    """A fact that keeps findings of some kinds from being `high`."""

    fact: str  # `always`: of every finding of these kinds
    kinds: frozenset[str]  # none: all
    reason: str


class Grading(NamedTuple):
    """The file of rules."""

    rules: tuple[Rule, ...]
    sources: Mapping[str, tuple[str, ...]]  # facts by words that end the name of a source
    administrators: frozenset[str]  # words that say that only they get somewhere
    guards: frozenset[str]  # the same in what guards a route
    installers: frozenset[str]  # folders of what runs only until a program is set up
    posting: frozenset[str]  # methods that a form can use, but no link
    methods: frozenset[str]  # that a link or a form of another page cannot use


@cache
def grading() -> Grading:
    """Rules and lists as grading.toml has them."""
    told = tomllib.loads(files("drift.flow").joinpath("grading.toml").read_text(encoding="utf-8"))
    rules = (Rule(each["fact"], frozenset(each.get("kinds", ())), each["reason"]) for each in told["rules"])
    sources = {fact: tuple(names) for fact, names in told["sources"].items()}
    lists = (
        frozenset(told[name]) for name in ("administrators", "guards", "installers", "posting", "methods")
    )
    return Grading(tuple(rules), sources, *lists)


def first_doubt(kind: str, facts: Iterable[str]) -> str:
    """Why a finding of a kind with these facts about it is not `high`; empty where nothing speaks against it."""
    known = {"always", *facts}
    return next(
        (
            rule.reason
            for rule in grading().rules
            if rule.fact in known and (not rule.kinds or kind in rule.kinds)
        ),
        "",
    )


def facts_of(taint: Taint, path: Sequence[_Place]) -> set[str]:
    """What the way of data says: what asked about it, how many functions it goes through, where it comes from."""
    found = {fact for mark, fact in _MARKS.items() if mark in taint.safe}
    calls = sum(each.what.startswith(_CALLS) for each in path)
    found |= {f"calls-{number}" for number in range(2, calls + 1)}
    first = f" {path[0].what.translate(_SPACES)} " if path else ""
    found |= {
        fact
        for fact, names in grading().sources.items()
        if any(f" {each.translate(_SPACES)} " in first for each in names)
    }
    return found
