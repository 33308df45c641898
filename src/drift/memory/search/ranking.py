"""The memories that answer a question, best first."""

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

import orjson

from drift.kernel.connections import Connection
from drift.memory.decay import faded
from drift.memory.embeddings.blending import MOST_COMPARED, blend, text_to_compare
from drift.memory.records import Importance
from drift.memory.search.candidates import WordCounts, Words, find_candidates
from drift.memory.search.forms import with_forms
from drift.memory.search.intents import type_shares, type_weight
from drift.memory.search.matching import MOST_READ, Match, match_texts
from drift.memory.search.questions import Question, read_question
from drift.memory.search.replacing import put_before
from drift.memory.search.wanted import AMONG_NUMBERS, Row, Said, Wanted, read_rows, read_said, read_sessions

if TYPE_CHECKING:
    from drift.memory.embeddings import Closeness

# Among short notes neither length nor repetition tells much, so ours is the better measure; among long ones the
# index's is, which reads all of a text. At this many characters each counts as much.
_LONG: Final = 1_000
_DEEPER: Final = (120, 2_000, 50_000)
# A note beside a good one, made in the same session, is often part of the answer. It gains at most this share.
_BESIDE: Final = {1: 0.2, 2: 0.1}
# And stays behind the hit it stands beside, unless its own words bring it further.
_MOST_BESIDE: Final = 0.95
_MOST_WITH_NEIGHBOURS: Final = 50
# How many times the answer's length is put into the gentle order: it moves nothing further than that.
_ORDERED_TIMES: Final = 4

# The gentle part: it orders what the words leave nearly equal, and must not overturn them (docs/memory-search.md).
# The gains below say what weighs more than what; all of them together reach no further than this share of them.
_REACH: Final = 0.2
_RECENCY: Final = 0.05
_RECENT_DAYS: Final = 90
_CONFIDENCE: Final = 0.08
_IMPORTANCE: Final = {
    Importance.LOW: -0.04,
    Importance.NORMAL: 0.0,
    Importance.HIGH: 0.04,
    Importance.CRITICAL: 0.08,
}
_INTENT: Final = 0.08
_SAME_FILE: Final = 0.15
_SAME_FOLDER: Final = 0.05
_SHARED_LINK: Final = 0.08
_DAY_MS: Final = 86_400_000


class Setting(NamedTuple):
    """Where the question comes from: the time, the task, and what its asker has at hand."""

    now_ms: int
    intent: str | None = None
    files: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()


class Hit(NamedTuple):
    """A memory found, its score, and the words of the question it holds; none where it stands beside another."""

    row: Row
    score: float
    words: tuple[str, ...]


class Found(NamedTuple):
    """What a search gives: the best hits, how many memories were weighed, and what became of the words."""

    hits: tuple[Hit, ...]
    weighed: int
    ignored_words: tuple[str, ...]
    unknown_words: tuple[str, ...]


def search(
    connection: Connection,
    counts: WordCounts,
    text: str,
    *,
    setting: Setting,
    wanted: Wanted = Wanted(),  # noqa: B008 - a NamedTuple cannot be changed
    limit: int = 10,
    closeness: "Closeness | None" = None,
) -> Found:
    """The memories that share words with the text, or stand beside one that does, best first.

    With `closeness` the best by words are ordered by what they mean as well.
    """
    asked = read_question(text)
    known = counts.of(connection, asked)
    unknown = frozenset(one for one, count in known.counts.items() if not count)
    question = with_forms(connection, asked, counts, unknown=unknown)
    words = counts.of(connection, question) if question is not asked else known
    said, by_index = _weigh(connection, question, words, wanted=wanted, limit=limit)
    matches = match_texts(said, question, words)
    scores = _score_words(text, said, matches, by_index)
    if closeness is not None:
        scores = blend(scores, closeness.of(_texts_of_best(said, scores)))
    _raise_neighbours(connection, said, scores, wanted=wanted)
    ahead = sorted(scores, key=scores.__getitem__, reverse=True)[: limit * _ORDERED_TIMES]
    rows = read_rows(connection, ahead)
    linked = _linked_gains(connection, ahead, setting)
    final = {
        number: scores[number] * (1 + _REACH * (_own_gain(rows[number], setting) + linked.get(number, 0.0)))
        for number in ahead
        if number in rows  # damaged ones are not
    }
    final = put_before(final, rows)
    best = sorted(final, key=lambda number: (-final[number], -number))[:limit]
    return Found(
        tuple(Hit(rows[number], final[number], _shared(question, matches.get(number))) for number in best),
        len(scores),
        question.left_out,
        tuple(_unknown(question, words)),
    )


def _weigh(
    connection: Connection, question: Question, words: Words, *, wanted: Wanted, limit: int
) -> tuple[dict[int, Said], dict[int, float]]:
    """Candidates that are wanted, and their scores by the index; deeper while too few of the best are wanted."""
    said: dict[int, Said] = {}
    found: dict[int, float] = {}
    for most in _DEEPER:
        found = find_candidates(connection, question, words, most=most)
        said = read_said(connection, found, wanted)
        if len(found) < most or len(said) >= limit:
            break
    return said, found


def _score_words(
    text: str, said: Mapping[int, Said], matches: Mapping[int, Match], by_index: Mapping[int, float]
) -> dict[int, float]:
    """What the words of each memory are worth: by our measure and the index's, for the type that is asked for."""
    usual = sum(len(one.body) for one in said.values()) / max(1, len(said))
    of_index = usual / (usual + _LONG)
    shares = type_shares(text, {one.type for one in said.values()})
    scores: dict[int, float] = {}
    for number, one in said.items():
        # Of what we do not read to the end only the index knows all.
        share = of_index if len(one.body) <= MOST_READ else 1.0
        scores[number] = (matches[number].score + share * by_index[number]) * shares[one.type]
    return {number: score for number, score in scores.items() if score > 0}


def _texts_of_best(said: Mapping[int, Said], scores: Mapping[int, float]) -> dict[int, str]:
    best = sorted(scores, key=scores.__getitem__, reverse=True)[:MOST_COMPARED]
    return {number: text_to_compare(said[number].title, said[number].body) for number in best}


def _raise_neighbours(
    connection: Connection, said: Mapping[int, Said], scores: dict[int, float], *, wanted: Wanted
) -> None:
    """Raise the scores of what stands beside good hits, in the same session."""
    best = sorted(scores, key=scores.__getitem__, reverse=True)[:_MOST_WITH_NEIGHBOURS]
    threads = {number: session for number in best if (session := said[number].session) is not None}
    beside = {number + step for number in threads for away in _BESIDE for step in (away, -away)}
    sessions = read_sessions(connection, sorted(beside), wanted) if beside else {}
    gains: dict[int, float] = {}
    highest: dict[int, float] = {}
    for number, session in threads.items():
        for away, share in _BESIDE.items():
            for other in (number + away, number - away):
                if sessions.get(other) == session:
                    gains[other] = gains.get(other, 0.0) + share * scores[number]
                    highest[other] = max(highest.get(other, 0.0), scores[number])
    for number, gain in gains.items():
        own = scores.get(number, 0.0)
        scores[number] = max(own, min(own + gain, _MOST_BESIDE * highest[number]))


def _unknown(question: Question, words: Words) -> Iterable[str]:
    """The words as they were said that no memory holds; synonyms of ours are not told."""
    return (
        question.spellings[one]
        for one, count in words.counts.items()
        if not count and question.weights[one] >= 1
    )


def _own_gain(row: Row, setting: Setting) -> float:
    age_ms = max(0, setting.now_ms - row.last_sign_ms)
    recency = math.exp2(-max(0, setting.now_ms - row.recorded_at_ms) / _DAY_MS / _RECENT_DAYS)
    left = faded(row.confidence, row.type, row.importance, age_ms=age_ms)
    helps = max(-1.0, type_weight(setting.intent, row.type) - 1)
    return _RECENCY * recency + _CONFIDENCE * (left - 1) + _IMPORTANCE[row.importance] + _INTENT * helps


def _linked_gains(connection: Connection, numbers: Iterable[int], setting: Setting) -> dict[int, float]:
    """What a memory gains by pointing at the asker's files, functions or patterns."""
    at_hand = {*setting.functions, *setting.patterns}
    folders = {path.rpartition("/")[0] for path in setting.files}
    if not at_hand and not setting.files:
        return {}
    gains: dict[int, float] = {}
    rows = connection.execute(
        f"SELECT number, kind, target FROM links WHERE {AMONG_NUMBERS}",  # noqa: S608 - a constant
        (orjson.dumps(list(numbers)).decode(),),
    )
    for number, kind, target in rows:
        if kind == "file":
            near = _SAME_FOLDER if target.rpartition("/")[0] in folders else 0.0
            gain = _SAME_FILE if target in setting.files else near
        else:
            gain = _SHARED_LINK if target in at_hand else 0.0
        gains[number] = max(gains.get(number, 0.0), gain)
    return gains


def _shared(question: Question, match: Match | None) -> tuple[str, ...]:
    return tuple(question.spellings[one] for one in match.stems) if match else ()
