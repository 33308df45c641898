"""Memories as rows of the tables, and back."""

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, TypeVar

import orjson

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.memory.content import texts_in
from drift.memory.records import FileLink, Importance, LinkKind, Memory

_SELECT: Final = """
SELECT number, id, type, title, text, content, confidence, importance, source, kind, session, created_by,
       valid_from_ms, valid_until_ms, recorded_at_ms, updated_at_ms, superseded_by, last_validated_ms,
       archived, archive_reason, deleted_at_ms, last_accessed_ms, access_count
FROM memories LEFT JOIN usage USING (number)
"""
_INSERT: Final = """
INSERT INTO memories (id, type, title, text, content, confidence, importance, source, kind, session, created_by,
                      valid_from_ms, valid_until_ms, recorded_at_ms, updated_at_ms, superseded_by,
                      last_validated_ms, archived, archive_reason, deleted_at_ms, words)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_UPDATE: Final = """
UPDATE memories SET id = ?, type = ?, title = ?, text = ?, content = ?, confidence = ?, importance = ?, source = ?,
       kind = ?, session = ?, created_by = ?, valid_from_ms = ?, valid_until_ms = ?, recorded_at_ms = ?,
       updated_at_ms = ?, superseded_by = ?, last_validated_ms = ?, archived = ?, archive_reason = ?,
       deleted_at_ms = ?, words = ?
WHERE number = ?
"""
_SELECT_LINKS: Final = (
    "SELECT number, kind, target, start_line, end_line, content_hash FROM links WHERE number IN ({})"
)
_INSERT_LINK: Final = (
    "INSERT INTO links (number, kind, target, start_line, end_line, content_hash) VALUES (?, ?, ?, ?, ?, ?)"
)
_DELETE_LINKS: Final = "DELETE FROM links WHERE number = ?"
_PREDECESSORS: Final = "SELECT superseded_by, id FROM memories WHERE superseded_by IN ({}) ORDER BY number"
_TITLES: Final = "SELECT number, title FROM memories WHERE number IN ({})"
_KNOWN: Final = "SELECT id FROM memories WHERE id IN ({})"
_AT_ONCE: Final = 500  # variables in a statement: some builds of SQLite take 999

_NAMED_LINKS: Final = (
    (LinkKind.FUNCTION.value, "functions"),
    (LinkKind.PATTERN.value, "patterns"),
    (LinkKind.CONSTRAINT.value, "constraints"),
    ("tag", "tags"),
)

_CAMEL: Final = re.compile(r"\b[A-Za-z]+[a-z0-9][A-Z]\w*")
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

T = TypeVar("T")


def read_by_id(connection: sqlite3.Connection, ids: Iterable[str]) -> dict[str, tuple[int, Memory]]:
    """Number and memory of each id that there is."""
    return {memory.id: (number, memory) for number, memory in _read(connection, "memories.id", ids)}


def read_by_number(connection: sqlite3.Connection, numbers: Iterable[int]) -> dict[int, Memory]:
    """The memory of each number that there is."""
    return dict(_read(connection, "memories.number", numbers))


def read_titles(connection: sqlite3.Connection, numbers: Iterable[int]) -> dict[int, str]:
    """The title of each number that there is."""
    return {
        number: title
        for batch in batches(numbers)
        for number, title in connection.execute(_TITLES.format(marks(batch)), batch)
    }


def known_ids(connection: sqlite3.Connection, ids: Iterable[str]) -> frozenset[str]:
    """Those of the ids that are memories."""
    return frozenset(
        memory_id
        for batch in batches(ids)
        for (memory_id,) in connection.execute(_KNOWN.format(marks(batch)), batch)
    )


def insert(connection: sqlite3.Connection, memory: Memory) -> int:
    """Put a memory in; its number. Its id must be free."""
    number = connection.execute(_INSERT, _values(memory)).lastrowid
    assert number is not None
    connection.executemany(_INSERT_LINK, _link_rows(number, memory))
    return number


def update(connection: sqlite3.Connection, number: int, *, before: Memory, after: Memory) -> None:
    """Put a changed memory in the place of what it was."""
    connection.execute(_UPDATE, (*_values(after), number))
    links = list(_link_rows(number, after))
    if links != list(_link_rows(number, before)):
        connection.execute(_DELETE_LINKS, (number,))
        connection.executemany(_INSERT_LINK, links)


def words_of(memory: Memory) -> str:
    """What is found by search besides the title and the text; names in camel case also by their parts."""
    said = (*texts_in(memory.content), *memory.tags)
    names = dict.fromkeys(name for one in (memory.title, memory.text, *said) for name in _CAMEL.findall(one))
    return "\n".join((*said, *(_HUMP.sub(" ", name) for name in names)))


def batches(items: Iterable[T], size: int = _AT_ONCE) -> Iterator[list[T]]:
    """The items in lists of at most `size`."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


def marks(values: Sequence[object]) -> str:
    """As many question marks."""
    return ", ".join("?" * len(values))


def _read(
    connection: sqlite3.Connection, column: str, keys: Iterable[str] | Iterable[int]
) -> Iterator[tuple[int, Memory]]:
    for batch in batches(dict.fromkeys(keys)):
        rows = connection.execute(f"{_SELECT} WHERE {column} IN ({marks(batch)})", batch).fetchall()
        links = _read_links(connection, [row[0] for row in rows])
        predecessors = _read_predecessors(connection, [row[1] for row in rows])
        for row in rows:
            yield row[0], _memory(row, links.get(row[0], {}), predecessors.get(row[1], ()))


def _read_links(connection: sqlite3.Connection, numbers: list[int]) -> dict[int, dict[str, list[Any]]]:
    found: dict[int, dict[str, list[Any]]] = {}
    statement = _SELECT_LINKS.format(marks(numbers))
    for number, kind, target, start, end, content_hash in connection.execute(statement, numbers):
        link = FileLink(target, start or None, end or None, content_hash) if kind == "file" else target
        found.setdefault(number, {}).setdefault(kind, []).append(link)
    return found


def _read_predecessors(connection: sqlite3.Connection, ids: list[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for successor, predecessor in connection.execute(_PREDECESSORS.format(marks(ids)), ids):
        found[successor] = (*found.get(successor, ()), predecessor)
    return found


def _memory(row: tuple[Any, ...], links: dict[str, list[Any]], supersedes: tuple[str, ...]) -> Memory:
    try:
        content, importance = orjson.loads(row[5]), Importance(row[7])
    except ValueError as error:
        raise _damaged(row[1]) from error
    if not isinstance(content, dict):
        raise _damaged(row[1])
    return Memory(
        id=row[1],
        type=row[2],
        title=row[3],
        text=row[4],
        content=content,
        confidence=row[6],
        importance=importance,
        source=row[8],
        kind=row[9],
        session=row[10],
        created_by=row[11],
        valid_from_ms=row[12],
        valid_until_ms=row[13],
        recorded_at_ms=row[14],
        updated_at_ms=row[15],
        superseded_by=row[16],
        last_validated_ms=row[17],
        archived=bool(row[18]),
        archive_reason=row[19],
        deleted_at_ms=row[20],
        last_accessed_ms=row[21],
        access_count=row[22] or 0,
        files=tuple(links.get("file", ())),
        supersedes=supersedes,
        functions=tuple(links.get(LinkKind.FUNCTION, ())),
        patterns=tuple(links.get(LinkKind.PATTERN, ())),
        constraints=tuple(links.get(LinkKind.CONSTRAINT, ())),
        tags=tuple(links.get("tag", ())),
    )


def _damaged(memory: str) -> DriftError:
    return DriftError(
        ErrorCode.CORTEX_UNAVAILABLE,
        f"Memory {memory} is damaged: its content is not what Drift writes",
        Recovery(command="drift memory salvage"),
    )


def _values(memory: Memory) -> tuple[Any, ...]:
    return (
        memory.id,
        memory.type,
        memory.title,
        memory.text,
        orjson.dumps(memory.content).decode(),
        memory.confidence,
        str(memory.importance),
        memory.source,
        memory.kind,
        memory.session,
        memory.created_by,
        memory.valid_from_ms,
        memory.valid_until_ms,
        memory.recorded_at_ms,
        memory.updated_at_ms,
        memory.superseded_by,
        memory.last_validated_ms,
        int(memory.archived),
        memory.archive_reason,
        memory.deleted_at_ms,
        words_of(memory),
    )


def _link_rows(number: int, memory: Memory) -> Iterator[tuple[Any, ...]]:
    for file in memory.files:
        yield number, "file", file.path, file.start_line or 0, file.end_line or 0, file.content_hash
    for kind, field in _NAMED_LINKS:
        for target in getattr(memory, field):
            yield number, kind, target, 0, 0, None
