"""Which memories a search may answer with."""

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import orjson

from drift.memory.records import Importance


class Wanted(NamedTuple):
    """What is asked of a memory besides its words. Nothing given: all that is current."""

    types: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    file: str | None = None
    since_ms: int | None = None
    until_ms: int | None = None
    least_importance: Importance = Importance.LOW
    with_archived: bool = False
    with_superseded: bool = False
    with_purged: bool = False
    without: tuple[str, ...] = ()


class Row(NamedTuple):
    """What ranking looks at of a memory."""

    number: int
    id: str
    type: str
    title: str
    body: str
    confidence: float
    importance: Importance
    session: str | None
    last_sign_ms: int
    recorded_at_ms: int


_AMONG: Final = " IN (SELECT value FROM json_each(?))"
_LINKED: Final = "EXISTS (SELECT 1 FROM links WHERE links.number = memories.number AND links.kind = "
_MORE_IMPORTANT: Final = {one: list(Importance)[place:] for place, one in enumerate(Importance)}
_SELECT: Final = """
SELECT number, id, type, title, body, confidence, importance, session,
       max(recorded_at_ms, updated_at_ms, coalesce(last_validated_ms, 0), coalesce(last_accessed_ms, 0)), recorded_at_ms
FROM memories LEFT JOIN usage USING (number)
WHERE number IN (SELECT value FROM json_each(?))
"""


def read_wanted(connection: sqlite3.Connection, numbers: Iterable[int], wanted: Wanted) -> dict[int, Row]:
    """The rows of those memories that are wanted, by number, in no order."""
    clauses, values = _conditions(wanted)
    sql = _SELECT + "".join(f" AND {clause}" for clause in clauses)
    rows = connection.execute(sql, (orjson.dumps(list(numbers)).decode(), *values))
    return {row[0]: Row._make((*row[:6], Importance(row[6]), *row[7:])) for row in rows}


def _conditions(wanted: Wanted) -> tuple[list[str], list[str | int]]:
    clauses: list[str] = []
    values: list[str | int] = []

    def put(clause: str, value: str | int) -> None:
        clauses.append(clause)
        values.append(value)

    for column, names in (("type", wanted.types), ("kind", wanted.kinds), ("source", wanted.sources)):
        if names:
            put(column + _AMONG, _json(names))
    if wanted.tags:
        put(_linked("tag", "target" + _AMONG), _json(wanted.tags))
    if wanted.file:
        put(_linked("file", "target = ?"), wanted.file)
    if wanted.since_ms is not None:
        put("recorded_at_ms >= ?", wanted.since_ms)
    if wanted.until_ms is not None:
        put("recorded_at_ms < ?", wanted.until_ms)
    if wanted.least_importance is not Importance.LOW:
        put("importance" + _AMONG, _json(_MORE_IMPORTANT[wanted.least_importance]))
    if wanted.without:
        put("NOT id" + _AMONG, _json(wanted.without))
    hidden = (
        (wanted.with_archived, "archived = 0"),
        (wanted.with_superseded, "superseded_by IS NULL"),
        (wanted.with_purged, "deleted_at_ms IS NULL"),
    )
    clauses.extend(clause for shown, clause in hidden if not shown)
    return clauses, values


def _linked(kind: str, condition: str) -> str:
    return _LINKED + f"'{kind}' AND {condition})"


def _json(names: Sequence[str]) -> str:
    return orjson.dumps(list(names)).decode()
