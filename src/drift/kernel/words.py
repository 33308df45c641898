"""Words of names and texts: splitting identifiers, stems, and words that tell nothing."""

import re
import tomllib
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final, Literal
from unicodedata import category, normalize

from drift.kernel.data_files import read_data

StopList = Literal["code", "english", "questions", "tasks"]

# Not \w: an underscore joins names, and to SQLite's tokenizer it is no letter.
WORD: Final = re.compile(r"[^\W_]+")
HUMP: Final = re.compile(r"(?<=[^\W_A-Z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[0-9])(?=[A-Z])")
"""Where a part of a name in camel case begins."""
# Scripts that put no space between words: Han, Kana, Thai, Lao, Khmer, Burmese.
_UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003134f]+"
)
_WORD_OR_NUMBER: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z](?:[A-Z](?![a-z]))*+|\d+")
_SHORTEST_STEM: Final = 4
_SHORTEST_PLURAL: Final = 4
_SUFFIXES: Final = (
    "ations", "ation", "ings", "ing", "ies", "ied", "ers", "ions", "ion", "ed", "es", "er", "ly", "s", "e", "y",
)  # fmt: skip
# Not l, s and z, which words of their own end in: call, pass, buzz.
_DOUBLED: Final = frozenset("bdfgkmnprtv")


def split_parts(text: str) -> list[str]:
    """The parts of the names in a text, in their order: user_profileById is user, profile, By and Id."""
    return [part for word in WORD.findall(text) for part in HUMP.split(word)]


def split_words(name: str) -> tuple[str, ...]:
    """The words of a name in small letters, numbers apart: parseHTTP2 is parse, http and 2."""
    return tuple(word.lower() for word in _WORD_OR_NUMBER.findall(name))


def with_parts(text: str) -> list[str]:
    """The words of a text in their order, each name in camel case followed by its parts."""
    found: list[str] = []
    for word in WORD.findall(text):
        parts = HUMP.split(word)
        found += [word, *parts] if len(parts) > 1 else parts
    return found


def has_unspaced(text: str) -> bool:
    """Whether the text holds a script that puts no space between words."""
    return not text.isascii() and _UNSPACED.search(text) is not None


def spaced(text: str) -> str:
    """The text with its stretches of such scripts as pairs of letters, which stand for the words nobody marked.

    Two texts that share a word of two letters or more share its pairs. Vowel marks are left out and wide, narrow and
    voiced forms are taken for one, as an index that knows no accents does.
    """
    return (
        _UNSPACED.sub(lambda found: f" {' '.join(_pairs(found[0]))} ", text) if has_unspaced(text) else text
    )


def _pairs(run: str) -> list[str]:
    letters = [one for one in normalize("NFKD", run) if category(one)[0] in "LN"]
    return [one + other for one, other in pairwise(letters)] or letters


@lru_cache(maxsize=16_384)  # the words of paths and commits come again with every question
def stem(word: str) -> str:
    """The beginning that the forms of an English word share, as far as its ending shows."""
    if word.endswith("ss"):
        return word
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= _SHORTEST_STEM:
            return word[: -len(suffix)]
    is_plural = word.endswith("s") and len(word) >= _SHORTEST_PLURAL
    return word[:-1] if is_plural else word


def undouble(stemmed: str) -> str:
    """A stem whose last consonant an ending had doubled, with that once: `logg` of logging is the `log` of logs."""
    is_doubled = len(stemmed) >= _SHORTEST_STEM and stemmed[-1] == stemmed[-2]
    return stemmed[:-1] if is_doubled and stemmed[-1] in _DOUBLED else stemmed


@cache
def stop_words(*lists: StopList) -> frozenset[str]:
    """The words of these lists, in small letters."""
    return frozenset(word for name in lists for word in _lists()[name].split())


@cache
def _lists() -> dict[str, str]:
    return tomllib.loads(read_data("drift.kernel", "stop_words.toml"))
