"""What a search gave, with the memories themselves, and what to say of its words."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from drift.kernel.text import shorten
from drift.kernel.tokens import count_tokens
from drift.memory.records import Memory
from drift.memory.search import Found, Hit
from drift.memory.search.questions import read_question
from drift.memory.truth.staleness import SCORE_LEFT, SHARE_LEFT
from drift.memory.work.disclosure import excerpt
from drift.memory.work.session_dedup import Ledger

_TITLE_CHARS = 80


_KNOWN_TITLE_CHARS = 32


_SNIPPET_CHARS = 110


# Ten compact hits are promised at 350 tokens with the summary and the hint around them.
_COMPACT_TITLE_CHARS = (80, 64, 52, 44, 36, 28)


_COMPACT_HITS = 10


_COMPACT_ROW_TOKENS = 28


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A hit. `confidence` is what is left of it today; `relevance` is 1 for the best hit, the others beside it.

    `stale` says what changed of the code it cites.
    """

    id: str
    type: str
    title: str
    snippet: str | None = None
    confidence: float | None = None
    relevance: float | None = None
    already_sent: bool | None = None
    superseded_by: str | None = None
    archived: bool | None = None
    purged: bool | None = None
    scope: str | None = None
    stale: str | None = None
    branch: str | None = None


@dataclass(frozen=True, slots=True)
class FoundData:
    """The hits, best first. `total` counts all that share a word and fit; `deduplicated` those left out as sent.

    `tokensSaved` is what telling again would have cost: of those left out, and of those that come as a title alone.
    """

    results: tuple[FoundRow, ...]
    total: int
    deduplicated: int | None = None
    tokens_saved: int | None = None
    ignored_words: tuple[str, ...] | None = None
    unknown_words: tuple[str, ...] | None = None


class Saved(NamedTuple):
    """What de-duplication brought: how many hits it left out, where that was asked for, and the tokens."""

    left_out: int | None
    tokens: int


_MOST_WORDS = 6


_MOST_BESIDE = 3


class SearchedMemory(NamedTuple):
    """A hit and the whole memory it stands for; `scope` where it is not the project's.

    `stale` says what changed of the code it cites; `confidence` is lowered by it.
    """

    hit: Hit
    memory: Memory
    confidence: float
    scope: Literal["user"] | None = None
    stale: str | None = None
    branch: str | None = None
    """What is said of the branch it holds on."""


class Searched(NamedTuple):
    """What a search gave, best first, and what kept it from reading the person's memories."""

    found: Found
    memories: tuple[SearchedMemory, ...]
    warnings: tuple[str, ...] = ()

    def beside_notes(self, shown: Sequence[str]) -> tuple[str, ...]:
        """Which of the shown ones, by their places, hold no word that was looked for: they stand beside one, or mean the like."""
        wordless = {one.memory.id for one in self.memories if not one.hit.words}
        beside = [str(place) for place, memory in enumerate(shown, 1) if memory in wordless]
        if not beside or len(beside) == len(shown):
            return ()
        more = ", …" if len(beside) > _MOST_BESIDE else ""
        return (f"none of the words looked for: hits {', '.join(beside[:_MOST_BESIDE])}{more}",)


def mark_stale(one: SearchedMemory, note: str | None) -> SearchedMemory:
    """The hit as it counts once the code it cites is not what it was: lower, with what changed."""
    if note is None:
        return one
    hit = one.hit._replace(score=one.hit.score * SCORE_LEFT)
    return one._replace(hit=hit, confidence=one.confidence * SHARE_LEFT, stale=note)


def word_warnings(text: str) -> tuple[str, ...]:
    """What to say of a query in which there is nothing to look for."""
    is_wordless = bool(text.strip()) and read_question(text).is_empty
    return ("the query holds no word to look for",) if is_wordless else ()


def told_words(words: Sequence[str]) -> tuple[str, ...] | None:
    """Words of a query that did not help, as an answer names them."""
    return tuple(words[:_MOST_WORDS]) or None


def found_rows(found: Searched, ledger: Ledger | None, *, is_compact: bool) -> tuple[FoundRow, ...]:
    lines = tuple(found_line(one, ledger) for one in found.memories)
    if is_compact:
        return _fit_titles(lines)
    best = max((one.hit.score for one in found.memories), default=1.0)
    return tuple(_with_snippet(row, one, best) for row, one in zip(lines, found.memories, strict=True))


def refer(row: FoundRow) -> FoundRow:
    """The row of a memory the session knows: enough to know it again by."""
    title = shorten(row.title, _KNOWN_TITLE_CHARS)
    return replace(row, title=title, snippet=None, confidence=None, relevance=None)


def cost_of(row: FoundRow) -> int:
    return count_tokens(" ".join(filter(None, (row.id, row.type, row.title, row.snippet, row.stale))))


def found_line(one: SearchedMemory, ledger: Ledger | None) -> FoundRow:
    memory = one.memory
    return FoundRow(
        memory.id,
        memory.type,
        shorten(memory.title, _TITLE_CHARS),
        already_sent=True if ledger and ledger.level_of(memory) is not None else None,
        superseded_by=memory.superseded_by,
        archived=True if memory.archived else None,
        purged=True if memory.is_purged else None,
        scope=one.scope,
        stale=one.stale,
        branch=one.branch,
    )


def _with_snippet(row: FoundRow, one: SearchedMemory, best: float) -> FoundRow:
    found = excerpt(one.memory, one.hit.words, chars=_SNIPPET_CHARS) or None
    relevance = round(one.hit.score / best, 2)
    return replace(row, snippet=found, confidence=round(one.confidence, 2), relevance=relevance)


def _fit_titles(rows: tuple[FoundRow, ...]) -> tuple[FoundRow, ...]:
    """The rows with titles as long as the promise for a list of this length allows."""
    most = _COMPACT_ROW_TOKENS * max(len(rows), _COMPACT_HITS)
    around = count_tokens("\n".join(f"{row.id}, {row.type}, " for row in rows))
    titles = [row.title for row in rows]
    for chars in _COMPACT_TITLE_CHARS:
        titles = [shorten(row.title, chars) for row in rows]
        if around + count_tokens("\n".join(titles)) <= most:
            break
    return tuple(replace(row, title=title) for row, title in zip(rows, titles, strict=True))


def count_left_out(rows: Sequence[FoundRow], sent: tuple[str, ...], *, limit: int) -> Saved:
    """Of the hits there would be, those sent before; tokens are saved by those this page would have shown."""
    left_out = [place for place, row in enumerate(rows) if row.id in sent]
    return Saved(len(left_out), sum(cost_of(rows[place]) for place in left_out if place < limit))
