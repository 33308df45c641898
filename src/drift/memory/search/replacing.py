"""Memories that take back what an earlier one says, by their own words: these stand before what they replaced."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from drift.memory.search.intents import is_passing
from drift.memory.search.wanted import Row

_MOST_READ: Final = 2_000
_NAME: Final = r"(?P<quote>[`'\"]{0,2})(?!from\b)(?P<name>[^\W\d_][\w./-]{1,100})(?![\w/-]| v?\d)"
# Looked for first: a pattern with a name in it would be tried at every word, and mostly none of these is there.
_CUE: Final = re.compile(
    r"\b(?:(?:remov|renam|replac|deprecat|mov|switch|migrat|chang)(?:e|ed|es|ing)?|drop(?:s|ped|ping)?"
    r"|no longer (?:use|uses|using|support|supports|need|needs|require|requires)|stopp?(?:ed)? using"
    r"|superseded|gone|obsolete)\b",
    re.IGNORECASE,
)
_FROM: Final = re.compile(r" (?:\w{1,30} ){0,3}(?:away )?from\b", re.IGNORECASE)
_ONLY_FROM: Final = (
    "switch",
    "migrat",
    "chang",
)  # what is switched or changed is not gone, what it is switched from is
_AHEAD: Final = re.compile(
    rf"\s(?:(?:the|our|all|old|deprecated|undocumented|support|for|of) ){{0,4}}{_NAME}", re.IGNORECASE
)
_BEHIND: Final = re.compile(
    rf"{_NAME}(?:\([^)]{{0,80}}\))?[`'\"]{{0,2}} (?:\w{{1,30}} ){{0,3}}?(?:is|are|was|were|been) (?:now )?\Z",
    re.IGNORECASE,
)
_MOST_BEHIND: Final = 160
_COPULAS: Final = (" is ", " are ", " was ", " were ", " been ")
# A name of code shows by its form; others are names by being quoted, or by a capital after "from", "using", "for".
_CODE: Final = re.compile(r"[a-z\d][A-Z]|_|[./-]\w")
_LEADING: Final = ("from", "from the", "from our", "using", "for", "support", "supports", "use", "uses")
_WORD: Final = re.compile(r"[^\W\d_][\w./-]{1,100}")


def put_before(scores: Mapping[int, float], rows: Mapping[int, Row]) -> dict[int, float]:
    """The scores, with each memory that takes an earlier one back just above that one."""
    settled = dict(scores)
    for older, newer in _replaced(rows):
        if settled[newer] <= settled[older]:
            settled[newer] = settled[older] * (1 + 1e-6)
    return settled


def _replaced(rows: Mapping[int, Row]) -> Iterator[tuple[int, int]]:
    """Numbers of memories and of what replaced them, the oldest first, so that a chain ends with the last."""
    in_time = sorted(rows.values(), key=lambda row: (row.recorded_at_ms, row.number))
    by_id = {row.id: row.number for row in in_time}
    for row in in_time:
        if row.superseded_by in by_id:
            yield row.number, by_id[row.superseded_by]
    # What happened stays true whatever came after.
    holding = [row for row in in_time if not is_passing(row.type)]
    takers = [(row, names) for row in holding if (names := taken_back(_said(row)))]
    words = {row.number: _names(_said(row)) for row in holding} if takers else {}
    for newer, names in takers:
        for older in holding:
            if older.recorded_at_ms < newer.recorded_at_ms and names & words[older.number]:
                yield older.number, newer.number


@lru_cache(maxsize=2_048)  # the same memories are found again and again
def taken_back(text: str, *, with_capitals: bool = False) -> frozenset[str]:
    """The names that a text says are gone, renamed or left for others; plain words are none.

    Any word with a capital counts as a name only on wish: at the beginning of a sentence it may be none.
    """
    return frozenset(
        one["name"].strip("./-").lower()
        for one in _found(text)
        if _is_name(one) or (with_capitals and one["name"][0].isupper())
    )


def _found(text: str) -> Iterator[re.Match[str]]:
    for cue in _CUE.finditer(text):
        before = text[max(0, cue.start() - _MOST_BEHIND) : cue.start()]
        behind = _BEHIND.search(before) if before.removesuffix("now ").endswith(_COPULAS) else None
        if behind is not None:
            yield behind
        kind = cue[0].lower()
        source = _FROM.match(text, cue.end()) if kind.startswith((*_ONLY_FROM, "mov")) else None
        is_told = source is not None or not kind.startswith(_ONLY_FROM)
        ahead = _AHEAD.match(text, source.end() if source else cue.end()) if is_told else None
        if ahead is not None and not before.lower().endswith("previously "):
            yield ahead


def _is_name(found: re.Match[str]) -> bool:
    return bool(found["quote"] or _CODE.search(found["name"]) or _is_proper(found))


def _is_proper(found: re.Match[str]) -> bool:
    """Whether a word has a capital where no sentence begins: after "from", "using", "support for"."""
    head = found.string[: found.start("name")].rstrip("`'\" ")
    return found["name"][0].isupper() and head.lower().endswith(_LEADING)


def _said(row: Row) -> str:
    return f"{row.title}\n{row.body}"[:_MOST_READ]


def _names(text: str) -> frozenset[str]:
    return frozenset(word.strip("./-").lower() for word in _WORD.findall(text))
