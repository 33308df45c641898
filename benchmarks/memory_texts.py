"""Made-up memories and questions about them: the same for the same number, with words as unequal as in real notes."""

import random
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from drift.memory import FileLink, Importance, Memory

SYLLABLES = (
    "ba",
    "ce",
    "di",
    "fo",
    "gu",
    "ka",
    "le",
    "mi",
    "no",
    "pu",
    "ra",
    "se",
    "ti",
    "vo",
    "zu",
    "shan",
    "tor",
)
TYPES = ("tribal", "decision", "insight", "semantic", "procedural", "incident", "episodic", "feedback")
SHAPES = (
    "When {} fails in {}, the {} of {} must be {} before {} is tried again.",
    "{} and {} share a {}; changing {} breaks {} unless {} runs first.",
    "We decided that {} goes through {} because {} could not hold {} and {} under {}.",
    "The {} of {} is slow: {} asks {} for every {}, so keep {} small.",
    "Never let {} write to {} while {} reads {}; it lost {} of {} once.",
)
DAY_MS = 86_400_000
NOW_MS = 1_780_000_000_000


class Words(NamedTuple):
    """A vocabulary and how often each word comes, by Zipf's law."""

    names: tuple[str, ...]
    weights: tuple[float, ...]


def make_words(count: int = 6_000) -> Words:
    chance = random.Random(7)
    names = dict.fromkeys(
        "".join(chance.choices(SYLLABLES, k=chance.randint(2, 4))) for _ in range(count * 3)
    )
    kept = tuple(names)[:count]
    return Words(kept, tuple(accumulate(1 / (rank + 5) for rank in range(len(kept)))))


def say(words: Words, chance: random.Random) -> str:
    """Two sentences."""
    drawn = chance.choices(words.names, cum_weights=words.weights, k=12)
    return " ".join(chance.choice(SHAPES).format(*drawn[at : at + 6]) for at in (0, 6))


def make_memories(words: Words, count: int) -> Iterator[Memory]:
    chance = random.Random(count)
    for number in range(count):
        at_ms = NOW_MS - chance.randrange(400) * DAY_MS
        yield Memory(
            id=f"m_bench{number:07}",
            type=chance.choice(TYPES),
            text=f"{say(words, chance)} Note {number}.",
            confidence=chance.uniform(0.5, 1.0),
            importance=chance.choice(list(Importance)),
            files=(FileLink(f"shop/{chance.choice(words.names[:200])}.py"),),
            session=f"s_{number // 20}",
            recorded_at_ms=at_ms,
            updated_at_ms=at_ms,
        )


def natural_questions(words: Words, count: int) -> list[str]:
    """Questions as people ask them, of words as common and as rare as those of the memories."""
    chance = random.Random(3)
    return [
        "why does {} fail when {} is changed together with {} in {}?".format(
            *chance.choices(words.names, cum_weights=words.weights, k=4)
        )
        for _ in range(count)
    ]


def common_questions(words: Words, count: int) -> list[str]:
    """Queries made of the thirty commonest words of the store, which most memories hold some of."""
    chance = random.Random(4)
    return [
        " ".join(chance.sample((*words.names[:20], *SHAPES[0].replace("{}", "").split()), 8))
        for _ in range(count)
    ]
