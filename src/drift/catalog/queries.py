"""What is asked of the index: lists, searches, counts. Every value is bound."""

import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from drift.catalog.entry import Classification, Instruction, PriorityTier, Status
from drift.catalog.hashes import hash_text
from drift.catalog.index import FileProblem, instruction_of

SortField = Literal["createdAt", "updatedAt", "priority", "title"]
Direction = Literal["asc", "desc"]
Position = tuple[str | int, str]
"""Where a page ended: the value sorted by, and the id."""

_WORD: Final = re.compile(r"\w+")
_MOST_WORDS: Final = 32
_COLUMNS: Final[dict[SortField, str]] = {
    "createdAt": "created_at",
    "updatedAt": "updated_at",
    "priority": "priority",
    "title": "title",
}
_ENTRY: Final = "instruction.body, instruction.rest"
# A hit in a title says more than one in a body, a category or tag is in between.
# The same text as `hash_catalog` makes, joined by SQLite: after every change, over the whole catalog.
_JOINED: Final = """
    SELECT group_concat(line, '|')
    FROM (SELECT id || ':' || source_hash AS line FROM instruction INDEXED BY instruction_hash ORDER BY id, source_hash)
"""
_RANK: Final = "bm25(word, 5.0, 1.0, 3.0, 3.0)"


@dataclass(frozen=True, slots=True)
class Filters:
    """What a query asks for; an empty field asks for nothing, several values mean any of them."""

    categories: Sequence[str] = ()
    priority_tiers: Sequence[PriorityTier] = ()
    status: Sequence[Status] = ()
    owners: Sequence[str] = ()
    classification: Sequence[Classification] = ()
    requirements: Sequence[str] = ()
    workspace_id: str | None = None
    user_id: str | None = None
    team_ids: Sequence[str] = ()
    created_after: str | None = None
    updated_after: str | None = None
    review_due_before: str | None = None
    text: str | None = None


class Sort(NamedTuple):
    """The order of a query's answer; equal ones are ordered by id."""

    field: SortField = "priority"
    direction: Direction = "asc"


BY_PRIORITY: Final = Sort()


class Hit(NamedTuple):
    """An instruction that was searched for, with the words found between `**`."""

    instruction: Instruction
    score: float  # higher is better
    title: str
    snippet: str


@dataclass(frozen=True, slots=True)
class CategoryCount:
    """A category, how many instructions are in it and when one of them last changed."""

    name: str
    count: int
    last_updated: str | None


def select_entry(connection: sqlite3.Connection, instruction_id: str) -> Instruction | None:
    """The instruction of an id."""
    row = connection.execute("SELECT body, rest FROM instruction WHERE id = ?", (instruction_id,)).fetchone()
    return None if row is None else instruction_of(*row)


def select_entries(
    connection: sqlite3.Connection, *, category: str | None = None, limit: int | None = None, offset: int = 0
) -> tuple[tuple[Instruction, ...], int]:
    """Instructions in the order of their ids, and how many there are in all."""
    return _select(
        connection, _conditions(Filters(categories=(category,) if category else ())), "id", limit, offset
    )


def select_scoped(connection: sqlite3.Connection, filters: Filters) -> tuple[Instruction, ...]:
    """Every instruction that fits the filters, in the order of the ids."""
    return _select(connection, _conditions(filters), "id", None, 0)[0]


def select_page(
    connection: sqlite3.Connection, filters: Filters, *, sort: Sort, limit: int, after: Position | None
) -> tuple[tuple[Instruction, ...], int, Position | None]:
    """A page of what fits the filters, how much fits in all, and where the next page begins after."""
    where, values = _conditions(filters)
    total = connection.execute(f"SELECT count(*) FROM instruction WHERE {where}", values).fetchone()[0]  # noqa: S608 - made of constants
    column, sign = _COLUMNS[sort.field], ">" if sort.direction == "asc" else "<"
    if after is not None:
        where, values = f"{where} AND ({column}, id) {sign} (?, ?)", [*values, *after]
    rows = connection.execute(
        f"SELECT {_ENTRY}, {column}, id FROM instruction WHERE {where}"  # noqa: S608 - made of constants
        f" ORDER BY {column} {sort.direction}, id {sort.direction} LIMIT ?",
        [*values, limit + 1],
    ).fetchall()
    page = rows[:limit]
    following = (page[-1][2], page[-1][3]) if len(rows) > limit and page else None
    return tuple(instruction_of(body, rest) for body, rest, *_ in page), total, following


def search_words(
    connection: sqlite3.Connection, text: str, *, limit: int, offset: int
) -> tuple[tuple[Hit, ...], int]:
    """The best hits for all words of a text, or for any where none has all; and how many there are."""
    asked = match_expression(text)
    if asked is None:
        return (), 0
    total = _count_hits(connection, asked)
    if not total:
        asked = match_expression(text, " OR ") or asked
        total = _count_hits(connection, asked)
    # Words are marked in those that are shown alone: in all that fit it would take far longer than finding them.
    ranked = connection.execute(
        f"SELECT word.rowid, -{_RANK} FROM word JOIN instruction ON instruction.rowid = word.rowid"  # noqa: S608 - made of constants
        f" WHERE word MATCH ? ORDER BY {_RANK}, id LIMIT ? OFFSET ?",
        (asked, limit, offset),
    ).fetchall()
    return tuple(_hit(connection, asked, row, score) for row, score in ranked), total


def _count_hits(connection: sqlite3.Connection, asked: str) -> int:
    return int(connection.execute("SELECT count(*) FROM word WHERE word MATCH ?", (asked,)).fetchone()[0])


def _hit(connection: sqlite3.Connection, asked: str, row: int, score: float) -> Hit:
    body, rest, title, snippet = connection.execute(
        f"SELECT {_ENTRY}, highlight(word, 0, '**', '**'), snippet(word, -1, '**', '**', '…', 24)"  # noqa: S608 - made of constants
        " FROM word JOIN instruction ON instruction.rowid = word.rowid WHERE word MATCH ? AND word.rowid = ?",
        (asked, row),
    ).fetchone()
    return Hit(instruction_of(body, rest), score, title, snippet)


def match_expression(text: str, joint: str = " AND ") -> str | None:
    """The words of a text as the word index asks for them, each as a beginning; None without any."""
    words = list(dict.fromkeys(word.lower() for word in _WORD.findall(text)))[:_MOST_WORDS]
    return joint.join(f'"{word}"*' for word in words) or None


def count_categories(connection: sqlite3.Connection) -> tuple[CategoryCount, ...]:
    """Each category with its instructions counted."""
    rows = connection.execute(
        "SELECT name, count(*), max(updated_at) FROM category GROUP BY name ORDER BY name"
    )
    return tuple(CategoryCount(name, count, latest or None) for name, count, latest in rows)


def hash_entries(connection: sqlite3.Connection) -> str:
    """The hash of the whole catalog."""
    joined = connection.execute(_JOINED).fetchone()[0]
    return hash_text(joined or "")


def select_hashes(connection: sqlite3.Connection) -> list[tuple[str, str, str | None]]:
    """Id, hash of the body and the hash its file claims, in the order of the ids."""
    return connection.execute("SELECT id, source_hash, stored_hash FROM instruction ORDER BY id").fetchall()


def select_projections(connection: sqlite3.Connection) -> list[str]:
    """What is governed of each, as it is hashed, in the order of the ids."""
    return [line for (line,) in connection.execute("SELECT projection FROM instruction ORDER BY id")]


def select_problems(connection: sqlite3.Connection) -> tuple[FileProblem, ...]:
    """The files that are no instructions."""
    rows = connection.execute("SELECT name, line, problem FROM file WHERE problem IS NOT NULL ORDER BY name")
    return tuple(FileProblem(*row) for row in rows)


def select_warnings(connection: sqlite3.Connection) -> tuple[FileProblem, ...]:
    """What is not as it should be of files that are instructions."""
    rows = connection.execute("SELECT name, warnings FROM file WHERE warnings IS NOT NULL ORDER BY name")
    found = [FileProblem(name, None, reason) for name, text in rows for reason in text.split("\n")]
    twins = connection.execute(
        "SELECT id, min(id) OVER (PARTITION BY lower(id)) FROM instruction WHERE lower(id) IN"
        " (SELECT lower(id) FROM instruction GROUP BY lower(id) HAVING count(*) > 1) ORDER BY id"
    )
    found += [
        FileProblem(f"{twin}.json", None, f"its id differs from {first!r} in case only")
        for twin, first in twins
        if twin != first
    ]
    return tuple(sorted(found, key=lambda problem: problem.name))


def find_twin(connection: sqlite3.Connection, instruction_id: str) -> str | None:
    """Another instruction whose id differs from this one in case only."""
    row = connection.execute(
        "SELECT id FROM instruction WHERE lower(id) = lower(?) AND id != ?", (instruction_id, instruction_id)
    ).fetchone()
    return None if row is None else str(row[0])


def _select(
    connection: sqlite3.Connection,
    conditions: tuple[str, list[Any]],
    order: str,
    limit: int | None,
    offset: int,
) -> tuple[tuple[Instruction, ...], int]:
    where, values = conditions
    total = connection.execute(f"SELECT count(*) FROM instruction WHERE {where}", values).fetchone()[0]  # noqa: S608 - made of constants
    rows = connection.execute(
        f"SELECT {_ENTRY} FROM instruction WHERE {where} ORDER BY {order} LIMIT ? OFFSET ?",  # noqa: S608 - made of constants
        [*values, -1 if limit is None else limit, offset],
    )
    return tuple(instruction_of(*row) for row in rows), total


def _conditions(filters: Filters) -> tuple[str, list[Any]]:
    """The filters as a condition on `instruction` and the values it binds."""
    parts: list[str] = []
    values: list[Any] = []
    lists = {
        "tier": filters.priority_tiers,
        "status": filters.status,
        "owner": filters.owners,
        "classification": filters.classification,
        "requirement": filters.requirements,
    }
    for column, wanted in lists.items():
        if wanted:
            parts.append(f"{column} IN ({_marks(wanted)})")
            values += wanted
    for table, names in (
        ("category", [name.strip().lower() for name in filters.categories]),
        ("team", list(filters.team_ids)),
    ):
        if names:
            parts.append(f"rowid IN (SELECT instruction FROM {table} WHERE name IN ({_marks(names)}))")  # noqa: S608 - the names stand above
            values += names
    single = {
        "workspace_id = ?": filters.workspace_id,
        "user_id = ?": filters.user_id,
        "created_at > ?": filters.created_after,
        "updated_at > ?": filters.updated_after,
        "next_review_due < ?": filters.review_due_before,
    }
    for condition, value in single.items():
        if value is not None:
            parts.append(condition)
            values.append(value)
    if filters.text is not None:
        asked = match_expression(filters.text)
        parts.append("rowid IN (SELECT rowid FROM word WHERE word MATCH ?)" if asked else "0")
        values += [asked] if asked else []
    return " AND ".join(parts) or "1", values


def _marks(values: Sequence[Any]) -> str:
    return ", ".join("?" * len(values))


def count_entries(connection: sqlite3.Connection) -> int:
    """How many instructions there are."""
    return int(connection.execute("SELECT count(*) FROM instruction").fetchone()[0])


def select_stats(connection: sqlite3.Connection, now: str) -> tuple[int, int, str | None, int, int, int]:
    """How many instructions and categories, the last change, bytes on disk, overdue reviews and broken files."""
    row: tuple[int, int, str | None, int, int, int] = connection.execute(
        "SELECT (SELECT count(*) FROM instruction), (SELECT count(DISTINCT name) FROM category),"
        " (SELECT nullif(max(updated_at), '') FROM instruction), (SELECT coalesce(sum(size), 0) FROM file),"
        " (SELECT count(*) FROM instruction WHERE next_review_due < ? AND status != 'deprecated'"
        " AND requirement != 'deprecated'),"
        " (SELECT count(*) FROM file WHERE problem IS NOT NULL)",
        (now,),
    ).fetchone()
    return row
