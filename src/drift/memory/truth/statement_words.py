"""The words by which sentences are read as claims, from statements.toml, ready to be looked up."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from drift.memory.stems import stem

Phrases = frozenset[tuple[str, ...]]
"""Phrases as the words they are made of."""


@dataclass(frozen=True, slots=True)
class Unit:
    """What a unit measures, and how many of the first unit of that measure one of it is."""

    measure: str
    factor: float


@dataclass(frozen=True, slots=True)
class StatementWords:
    """Every list of statements.toml; what each is for stands there."""

    unasserted: frozenset[str]
    unasserted_phrases: Phrases
    unasserted_openers: frozenset[str]
    aside: re.Pattern[str]
    rewritten: Mapping[str, str]
    to_rewrite: re.Pattern[str]
    modals: Mapping[str, Phrases]
    permission: Mapping[str, frozenset[str]]
    states: Mapping[tuple[str, ...], tuple[str, bool]]
    last_states: Mapping[tuple[str, ...], tuple[str, bool]]
    state_orders: Mapping[tuple[str, ...], tuple[str, bool]]
    preferring: Phrases
    avoiding: Phrases
    verbs: frozenset[str]
    environments: Mapping[tuple[str, ...], str]
    pointing: frozenset[str]
    empty: frozenset[str]
    value_verbs: frozenset[str]
    single: frozenset[str]
    tools: frozenset[str]
    generic: frozenset[str]
    qualifying: frozenset[str]
    units: Mapping[str, Unit]
    frame_verbs: frozenset[str]
    frame_several: frozenset[str]
    frame_bounds: frozenset[str]
    frame_counting: frozenset[str]
    frame_unsaid: frozenset[str]
    frame_generic: frozenset[str]
    frame_opposites: frozenset[str]


@cache
def statement_words() -> StatementWords:
    read = tomllib.loads(files("drift.memory.truth").joinpath("statements.toml").read_text(encoding="utf-8"))
    unasserted = _phrases(read["unasserted"]["phrases"])
    return StatementWords(
        unasserted=frozenset(one for (one, *more) in unasserted if not more),
        unasserted_phrases=frozenset(one for one in unasserted if len(one) > 1),
        unasserted_openers=frozenset(one[0] for one in unasserted if len(one) > 1),
        aside=re.compile(rf",?\s(?:{_any_of(read['asides']['openers'])})\b.*", re.IGNORECASE | re.DOTALL),
        rewritten=read["negation"]["phrases"],
        to_rewrite=re.compile(rf"\b(?:{_any_of(read['negation']['phrases'])})\b", re.IGNORECASE),
        modals={name: _phrases(some) for name, some in read["modals"].items()},
        permission={name: frozenset(some) for name, some in read["permission"].items()},
        states=_states(read["states"]["pairs"]),
        last_states=_states(read["states"]["last"]),
        state_orders=_states(read["states"]["orders"]),
        preferring=_phrases(read["orders"]["preferring"]),
        avoiding=_phrases(read["orders"]["avoiding"]),
        verbs=frozenset(read["orders"]["verbs"]),
        environments={
            tuple(word.split()): name for name, some in read["environments"].items() for word in some
        },
        pointing=frozenset(read["pointing"]["words"]),
        empty=frozenset(read["empty"]["words"]),
        value_verbs=frozenset(read["values"]["verbs"]),
        single=frozenset(read["values"]["single"]),
        tools=frozenset(read["values"]["tools"]),
        generic=frozenset(stem(one) for one in read["values"]["generic"]),
        qualifying=frozenset(stem(one) for one in read["values"]["qualifying"]),
        units=_units(read["units"]),
        **{f"frame_{name}": frozenset(some) for name, some in read["frames"].items()},
    )


def _phrases(phrases: Iterable[str]) -> Phrases:
    return frozenset(tuple(phrase.split()) for phrase in phrases)


def _any_of(phrases: Iterable[str]) -> str:
    return "|".join(map(re.escape, phrases))


def _states(pairs: Iterable[list[str]]) -> dict[tuple[str, ...], tuple[str, bool]]:
    """For each phrase the axis it is a state on, and whether it is the positive end."""
    found: dict[tuple[str, ...], tuple[str, bool]] = {}
    for positive, negative in pairs:
        axis = _axis(positive)
        found[tuple(positive.split())] = (axis, True)
        found[tuple(negative.split())] = (axis, False)
    return found


def _axis(positive: str) -> str:
    """Switching on, turning on and enabling are one and the same."""
    return "on" if positive.rsplit(maxsplit=1)[-1] == "on" or positive.startswith("enable") else positive


def _units(measures: Mapping[str, Mapping[str, Any]]) -> dict[str, Unit]:
    return {
        word: Unit(measure, float(unit["factor"]))
        for measure, units in measures.items()
        for unit in units.values()
        for word in unit["words"]
    }
