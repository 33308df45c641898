"""Where names stand in the text of a project, whatever they mean there."""

import re
import string
from collections.abc import Collection, Iterable, Mapping
from typing import Final, NamedTuple

from drift.analyses.usages.whole_words import whole_words

_WORD: Final = re.compile(rb"[^\W\d]\w*", re.ASCII)
_LETTERS: Final = frozenset(letter.encode() for letter in f"{string.ascii_letters}{string.digits}_")
_MOST_PLACES: Final = 12
_LOOK_BACK: Final = 200


class Mention(NamedTuple):
    """A place where a name stands, with what is written right before it and the name itself."""

    path: str
    offset: int
    line: int
    written: bytes = b""


def find_mentions(
    names: Mapping[str, Collection[str]], texts: Iterable[tuple[str, bytes]]
) -> dict[str, list[Mention]]:
    """The first places of each name that stands anywhere in the texts as a whole word.

    Each name comes with the paths of files that are of interest even if many others have the name, too.
    Names with letters outside ASCII are not looked for and are missing in the answer.
    """
    wanted = {name.encode(): name for name in names if name.isascii() and _WORD.fullmatch(name.encode())}
    found: dict[str, list[Mention]] = {name: [] for name in wanted.values()}
    for path, text in texts:
        for word in whole_words(wanted.keys(), text):
            places = found[wanted[word]]
            if path in names[wanted[word]]:
                places.extend(_places(word, path, text, _MOST_PLACES))
            elif len(places) < _MOST_PLACES:
                places.extend(_places(word, path, text, _MOST_PLACES - len(places)))
    return found


def _places(word: bytes, path: str, text: bytes, most: int) -> list[Mention]:
    # A search for bytes and a look at both ends takes a tenth of the time of a pattern.
    found: list[Mention] = []
    line, counted = 1, 0
    at = text.find(word)
    while at >= 0 and len(found) < most:
        end = at + len(word)
        if text[at - 1 : at] not in _LETTERS and text[end : end + 1] not in _LETTERS:
            line, counted = line + text.count(b"\n", counted, at), at
            found.append(Mention(path, at, line, text[max(at - _LOOK_BACK, 0) : end]))
        at = text.find(word, end)
    return found
