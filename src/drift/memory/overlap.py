"""How much two texts say the same, by the words they share."""

import re
from collections.abc import Sequence
from typing import Final

from drift.kernel.words import WORD, spaced
from drift.memory.search.questions import question_stop_words
from drift.memory.stems import stems

_LOOKED_AT: Final = 4_000
# Stop words for a search, but what turns a statement round is the last thing two texts that say the same differ in.
_NEGATION: Final = re.compile(r"\b(?:no|not|never|cannot|without|\w{2,6}n['\u2019]t)\b")
_SAYS_NO: Final = "not"
_LESS_THAN_THE_SAME: Final = 0.85


def telling_words(text: str) -> frozenset[str]:
    """The stems of the words that tell something, and "not" where the text says no in any way."""
    (found,) = telling_words_of([text])
    return found


def telling_words_of(texts: Sequence[str]) -> list[frozenset[str]]:
    """The same of each of several texts, at the price of one."""
    lowered = [spaced(text[:_LOOKED_AT].lower()) for text in texts]
    said = [frozenset(WORD.findall(text)) - question_stop_words() for text in lowered]
    known = stems(frozenset().union(*said))
    return [
        frozenset([known[word] for word in words] + [_SAYS_NO] * bool(_NEGATION.search(text)))
        for words, text in zip(said, lowered, strict=True)
    ]


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of the words of both that is in each, from 0 to 1 (Jaccard).

    Texts that are opposed or name other numbers are never the same, whatever else they share.
    """
    if not one or not other:
        return 0.0
    share = len(one & other) / len(one | other)
    is_opposed = (_SAYS_NO in one) != (_SAYS_NO in other)
    if is_opposed or (_has_number(one - other) and _has_number(other - one)):
        return min(share, _LESS_THAN_THE_SAME)
    return share


def _has_number(words: frozenset[str]) -> bool:
    return any(word[0].isdigit() for word in words)


def is_same_text(one: str, other: str) -> bool:
    """Whether two texts differ in nothing but case and white space."""
    return one.casefold().split() == other.casefold().split()
