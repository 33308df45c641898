"""Names that somebody may have meant who wrote another one."""

from collections import Counter
from typing import Final

from drift.kernel.words import split_words

_MOST_LETTERS: Final = 2
_SHORT: Final = 4  # letters: of so few, another word differs by two
_LONGEST: Final = 100
_MANY_WORDS: Final = 3  # that two names share: a name of so many is made for one thing


def is_slip(name: str, meant: str) -> bool:
    """Whether somebody who writes one name may have meant the other: a word more, less or other, or a letter or two."""
    one, other = split_words(name), split_words(meant)
    if one[1:] and one[1:] == other[1:]:
        return True  # another verb
    if abs(len(one) - len(other)) == 1 and not (
        Counter(one) - Counter(other) and Counter(other) - Counter(one)
    ):
        return True
    letters, wanted = (each.lower().replace("_", "") for each in (name, meant))
    most = _MOST_LETTERS if min(len(letters), len(wanted)) > _SHORT else _MOST_LETTERS - 1
    return _distance(letters, wanted) <= most


def is_said_in_words(name: str) -> bool:
    """Whether a name says enough to be told from others: of single words packages have many."""
    return len(split_words(name)) > 1


def is_recased(name: str, meant: str) -> bool:
    """Whether two names have the same letters."""
    return name.replace("_", "").lower() == meant.replace("_", "").lower()


def is_close(name: str, meant: str, *, is_own: bool) -> bool:
    """Whether a name that a parent out of sight may have is near enough to another to be a slip of it all the same.

    Parents have names like those that override them, with a word more or less; within a class they are called most.
    """
    one, other = split_words(name), split_words(meant)
    if is_recased(name, meant):
        return False  # who has `send` often has `_send` from a parent, and who has `skip_test` its `skipTest`
    same = len({*one} & {*other})
    return len(one) == len(other) or same >= _MANY_WORDS or (not is_own and same > 1)


def shares_head(name: str, meant: str) -> bool:
    """Whether two names begin with the same word, or differ in the first of several alone."""
    one, other = split_words(name), split_words(meant)
    is_verb_other = len(one) == len(other) > len("_") and one[1:] == other[1:]
    return one[:1] == other[:1] or is_verb_other or len(one) == len(other) == 1


def _distance(one: str, other: str) -> int:
    from rapidfuzz.distance import (
        Levenshtein,
    )  # here: loaded where something is missing, as in kernel.similar

    return Levenshtein.distance(one[:_LONGEST], other[:_LONGEST])
