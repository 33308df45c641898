"""Where a text says that one thing came of another: the cue, and the words on either side of it."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from drift.memory.records import Relation

_LOOKED_AT: Final = 20_000
_MOST_CUES: Final = 40
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+|\n+|;\s")
_COMMA: Final = re.compile(r",\s")
# Said of the cue itself: "not because of", "was never caused by", "unrelated".
_DENIED: Final = re.compile(
    r"(?:\bnot|n[\u2019']t|\bnever|\bno longer|\bneither)(?:\s+\w+)?\s*$", re.IGNORECASE
)


class Cue(NamedTuple):
    """A kind of cue: the edge it makes, and whether what stands behind it is the cause.

    `must_be_named`: only by id or title. `is_weak`: only what stands behind it can be meant.
    """

    relation: Relation
    is_cause_after: bool
    must_be_named: bool
    is_weak: bool


class CuedSentence(NamedTuple):
    """A sentence with a cue in it, parted into what is said of the cause and of the effect."""

    sentence: str
    words: str
    cue: Cue
    of_cause: str
    of_effect: str


@cache
def _cues() -> dict[str, Cue]:
    rows = tomllib.loads(
        files("drift.memory.causes").joinpath("causality_cues.toml").read_text(encoding="utf-8")
    )
    return {
        words: Cue(
            Relation(row["relation"]),
            row["after"] == "cause",
            row.get("named", False),
            row.get("only_after", False),
        )
        for row in rows.values()
        for words in row["words"]
    }


@cache
def _pattern() -> re.Pattern[str]:
    longest_first = sorted(_cues(), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})\b", re.IGNORECASE)


def sentences_of(text: str) -> list[str]:
    """The sentences of a text, lines being ends, too."""
    return [one.strip() for one in _SENTENCE_END.split(text[:_LOOKED_AT]) if one.strip()]


def read_cues(text: str) -> list[CuedSentence]:
    """What a text says of causes and effects; not what it denies or asks."""
    found: list[CuedSentence] = []
    for sentence in sentences_of(text):
        if not sentence.endswith("?"):
            found += _read_sentence(sentence)
        if len(found) >= _MOST_CUES:
            break
    return found[:_MOST_CUES]


def _read_sentence(sentence: str) -> Iterator[CuedSentence]:
    matches = list(_pattern().finditer(sentence))
    if not matches:
        return
    # A clause ends where the next cue begins: "x led to y because z" says nothing of z to "led to".
    starts = [match.start() for match in matches[1:]] + [len(sentence)]
    ends = [0] + [match.end() for match in matches[:-1]]
    for match, clause_start, clause_end in zip(matches, ends, starts, strict=True):
        before, after = sentence[clause_start : match.start()], sentence[match.end() : clause_end]
        if _DENIED.search(sentence[: match.start()][-40:]):
            continue
        words = match[0].lower()
        cue = _cues()[words]
        if not sentence[: match.start()].strip(" -*#>"):
            # "After the move, logins fail": the comma parts what the cue would.
            parts = _COMMA.split(after, maxsplit=1)
            after, before = parts[0], parts[1] if len(parts) > 1 else ""
        of_cause, of_effect = (after, before) if cue.is_cause_after else (before, after)
        yield CuedSentence(sentence, words, cue, of_cause, of_effect)
