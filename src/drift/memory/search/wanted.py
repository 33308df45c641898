"""Which memories a search may answer with."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import orjson

from drift.kernel.connections import Connection, Rows
from drift.memory.records import Importance
from drift.memory.storage.damage import read_importance
from drift.memory.storage.rows import find_whole


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


class Said(NamedTuple):
    """What a memory says, in which session it was said, and of what type it is."""

    title: str
    body: str
    session: str | None
    type: str


class Row(NamedTuple):
    """What ranking looks at of a memory besides its words, and what an answer shows of it."""

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
    superseded_by: str | None = None


_AMONG: Final = " IN (SELECT value FROM json_each(?))"
AMONG_NUMBERS: Final = "number IN (SELECT CAST(value AS bigint) FROM json_each(?))"
_LINKED: Final = "EXISTS (SELECT 1 FROM links WHERE links.number = memories.number AND links.kind = "
_MORE_IMPORTANT: Final = {one: list(Importance)[place:] for place, one in enumerate(Importance)}
_SAID: Final = "SELECT number, title, body, session, type FROM memories"
_SESSIONS: Final = "SELECT number, session FROM memories"
_ROW: Final = """
SELECT number, id, type, title, body, confidence, importance, session,
       max(recorded_at_ms, updated_at_ms, coalesce(last_validated_ms, 0), coalesce(last_accessed_ms, 0)), recorded_at_ms,
       superseded_by
FROM memories LEFT JOIN usage USING (number)
"""


def read_said(connection: Connection, numbers: Iterable[int], wanted: Wanted) -> dict[int, Said]:
    """The words of those memories that are wanted, by number, in no order."""
    rows = _select(connection, _SAID, numbers, wanted).fetchall()
    whole = find_whole(connection, [row[0] for row in rows])
    return {row[0]: Said(*row[1:]) for row in rows if row[0] in whole}


def read_sessions(connection: Connection, numbers: Iterable[int], wanted: Wanted) -> dict[int, str]:
    """The sessions of those memories that are wanted and have one."""
    found = _select(connection, _SESSIONS, numbers, wanted)
    return {number: session for number, session in found if session is not None}


def read_rows(connection: Connection, numbers: Iterable[int]) -> dict[int, Row]:
    """All of these memories, by number, in no order."""
    everything = Wanted(with_archived=True, with_superseded=True, with_purged=True)
    rows = _select(connection, _ROW, numbers, everything).fetchall()
    whole = find_whole(connection, [row[0] for row in rows])
    return {
        row[0]: Row._make((*row[:6], importance, *row[7:]))
        for row in rows
        if row[0] in whole and (importance := read_importance(connection, row[0], row[6]))
    }


def _select(connection: Connection, select: str, numbers: Iterable[int], wanted: Wanted) -> Rows:
    clauses, values = _conditions(wanted)
    where = " AND ".join((AMONG_NUMBERS, *clauses))
    return connection.execute(f"{select} WHERE {where}", (orjson.dumps(list(numbers)).decode(), *values))


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
