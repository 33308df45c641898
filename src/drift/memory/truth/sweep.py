"""Many memories at once, for what has to look at all of them."""

from typing import Final, NamedTuple

from drift.memory.records import Memory
from drift.memory.storage.listing import MOST_LISTED, Listing
from drift.memory.store import MemoryStore

MOST_SWEPT: Final = 10_000  # about two seconds of reading and comparing


class Swept(NamedTuple):
    """The newest memories; `is_cut` where there are more than were taken."""

    memories: tuple[Memory, ...]
    is_cut: bool


def sweep(store: MemoryStore, listing: Listing = Listing(), *, most: int = MOST_SWEPT) -> Swept:  # noqa: B008 - it is frozen
    """Up to `most` memories that fit, newest first."""
    found: list[Memory] = []
    after: str | None = None
    while len(found) < most:
        page = store.list(listing, after=after, limit=min(MOST_LISTED, most - len(found)))
        found.extend(page.memories)
        after = page.next_after
        if after is None:
            break
    return Swept(tuple(found), after is not None)
