"""How much two texts say the same, by the words they share."""

import re
from typing import Final

from drift.memory.search.questions import stop_words
from drift.memory.search.stems import stems

_LOOKED_AT: Final = 4_000
_WORD: Final = re.compile(r"[^\W_]+")


def telling_words(text: str) -> frozenset[str]:
    """The stems of the words that tell something."""
    found = dict.fromkeys(_WORD.findall(text[:_LOOKED_AT].lower()))
    return frozenset(stems(word for word in found if word not in stop_words()).values())


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of the words of both that is in each, from 0 to 1 (Jaccard)."""
    return len(one & other) / len(one | other) if one and other else 0.0


def is_same_text(one: str, other: str) -> bool:
    """Whether two texts differ in nothing but case and white space."""
    return one.casefold().split() == other.casefold().split()
