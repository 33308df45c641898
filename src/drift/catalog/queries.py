"""What is asked of the index: lists, pages, counts. Every value is bound."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from drift.catalog.entry import Classification, Instruction, PriorityTier, Status
from drift.catalog.ids import ENDING
from drift.catalog.index import CatalogIndex, FileProblem
from drift.catalog.search import match_expression, rank_among

SortField = Literal["createdAt", "updatedAt", "priority", "title"]
Direction = Literal["asc", "desc"]
Position = tuple[str | int, str]
"""Where a page ended: the value sorted by, and the id."""

_COLUMNS: Final[dict[SortField, str]] = {
    "createdAt": "created_at",
    "updatedAt": "updated_at",
    "priority": "priority",
    "title": "title",
}
# Longer lists are read once as a rule, and would fill the memory.
_MOST_REMEMBERED_ROWS: Final = 1_000


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


class Wanted(NamedTuple):
    """What is looked for: at most so many for each text and for each filter."""

    texts: Sequence[str]
    filters: Sequence[Filters]
    limit: int


class Sort(NamedTuple):
    """The order of a query's answer; equal ones are ordered by id."""

    field: SortField = "priority"
    direction: Direction = "asc"


BY_PRIORITY: Final = Sort()


@dataclass(frozen=True, slots=True)
class CategoryCount:
    """A category, how many instructions are in it and when one of them last changed."""

    name: str
    count: int
    last_updated: str | None


def select_entry(index: CatalogIndex, instruction_id: str) -> Instruction | None:
    """The instruction of an id."""
    row = find_row(index, instruction_id)
    return None if row is None else index.entries([row])[0]


def find_row(index: CatalogIndex, instruction_id: str) -> int | None:
    """The row of an id."""
    row = index.connection.execute("SELECT rowid FROM instruction WHERE id = ?", (instruction_id,)).fetchone()
    return None if row is None else int(row[0])


def select_entries(
    index: CatalogIndex, *, category: str | None = None, limit: int | None = None, offset: int = 0
) -> tuple[tuple[Instruction, ...], int]:
    """Instructions in the order of their ids, and how many there are in all."""
    rows, total = find_rows(index, category=category, limit=limit, offset=offset)
    return index.entries(rows), total


def find_rows(
    index: CatalogIndex, *, category: str | None = None, limit: int | None = None, offset: int = 0
) -> tuple[list[int], int]:
    """The rows in the order of the ids, and how many there are in all."""
    filters = Filters(categories=(category,) if category else ())
    return _select(index, _conditions(filters), limit=limit, offset=offset)


def select_scoped(index: CatalogIndex, filters: Filters) -> tuple[Instruction, ...]:
    """Every instruction that fits the filters, in the order of the ids."""
    return index.entries(_select(index, _conditions(filters), limit=None, offset=0)[0])


def select_unscoped(index: CatalogIndex) -> tuple[Instruction, ...]:
    """Every instruction that is for all and for nobody in particular, in the order of the ids."""
    everybody = "audience = 'all' AND workspace_id IS NULL AND user_id IS NULL"
    no_team = "rowid NOT IN (SELECT instruction FROM team)"
    return index.entries(_select(index, (f"{everybody} AND {no_team}", []), limit=None, offset=0)[0])


def select_among(index: CatalogIndex, rows: Sequence[int], wanted: Wanted) -> tuple[Instruction, ...]:
    """Of these rows the best for each text, whichever of its words they have, and the first that fit each filter."""
    among, found = json.dumps(rows), list[int]()
    for text in wanted.texts:
        found += rank_among(index, among, text, limit=wanted.limit)
    for each in wanted.filters:
        where, values = _conditions(each)
        statement = (
            f"SELECT rowid FROM instruction WHERE {where} AND rowid IN (SELECT value FROM json_each(?))"  # noqa: S608 - made of constants
            " ORDER BY priority, id LIMIT ?"
        )
        found += (row for (row,) in index.connection.execute(statement, (*values, among, wanted.limit)))
    return index.entries(list(dict.fromkeys(found)))


def select_page(
    index: CatalogIndex, filters: Filters, *, sort: Sort, limit: int, after: Position | None
) -> tuple[tuple[Instruction, ...], int, Position | None]:
    """A page of what fits the filters, how much fits in all, and where the next page begins after."""
    rows, total, following = find_page(index, filters, sort=sort, limit=limit, after=after)
    return index.entries(rows), total, following


def find_page(
    index: CatalogIndex, filters: Filters, *, sort: Sort, limit: int, after: Position | None
) -> tuple[list[int], int, Position | None]:
    """The rows of such a page."""
    where, values = _conditions(filters)
    total = _count(index, where, values)
    column, sign = _COLUMNS[sort.field], ">" if sort.direction == "asc" else "<"
    if after is not None:
        where, values = f"{where} AND ({column}, id) {sign} (?, ?)", [*values, *after]
    statement = (
        f"SELECT rowid, {column}, id FROM instruction WHERE {where}"  # noqa: S608 - made of constants
        f" ORDER BY {column} {sort.direction}, id {sort.direction} LIMIT ?"
    )
    bound = [*values, limit + 1]

    def find() -> list[tuple[int, str | int, str]]:
        return index.connection.execute(statement, bound).fetchall()

    rows = index.remember((statement, *bound), find) if limit <= _MOST_REMEMBERED_ROWS else find()
    page = rows[:limit]
    following = (page[-1][1], page[-1][2]) if len(rows) > limit and page else None
    return [row for row, *_ in page], total, following


def count_categories(index: CatalogIndex) -> tuple[CategoryCount, ...]:
    """Each category with its instructions counted."""
    return index.remember("categories", lambda: _count_categories(index.connection))


def _count_categories(connection: sqlite3.Connection) -> tuple[CategoryCount, ...]:
    rows = connection.execute(
        "SELECT name, count(*), max(updated_at) FROM category GROUP BY name ORDER BY name"
    )
    return tuple(CategoryCount(name, count, latest or None) for name, count, latest in rows)


def select_hashes(index: CatalogIndex) -> list[tuple[str, str, str | None]]:
    """Id, hash of the body and the hash its file claims, in the order of the ids."""
    return index.connection.execute(
        "SELECT id, source_hash, stored_hash FROM instruction ORDER BY id"
    ).fetchall()


def select_digests(index: CatalogIndex) -> dict[str, str]:
    """By id the hash of the file's bytes, of those that are instructions."""
    statement = "SELECT name, digest FROM file WHERE problem IS NULL"
    return index.remember(
        statement,
        lambda: {name.removesuffix(ENDING): digest for name, digest in index.connection.execute(statement)},
    )


def select_versions(index: CatalogIndex) -> dict[str, tuple[str, int]]:
    """By id the hash of the body and the row, in the order of the ids."""
    rows = index.connection.execute("SELECT id, source_hash, rowid FROM instruction ORDER BY id")
    return {instruction_id: (source_hash, row) for instruction_id, source_hash, row in rows}


def select_false_hashes(index: CatalogIndex) -> list[tuple[str, str, str]]:
    """Id, claimed hash and true one of those whose file claims another hash than its body has."""
    statement = (
        "SELECT id, stored_hash, source_hash FROM instruction WHERE stored_hash != source_hash ORDER BY id"
    )
    return index.remember(statement, lambda: index.connection.execute(statement).fetchall())


def select_projections(index: CatalogIndex) -> list[str]:
    """What is governed of each, as it is hashed, in the order of the ids."""
    rows = index.connection.execute(
        "SELECT projection FROM instruction JOIN content USING (rowid) ORDER BY id"
    )
    return [line for (line,) in rows]


def select_problems(index: CatalogIndex) -> tuple[FileProblem, ...]:
    """The files that are no instructions."""
    rows = index.connection.execute(
        "SELECT name, line, problem FROM file WHERE problem IS NOT NULL ORDER BY name"
    )
    return tuple(FileProblem(*row) for row in rows)


def select_warnings(index: CatalogIndex) -> tuple[FileProblem, ...]:
    """What is not as it should be of files that are instructions."""
    rows = index.connection.execute(
        "SELECT name, warnings FROM file WHERE warnings IS NOT NULL ORDER BY name"
    )
    found = [FileProblem(name, None, reason) for name, text in rows for reason in text.split("\n")]
    twins = index.connection.execute(
        "SELECT id, min(id) OVER (PARTITION BY lower(id)) FROM instruction WHERE lower(id) IN"
        " (SELECT lower(id) FROM instruction GROUP BY lower(id) HAVING count(*) > 1) ORDER BY id"
    )
    found += [
        FileProblem(f"{twin}.json", None, f"its id differs from {first!r} in case only")
        for twin, first in twins
        if twin != first
    ]
    return tuple(sorted(found, key=lambda problem: problem.name))


def find_twin(index: CatalogIndex, instruction_id: str) -> str | None:
    """Another instruction whose id differs from this one in case only."""
    row = index.connection.execute(
        "SELECT id FROM instruction WHERE lower(id) = lower(?) AND id != ?", (instruction_id, instruction_id)
    ).fetchone()
    return None if row is None else str(row[0])


def _select(
    index: CatalogIndex, conditions: tuple[str, list[Any]], *, limit: int | None, offset: int
) -> tuple[list[int], int]:
    where, values = conditions
    statement = f"SELECT rowid FROM instruction WHERE {where} ORDER BY id LIMIT ? OFFSET ?"  # noqa: S608 - made of constants
    bound = [*values, -1 if limit is None else limit, offset]

    def find() -> list[int]:
        return [row for (row,) in index.connection.execute(statement, bound)]

    is_short = limit is not None and limit <= _MOST_REMEMBERED_ROWS
    rows = index.remember((statement, *bound), find) if is_short else find()
    return rows, _count(index, where, values)


def _count(index: CatalogIndex, where: str, values: Sequence[Any]) -> int:
    statement = f"SELECT count(*) FROM instruction WHERE {where}"  # noqa: S608 - made of constants
    return index.remember(
        (statement, *values), lambda: int(index.connection.execute(statement, values).fetchone()[0])
    )


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


def count_entries(index: CatalogIndex) -> int:
    """How many instructions there are."""
    return _count(index, "1", ())


def select_stats(index: CatalogIndex, now: str) -> tuple[int, int, str | None, int, int, int]:
    """How many instructions and categories, the last change, bytes on disk, overdue reviews and broken files."""
    count, categories, latest, size, broken = index.remember("stats", lambda: _sum_up(index.connection))
    overdue = index.connection.execute(
        "SELECT count(*) FROM instruction"
        " WHERE next_review_due < ? AND status != 'deprecated' AND requirement != 'deprecated'",
        (now,),
    ).fetchone()[0]
    return count, categories, latest, size, overdue, broken


def _sum_up(connection: sqlite3.Connection) -> tuple[int, int, str | None, int, int]:
    row: tuple[int, int, str | None, int, int] = connection.execute(
        "SELECT (SELECT count(*) FROM instruction), (SELECT count(DISTINCT name) FROM category),"
        " (SELECT nullif(max(updated_at), '') FROM instruction), (SELECT coalesce(sum(size), 0) FROM file),"
        " (SELECT count(*) FROM file WHERE problem IS NOT NULL)"
    ).fetchone()
    return row
