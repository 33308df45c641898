"""Other forms of a question's words that the memories use: short for long, joined for apart, initials.

They are mined from the words of the store itself, which holds what people said of the project and, where hooks
capture, its commits and code. Only what the index can say at once is asked: some look-ups for each word.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final, Protocol

from drift.kernel.connections import Connection
from drift.memory.search.questions import Question
from drift.memory.storage.words import longer_terms

_WEIGHT: Final = 0.5
_SHORTEST: Final = 4  # of a short form and of each half of a joined word
_SHORTEST_WORD: Final = 6  # that has a short form
_MOST_WORDS: Final = 24
_MOST_MISSING: Final = 4
_MOST_FORMS: Final = 3


class Known(Protocol):
    """Whether any memory holds a stem."""

    def has(self, connection: Connection, term: str) -> bool: ...


def with_forms(
    connection: Connection, question: Question, known: Known, *, unknown: frozenset[str]
) -> Question:
    """The question with the forms of its words that are in the store, at less weight; `unknown` are in none."""
    found: dict[str, float] = {}
    for form in _forms(connection, question, known, unknown=unknown):
        if form not in question.weights:
            found[form] = _WEIGHT
    if not found:
        return question
    spellings = {**question.spellings, **{form: form for form in found}}
    return question._replace(weights={**question.weights, **found}, spellings=spellings)


def _forms(
    connection: Connection, question: Question, known: Known, *, unknown: frozenset[str]
) -> Iterator[str]:
    missing = [word for word in question.order if word in unknown and word.isalpha()]
    for word in missing[:_MOST_MISSING]:
        yield from _longer(connection, word)
        yield from _parts(word, lambda term: known.has(connection, term))
    for one, other in pairwise(question.order[:_MOST_WORDS]):
        if one.isalpha() and other.isalpha() and known.has(connection, one + other):
            yield one + other


def _longer(connection: Connection, word: str) -> Iterator[str]:
    """Words that this one is short for: config, configuration."""
    if len(word) >= _SHORTEST:
        yield from longer_terms(connection, word, _MOST_FORMS)


def _parts(word: str, has: Callable[[str], bool]) -> Iterator[str]:
    """The longest word that is short for this one, or the two it is joined of: config, progress and bar."""
    if len(word) < _SHORTEST_WORD:
        return
    shorter = (word[:end] for end in range(len(word) - 1, _SHORTEST - 1, -1))
    short = next((one for one in shorter if has(one)), None)
    if short is None:
        return
    yield short
    if len(word) - len(short) >= _SHORTEST - 1 and has(word[len(short) :]):
        yield word[len(short) :]
