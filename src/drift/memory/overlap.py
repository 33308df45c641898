"""How much two texts say the same, by the words they share."""

import re
from collections.abc import Sequence
from typing import Final

from drift.memory.search.questions import stop_words
from drift.memory.search.stems import stems

_LOOKED_AT: Final = 4_000
_WORD: Final = re.compile(r"[^\W_]+")


def telling_words(text: str) -> frozenset[str]:
    """The stems of the words that tell something."""
    (found,) = telling_words_of([text])
    return found


def telling_words_of(texts: Sequence[str]) -> list[frozenset[str]]:
    """The same of each of several texts, at the price of one."""
    said = [frozenset(_WORD.findall(text[:_LOOKED_AT].lower())) - stop_words() for text in texts]
    known = stems(frozenset().union(*said))
    return [frozenset(known[word] for word in one) for one in said]


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of the words of both that is in each, from 0 to 1 (Jaccard)."""
    return len(one & other) / len(one | other) if one and other else 0.0


def is_same_text(one: str, other: str) -> bool:
    """Whether two texts differ in nothing but case and white space."""
    return one.casefold().split() == other.casefold().split()
