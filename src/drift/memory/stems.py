"""Words brought to the form the word index keeps them in, by SQLite's own tokenizer."""

import sqlite3
import threading
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

_TABLES: Final = """
CREATE VIRTUAL TABLE given USING fts5(word, content = '', tokenize = 'porter unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE terms USING fts5vocab('given', 'instance');
"""
_CLEAR: Final = "INSERT INTO given (given) VALUES ('delete-all')"
_PUT: Final = "INSERT INTO given (rowid, word) VALUES (?, ?)"
_TERMS: Final = "SELECT doc, term, count(*) FROM terms GROUP BY doc, term"
_FIRST_TERMS: Final = "SELECT doc, term FROM terms WHERE offset = 0"
_MOST_KNOWN: Final = 40_000

_lock: Final = threading.Lock()
_known: Final[dict[str, str]] = {}


def stem(word: str) -> str:
    """The stem of one word as it stands in the index; empty if the index would keep nothing of it."""
    found = _known.get(word)
    return stems((word,))[word] if found is None else found


def stems(words: Iterable[str]) -> dict[str, str]:
    """The stem of each word. Those not known yet are asked for together: one by one, each takes as long as all."""
    found = {word: _known.get(word) for word in words}
    missing = [word for word, one in found.items() if one is None]
    asked = _ask(missing) if missing else {}
    return {word: asked[word] if one is None else one for word, one in found.items()}


def count_stems(texts: Sequence[str]) -> list[dict[str, int]]:
    """How often each stem stands in each of the texts, as the word index reads them."""
    found: list[dict[str, int]] = [{} for _text in texts]
    with _lock:
        connection = _tokenizer()
        with connection:
            connection.execute("BEGIN")
            connection.execute(_CLEAR)
            connection.executemany(_PUT, enumerate(texts))
        for place, term, count in connection.execute(_TERMS):
            found[place][str(term)] = count
    return found


def _ask(words: list[str]) -> dict[str, str]:
    with _lock:
        connection = _tokenizer()
        with connection:  # commits, or takes back what was begun
            connection.execute("BEGIN")
            connection.execute(_CLEAR)
            connection.executemany(_PUT, enumerate(words))
        asked = dict.fromkeys(words, "")
        asked.update((words[place], str(term)) for place, term in connection.execute(_FIRST_TERMS))
        # Kept whole or not at all: what is used often is soon known again.
        if len(_known) + len(asked) > _MOST_KNOWN:
            _known.clear()
        _known.update(asked)
    return asked


@cache
def _tokenizer() -> sqlite3.Connection:
    # Asking the tokenizer itself cannot disagree with the index; a stemmer of our own could.
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    connection.executescript(_TABLES)
    return connection
