"""Word counts over several stores, so that what is found in one compares with what is found in another."""

from drift.kernel.connections import Connection
from drift.memory.search.candidates import WordCounts, Words
from drift.memory.search.questions import Question, read_question
from drift.memory.storage.words import count_term


class JointCounts(WordCounts):
    """The counts for one question: a word is as common in each store as it is in all of them together.

    Scores grow with how rare a word is. By its own counts alone, a store of ten memories would never come before
    one of a thousand.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self._question = read_question(text)
        self._words = Words({}, 0)

    def add(self, counts: WordCounts, connection: Connection) -> None:
        """Count one more store, before the first is searched."""
        one, known = counts.of(connection, self._question), self._words
        summed = {word: count + known.counts.get(word, 0) for word, count in one.counts.items()}
        self._words = one._replace(counts=summed, total=one.total + known.total)

    def of(self, connection: Connection, question: Question) -> Words:
        known = self._words.counts
        # Forms that only this store has are as common as they are here.
        more = {one: count_term(connection, one) for one in question.weights if one not in known}
        return self._words._replace(counts={**known, **more})
