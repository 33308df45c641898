"""The memories that share words with a question, best first by the index's own measure."""

from collections.abc import Iterator, Mapping
from itertools import accumulate, islice
from typing import Final, NamedTuple

from drift.kernel.connections import Connection
from drift.memory.search.questions import Question
from drift.memory.storage.words import Asked, Word, count_term, find_best, has_term, probe_word

# Words that stand in more memories than this are not looked up while two rarer ones remain: they hardly change
# which memories are best.
_COMMON_COUNT: Final = 5_000
_COMMON_SHARE: Final = 0.05
_ALWAYS_RARE: Final = 500
_FEWEST_WORDS: Final = 2
_GROWTH: Final = 1.1

# What a search costs is the rows it scores, a microsecond each; running over those it does not takes a thirtieth.
# So the rarest words choose the rows, while they stand in so few memories, and the others only count in them.
_MOST_CHOSEN: Final = 3_000
# Common words choose the rows in which they stand together: the two rarest with another of so many. More of them
# find a little more and cost twice as much: each is run over once more for its weight.
_TOGETHER: Final = 4
# And whatever the words, of more rows than this only the newest are scored.
_MOST_SCORED: Final = 3_000
# Of a text that is compared with the others: so many of its rarest words, and rows that hold two of them.
_SHARED: Final = 4
_MOST_SHARING: Final = 500
_FEWEST_SHARED: Final = 3  # while there are so many rare ones, no common one is asked for
_PROBED: Final = 1_000
_MOST_ABSENT: Final = 10_000
_MOST_PROBED: Final = 16


class Words(NamedTuple):
    """How many memories hold each stem of a question, and how many memories there are."""

    counts: Mapping[str, int]
    total: int

    def without_common(self) -> "Words":
        """The same without the words that `roughly` did not count to the end, if two others are left."""
        rare = {word: count for word, count in self.counts.items() if count < _PROBED}
        return Words(rare, self.total) if sum(map(bool, rare.values())) >= _FEWEST_WORDS else self


class WordCounts:
    """Counts kept between questions: reading a common word's costs a millisecond, and they change slowly."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._least: dict[str, int] = {}  # of common words that were not counted to the end
        self._total = 0
        self._absent: set[str] = set()  # of stems that were in no memory when there were so many
        self._absent_of = self._seen = 0

    def has(self, connection: Connection, term: str) -> bool:
        """Whether any memory holds a stem. That none does is looked up anew when there are more memories."""
        if self._counts.get(term):
            return True
        if self._absent_of != self._seen or len(self._absent) > _MOST_ABSENT:
            self._absent.clear()
            self._absent_of = self._seen
        if term in self._absent:
            return False
        is_there = has_term(connection, term)
        if not is_there:
            self._absent.add(term)
        return is_there

    def of(self, connection: Connection, question: Question) -> Words:
        total = self._follow(connection)
        for one in question.weights:
            # A word that was nowhere may have come with the newest memory.
            if not self._counts.get(one):
                self._counts[one] = count_term(connection, one)
        return Words({one: self._counts[one] for one in question.weights}, total)

    def roughly(self, connection: Connection, question: Question) -> Words:
        """The counts of words that were said, enough to tell rare ones from common ones at a tenth of the price.

        Of those not counted yet only some are, the longest, which are rarely common, and each up to a few hundred.
        """
        total = self._follow(connection)
        said = [one for one, weight in question.weights.items() if weight >= 1]
        counts = {one: count for one in said if (count := self._counts.get(one) or self._least.get(one))}
        for one in sorted((one for one in said if one not in counts), key=len, reverse=True)[:_MOST_PROBED]:
            counts[one] = self._probe(connection, question, one)
        return Words(counts, total)

    def _follow(self, connection: Connection) -> int:
        """How many memories there are; after much growth the counts are begun anew."""
        total = int(connection.execute("SELECT coalesce(max(number), 0) FROM memories").fetchone()[0])
        if not self._total <= total <= self._total * _GROWTH:
            self._counts.clear()
            self._least.clear()
            self._total = total
        self._seen = total
        return total

    def _probe(self, connection: Connection, question: Question, one: str) -> int:
        count = probe_word(connection, _word(question, one), _PROBED)
        if count:
            (self._counts if count < _PROBED else self._least)[one] = count
        return count


def find_candidates(
    connection: Connection, question: Question, words: Words, *, most: int
) -> dict[int, float]:
    """Numbers of the best memories with at least one of the words, at most `most`, and their scores by the index.

    First those that hold a rare word, then those that hold the rarest common ones together, then the newest that
    hold any: the later ones are looked for only while there are too few.
    """
    found: dict[int, float] = {}
    for asked in _questions(question, words):
        for number, score in find_best(connection, asked, most=most, newest=max(_MOST_SCORED, most)):
            found.setdefault(number, score)
        if len(found) >= most:
            break
    return dict(islice(found.items(), most))


def _questions(question: Question, words: Words) -> Iterator[Asked]:
    """What to ask the word index for, the most telling first; the last one holds all the others."""
    chosen = _choose(words)
    sums = accumulate(words.counts[word] for word in chosen)
    few = sum(1 for one in sums if one <= _MOST_CHOSEN)
    every = tuple(_word(question, word) for word in chosen)
    rare, rest = every[:few], every[few:]
    if rare and rest:
        yield Asked((rare, every))
    first, others = [(one,) for one in rest[:_FEWEST_WORDS]], rest[_FEWEST_WORDS:_TOGETHER]
    if others:
        yield Asked((*first, others))
    if len(first) == _FEWEST_WORDS:
        yield Asked(tuple(first))
    if every:
        yield Asked((every,))


def find_sharing(connection: Connection, question: Question, words: Words, *, most: int) -> list[int]:
    """Numbers of memories that hold all of the few rarest words, then of those that hold two, at most `most`."""
    present = sorted((count, word) for word, count in words.counts.items() if count)
    rare = sum(count < _PROBED for count, _word in present)
    few = tuple(_word(question, word) for _count, word in present[: min(_SHARED, max(rare, _FEWEST_SHARED))])
    every = Asked(tuple((one,) for one in few))
    found: dict[int, None] = {}
    for asked in (every, Asked((few,), is_pair=True)) if len(few) > _FEWEST_WORDS else (every,):
        if few and len(found) < most:
            best = find_best(connection, asked, most=most, newest=_MOST_SHARING)
            found |= dict.fromkeys(number for number, _score in best)
    return list(found)[:most]


def _word(question: Question, word: str) -> Word:
    return Word(word, question.spellings[word])


def _choose(words: Words) -> list[str]:
    """The words to look up, rarest first."""
    present = sorted((count, word) for word, count in words.counts.items() if count)
    limit = max(_ALWAYS_RARE, min(_COMMON_COUNT, words.total * _COMMON_SHARE))
    rare = [word for count, word in present if count <= limit]
    if len(rare) >= _FEWEST_WORDS:
        return rare
    return [word for _, word in present[: len(rare) + _TOGETHER]]
