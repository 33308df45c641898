"""The word index of a store: FTS5 in a file, postings in PostgreSQL. All that is asked of either."""

import sqlite3
from collections.abc import Sequence
from typing import Final, NamedTuple

from drift.kernel.connections import Connection
from drift.memory.storage import postings

_HAS: Final = "SELECT 1 FROM memory_word_counts WHERE term = ?"
_COUNT: Final = "SELECT doc FROM memory_word_counts WHERE term = ?"
_PROBE: Final = "SELECT count(*) FROM (SELECT 1 FROM memory_words WHERE memory_words MATCH ? LIMIT ?)"
_LONGER: Final = "SELECT term FROM memory_word_counts WHERE term > ? AND term < ? ORDER BY doc DESC LIMIT ?"
_TITLED: Final = "SELECT rowid FROM memory_words WHERE memory_words MATCH ? LIMIT ?"
# The best rows by number alone; what is asked of the memories is joined afterwards.
_BEST: Final = """
SELECT rowid, -badness FROM (
    SELECT rowid, bm25(memory_words, 2.0, 1.0) AS badness
    FROM memory_words WHERE memory_words MATCH ?1 ORDER BY rowid DESC LIMIT ?3
) ORDER BY badness LIMIT ?2
"""


class Word(NamedTuple):
    """A stem, and a word it came from.

    FTS5 is asked with the word: it stems what it is asked for, and a stem's stem can be another.
    """

    stem: str
    spelling: str


class Asked(NamedTuple):
    """Memories that hold a word of every group; with `is_pair` there is one group, and two of it are wanted."""

    groups: tuple[tuple[Word, ...], ...]
    is_pair: bool = False


def has_term(connection: Connection, term: str) -> bool:
    """Whether any memory holds a stem."""
    if not isinstance(connection, sqlite3.Connection):
        return postings.has_term(connection, term)
    return connection.execute(_HAS, (term,)).fetchone() is not None


def count_term(connection: Connection, term: str) -> int:
    """How many memories hold a stem."""
    if not isinstance(connection, sqlite3.Connection):
        return postings.count_term(connection, term)
    found = connection.execute(_COUNT, (term,)).fetchone()
    return int(found[0]) if found else 0


def probe_word(connection: Connection, word: Word, most: int) -> int:
    """The same up to a number, which costs less."""
    if not isinstance(connection, sqlite3.Connection):
        return min(postings.count_term(connection, word.stem), most)
    return int(connection.execute(_PROBE, (_quote(word), most)).fetchone()[0])


def longer_terms(connection: Connection, term: str, most: int) -> list[str]:
    """Stems in the index that begin with this one, those in most memories first."""
    above = term[:-1] + chr(ord(term[-1]) + 1)
    if not isinstance(connection, sqlite3.Connection):
        return postings.longer_terms(connection, term, above, most)
    return [str(row[0]) for row in connection.execute(_LONGER, (term, above, most))]


def find_titled(connection: Connection, words: Sequence[str], most: int) -> list[int]:
    """Numbers of memories that may have these words as their title."""
    if not isinstance(connection, sqlite3.Connection):
        return postings.find_titled(connection, words, most)
    # Quoted, the words are text and never operators.
    return [row[0] for row in connection.execute(_TITLED, (f'title : "{" ".join(words)}"', most))]


def find_best(connection: Connection, asked: Asked, *, most: int, newest: int) -> list[tuple[int, float]]:
    """Numbers and scores of the best, at most `most`, of the `newest` memories that are asked for."""
    if not isinstance(connection, sqlite3.Connection):
        groups = [[word.stem for word in group] for group in asked.groups]
        return postings.find_best(connection, groups, is_pair=asked.is_pair, most=most, newest=newest)
    match = _any_two(asked.groups[0]) if asked.is_pair else _every(asked.groups)
    return [(int(number), float(score)) for number, score in connection.execute(_BEST, (match, most, newest))]


def _every(groups: Sequence[Sequence[Word]]) -> str:
    return " AND ".join(
        f"({_any(group)})" if len(groups) > 1 and len(group) > 1 else _any(group) for group in groups
    )


def _any_two(group: Sequence[Word]) -> str:
    pairs = (f"({_quote(one)} AND ({_any(group[place:])}))" for place, one in enumerate(group[:-1], start=1))
    return " OR ".join(pairs) or _any(group)


def _any(group: Sequence[Word]) -> str:
    return " OR ".join(map(_quote, group))


def _quote(word: Word) -> str:
    # Quoted, a word is text and never an operator; it holds no quote, being letters and digits.
    return f'"{word.spelling}"'
