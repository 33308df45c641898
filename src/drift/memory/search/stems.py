"""Words brought to the form the word index keeps them in, by SQLite's own tokenizer."""

import sqlite3
import threading
from functools import lru_cache
from typing import Final

_TABLES: Final = """
CREATE VIRTUAL TABLE given USING fts5(word, tokenize = 'porter unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE terms USING fts5vocab('given', 'instance');
"""
_lock: Final = threading.Lock()


@lru_cache(maxsize=1)
def _tokenizer() -> sqlite3.Connection:
    # Asking the tokenizer itself cannot disagree with the index; a stemmer of our own could.
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    connection.executescript(_TABLES)
    return connection


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The stem of one word as it stands in the index; empty if the index would keep nothing of it."""
    with _lock:
        connection = _tokenizer()
        connection.execute("DELETE FROM given")
        connection.execute("INSERT INTO given VALUES (?)", (word,))
        found = connection.execute("SELECT term FROM terms ORDER BY offset LIMIT 1").fetchone()
    return str(found[0]) if found else ""
