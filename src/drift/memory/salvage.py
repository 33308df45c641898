"""Gets what can be read out of a damaged store into a new one. The damaged file is kept, never deleted."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.files import locked
from drift.kernel.sharing import refuse_shared
from drift.kernel.stores import SIDE_FILES
from drift.memory.records import CausalEdge, Memory
from drift.memory.storage.failures import (
    NewerStoreError,
    StrangeStoreError,
    absent,
    is_damage,
    translated,
    unreachable,
)
from drift.memory.storage.log import EDGE_ACTIONS, FIRST_ACTIONS, apply_patch, unpack
from drift.memory.storage.rows import check_all, read_by_number
from drift.memory.storage.schema import DIGEST_COLUMN, check_tables, migrate
from drift.memory.store import MemoryStore, clock_ms
from drift.memory.wire import edge_from_wire, memory_from_wire, memory_to_wire

_ACTOR: Final = "salvage"
_LOCK_SECONDS: Final = 10.0
# Texts, and the messages of SQLite that quote them, need not be UTF-8 in a damaged file.
_BROKEN: Final = (sqlite3.Error, UnicodeDecodeError)
_HIGHEST: Final = 50_000_000  # no store has more rows; a damaged number may be anything
_LOG: Final = "SELECT sequence, action, number, patch FROM log WHERE sequence >= ? ORDER BY sequence"
_NUMBERS: Final = "SELECT number FROM memories WHERE number >= ? ORDER BY number"
_WITNESSES: Final = ("SELECT number FROM usage", "SELECT number FROM links", "SELECT number FROM log")


@dataclass(frozen=True, slots=True)
class SalvageReport:
    """What was saved: memories read from their own rows, those only the log still told of, and edges.

    `unreadable` is how many memories are known to have been there and could not be read.
    """

    kept_aside: Path
    memories: int
    from_log: int
    edges: int
    unreadable: int


def salvage(path: Path, *, now_ms: Callable[[], int] = clock_ms) -> SalvageReport:
    """Put a new store with all that can be read in the place of a damaged one, which is moved aside.

    Raises CORTEX_UNAVAILABLE when there is no store, and INVALID_ARGUMENT when it is not damaged. The log
    begins anew: the history before stays in the file moved aside.
    """
    refuse_shared(path, "Salvage")
    if not path.is_file():
        raise absent(path)
    try:
        with (
            locked(path, timeout_seconds=_LOCK_SECONDS),
            tempfile.TemporaryDirectory(dir=path.parent) as room,
        ):
            return _salvage(path, Path(room), now_ms)
    except OSError as error:
        raise unreachable(path, error) from error


def _salvage(path: Path, room: Path, now_ms: Callable[[], int]) -> SalvageReport:
    # From a copy: reading may replay a journal, which would change the only evidence.
    copy, fresh = room / "damaged.db", room / "fresh.db"
    for ending in ("", "-wal"):
        source = path.with_name(path.name + ending)
        if source.is_file():
            shutil.copyfile(source, copy.with_name(copy.name + ending))
    with closing(sqlite3.connect(copy, isolation_level=None)) as damaged:
        damaged.text_factory = _decode
        _bring_up(damaged)
        with translated(path):
            is_sound = _is_sound(damaged)
        if is_sound:
            raise DriftError(
                ErrorCode.INVALID_ARGUMENT,
                f"The memories in {path} are not damaged",
                Recovery(hint="Nothing was changed. Use the store as it is."),
            )
        found = _read_all(damaged)
    store = MemoryStore.open(fresh, now_ms=now_ms)
    _fill(store, found)
    store.close()
    aside = _move_aside(path, now_ms())
    fresh.replace(path)
    return SalvageReport(aside, len(found.rows), len(found.logged), len(found.edges), found.unreadable)


@dataclass(slots=True)
class _Found:
    rows: dict[int, Memory]
    logged: dict[int, Memory]
    edges: list[CausalEdge]
    unreadable: int


def _bring_up(copy: sqlite3.Connection) -> None:
    """Give the copy of an older store the columns of today, if nothing else can be done to it."""
    try:
        migrate(copy)
    except _BROKEN:
        with suppress(*_BROKEN):
            copy.execute(f"ALTER TABLE memories ADD COLUMN {DIGEST_COLUMN}")


def _decode(raw: bytes) -> str:
    return raw.decode("utf-8", "replace").replace("\0", "\ufffd")


def _is_sound(connection: sqlite3.Connection) -> bool:
    """Whether nothing is broken. Raises for a file that is whole but not ours: it is no business of salvage."""
    try:
        check_tables(connection)
        connection.execute("PRAGMA trusted_schema = ON")
        connection.execute("INSERT INTO memory_words (memory_words, rank) VALUES ('integrity-check', 1)")
        is_whole = connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return is_whole and not check_all(connection)
    except (NewerStoreError, StrangeStoreError):
        raise
    except _BROKEN:
        return False


def _read_all(damaged: sqlite3.Connection) -> _Found:
    logged, edges = _read_log(damaged)
    numbers = set(_numbers(damaged, _WITNESSES)) | {number for (number,) in _walk(damaged, _NUMBERS)}
    rows = {number: memory for number in sorted(numbers) if (memory := _read_row(damaged, number))}
    only_logged = {number: memory for number, memory in logged.items() if number not in rows}
    ids = {memory.id for memory in (*rows.values(), *only_logged.values())}
    return _Found(
        rows,
        only_logged,
        [edge for edge in edges if edge.source in ids and edge.target in ids],
        len(_known(numbers, damaged, {*rows, *only_logged}) - rows.keys() - only_logged.keys()),
    )


def _known(numbers: set[int], damaged: sqlite3.Connection, readable: set[int]) -> set[int]:
    """Those of the numbers that a memory had: a page of noise that reads as rows makes numbers up, mostly high ones."""
    sure = {*readable, *_numbers(damaged, _WITNESSES[:2])}
    highest = max((each for each in sure if each < _HIGHEST), default=0)
    return {each for each in numbers if 0 < each <= highest}


def _numbers(damaged: sqlite3.Connection, statements: Iterable[str]) -> Iterator[int]:
    """The numbers of memories that tables name."""
    for statement in statements:
        try:
            for (number,) in damaged.execute(statement):
                if isinstance(number, int):
                    yield number
        except _BROKEN:
            continue  # another table may still tell


def _walk(damaged: sqlite3.Connection, statement: str) -> Iterator[tuple[Any, ...]]:
    """The rows of a statement whose first column is its order, stepping over places that cannot be read."""
    at, step = 0, 1
    while at < _HIGHEST:
        try:
            for row in damaged.execute(statement, (at,)):
                at, step = row[0] + 1, 1
                yield row
        except _BROKEN as error:
            if isinstance(error, sqlite3.Error) and not is_damage(error):
                return
            # The page that holds it is lost; wider steps cross it in few tries.
            at, step = at + step, step * 2
        else:
            return


def _read_row(damaged: sqlite3.Connection, number: int) -> Memory | None:
    """The memory, if its row holds one: damage may leave any value in any column."""
    try:
        found = read_by_number(damaged, [number]).get(number)
        return memory_from_wire(memory_to_wire(found)) if found else None
    except (*_BROKEN, DriftError, TypeError, ValueError):
        return None


def _read_log(damaged: sqlite3.Connection) -> tuple[dict[int, Memory], list[CausalEdge]]:
    states: dict[int, dict[str, Any]] = {}
    edges: dict[tuple[Any, ...], CausalEdge] = {}
    for _sequence, action, number, packed in _walk(damaged, _LOG):
        with suppress(DriftError):  # an entry that cannot be read leaves the state before it
            patch = unpack(packed)
            if action in EDGE_ACTIONS:
                ends = (patch.get("source"), patch.get("target"), patch.get("relation"))
                edges.pop(ends, None)
                if action == "edge":
                    edges[ends] = edge_from_wire(patch)
            elif number in states or action in FIRST_ACTIONS:
                states[number] = apply_patch(states.get(number, {}), patch)
    memories = {}
    for number, state in states.items():
        with suppress(DriftError):
            memories[number] = memory_from_wire(state)
    return memories, list(edges.values())


def _fill(store: MemoryStore, found: _Found) -> None:
    by_number = {**found.rows, **found.logged}
    ids = {memory.id for memory in by_number.values()}
    memories = {}
    for _number, memory in sorted(by_number.items()):
        # A successor that is lost is named no more: the store refuses to point at nothing.
        is_lost = memory.superseded_by is not None and memory.superseded_by not in ids
        memories[memory.id] = replace(memory, superseded_by=None) if is_lost else memory
    store.add_many(memories.values(), actor=_ACTOR)
    store.edges.put(found.edges, actor=_ACTOR)


def _move_aside(path: Path, now_ms: int) -> Path:
    stamp = datetime.fromtimestamp(now_ms / 1000, UTC).strftime("%Y%m%dT%H%M%S%f")
    aside = path.with_name(f"{path.name}.damaged-{stamp}")
    # Its journal first: a damaged file without it would lose more than one with it.
    for ending in reversed(("", *SIDE_FILES)):
        source = path.with_name(path.name + ending)
        if os.path.lexists(source):
            source.replace(aside.with_name(aside.name + ending))
    return aside
