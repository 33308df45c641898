"""How well the text of a memory answers a question, word by word."""

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

from drift.kernel.words import has_unspaced
from drift.memory.search.candidates import Words
from drift.memory.search.questions import Question
from drift.memory.search.wanted import Said
from drift.memory.stems import stem

# Measured on conversations, distilled facts, abstracts, commit messages and code (docs/memory-search.md).
_SATURATION: Final = 1.2
# Each text counts as this much longer than it is. A note of ten words is about one thing as a note of forty is, so
# among short ones length should hardly matter; among long ones a word tells less the more stands around it.
_LENGTH_GIVEN: Final = 200
_TITLE_COUNTS: Final = 2
_COVERAGE: Final = 0.25
_ADJACENCY: Final = 0.4

MOST_READ: Final = 6_000
_JOINT: Final = re.compile(r"[\W_]{1,3}")
_APART: Final = "\0" * 4  # longer than a joint: the end of one text and the next one's beginning are no pair


class _Tally(NamedTuple):
    """How often a text holds each stem, and which stand side by side in it."""

    counts: dict[str, int]
    pairs: set[tuple[str, str]]


class Match(NamedTuple):
    """A memory's score for its words, and the stems it shares with the question."""

    score: float
    stems: tuple[str, ...]


def match_texts(texts: Mapping[int, Said], question: Question, words: Words) -> dict[int, Match]:
    """The score of each text; 0 for one that shares nothing."""
    rarity = {one: weight * _rarity(words, one) for one, weight in question.weights.items()}
    lengths = [_LENGTH_GIVEN + len(text.body) + len(text.title) for text in texts.values()]
    usual = sum(lengths) / len(lengths) if lengths else 1.0
    whole = sum(rarity.values()) or 1.0
    said = frozenset(pairwise(question.order))
    return {
        number: _score(tally, said, rarity=rarity, whole=whole, relative_length=length / usual)
        for number, tally, length in zip(texts, _count_words(texts, rarity), lengths, strict=True)
    }


def _score(
    tally: _Tally,
    said: frozenset[tuple[str, str]],
    *,
    rarity: Mapping[str, float],
    whole: float,
    relative_length: float,
) -> Match:
    counts = tally.counts
    if not counts:
        return Match(0.0, ())
    slope = _SATURATION * relative_length
    score = covered = 0.0
    for one, count in counts.items():
        covered += rarity[one]
        score += rarity[one] * count * (_SATURATION + 1) / (count + slope)
    score *= 1 + _COVERAGE * covered / whole
    if tally.pairs:
        score += _ADJACENCY * sum(min(rarity[a], rarity[b]) for a, b in tally.pairs & said)
    return Match(score, tuple(counts))


def _count_words(texts: Mapping[int, Said], wanted: Mapping[str, float]) -> list[_Tally]:
    """How often each text holds the wanted stems, all texts read in one go: each look by itself costs more."""
    parts = [plain(_read_part(part)) for text in texts.values() for part in (text.title, text.body)]
    joined = _APART.join(parts)
    ends = list(accumulate(len(part) + len(_APART) for part in parts))
    tallies = [_Tally({}, set()) for _text in texts]
    known: dict[str, str] = {}
    part, before, before_end = 0, "", -1
    for found in _pattern(wanted).finditer(joined):
        start = found.start()
        if start and joined[start - 1].isalnum():
            continue  # in the middle of a word
        word = found[0]
        one = known.get(word) or known.setdefault(word, stem(word))
        if one not in wanted:
            continue
        while start >= ends[part]:
            part += 1
        counts, pairs = tallies[part // 2]
        counts[one] = counts.get(one, 0) + (1 if part % 2 else _TITLE_COUNTS)
        if before and _JOINT.fullmatch(joined, before_end, start):
            pairs.add((before, one))
        before, before_end = one, found.end()
    return tallies


def _read_part(part: str) -> str:
    """As much of a text as is read; of a long one without spaces its end, where its words stand as pairs of letters."""
    return part[-MOST_READ:] if len(part) > MOST_READ and has_unspaced(part) else part[:MOST_READ]


def plain(text: str) -> str:
    """Lower case without accents, as the word index reads it."""
    if text.isascii():
        return text.lower()
    parts = unicodedata.normalize("NFD", text.lower())
    return "".join(one for one in parts if not unicodedata.combining(one))


def _pattern(stems: Iterable[str]) -> re.Pattern[str]:
    """Words that may have one of the stems: a stem is the beginning of its words but for a last i or e."""
    beginnings = sorted({one[:-1] if len(one) > 2 and one[-1] in "ie" else one for one in stems})  # noqa: PLR2004 - as said
    # What stands before is not asked here: an expression that begins with letters is searched twice as fast.
    return re.compile(rf"(?:{'|'.join(map(re.escape, beginnings)) or '(?!)'})[^\W_]*")


def _rarity(words: Words, one: str) -> float:
    count = words.counts.get(one, 0)
    return math.log(1 + (words.total - min(count, words.total) + 0.5) / (count + 0.5))
