"""The word index of memories in PostgreSQL: which stem stands in which memory, and how often.

Its words are those of SQLite's own tokenizer and its measure is that of FTS5, so that a team finds what one finds alone.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from drift.kernel.connections import Connection
from drift.memory.stems import count_stems, stems

_AT_ONCE: Final = 200
_TITLE_WEIGHT: Final = 2.0
# FTS5's constants of BM25, and what a word counts that stands in more than half of the memories.
_SATURATION: Final = 1.2
_LENGTH_SHARE: Final = 0.75
_LEAST_RARITY: Final = 1e-6

_COLUMNS: Final = ("term", "number", "in_title", "in_body", "length")
_ADD: Final = f"""
INSERT INTO postings ({", ".join(_COLUMNS)})
SELECT * FROM unnest(?::text[], ?::bigint[], ?::int[], ?::int[], ?::int[])
"""  # noqa: S608 - made of constants
# In one order, though writers take turns: two of them that did not would lock each other out.
_COUNT: Final = """
INSERT INTO terms (term, memories) SELECT * FROM unnest(?::text[], ?::bigint[]) AS added (term, memories) ORDER BY term
ON CONFLICT (term) DO UPDATE SET memories = terms.memories + excluded.memories
"""
_TOTALS: Final = "UPDATE word_totals SET memories = memories + ?, words = words + ?"
_REMOVE: Final = "DELETE FROM postings WHERE number = ? RETURNING term, length"
_GONE: Final = "DELETE FROM terms WHERE memories = 0"
_TEXTS: Final = "SELECT number, title, body FROM memories WHERE number > ? ORDER BY number LIMIT ?"
_SHORT: Final = "SELECT (SELECT memories FROM word_totals) = (SELECT count(*) FROM memories)"

_HAS: Final = "SELECT 1 FROM terms WHERE term = ? AND memories > 0"
_OF_TERM: Final = "SELECT memories FROM terms WHERE term = ?"
_LONGER: Final = (
    "SELECT term FROM terms WHERE term > ? AND term < ? AND memories > 0 ORDER BY memories DESC, term LIMIT ?"
)
_TITLED: Final = """
SELECT number FROM postings WHERE term = ANY(?) AND in_title > 0
GROUP BY number HAVING count(*) = ? ORDER BY number LIMIT ?
"""
# Of each word the newest rows: the newest that hold any of them are among these.
_ANY: Final = """
(SELECT DISTINCT number FROM unnest(?::text[]) AS asked (term), LATERAL
    (SELECT number FROM postings WHERE postings.term = asked.term ORDER BY number DESC LIMIT ?) AS newest)
"""
_HOLD_ANY: Final = "(SELECT number FROM postings WHERE term = ANY(?))"
_HOLD_TWO: Final = """
(SELECT number FROM postings WHERE term = ANY(?) GROUP BY number HAVING count(*) > 1)
"""
_BEST: Final = f"""
WITH chosen AS ({{}} ORDER BY number DESC LIMIT ?),
asked AS (
    SELECT term, said * greatest(ln((total.memories - terms.memories + 0.5) / (terms.memories + 0.5)), {_LEAST_RARITY})
        AS weight, total.words / greatest(total.memories, 1)::float8 AS usual
    FROM unnest(?::text[], ?::float8[]) AS given (term, said) JOIN terms USING (term), word_totals AS total
),
counted AS (
    SELECT number, weight, in_title * {_TITLE_WEIGHT} + in_body AS held,
        {_SATURATION} * ({1 - _LENGTH_SHARE} + {_LENGTH_SHARE} * length / usual) AS slope
    FROM chosen JOIN postings USING (number) JOIN asked USING (term)
)
SELECT number, sum(weight * held * {_SATURATION + 1} / (held + slope))::float8 AS score FROM counted
GROUP BY number ORDER BY score DESC, number DESC LIMIT ?
"""  # noqa: S608 - made of constants


class Text(NamedTuple):
    """What of a memory is indexed."""

    number: int
    title: str
    body: str


def add_texts(connection: Connection, texts: Sequence[Text]) -> None:
    """Index memories that are not in it yet."""
    counted = count_stems([part for text in texts for part in (text.title, text.body)])
    rows: list[tuple[str, int, int, int, int]] = []
    memories: Counter[str] = Counter()
    words = 0
    for place, text in enumerate(texts):
        title, body = counted[2 * place], counted[2 * place + 1]
        length = sum(title.values()) + sum(body.values())
        words += length
        terms = title.keys() | body.keys()
        memories.update(terms)
        rows += [(term, text.number, title.get(term, 0), body.get(term, 0), length) for term in terms]
    columns = [list(column) for column in zip(*rows, strict=True)]
    connection.execute(_ADD, columns or [[]] * len(_COLUMNS))
    _count(connection, memories, rows=len(texts), words=words)


def put_text(connection: Connection, text: Text) -> None:
    """Index a memory with its new words in the place of those it had."""
    removed = connection.execute(_REMOVE, (text.number,)).fetchall()
    length = removed[0][1] if removed else 0
    _count(connection, Counter({term: -1 for term, _length in removed}), rows=-1, words=-length)
    add_texts(connection, [text])


def rebuild(connection: Connection) -> None:
    """Make the index anew from the memories."""
    for table in ("postings", "terms"):
        connection.execute(f"DELETE FROM {table}")  # noqa: S608 - one of two constants
    connection.execute("UPDATE word_totals SET memories = 0, words = 0")
    number = 0
    while texts := [Text(*row) for row in connection.execute(_TEXTS, (number, _AT_ONCE))]:
        add_texts(connection, texts)
        number = texts[-1].number
    connection.execute(_GONE)


def is_whole(connection: Connection) -> bool:
    """Whether it leads to as many memories as there are."""
    return bool(connection.execute(_SHORT).fetchone()[0])


def has_term(connection: Connection, term: str) -> bool:
    return connection.execute(_HAS, (term,)).fetchone() is not None


def count_term(connection: Connection, term: str) -> int:
    found = connection.execute(_OF_TERM, (term,)).fetchone()
    return int(found[0]) if found else 0


def longer_terms(connection: Connection, term: str, above: str, most: int) -> list[str]:
    return [str(row[0]) for row in connection.execute(_LONGER, (term, above, most))]


def find_titled(connection: Connection, words: Iterable[str], most: int) -> list[int]:
    """Memories whose titles hold all of the words, in whichever order, and so more of them than are wanted."""
    terms = sorted(set(stems(words).values()) - {""})
    return [row[0] for row in connection.execute(_TITLED, (terms, len(terms), 10 * most))]


def find_best(
    connection: Connection, groups: Sequence[Sequence[str]], *, is_pair: bool, most: int, newest: int
) -> list[tuple[int, float]]:
    """Of the newest rows that hold a stem of every group, the best; with `is_pair` any two stems of the one group."""
    said = Counter(term for group in groups for term in group)
    chosen, values = _choose(groups, is_pair=is_pair, newest=newest)
    given = (*values, newest, list(said), [float(each) for each in said.values()], most)
    return [(int(number), float(score)) for number, score in connection.execute(_BEST.format(chosen), given)]


def _choose(groups: Sequence[Sequence[str]], *, is_pair: bool, newest: int) -> tuple[str, list[object]]:
    if is_pair:
        return _HOLD_TWO, [list(groups[0])]
    # A group that holds all of another asks for nothing more.
    wanted = [set(group) for group in groups]
    telling = [
        group
        for place, group in enumerate(wanted)
        if not any(
            other < group or (other == group and before < place) for before, other in enumerate(wanted)
        )
    ]
    if len(telling) == 1:
        return _ANY, [sorted(telling[0]), newest]
    return " INTERSECT ".join([_HOLD_ANY] * len(telling)), [sorted(group) for group in telling]


def _count(connection: Connection, memories: Counter[str], *, rows: int, words: int) -> None:
    terms = list(memories)
    connection.execute(_COUNT, (terms, [memories[term] for term in terms]))
    connection.execute(_TOTALS, (rows, words))
