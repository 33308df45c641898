"""How the memory of a project stands, in numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from drift.kernel.answer import Answer
from drift.kernel.text import plural
from drift.memory.details import MemoryRow, memory_row
from drift.memory.embeddings import OFF
from drift.memory.embeddings.texts import Texts, read_texts
from drift.memory.storage.derived import say_short
from drift.memory.truth.confidence_summary import average_confidence
from drift.registry import Call, tool
from drift.tools.memories.access import MEMORY, meanings_of, now_ms, store_of, store_path
from drift.tools.memories.personal import MemoryScope, scoped

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


_SEARCH: Final = "words: any of them, stemmed, re-scored; confidence, recency and links break near ties"
_RERANKED: Final = f"{_SEARCH}; the best 200 ordered by meaning too where they have a vector"
_STORES: Final = {"project": "this project", "user": "your own memories"}
_NO_MODEL: Final = "none"
_OFF: Final = "none: cortex.embeddings_model is off"


@tool(category="memory", title="State of the memory", tokens=(100, 400), scopes=MEMORY, examples=({},))
def drift_memory_status(call: Call, scope: MemoryScope = "project") -> Answer[StatusData]:
    """How many memories of which types, confidence left, size, the newest, and which search is active."""
    call = scoped(call, scope)
    store = store_of(call)
    path = str(store_path(call))
    search, embeddings = _ways_of_search(call)
    if not store.is_present:
        empty = StatusData(
            scope, path, False, 0, 0, 0, 0, 0, {}, None, 0, 0, 0, 0, search, embeddings, ()  # noqa: FBT003 - fields in order
        )  # fmt: skip
        return Answer(f"Nothing has been saved in {_STORES[scope]} yet", empty)

    counts, at_ms = store.counts(), now_ms()
    average = average_confidence(store, now_ms=at_ms)
    newest = store.list(limit=_RECENT).memories
    return Answer(
        f"{plural(counts.current, 'current memory', 'current memories')} of {plural(len(counts.by_type), 'type')}, "
        f"{counts.archived} archived, {counts.purged} purged, {counts.size_bytes / 1e6:.1f} MB",
        StatusData(
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
            recent=tuple(memory_row(one, now_ms=at_ms) for one in newest),
        ),
        warnings=say_short(store.find_short()),
    )


def _ways_of_search(call: Call) -> tuple[str, str]:
    """How memories are found now, and what embeddings have to do with it."""
    meanings = meanings_of(call)
    if meanings is None:
        return _SEARCH, _OFF if call.project.config.cortex.embeddings_model == OFF else _NO_MODEL
    store = store_of(call)
    found = read_texts(store) if store.is_present else Texts((), is_cut=False)
    state = meanings.state(found.texts)
    if state.reason is not None:
        return _SEARCH, f"none: {state.reason}"
    among = f"the newest {len(found.texts):,}" if found.is_cut else f"{len(found.texts):,}"
    return (
        _RERANKED,
        f"{state.model}, {state.dimensions} dimensions; {state.known:,} of {among} texts have a vector",
    )
