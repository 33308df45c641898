"""How well the text of a memory answers a question, word by word."""

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from drift.memory.search.candidates import Words
from drift.memory.search.questions import Question
from drift.memory.search.stems import stem
from drift.memory.search.wanted import Said

# Measured on conversations, distilled facts, abstracts, commit messages and code (docs/memory-search.md).
_SATURATION: Final = 1.2
# Each text counts as this much longer than it is. A note of ten words is about one thing as a note of forty is, so
# among short ones length should hardly matter; among long ones a word tells less the more stands around it.
_LENGTH_GIVEN: Final = 200
_TITLE_COUNTS: Final = 2
_COVERAGE: Final = 0.25
_ADJACENCY: Final = 0.4

_MOST_READ: Final = 6_000
_JOINT: Final = re.compile(r"[\W_]{1,3}")


class Match(NamedTuple):
    """A memory's score for its words, and the stems it shares with the question."""

    score: float
    stems: tuple[str, ...]


def match_texts(texts: Mapping[int, Said], question: Question, words: Words) -> dict[int, Match]:
    """The score of each text; 0 for one that shares nothing."""
    rarity = {one: weight * _rarity(words, one) for one, weight in question.weights.items()}
    pattern = _pattern(rarity)
    lengths = {number: _LENGTH_GIVEN + len(text.body) + len(text.title) for number, text in texts.items()}
    usual = sum(lengths.values()) / len(lengths) if lengths else 1.0
    whole = sum(rarity.values()) or 1.0
    return {
        number: _match(
            text, question, pattern, rarity=rarity, whole=whole, relative_length=lengths[number] / usual
        )
        for number, text in texts.items()
    }


def _match(
    text: Said,
    question: Question,
    pattern: re.Pattern[str],
    *,
    rarity: Mapping[str, float],
    whole: float,
    relative_length: float,
) -> Match:
    counts: dict[str, int] = {}
    pairs: set[tuple[str, str]] = set()
    for part, times in ((text.title, _TITLE_COUNTS), (text.body, 1)):
        _count_words(plain(part[:_MOST_READ]), pattern, rarity, counts=counts, pairs=pairs, times=times)
    if not counts:
        return Match(0.0, ())
    slope = _SATURATION * relative_length
    score = sum(rarity[one] * count * (_SATURATION + 1) / (count + slope) for one, count in counts.items())
    score *= 1 + _COVERAGE * sum(rarity[one] for one in counts) / whole
    if pairs:
        said = zip(question.order, question.order[1:], strict=False)
        score += _ADJACENCY * sum(min(rarity[a], rarity[b]) for a, b in said if (a, b) in pairs)
    return Match(score, tuple(counts))


def _count_words(
    text: str,
    pattern: re.Pattern[str],
    wanted: Iterable[str],
    *,
    counts: dict[str, int],
    pairs: set[tuple[str, str]],
    times: int,
) -> None:
    before, before_end = "", -1
    for found in pattern.finditer(text):
        one = stem(found[0])
        if one not in wanted:
            continue
        counts[one] = counts.get(one, 0) + times
        if before and _JOINT.fullmatch(text, before_end, found.start()):
            pairs.add((before, one))
        before, before_end = one, found.end()


def plain(text: str) -> str:
    """Lower case without accents, as the word index reads it."""
    if text.isascii():
        return text.lower()
    parts = unicodedata.normalize("NFD", text.lower())
    return "".join(one for one in parts if not unicodedata.combining(one))


def _pattern(stems: Iterable[str]) -> re.Pattern[str]:
    """Words that may have one of the stems: a stem is the beginning of its words but for a last i or e."""
    beginnings = sorted({one[:-1] if len(one) > 2 and one[-1] in "ie" else one for one in stems})  # noqa: PLR2004 - as said
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, beginnings)) or '(?!)'})[^\W_]*")


def _rarity(words: Words, one: str) -> float:
    count = words.counts.get(one, 0)
    return math.log(1 + (words.total - min(count, words.total) + 0.5) / (count + 0.5))
