"""Texts as the numbered pieces of words that BERT models read.

Written here rather than taken from the `tokenizers` package, which brings a client for a model hub along; the
steps are those of BERT's own tokenizer, and the pieces are the same.
"""

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from drift.memory.embeddings.model_files import unusable

# More of a text than its first 256 pieces is never read, and a piece is rarely longer than this on average.
_MOST_CHARS: Final = 6_000
_LONGEST_WORD: Final = 100
_NOT_CONTROL: Final = frozenset("\t\n\r")
_SAYS_NOTHING: Final = frozenset({"Cc", "Cf", "Co", "Cs"})
_IDEOGRAPHS: Final = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)
_FIRST_IDEOGRAPH: Final = 0x3400


class WordPiece(NamedTuple):
    """A vocabulary and how it is used."""

    numbers: dict[str, int]
    begin: int
    end: int
    unknown: int
    continuing: str
    lowers: bool

    def read(self, text: str, *, most: int) -> list[int]:
        """The pieces of a text between the marks of its beginning and end, at most `most` in all."""
        pieces = [self.begin]
        for word in _words(text[:_MOST_CHARS], lowers=self.lowers):
            pieces += self._split(word)
            if len(pieces) >= most - 1:
                break
        return [*pieces[: most - 1], self.end]

    def _split(self, word: str) -> list[int]:
        """The longest known beginning, then the longest that continues it; one unknown piece if that fails."""
        if len(word) > _LONGEST_WORD:
            return [self.unknown]
        pieces: list[int] = []
        start, before = 0, ""
        while start < len(word):
            end = len(word)
            while (number := self.numbers.get(before + word[start:end])) is None:
                end -= 1
                if end == start:
                    return [self.unknown]
            pieces.append(number)
            start, before = end, self.continuing
        return pieces


def read_wordpiece(path: Path, given: dict[str, Any], *, vocabulary: int) -> WordPiece:
    """The vocabulary in a tokenizer.json; CORTEX_UNAVAILABLE when it is of another kind or does not fit."""
    model, normalizer = given.get("model"), given.get("normalizer")
    if not isinstance(model, dict) or not isinstance(normalizer, dict):
        raise unusable(path, "it names no model or no normalizer")
    if model.get("type", "WordPiece") != "WordPiece" or normalizer.get("type") != "BertNormalizer":
        raise unusable(path, "only WordPiece with the normalizer of BERT is understood")
    numbers = model.get("vocab")
    if not isinstance(numbers, dict) or not all(
        isinstance(number, int) and 0 <= number < vocabulary for number in numbers.values()
    ):
        raise unusable(path, f"its vocabulary does not number pieces from 0 to {vocabulary - 1}")
    continuing = model.get("continuing_subword_prefix", "##")
    marks = [numbers.get(mark) for mark in ("[CLS]", "[SEP]", str(model.get("unk_token", "[UNK]")))]
    if not isinstance(continuing, str) or None in marks:
        raise unusable(path, "its vocabulary lacks [CLS], [SEP] or the unknown piece")
    begin, end, unknown = (int(mark) for mark in marks if mark is not None)
    lowers = normalizer.get("lowercase", True) is True
    return WordPiece(numbers, begin, end, unknown, continuing, lowers)


def _words(text: str, *, lowers: bool) -> Iterator[str]:
    for spaced in _normalise(text, lowers=lowers).split():
        start = 0
        for place, char in enumerate(spaced):
            if _is_punctuation(char):
                if place > start:
                    yield spaced[start:place]
                yield char
                start = place + 1
        if start < len(spaced):
            yield spaced[start:]


def _normalise(text: str, *, lowers: bool) -> str:
    if text.isascii() and text.isprintable():
        return text.lower() if lowers else text
    plain = "".join(map(_cleaned, text))
    if not lowers:
        return plain
    # Accents go where letters are lowered, as BERT does unless told otherwise.
    parts = unicodedata.normalize("NFD", plain)
    return "".join(one for one in parts if unicodedata.category(one) != "Mn").lower()


@lru_cache(maxsize=4_096)
def _cleaned(char: str) -> str:
    """The character, nothing for one that says nothing, a space for every kind of space."""
    if char in _NOT_CONTROL:
        return " "
    if char == "\ufffd" or unicodedata.category(char) in _SAYS_NOTHING:
        return ""
    if char.isspace():
        return " "
    code = ord(char)
    if code >= _FIRST_IDEOGRAPH and any(first <= code <= last for first, last in _IDEOGRAPHS):
        return f" {char} "
    return char


@lru_cache(maxsize=4_096)
def _is_punctuation(char: str) -> bool:
    if char.isascii():
        return char.isprintable() and not char.isalnum() and char != " "
    return unicodedata.category(char)[0] == "P"
