"""Memories as rows of the tables, and back."""

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, TypeVar

import orjson

from drift.kernel.connections import Connection
from drift.kernel.words import HUMP, WORD, has_unspaced, spaced
from drift.memory.content import texts_in
from drift.memory.records import FileLink, Importance, LinkKind, Memory
from drift.memory.storage import postings
from drift.memory.storage.damage import digest_row, note_damage, note_whole, notes_of, unknown_of

_SELECT: Final = """
SELECT number, id, type, title, text, content, confidence, importance, source, kind, session, created_by,
       valid_from_ms, valid_until_ms, recorded_at_ms, updated_at_ms, superseded_by, last_validated_ms,
       archived, archive_reason, deleted_at_ms, last_accessed_ms, access_count, words, digest
FROM memories LEFT JOIN usage USING (number)
"""
_INSERT: Final = """
INSERT INTO memories (id, type, title, text, content, confidence, importance, source, kind, session, created_by,
                      valid_from_ms, valid_until_ms, recorded_at_ms, updated_at_ms, superseded_by,
                      last_validated_ms, archived, archive_reason, deleted_at_ms, words, digest)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
RETURNING number
"""
_UPDATE: Final = """
UPDATE memories SET id = ?, type = ?, title = ?, text = ?, content = ?, confidence = ?, importance = ?, source = ?,
       kind = ?, session = ?, created_by = ?, valid_from_ms = ?, valid_until_ms = ?, recorded_at_ms = ?,
       updated_at_ms = ?, superseded_by = ?, last_validated_ms = ?, archived = ?, archive_reason = ?,
       deleted_at_ms = ?, words = ?, digest = ?
WHERE number = ?
"""
_SELECT_LINKS: Final = (
    "SELECT number, kind, target, start_line, end_line, content_hash FROM links WHERE number IN ({})"
    " ORDER BY number, kind, target, start_line, end_line"
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

T = TypeVar("T")
_Link = tuple[Any, ...]
"""Kind, target, first and last line, hash of the content."""


def read_by_id(connection: Connection, ids: Iterable[str]) -> dict[str, tuple[int, Memory]]:
    """Number and memory of each id that there is."""
    return {memory.id: (number, memory) for number, memory in _read(connection, "memories.id", ids)}


def read_by_number(connection: Connection, numbers: Iterable[int]) -> dict[int, Memory]:
    """The memory of each number that there is."""
    return dict(_read(connection, "memories.number", numbers))


def read_titles(connection: Connection, numbers: Iterable[int]) -> dict[int, str]:
    """The title of each number that there is."""
    return {
        number: title
        for batch in batches(numbers)
        for number, title in connection.execute(_TITLES.format(marks(batch)), batch)
    }


def known_ids(connection: Connection, ids: Iterable[str]) -> frozenset[str]:
    """Those of the ids that are memories."""
    return frozenset(
        memory_id
        for batch in batches(ids)
        for (memory_id,) in connection.execute(_KNOWN.format(marks(batch)), batch)
    )


def insert(connection: Connection, memory: Memory) -> int:
    """Put a memory in; its number. Its id must be free."""
    text = insert_row(connection, memory)
    index_texts(connection, [text])
    return text.number


def insert_row(connection: Connection, memory: Memory) -> postings.Text:
    """The same, for who has many indexed together; what is to be indexed of it."""
    values, links = _values(memory), list(_links_of(memory))
    number = int(connection.execute(_INSERT, (*values, digest_row(values, links))).fetchone()[0])
    connection.executemany(_INSERT_LINK, [(number, *link) for link in links])
    return _text(number, values)


def index_texts(connection: Connection, texts: Sequence[postings.Text]) -> None:
    """Put new memories into the word index; in a file triggers have done so."""
    if texts and not isinstance(connection, sqlite3.Connection):
        postings.add_texts(connection, texts)


def update(connection: Connection, number: int, *, before: Memory, after: Memory) -> None:
    """Put a changed memory in the place of what it was."""
    values, links = _values(after), list(_links_of(after))
    connection.execute(_UPDATE, (*values, digest_row(values, links), number))
    if links != list(_links_of(before)):
        connection.execute(_DELETE_LINKS, (number,))
        connection.executemany(_INSERT_LINK, [(number, *link) for link in links])
    if not isinstance(connection, sqlite3.Connection):
        text = _text(number, values)
        if text != _text(number, _values(before)):
            postings.put_text(connection, text)


def _text(number: int, values: tuple[Any, ...]) -> postings.Text:
    """What the word index holds of a memory: as `body` of its row."""
    return postings.Text(number, values[2], f"{values[3]}\n{values[-1]}")


def fill_digests(connection: Connection) -> None:
    """Give every row that has none the digest of what it holds now."""
    numbers = [number for (number,) in connection.execute("SELECT number FROM memories WHERE digest IS NULL")]
    for batch in batches(numbers):
        raw = _read_raw(connection, "memories.number", batch)
        connection.executemany(
            "UPDATE memories SET digest = ? WHERE number = ?",
            [(digest_row(_stored(row), links), row[0]) for row, links in raw],
        )


def fill_words(connection: Connection) -> None:
    """Give the rows with words that nobody marked those words; damaged ones stay as they are."""
    numbers = [number for (number,) in connection.execute("SELECT number FROM memories")]
    for batch in batches(numbers):
        for row, links in _read_raw(connection, "memories.number", batch):
            whole = row[24] is None or row[24] == digest_row(_stored(row), links)
            found = _memory(row, links, ()) if whole and has_unspaced("\n".join(row[3:6])) else None
            if found is not None:
                values = _values(found)
                connection.execute(
                    "UPDATE memories SET words = ?, digest = ? WHERE number = ?",
                    (values[-1], digest_row(values, links), row[0]),
                )


def find_whole(connection: Connection, numbers: Iterable[int]) -> frozenset[int]:
    """Those of the rows that are as they were written; each is looked at once in the life of a connection."""
    wanted = list(numbers)
    looked_at = dict(_read(connection, "memories.number", unknown_of(connection, wanted)))
    notes = notes_of(connection)
    return frozenset(looked_at) if notes is None else frozenset(notes.whole.intersection(wanted))


def note_unindexed(connection: Connection, ids: Iterable[str]) -> None:
    """Remember as damaged those of the ids that have a row which no index leads to."""
    if not isinstance(connection, sqlite3.Connection):
        return  # its indexes are PostgreSQL's to look after
    for batch in batches(ids):
        statement = f"SELECT number, id FROM memories NOT INDEXED WHERE id IN ({marks(batch)})"  # noqa: S608 - marks alone
        for number, memory_id in connection.execute(statement, batch):
            note_damage(connection, number, memory_id)


def check_all(connection: Connection) -> tuple[str, ...]:
    """Look at every row; the ids of those that are damaged."""
    numbers = [number for (number,) in connection.execute("SELECT number FROM memories")]
    whole = find_whole(connection, numbers)
    lost = [number for number in numbers if number not in whole]
    notes = notes_of(connection)
    named = notes.damaged if notes is not None else {}
    return tuple(named.get(number, f"number {number}") for number in lost)


def words_of(memory: Memory) -> str:
    """What is found by search besides the title and the text; names in camel case also by their parts."""
    said = (*texts_in(memory.content), *memory.tags)
    every = (memory.title, memory.text, *said)
    names = dict.fromkeys(name for one in every for name in _CAMEL.findall(one))
    return "\n".join((*said, *(HUMP.sub(" ", name) for name in names), *_unmarked_words(every)))


def _unmarked_words(texts: Iterable[str]) -> Iterator[str]:
    """The words of stretches without spaces, and those in other letters that stand in them: 使用Redis缓存 holds Redis."""
    for text in texts:
        if has_unspaced(text):
            marked = frozenset(WORD.findall(text))
            yield " ".join(dict.fromkeys(word for word in WORD.findall(spaced(text)) if word not in marked))


def batches(items: Iterable[T], size: int = _AT_ONCE) -> Iterator[list[T]]:
    """The items in lists of at most `size`."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


def marks(values: Sequence[object]) -> str:
    """As many question marks; for none what is equal to nothing, since PostgreSQL takes no empty list."""
    return ", ".join("?" * len(values)) or "NULL"


def _read(
    connection: Connection, column: str, keys: Iterable[str] | Iterable[int]
) -> Iterator[tuple[int, Memory]]:
    for batch in batches(dict.fromkeys(keys)):
        raw = _read_raw(connection, column, batch)
        predecessors = _read_predecessors(connection, [row[1] for row, _ in raw])
        for row, links in raw:
            found = None
            if row[24] is None or row[24] == digest_row(_stored(row), links):
                found = _memory(row, links, predecessors.get(row[1], ()))
            if found is None:
                note_damage(connection, row[0], row[1])
            else:
                note_whole(connection, row[0])
                yield row[0], found


def _read_raw(
    connection: Connection, column: str, keys: Sequence[object]
) -> list[tuple[tuple[Any, ...], list[_Link]]]:
    """Rows as they are stored, each with its links."""
    rows = connection.execute(
        f"{_SELECT} WHERE {column} IN ({marks(keys)}) ORDER BY number", tuple(keys)
    ).fetchall()
    numbers = [row[0] for row in rows]
    links: dict[int, list[_Link]] = {number: [] for number in numbers}
    for number, *link in connection.execute(_SELECT_LINKS.format(marks(numbers)), numbers):
        links[number].append(tuple(link))
    return [(row, links[row[0]]) for row in rows]


def _stored(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """The values of a row in the order of `_values`."""
    return (*row[1:21], row[23])


def _read_predecessors(connection: Connection, ids: list[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for successor, predecessor in connection.execute(_PREDECESSORS.format(marks(ids)), ids):
        found[successor] = (*found.get(successor, ()), predecessor)
    return found


def _memory(row: tuple[Any, ...], found: Iterable[_Link], supersedes: tuple[str, ...]) -> Memory | None:
    """The memory of a row; None where it holds what no version of Drift writes."""
    try:
        content, importance = orjson.loads(row[5]), Importance(row[7])
    except ValueError:
        return None
    if not isinstance(content, dict):
        return None
    links: dict[str, list[Any]] = {}
    for kind, target, start, end, content_hash in found:
        link = FileLink(target, start or None, end or None, content_hash) if kind == "file" else target
        links.setdefault(kind, []).append(link)
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


def _links_of(memory: Memory) -> Iterator[_Link]:
    for file in memory.files:
        yield "file", file.path, file.start_line or 0, file.end_line or 0, file.content_hash
    for kind, field in _NAMED_LINKS:
        for target in getattr(memory, field):
            yield kind, target, 0, 0, None
