"""Other forms of a question's words that the memories use: short for long, joined for apart, initials.

They are mined from the words of the store itself, which holds what people said of the project and, where hooks
capture, its commits and code. Only what the index can say at once is asked: some look-ups for each word.
"""

import sqlite3
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from drift.memory.search.questions import Question

_WEIGHT: Final = 0.5
_SHORTEST: Final = 4  # of a short form and of each half of a joined word
_SHORTEST_WORD: Final = 6  # that has a short form
_MOST_WORDS: Final = 24
_MOST_FORMS: Final = 3
_KNOWN: Final = "SELECT term FROM memory_word_counts WHERE term = ?"
_LONGER: Final = "SELECT term FROM memory_word_counts WHERE term > ? AND term < ? ORDER BY doc DESC LIMIT ?"


def with_forms(connection: sqlite3.Connection, question: Question, unknown: frozenset[str]) -> Question:
    """The question with the forms of its words that are in the store, at less weight; `unknown` are in none."""
    found: dict[str, float] = {}
    for form in _forms(connection, question, unknown):
        if form not in question.weights:
            found[form] = _WEIGHT
    if not found:
        return question
    spellings = {**question.spellings, **{form: form for form in found}}
    return question._replace(weights={**question.weights, **found}, spellings=spellings)


def _forms(connection: sqlite3.Connection, question: Question, unknown: frozenset[str]) -> Iterator[str]:
    for word in question.order[:_MOST_WORDS]:
        if word in unknown and word.isalpha():
            yield from _other_lengths(connection, word)
            yield from _halves(connection, word)
    for one, other in pairwise(question.order[:_MOST_WORDS]):
        if one.isalpha() and other.isalpha() and _is_known(connection, one + other):
            yield one + other


def _other_lengths(connection: sqlite3.Connection, word: str) -> Iterator[str]:
    """Words that this one is short for, and the longest that is short for it: config, configuration."""
    if len(word) >= _SHORTEST:
        above = word[:-1] + chr(ord(word[-1]) + 1)
        yield from (str(term) for (term,) in connection.execute(_LONGER, (word, above, _MOST_FORMS)))
    if len(word) >= _SHORTEST_WORD:
        shorter = (word[:end] for end in range(len(word) - 1, _SHORTEST - 1, -1))
        short = next((one for one in shorter if _is_known(connection, one)), None)
        yield from (short,) if short else ()


def _halves(connection: sqlite3.Connection, word: str) -> Iterator[str]:
    """The two words that one is joined of: progress and bar."""
    for end in range(_SHORTEST - 1, len(word) - _SHORTEST + 2):
        if _is_known(connection, word[:end]) and _is_known(connection, word[end:]):
            yield from (word[:end], word[end:])
            return


def _is_known(connection: sqlite3.Connection, term: str) -> bool:
    return connection.execute(_KNOWN, (term,)).fetchone() is not None
