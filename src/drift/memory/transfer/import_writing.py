"""An import's memories and edges put into the store, in parts between which others can write."""

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeVar

from drift.kernel.errors import DriftError
from drift.memory.records import CausalEdge, Memory
from drift.memory.storage.bulk import OnConflict
from drift.memory.storage.rows import batches
from drift.memory.store import MemoryStore
from drift.memory.transfer.import_report import Taken, interrupted

PART: Final = 500  # about a tenth of a second of writing; others wait for the lock ten seconds
# SQLite does not queue those who wait for its lock: they ask again and again and must meet a moment when it is free.
_BREATH_SECONDS: Final = 0.01

T = TypeVar("T")


def write_parts(
    store: MemoryStore,
    memories: Iterable[Memory],
    edges: Iterable[CausalEdge],
    *,
    taken: Taken,
    actor: str,
    on_conflict: OnConflict,
    report: Callable[[int], None],
    must_stop: Callable[[], bool],
) -> None:
    """Write everything, each part whole or not at all, and count it in `taken`, which says so if it had to stop."""
    try:
        for part in _breathing(batches(memories, PART)):
            if must_stop():
                taken.is_partial = True
                return
            done = store.add_many(part, actor=actor, on_conflict=on_conflict)
            taken.added += done.added
            taken.replaced += done.replaced
            taken.skipped += done.skipped
            report(len(part))
        for some in _breathing(batches(edges, PART)):
            if must_stop():
                taken.is_partial = True
                return
            taken.edges += store.edges.put(some, actor=actor)
    except DriftError as error:
        raise interrupted(taken, error) from error


def _breathing(parts: Iterator[list[T]]) -> Iterator[list[T]]:
    for number, part in enumerate(parts):
        if number:
            time.sleep(_BREATH_SECONDS)
        yield part
