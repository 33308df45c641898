"""Memories that take back what an earlier one says, by their own words: these stand before what they replaced."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from drift.memory.search.intents import is_passing
from drift.memory.search.wanted import Row

_MOST_READ: Final = 2_000
_NAME: Final = r"(?P<quote>[`'\"]{0,2})(?!from\b)(?P<name>[^\W\d_][\w./-]{1,100})(?![\w/-]| v?\d)"
_BEFORE: Final = re.compile(
    r"(?<!previously )\b(?:(?:switch|mov|migrat|chang)(?:e|ed|es|ing)? (?:\w{1,30} ){0,3}(?:away )?from"
    r"|(?:remov|renam|replac|deprecat|mov)(?:e|ed|es|ing)|drop(?:s|ped|ping)?"
    r"|no longer (?:use|uses|using|support|supports|need|needs|require|requires)|stopp?(?:ed)? using)"
    rf"\s(?:(?:the|our|all|old|deprecated|undocumented|support|for|of) ){{0,4}}{_NAME}",
    re.IGNORECASE,
)
_AFTER: Final = re.compile(
    rf"{_NAME}(?:\([^)]{{0,80}}\))?[`'\"]{{0,2}} (?:\w{{1,30}} ){{0,3}}?"
    r"(?:is|are|was|were|been) (?:now )?(?:removed|dropped|deprecated|renamed|replaced|superseded|gone|obsolete)\b",
    re.IGNORECASE,
)
# A name of code shows by its form; others are names by being quoted, or by a capital after "from", "using", "for".
_CODE: Final = re.compile(r"[a-z\d][A-Z]|_|[./-]\w")
_PROPER: Final = re.compile(r"(?:from|using|for|supports?|uses?) (?:the |our )?[A-Z][\w.-]+")
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


def taken_back(text: str, *, with_capitals: bool = False) -> frozenset[str]:
    """The names that a text says are gone, renamed or left for others; plain words are none.

    Any word with a capital counts as a name only on wish: at the beginning of a sentence it may be none.
    """
    found = (match for pattern in (_BEFORE, _AFTER) for match in pattern.finditer(text))
    return frozenset(
        one["name"].strip("./-").lower()
        for one in found
        if _is_name(one) or (with_capitals and one["name"][0].isupper())
    )


def _is_name(found: re.Match[str]) -> bool:
    return bool(found["quote"] or _CODE.search(found["name"]) or _PROPER.search(found[0]))


def _said(row: Row) -> str:
    return f"{row.title}\n{row.body}"[:_MOST_READ]


def _names(text: str) -> frozenset[str]:
    return frozenset(word.strip("./-").lower() for word in _WORD.findall(text))
