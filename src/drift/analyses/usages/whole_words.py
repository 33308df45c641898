"""Which of some words stand in a text as a whole."""

import re
import string
from collections.abc import Set as AbstractSet
from typing import Final

_WORD: Final = re.compile(rb"[^\W\d]\w*+", re.ASCII)
_LETTERS: Final = frozenset(letter.encode() for letter in f"{string.ascii_letters}{string.digits}_")
_FEW: Final = 24  # words, for which a search for each takes less than reading all words of a text
_MOST_TRIES: Final = 200  # places of a word that is mostly a part of others


def whole_words(wanted: AbstractSet[bytes], text: bytes) -> AbstractSet[bytes]:
    """Those of the words that stand in a text and are no part of longer ones."""
    if len(wanted) > _FEW:
        return wanted & set(_WORD.findall(text))
    return {word for word in wanted if _stands_in(word, text)}


def _stands_in(word: bytes, text: bytes) -> bool:
    at = text.find(word)
    for _ in range(_MOST_TRIES):
        if at < 0:
            return False
        end = at + len(word)
        if text[at - 1 : at] not in _LETTERS and text[end : end + 1] not in _LETTERS:
            return True
        at = text.find(word, end)
    return at >= 0 and word in set(_WORD.findall(text, at))
