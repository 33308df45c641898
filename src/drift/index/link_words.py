"""The words of links by number: asked of the index once, then at hand; a new one is added."""

import sqlite3
from typing import Final

from drift.index.path_text import clean_text

_FIND: Final = "SELECT id FROM words WHERE text = ?"
_ALL: Final = "SELECT id, text FROM words"
_ADD: Final = "INSERT INTO words (text) VALUES (?)"


def word_text(column: str) -> str:
    """The SQL expression for the text of a column that holds a word."""
    return f"(SELECT words.text FROM words WHERE words.id = {column})"  # noqa: S608 - our own names


LOADING_REFERENCE: Final = "refs.kind IS NOT (SELECT words.id FROM words WHERE words.text = 'string')"
"""Whether a reference ties its file to another: a text that names something is there so that it need not be loaded."""


class LinkWords(dict[str | None, int | None]):
    """The number of each text, found or made when first looked up. None, for no text, is None."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__({None: None})
        self._connection = connection
        self._are_all_at_hand = False

    def take_all(self) -> None:
        """Have every word of the index at hand, so that none is asked for any more."""
        self.update((text, number) for number, text in self._connection.execute(_ALL))
        self._are_all_at_hand = True

    def __missing__(self, text: str | None) -> int | None:
        try:
            number = self._find(text)
            if number is None:
                number = self._connection.execute(_ADD, (text,)).lastrowid
        except UnicodeEncodeError:
            number = self[clean_text(text or "")]
        self[text] = number
        return number

    def _find(self, text: str | None) -> int | None:
        if self._are_all_at_hand:
            return None
        found = self._connection.execute(_FIND, (text,)).fetchone()
        return int(found[0]) if found else None
