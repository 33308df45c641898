"""A question in any words, as things to look for. Nothing of it is ever taken for a search operator."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final, NamedTuple

from drift.kernel.data_files import read_data
from drift.kernel.words import spaced, stop_words, with_parts
from drift.memory.stems import stems

_LONGEST: Final = 10_240
_MOST_WORDS: Final = 48
_SYNONYM_WEIGHT: Final = 0.5
# Names of files, symbols and errors say more exactly than other words what is meant.
_NAME_WEIGHT: Final = 1.5
_NAME: Final = re.compile(
    r"`[^`\s]{2,100}`|[\w.-]{0,60}(?:[a-z\d][A-Z]|[\w)]_\w|\w\.[a-z]\w|\w/\w|\w::\w)[\w./:-]{0,100}|\w{2,60}(?:Error|Exception)\b"
)


class Question(NamedTuple):
    """What is looked for: the stems in the order they were said, each with its weight and a word it came from."""

    order: tuple[str, ...]
    weights: Mapping[str, float]
    spellings: Mapping[str, str]
    left_out: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        return not self.weights


def read_question(text: str) -> Question:
    """The words of a question that tell something; all of them where none does."""
    every = _split(text[:_LONGEST])
    words = every[:_MOST_WORDS]
    telling = [word for word in words if word not in question_stop_words()]
    left_out = [word for word in words if word in question_stop_words()] if telling else []
    left_out += every[_MOST_WORDS:]
    said = telling or words
    related = [other for word in telling for other in _synonyms().get(word, ())]
    stemmed = stems((*said, *related))
    weights: dict[str, float] = {}
    spellings: dict[str, str] = {}
    named = frozenset(_split(" ".join(_NAME.findall(text[:_LONGEST]))))
    for word, weight in (
        *((one, _NAME_WEIGHT if one in named else 1.0) for one in said),
        *((one, _SYNONYM_WEIGHT) for one in related),
    ):
        found = stemmed[word]
        if found and found not in weights:
            weights[found] = weight
            spellings[found] = word
    order = tuple(stemmed[word] for word in said if stemmed[word])
    return Question(order, weights, spellings, tuple(dict.fromkeys(left_out)))


def question_stop_words() -> frozenset[str]:
    """What a question says that tells nothing of what is asked."""
    return stop_words("english", "questions")


def _split(text: str) -> list[str]:
    """Words in lower case, names in camel case also by their parts; each once."""
    return list(dict.fromkeys(word.lower() for word in with_parts(spaced(text))))


@cache
def _synonyms() -> Mapping[str, Iterable[str]]:
    return tomllib.loads(read_data("drift.memory.search", "synonyms.toml"))
