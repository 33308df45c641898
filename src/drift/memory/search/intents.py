"""What a task is about, by its words, and which kinds of memory help with it."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final, NamedTuple

from drift.kernel.data_files import read_data
from drift.memory.stems import stem

# Kinds that tell of one moment; they help only who asks for that.
_PASSING: Final = {"episodic": 0.5, "meeting": 0.5, "conversation": 0.7}
_FEWEST_VOTES: Final = 1
# What a memory's words count for where a question asks for what holds, and where it asks for what happened. Hooks
# capture many commits and edits, in the very words of a question about them, and few of them say what holds.
_OF_WHAT_HOLDS: Final = {"episodic": 0.5, "meeting": 0.8, "conversation": 0.8}
_OF_WHAT_HAPPENED: Final = 0.6  # of what tells of no moment
_HAPPENED: Final = re.compile(
    r"^\W{0,9}when\b|\bwhen (?:did|was|were|has|have)\b|\bcommitted\b|\byesterday\b|\btimeline\b"
    r"|\b(?:which|what|last|latest|first) (?:commits?|edits?|changes?)\b(?! (?:messages?|hooks?|logs?))"
    r"|\blast (?:week|month|session|time)\b|\bwhat (?:happened|did (?:i|we|you) (?:do|change))\b",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[^\W_]+")


class Intent(NamedTuple):
    """A kind of task."""

    stems: frozenset[str]
    types: Mapping[str, float]


@cache
def intents() -> Mapping[str, Intent]:
    rows = tomllib.loads(read_data("drift.memory.search", "intents.toml"))
    return {
        name: Intent(frozenset(stem(word) for word in row["words"]), row["types"])
        for name, row in rows.items()
    }


def classify_intent(text: str) -> str | None:
    """The intent most words speak for, the first named in a draw; None where no word speaks for any."""
    said = {stem(word.lower()) for word in _WORD.findall(text[:2_000])}
    votes = {name: len(said & one.stems) for name, one in intents().items()}
    best = max(votes, key=votes.__getitem__)
    return best if votes[best] >= _FEWEST_VOTES else None


def type_weight(intent: str | None, memory_type: str) -> float:
    """How much a kind of memory helps with a task of this intent; 1 is as much as any."""
    if intent is None:
        return 1.0
    found = intents()[intent].types if intent in intents() else {}
    return found.get(memory_type, _PASSING.get(memory_type, 1.0))


def is_passing(memory_type: str) -> bool:
    """Whether a memory of this type tells of one moment rather than of what holds."""
    return memory_type in _PASSING


def type_shares(text: str, types: Iterable[str]) -> dict[str, float]:
    """How much the words of each type of memory count, by what a question asks for: what holds or what happened."""
    if _HAPPENED.search(text[:2_000]):
        return {one: 1.0 if one in _PASSING else _OF_WHAT_HAPPENED for one in types}
    return {one: _OF_WHAT_HOLDS.get(one, 1.0) for one in types}
