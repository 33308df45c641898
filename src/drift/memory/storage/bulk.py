"""Many memories at once, streamed into one transaction."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from drift.kernel.connections import Connection
from drift.kernel.errors import DriftError, invalid
from drift.memory.records import Memory
from drift.memory.storage import postings, rows
from drift.memory.storage.log import append, state_patch
from drift.memory.storage.usage_counts import set_usage


class OnConflict(StrEnum):
    """What happens to an id that is there already."""

    REFUSE = "refuse"  # the whole import
    SKIP = "skip"
    REPLACE = "replace"


@dataclass(frozen=True, slots=True)
class AddedMany:
    """What an import did. Memories that were there in the same words count as skipped."""

    added: int = 0
    replaced: int = 0
    skipped: int = 0


def put_many(
    connection: Connection,
    memories: Iterable[Memory],
    *,
    at_ms: int,
    actor: str,
    on_conflict: OnConflict,
) -> AddedMany:
    """Write memories and their log entries; the caller's transaction makes it all or nothing."""
    added = replaced = skipped = 0
    named: dict[str, str] = {}
    unindexed: list[postings.Text] = []
    for batch in rows.batches(memories):
        present = rows.read_by_id(connection, [memory.id for memory in batch])
        for memory in batch:
            there = present.get(memory.id)
            if there is None:
                unindexed.append(_insert(connection, memory, at_ms=at_ms, actor=actor))
                # A later one of the batch may have the same id.
                present[memory.id] = (unindexed[-1].number, memory)
                added += 1
                named |= _named(memory)
            elif on_conflict is OnConflict.REFUSE:
                raise _taken(memory.id)
            elif on_conflict is OnConflict.REPLACE and _replace(
                connection, *there, memory, at_ms=at_ms, actor=actor, unindexed=unindexed
            ):
                replaced += 1
                named |= _named(memory)
            else:
                skipped += 1
        _index(connection, unindexed)
    _check_successors(connection, named)
    return AddedMany(added, replaced, skipped)


def _insert(connection: Connection, memory: Memory, *, at_ms: int, actor: str) -> postings.Text:
    text = rows.insert_row(connection, memory)
    number = text.number
    append(connection, number, at_ms=at_ms, actor=actor, action="import", patch=state_patch(None, memory))
    _put_usage(connection, number, memory)
    return text


def _index(connection: Connection, unindexed: list[postings.Text]) -> None:
    rows.index_texts(connection, unindexed)
    unindexed.clear()


def _replace(
    connection: Connection,
    number: int,
    before: Memory,
    after: Memory,
    *,
    at_ms: int,
    actor: str,
    unindexed: list[postings.Text],
) -> bool:
    patch = state_patch(before, after)
    if not patch:
        return False
    _index(connection, unindexed)  # the one that is replaced may be among them
    rows.update(connection, number, before=before, after=after)
    append(connection, number, at_ms=at_ms, actor=actor, action="import", patch=patch)
    _put_usage(connection, number, after)
    return True


def _put_usage(connection: Connection, number: int, memory: Memory) -> None:
    if memory.last_accessed_ms is not None:
        set_usage(
            connection, number, last_accessed_ms=memory.last_accessed_ms, access_count=memory.access_count
        )


def _named(memory: Memory) -> dict[str, str]:
    return {memory.superseded_by: memory.id} if memory.superseded_by is not None else {}


def _check_successors(connection: Connection, named: Mapping[str, str]) -> None:
    """Raise for the first of the successors, each with whom it succeeds, that is no memory."""
    known = rows.known_ids(connection, named)
    for successor, memory_id in named.items():
        if successor not in known:
            raise invalid(
                "supersededBy", f"of {memory_id} names {successor}, which is neither imported nor there"
            )


def _taken(memory_id: str) -> DriftError:
    return invalid(
        "id", f"there is a memory {memory_id} already", hint="Skip or replace those that are there."
    )
