"""Memories page by page, newest first, chosen by what is asked."""

from dataclasses import dataclass
from typing import Any, Final

from drift.kernel.connections import Connection
from drift.kernel.errors import invalid
from drift.memory.records import Importance, LinkKind, Memory
from drift.memory.storage import rows

MOST_LISTED: Final = 1_000
_PLACE: Final = "SELECT recorded_at_ms, number FROM memories WHERE id = ?"
_PAGE: Final = "SELECT number FROM memories {} ORDER BY recorded_at_ms DESC, number DESC LIMIT ?"
_LINKED: Final = "number IN (SELECT number FROM links WHERE kind = ? AND target = ?)"


@dataclass(frozen=True, slots=True)
class Listing:
    """Which memories: those that meet every condition given. Without any, the current ones."""

    types: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    importance: Importance | None = None
    session: str | None = None
    tag: str | None = None
    file: str | None = None
    link: tuple[LinkKind, str] | None = None
    recorded_from_ms: int | None = None
    recorded_before_ms: int | None = None
    include_archived: bool = False
    include_purged: bool = False
    include_superseded: bool = False


@dataclass(frozen=True, slots=True)
class MemoryPage:
    """Some memories, and the id to give as `after` for the next page; None at the end."""

    memories: tuple[Memory, ...]
    next_after: str | None


def read_page(connection: Connection, listing: Listing, *, after: str | None, limit: int) -> MemoryPage:
    """The memories that follow `after`. Raises INVALID_ARGUMENT for an `after` that is no memory."""
    if not 1 <= limit <= MOST_LISTED:
        raise invalid("limit", f"must be from 1 to {MOST_LISTED:,}")
    conditions, values = _conditions(listing)
    if after is not None:
        place = connection.execute(_PLACE, (after,)).fetchone()
        if place is None:
            raise invalid("after", f"there is no memory {after[:100]}")
        conditions.append("(recorded_at_ms, number) < (?, ?)")
        values.extend(place)
    where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
    statement = _PAGE.format(where)
    numbers = [number for (number,) in connection.execute(statement, (*values, limit + 1))]
    found = rows.read_by_number(connection, numbers[:limit])
    # Damaged ones are left out, and a page may end with one: its place is that of its id all the same.
    memories = tuple(found[number] for number in numbers[:limit] if number in found)
    return MemoryPage(memories, _id_of(connection, numbers[limit - 1]) if len(numbers) > limit else None)


def _id_of(connection: Connection, number: int) -> str:
    return str(connection.execute("SELECT id FROM memories WHERE number = ?", (number,)).fetchone()[0])


def _conditions(listing: Listing) -> tuple[list[str], list[Any]]:
    pairs: list[tuple[str, tuple[Any, ...]]] = []
    if listing.types:
        pairs.append((f"type IN ({rows.marks(listing.types)})", listing.types))
    if listing.kinds:
        pairs.append((f"kind IN ({rows.marks(listing.kinds)})", listing.kinds))
    if listing.importance is not None:
        pairs.append(("importance = ?", (str(listing.importance),)))
    if listing.session is not None:
        pairs.append(("session = ?", (listing.session,)))
    if listing.recorded_from_ms is not None:
        pairs.append(("recorded_at_ms >= ?", (listing.recorded_from_ms,)))
    if listing.recorded_before_ms is not None:
        pairs.append(("recorded_at_ms < ?", (listing.recorded_before_ms,)))
    pairs.extend((_LINKED, link) for link in _links(listing))
    hidden = (
        ("archived = 0", listing.include_archived),
        ("deleted_at_ms IS NULL", listing.include_purged),
        ("superseded_by IS NULL", listing.include_superseded),
    )
    pairs.extend((condition, ()) for condition, is_included in hidden if not is_included)
    return [condition for condition, _values in pairs], [one for _condition, some in pairs for one in some]


def _links(listing: Listing) -> list[tuple[str, str]]:
    named = [("tag", listing.tag), ("file", listing.file)]
    if listing.link is not None:
        named.append((str(listing.link[0]), listing.link[1]))
    return [(kind, target) for kind, target in named if target is not None]
