"""The memories that share words with a question, best first by the index's own measure."""

import sqlite3
from collections.abc import Mapping
from itertools import accumulate
from typing import Final, NamedTuple

from drift.memory.search.questions import Question

# Words that stand in more memories than this are not looked up while two rarer ones remain: reading their
# postings is most of the cost of a search, and they hardly change which memories are best.
_COMMON_COUNT: Final = 5_000
_COMMON_SHARE: Final = 0.05
_ALWAYS_RARE: Final = 500
_FEWEST_WORDS: Final = 2
_GROWTH: Final = 1.1

# The best rows by number alone; what is asked of the memories is joined afterwards.
_BEST: Final = """
SELECT rowid FROM memory_words WHERE memory_words MATCH ?1 ORDER BY bm25(memory_words, 2.0, 1.0) LIMIT ?2
"""


class Words(NamedTuple):
    """How many memories hold each stem of a question, and how many memories there are."""

    counts: Mapping[str, int]
    total: int

    def rarest(self, most: int, *, postings: int) -> "Words":
        """The same, with only the words in the fewest memories but in some: the first, and more while they add little."""
        present = sorted((count, word) for word, count in self.counts.items() if count)[:most]
        sums = accumulate(count for count, _word in present)
        within = sum(1 for one in sums if one <= postings)
        return Words({word: count for count, word in present[: max(1, within)]}, self.total)


class WordCounts:
    """Counts kept between questions: reading a common word's costs a millisecond, and they change slowly."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._total = 0

    def of(self, connection: sqlite3.Connection, question: Question) -> Words:
        total = int(connection.execute("SELECT coalesce(max(number), 0) FROM memories").fetchone()[0])
        if not self._total <= total <= self._total * _GROWTH:
            self._counts.clear()
            self._total = total
        for one in question.weights:
            # A word that was nowhere may have come with the newest memory.
            if not self._counts.get(one):
                self._counts[one] = _count(connection, one)
        return Words({one: self._counts[one] for one in question.weights}, total)


def find_candidates(
    connection: sqlite3.Connection, question: Question, words: Words, *, most: int
) -> list[int]:
    """Numbers of the memories with at least one of the words, at most `most`."""
    chosen = _choose(words)
    if not chosen:
        return []
    # Quoted, a word is text and never an operator; it holds no quote, being letters and digits. The stem itself
    # would not do: the index stems what it is asked for, and a stem's stem can be another.
    match = " OR ".join(f'"{question.spellings[word]}"' for word in chosen)
    return [int(row[0]) for row in connection.execute(_BEST, (match, most))]


def _choose(words: Words) -> list[str]:
    present = sorted((count, word) for word, count in words.counts.items() if count)
    limit = max(_ALWAYS_RARE, min(_COMMON_COUNT, words.total * _COMMON_SHARE))
    rare = [word for count, word in present if count <= limit]
    return rare if len(rare) >= _FEWEST_WORDS else [word for _, word in present[:_FEWEST_WORDS]]


def _count(connection: sqlite3.Connection, word: str) -> int:
    found = connection.execute("SELECT doc FROM memory_word_counts WHERE term = ?", (word,)).fetchone()
    return int(found[0]) if found else 0
