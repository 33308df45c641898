"""Where names stand in the text of a project, whatever they mean there."""

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Final, NamedTuple

_WORD: Final = re.compile(rb"[^\W\d]\w*", re.ASCII)
_MOST_PLACES: Final = 12


class Mention(NamedTuple):
    """A place where a name stands."""

    path: str
    offset: int
    line: int


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
        # Most words of most files are not wanted: the set is asked once for each different word.
        present = wanted.keys() & set(_WORD.findall(text))
        for word in present:
            places = found[wanted[word]]
            if path in names[wanted[word]]:
                places.extend(_places(word, path, text, _MOST_PLACES))
            elif len(places) < _MOST_PLACES:
                places.extend(_places(word, path, text, _MOST_PLACES - len(places)))
    return found


def _places(word: bytes, path: str, text: bytes, most: int) -> list[Mention]:
    found = []
    for match in re.finditer(rb"(?<!\w)" + re.escape(word) + rb"(?!\w)", text, re.ASCII):
        found.append(Mention(path, match.start(), text.count(b"\n", 0, match.start()) + 1))
        if len(found) == most:
            break
    return found
