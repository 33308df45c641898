"""How a store of memories stands, in numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from drift.kernel.text import plural
from drift.memory.details import MemoryRow, memory_row
from drift.memory.store import MemoryStore
from drift.memory.truth.confidence_summary import average_confidence

_RECENT: Final = 5


@dataclass(frozen=True, slots=True)
class StatusData:
    """Counts, and how search works here. `averageConfidence` is of what is left today; null without memories.

    `embeddings` tells the model and how many texts have a vector, or why meanings are not compared; `none` alone
    says that no model is named in cortex.embeddings_model or installed.
    """

    scope: str
    store: str
    exists: bool
    total: int
    current: int
    archived: int
    purged: int
    superseded: int
    by_type: Mapping[str, int]
    average_confidence: float | None
    edges: int
    sessions: int
    changes: int
    size_bytes: int
    search: str
    embeddings: str
    recent: tuple[MemoryRow, ...]

    @property
    def summary(self) -> str:
        return (
            f"{plural(self.current, 'current memory', 'current memories')} of {plural(len(self.by_type), 'type')}, "
            f"{self.archived} archived, {self.purged} purged, {self.size_bytes / 1e6:.1f} MB"
        )


def read_status(
    store: MemoryStore, *, scope: str, path: str, search: str, embeddings: str, now_ms: int
) -> StatusData:
    """The counts of a store that is there, and its newest memories."""
    counts, average = store.counts(), average_confidence(store, now_ms=now_ms)
    return StatusData(
        scope=scope,
        store=path,
        exists=True,
        total=counts.total,
        current=counts.current,
        archived=counts.archived,
        purged=counts.purged,
        superseded=counts.superseded,
        by_type=counts.by_type,
        average_confidence=None if average is None else round(average, 3),
        edges=counts.edges,
        sessions=counts.sessions,
        changes=counts.log_entries,
        size_bytes=counts.size_bytes,
        search=search,
        embeddings=embeddings,
        recent=tuple(memory_row(one, now_ms=now_ms) for one in store.list(limit=_RECENT).memories),
    )


def empty_status(*, scope: str, path: str, search: str, embeddings: str) -> StatusData:
    """Of a store that nobody has written to."""
    none = {"total": 0, "current": 0, "archived": 0, "purged": 0, "superseded": 0}
    less = {"edges": 0, "sessions": 0, "changes": 0, "size_bytes": 0}
    return StatusData(
        scope, path, exists=False, **none, by_type={}, average_confidence=None, **less,
        search=search, embeddings=embeddings, recent=(),
    )  # fmt: skip
