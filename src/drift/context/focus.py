"""What a task says, as things to look for: words, names, places in files."""

import re
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Final, NamedTuple, TypeVar

from drift.kernel.words import HUMP, split_parts, stem, stop_words, with_parts

_Sought = TypeVar("_Sought")

_LONGEST: Final = 10_000
_MOST_TERMS: Final = 20
_MOST_NAMES: Final = 8
_MOST_SPELLED: Final = 3  # words that may be the parts of one name
_PROSE: Final = frozenset(
    {"a", "an", "and", "for", "of", "on", "the", "with"}
)  # more than three words with one are a sentence
_MOST_SPELLED_PATH: Final = 6  # words that may be the parts of the names of a member and its owner
_MOST_PAIRS: Final = 12  # twice as many found no more and took longer
_SHORTEST_TERM: Final = 3
_TITLE_WEIGHT: Final = 2.0
_TEXT_WEIGHT: Final = 1.0
_QUOTED_WEIGHT: Final = 1.5

_DOTTED: Final = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|->|#)[A-Za-z_]\w*)*")
_JOINT: Final = re.compile(r"\.|::|->|#")
# `reply()` and `reply(...)` are calls; `item(s)` is prose.
_CALLED: Final = re.compile(r"(?<![\w$])([A-Za-z_$][\w$]*)\((?:\)|\.\.\.|…)")
# "fix(router): …", "[forms] …", "cmd/go: …": the part of the project comes before the task.
_SCOPE: Final = re.compile(r"\w+\(([^)]{2,40})\)!?:|\[([^\]]{2,40})\]|([\w./, -]{2,40}?):(?=\s)")
_KINDS_OF_CHANGE: Final = frozenset({"feat", "featur", "chore", "refactor", "perf"})
_QUOTED: Final = re.compile(r"(?<!`)`+([^`\n]{2,80})`+|(?<!\w)[\"']([\w.:#/-]{3,80})[\"']")
# A path of a stack trace or a mention: with a folder or a suffix, perhaps a line behind it.
_PLACE: Final = re.compile(
    r"(?<![\w/\\.@+-])(?P<path>[/\\]?(?:[\w@.+-]+[/\\])*[\w@+-][\w@.+-]*\.[A-Za-z]\w{0,5})(?P<quote>[\"'])?"
    r"(?::(?P<line>\d{1,7})|\(?,? line (?P<words>\d{1,7}))?"
)


class Place(NamedTuple):
    """A file the text names, and the line where it names one."""

    path: str
    line: int | None


class Focus(NamedTuple):
    """A task as things to look for; the weights say how much the text makes of each.

    `terms` are stems in lower case, `names` identifiers as written, `spellings` the words the stems came from,
    `pairs` words that follow each other (the first whole, of the second the stem), `scope` the stems of what the
    title puts before a colon or in brackets.
    """

    terms: Mapping[str, float]
    names: Mapping[str, float]
    places: tuple[Place, ...]
    spellings: Mapping[str, str]
    pairs: Mapping[tuple[str, str], float]
    scope: frozenset[str]
    spelled: tuple[
        str, ...
    ] = ()  # all words of a text that may be nothing but the parts of names, in small letters


def read_focus(text: str) -> Focus:
    """The words, names and places of a task in plain words; the first line counts twice."""
    shown = text[:_LONGEST]
    title, _, rest = shown.strip().partition("\n")
    terms: dict[str, float] = {}
    names: dict[str, float] = {}
    pairs: dict[tuple[str, str], float] = {}
    spellings = stems_in(shown)
    for part, weight in ((title, _TITLE_WEIGHT), (rest, _TEXT_WEIGHT)):
        _raise_to(terms, stems_in(part), weight)
        _raise_to(names, _marked_names(part), weight)
        _raise_to(pairs, _pair_words(part), weight)
    _raise_to(names, _telling(_CALLED.findall(shown)), _QUOTED_WEIGHT)
    _raise_to(names, _quoted_names(shown), _QUOTED_WEIGHT)
    spelled = _spelled_names(shown)
    _raise_to(names, spelled, _QUOTED_WEIGHT)
    return Focus(
        terms=_first(terms, _MOST_TERMS),
        names=_first(names, max(_MOST_NAMES, len(spelled))),
        places=find_places(shown),
        spellings=spellings,
        pairs=_first(pairs, _MOST_PAIRS),
        scope=_read_scope(title),
        spelled=_spelled_words(shown),
    )


def stems_in(text: str) -> dict[str, str]:
    """The stems of a text's words and of the parts of its names, each with the word it was first met in.

    Words that tell nothing are left out.
    """
    found: dict[str, str] = {}
    for lowered in map(str.lower, with_parts(text)):
        if _tells(lowered):
            found.setdefault(stem(lowered), lowered)
    return found


def find_places(text: str) -> tuple[Place, ...]:
    """What looks like paths in a text, with their lines, in order; most will not be files of the project."""
    found: dict[Place, None] = {}
    for match in _PLACE.finditer(text):
        line = match["line"] or match["words"]
        place = Place(match["path"].replace("\\", "/").removeprefix("./"), int(line) if line else None)
        found[place] = None
    return tuple(found)


def _pair_words(text: str) -> list[tuple[str, str]]:
    """Words that stand next to each other, also within a name; a word that tells nothing parts its neighbours."""
    parts = [part.lower() for part in split_parts(text)]
    return [(one, stem(other)) for one, other in pairwise(parts) if _tells(one) and _tells(other)]


def _read_scope(title: str) -> frozenset[str]:
    found = _SCOPE.match(title)
    written = next(filter(None, found.groups()), "") if found else ""
    return frozenset(stems_in(written)) - _KINDS_OF_CHANGE


def _marked_names(text: str) -> list[str]:
    """Names that no prose would write: with humps, underscores or joints."""
    found = []
    for dotted in _DOTTED.findall(text):
        parts = _JOINT.split(dotted)
        if len(parts) > 1 or "_" in dotted.strip("_") or HUMP.search(dotted):
            found += parts
    return _telling(found)


def _quoted_names(text: str) -> list[str]:
    quoted = " ".join(first or second for first, second in _QUOTED.findall(text))
    return _telling(part for dotted in _DOTTED.findall(quoted) for part in _JOINT.split(dotted))


def _spelled_words(text: str) -> tuple[str, ...]:
    words = text.split()
    lowered = tuple(word.lower() for word in words)
    is_spelled = len(words) <= _MOST_SPELLED_PATH and all(word.isalnum() for word in words)
    is_sentence = len(words) > _MOST_SPELLED and not _PROSE.isdisjoint(lowered)
    return lowered if is_spelled and not is_sentence else ()


def _spelled_names(text: str) -> list[str]:
    """What somebody may be looking for by name who says a few words: `login form` for `LoginForm` and `login_form`.

    More words may be the name of a member behind that of its owner: `order list is set` for `OrderList` and `isSet`.
    """
    words = _spelled_words(text)
    if len(words) <= _MOST_SPELLED:
        return _telling(dict.fromkeys([*_humped(words), *_joined(words)])) if words else []
    parts = range(1, len(words))
    owners = [_humped(words[:end]) for end in parts if end > 1]
    members = [_joined(words[start:]) for start in parts if start < len(words) - 1]
    return _telling(dict.fromkeys(name for some in (*owners, *members) for name in some))


def _humped(words: tuple[str, ...]) -> list[str]:
    return ["".join(word.capitalize() for word in words)]


def _joined(words: tuple[str, ...]) -> list[str]:
    humps = "".join(word.capitalize() for word in words)
    return ["_".join(words), words[0] + humps[len(words[0]) :]]


def _telling(names: Iterable[str]) -> list[str]:
    return [name for name in names if len(name) >= _SHORTEST_TERM and name.lower() not in _stop_words()]


def _tells(lowered: str) -> bool:
    return len(lowered) >= _SHORTEST_TERM and not lowered.isdigit() and lowered not in _stop_words()


def _raise_to(weights: dict[_Sought, float], found: Iterable[_Sought], weight: float) -> None:
    for each in found:
        weights[each] = max(weight, weights.get(each, 0.0))


def _first(weights: dict[_Sought, float], most: int) -> dict[_Sought, float]:
    return dict(list(weights.items())[:most])


def _stop_words() -> frozenset[str]:
    return stop_words("english", "tasks")
