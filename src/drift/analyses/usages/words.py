"""Every place in the texts of a project where a name stands as a whole word."""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from drift.analyses.usages.lexing import Regions
from drift.analyses.usages.texts import Text

_MOST_PLACES: Final = 50_000
# A dollar is a letter of names in scripts, and a mark before them in PHP.
_DOLLAR_LANGUAGES: Final = frozenset({"javascript", "typescript", "java"})


class Word(NamedTuple):
    """A place of the name: its byte in the text, its line from 1, its byte in the line from 0."""

    offset: int
    line: int
    column: int


class WordedText:
    """A text in which the name stands, and where."""

    def __init__(self, text: Text, words: list[Word]) -> None:
        self.text = text
        self.words = words
        self._regions: Regions | None = None

    @property
    def regions(self) -> Regions:
        """Its comments and strings."""
        if self._regions is None:
            self._regions = Regions(self.text.content, self.text.language)
        return self._regions

    def line_of(self, word: Word) -> bytes:
        """The line that a place is on, without its end."""
        start = word.offset - word.column
        end = self.text.content.find(b"\n", word.offset)
        return self.text.content[start : end if end >= 0 else len(self.text.content)].rstrip(b"\r")


def find_words(texts: Iterable[Text], name: str) -> Iterator[WordedText]:
    """The texts with the name in them as a whole word, in their order, up to a number of places that nobody reads."""
    wanted = name.encode("utf-8", "surrogatepass")
    patterns = {
        is_dollar: re.compile(
            rb"(?<![\w\x80-\xff" + more + rb"])" + re.escape(wanted) + rb"(?![\w\x80-\xff" + more + rb"])"
        )
        for is_dollar, more in ((True, b"$"), (False, b""))
    }
    room = _MOST_PLACES
    for text in texts:
        if wanted not in text.content:
            continue
        pattern = patterns[text.language in _DOLLAR_LANGUAGES]
        words = list(_places(text.content, pattern, room))
        room -= len(words)
        if words:
            yield WordedText(text, words)
        if room <= 0:
            return


def _places(content: bytes, pattern: "re.Pattern[bytes]", most: int) -> Iterator[Word]:
    line, counted = 1, 0
    for number, match in enumerate(pattern.finditer(content)):
        if number >= most:
            return
        line += content.count(b"\n", counted, match.start())
        counted = match.start()
        yield Word(counted, line, counted - content.rfind(b"\n", 0, counted) - 1)
