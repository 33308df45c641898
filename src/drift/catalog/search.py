"""The search for words in instructions, the best hits first."""

import re
import sqlite3
from collections.abc import Sequence
from typing import Final, NamedTuple

from drift.catalog.entry import Instruction
from drift.catalog.index import CatalogIndex

_WORD: Final = re.compile(r"\w+")
_MOST_WORDS: Final = 32
_MOST_REMEMBERED_HITS: Final = 100
# Of more hits than these only so many are ranked: a word that is nearly everywhere says little about any of them,
# and weighing all takes most of the time. The others follow in the order of their last change.
_MOST_RANKED: Final = 500
_SHORT_TEXTS: Final = "{title categories tags}"
# A hit in a title says more than one in a body, a category or tag is in between.
_SCORED: Final = """
    SELECT word.rowid, -bm25(word, 5.0, 1.0, 3.0, 3.0) AS score
    FROM word JOIN instruction ON instruction.rowid = word.rowid
    WHERE word MATCH ?
"""
_MARKED: Final = """
    SELECT rowid, highlight(word, 0, '**', '**'), snippet(word, -1, '**', '**', '…', 24)
    FROM word
    WHERE word MATCH ?
"""
_BY_SCORE: Final = "ORDER BY score DESC, id LIMIT ? OFFSET ?"


class Hit(NamedTuple):
    """An instruction that was searched for, with the words found between `**`."""

    instruction: Instruction
    score: float  # higher is better
    title: str
    snippet: str


class RankedRow(NamedTuple):
    """The row of such an instruction, with the same about it."""

    row: int
    score: float
    title: str
    snippet: str


def search_words(
    index: CatalogIndex, text: str, *, limit: int, offset: int, takes_any: bool = False
) -> tuple[tuple[Hit, ...], int]:
    """The best hits for all words of a text, or for any where none has all; and how many there are."""
    ranked, total = rank_words(index, text, limit=limit, offset=offset, takes_any=takes_any)
    entries = index.entries([each.row for each in ranked])
    hits = (Hit(entry, *each[1:]) for entry, each in zip(entries, ranked, strict=True))
    return tuple(hits), total


def rank_words(
    index: CatalogIndex, text: str, *, limit: int, offset: int, takes_any: bool = False
) -> tuple[Sequence[RankedRow], int]:
    """The rows of such hits."""
    asked = match_expression(text, " OR " if takes_any else " AND ")
    if asked is None:
        return (), 0
    total = _count_hits(index, asked)
    if not total:
        asked = match_expression(text, " OR ") or asked
        total = _count_hits(index, asked)

    def rank() -> list[RankedRow]:
        return _mark(
            index.connection, asked, _rank(index.connection, asked, total, limit=limit, offset=offset)
        )

    key = ("ranked", asked, limit, offset)
    ranked = index.remember(key, rank) if limit <= _MOST_REMEMBERED_HITS else rank()
    return ranked, total


def rank_among(index: CatalogIndex, rows: str, text: str, *, limit: int) -> list[int]:
    """Those of the rows, a list in JSON, that have any word of the text, the best first."""
    asked = match_expression(text, " OR ")
    statement = f"{_SCORED} AND +word.rowid IN (SELECT value FROM json_each(?)) {_BY_SCORE}"  # noqa: S608 - made of constants
    found = index.connection.execute(statement, (asked, rows, limit, 0)) if asked else ()
    return [row for row, _ in found]


def _count_hits(index: CatalogIndex, asked: str) -> int:
    statement = "SELECT count(*) FROM word WHERE word MATCH ?"
    return index.remember(
        (statement, asked), lambda: int(index.connection.execute(statement, (asked,)).fetchone()[0])
    )


def _rank(
    connection: sqlite3.Connection, asked: str, total: int, *, limit: int, offset: int
) -> list[tuple[int, float]]:
    """Rows and scores of a page of the hits."""
    if total <= _MOST_RANKED:
        return connection.execute(f"{_SCORED} {_BY_SCORE}", (asked, limit, offset)).fetchall()
    chosen = _choose(connection, asked)
    marks = ", ".join("?" * len(chosen))
    page: list[tuple[int, float]] = connection.execute(
        f"{_SCORED} AND +word.rowid IN ({marks}) {_BY_SCORE}", (asked, *chosen, limit, offset)
    ).fetchall()
    if len(page) < limit:
        page += connection.execute(
            f"{_SCORED} AND +word.rowid NOT IN ({marks}) ORDER BY word.rowid DESC LIMIT ? OFFSET ?",
            (asked, *chosen, limit - len(page), max(offset - len(chosen), 0)),
        ).fetchall()
    return page


def _choose(connection: sqlite3.Connection, asked: str) -> list[int]:
    """Those of very many hits that are worth ranking: with the words in few of their texts, then the newest."""
    statement = "SELECT rowid FROM word WHERE word MATCH ? ORDER BY rowid DESC LIMIT ?"
    chosen = [row for (row,) in connection.execute(statement, (f"{_SHORT_TEXTS} : ({asked})", _MOST_RANKED))]
    known = set(chosen)
    newest = (row for (row,) in connection.execute(statement, (asked, _MOST_RANKED)))
    return [*chosen, *(row for row in newest if row not in known)][:_MOST_RANKED]


def _mark(connection: sqlite3.Connection, asked: str, ranked: Sequence[tuple[int, float]]) -> list[RankedRow]:
    """The hits with their words marked: of those that are shown alone, since marking is dearer than finding."""
    if not ranked:
        return []
    marks = ", ".join("?" * len(ranked))
    # Row by row it would look each word up as often, which for the beginning of many words is most of the work.
    rows = connection.execute(f"{_MARKED} AND +rowid IN ({marks})", (asked, *(row for row, _ in ranked)))
    marked = {row: texts for row, *texts in rows}
    return [RankedRow(row, score, *marked[row]) for row, score in ranked]


def match_expression(text: str, joint: str = " AND ") -> str | None:
    """The words of a text as the word index asks for them, each as a beginning; None without any."""
    words = list(dict.fromkeys(word.lower() for word in _WORD.findall(text)))[:_MOST_WORDS]
    return joint.join(f'"{word}"*' for word in words) or None
