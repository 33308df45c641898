"""What a task says, as things to look for: words, names, places in files."""

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Final, NamedTuple, TypeVar

_Sought = TypeVar("_Sought")

_LONGEST: Final = 10_000
_MOST_TERMS: Final = 20
_MOST_NAMES: Final = 8
_MOST_PAIRS: Final = 12  # twice as many found no more and took longer
_SHORTEST_TERM: Final = 3
_SHORTEST_STEM: Final = 4
_TITLE_WEIGHT: Final = 2.0
_TEXT_WEIGHT: Final = 1.0
_QUOTED_WEIGHT: Final = 1.5

_WORD: Final = re.compile(r"[^\W_]+")
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
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
# Not l, s and z, which words of their own end in: call, pass, buzz.
_DOUBLED: Final = frozenset("bdfgkmnprtv")
_SUFFIXES: Final = (
    "ations", "ation", "ings", "ing", "ies", "ied", "ers", "ions", "ion", "ed", "es", "er", "ly", "s", "e", "y",
)  # fmt: skip


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


def read_focus(text: str) -> Focus:
    """The words, names and places of a task in plain words; the first line counts twice."""
    shown = text[:_LONGEST]
    title, _, rest = shown.strip().partition("\n")
    terms: dict[str, float] = {}
    names: dict[str, float] = {}
    pairs: dict[tuple[str, str], float] = {}
    spellings = split_words(shown)
    for part, weight in ((title, _TITLE_WEIGHT), (rest, _TEXT_WEIGHT)):
        _raise_to(terms, split_words(part), weight)
        _raise_to(names, _marked_names(part), weight)
        _raise_to(pairs, _pair_words(part), weight)
    _raise_to(names, _telling(_CALLED.findall(shown)), _QUOTED_WEIGHT)
    _raise_to(names, _quoted_names(shown), _QUOTED_WEIGHT)
    return Focus(
        terms=_first(terms, _MOST_TERMS),
        names=_first(names, _MOST_NAMES),
        places=find_places(shown),
        spellings=spellings,
        pairs=_first(pairs, _MOST_PAIRS),
        scope=_read_scope(title),
    )


def split_words(text: str) -> dict[str, str]:
    """The stems of a text's words and of the parts of its names, each with the word it was first met in.

    Words that tell nothing are left out.
    """
    found: dict[str, str] = {}
    for word in _WORD.findall(text):
        parts = _HUMP.split(word)
        for part in [word, *parts] if len(parts) > 1 else parts:
            lowered = part.lower()
            if _tells(lowered):
                found.setdefault(stem(lowered), lowered)
    return found


@lru_cache(maxsize=16_384)  # the words of paths and commits come again with every question
def stem(word: str) -> str:
    """The beginning that the forms of an English word share, as far as its ending shows."""
    if word.endswith("ss"):
        return word
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= _SHORTEST_STEM:
            return word[: -len(suffix)]
    is_plural = word.endswith("s") and len(word) > _SHORTEST_TERM
    return word[:-1] if is_plural else word


def undouble(stemmed: str) -> str:
    """A stem whose last consonant an ending had doubled, with that once: `logg` of logging is the `log` of logs."""
    is_doubled = len(stemmed) >= _SHORTEST_STEM and stemmed[-1] == stemmed[-2]
    return stemmed[:-1] if is_doubled and stemmed[-1] in _DOUBLED else stemmed


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
    parts = [part.lower() for word in _WORD.findall(text) for part in _HUMP.split(word)]
    return [(one, stem(other)) for one, other in pairwise(parts) if _tells(one) and _tells(other)]


def _read_scope(title: str) -> frozenset[str]:
    found = _SCOPE.match(title)
    written = next(filter(None, found.groups()), "") if found else ""
    return frozenset(split_words(written)) - _KINDS_OF_CHANGE


def _marked_names(text: str) -> list[str]:
    """Names that no prose would write: with humps, underscores or joints."""
    found = []
    for dotted in _DOTTED.findall(text):
        parts = _JOINT.split(dotted)
        if len(parts) > 1 or "_" in dotted.strip("_") or _HUMP.search(dotted):
            found += parts
    return _telling(found)


def _quoted_names(text: str) -> list[str]:
    quoted = " ".join(first or second for first, second in _QUOTED.findall(text))
    return _telling(part for dotted in _DOTTED.findall(quoted) for part in _JOINT.split(dotted))


def _telling(names: Iterable[str]) -> list[str]:
    return [name for name in names if len(name) >= _SHORTEST_TERM and name.lower() not in _stop_words()]


def _tells(lowered: str) -> bool:
    return len(lowered) >= _SHORTEST_TERM and not lowered.isdigit() and lowered not in _stop_words()


def _raise_to(weights: dict[_Sought, float], found: Iterable[_Sought], weight: float) -> None:
    for each in found:
        weights[each] = max(weight, weights.get(each, 0.0))


def _first(weights: dict[_Sought, float], most: int) -> dict[_Sought, float]:
    return dict(list(weights.items())[:most])


@cache
def _stop_words() -> frozenset[str]:
    return frozenset(files("drift.context").joinpath("stop_words.txt").read_text(encoding="utf-8").split())
