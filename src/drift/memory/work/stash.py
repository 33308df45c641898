"""Threads of work laid aside and taken up again: what it was about, where it stood, what comes next.

A thread is a memory of type conversation and kind `stash`, with edges to what was learned in it.
"""

from dataclasses import dataclass
from typing import Final

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.redaction import redact
from drift.kernel.similar import similar_names
from drift.memory.details import day
from drift.memory.records import CausalEdge, Draft, Evidence, EvidenceKind, FileLink, Memory, Relation
from drift.memory.saving import save
from drift.memory.storage.edges import Direction
from drift.memory.storage.listing import Listing
from drift.memory.store import MemoryStore


@dataclass(frozen=True, slots=True)
class ThreadRow:
    """A thread of work laid aside."""

    id: str
    topic: str
    recorded: str
    summary: str | None = None
    next_steps: tuple[str, ...] | None = None
    files: tuple[str, ...] | None = None
    memories: tuple[str, ...] | None = None
    """Ids of what was learned in it."""


@dataclass(frozen=True, slots=True)
class StashData:
    """The threads, or the one taken up."""

    threads: tuple[ThreadRow, ...]


TYPE: Final = "conversation"
KIND: Final = "stash"
OPEN: Final = "open"
RESUMED: Final = "resumed"
_MOST_LINKED: Final = 20
_MOST_LISTED: Final = 100


@dataclass(frozen=True, slots=True)
class Thread:
    """A thread of work."""

    id: str
    topic: str
    summary: str
    next_steps: tuple[str, ...]
    files: tuple[str, ...]
    is_open: bool
    learned: tuple[str, ...]
    """Ids of the memories made in it."""
    recorded_at_ms: int


def stash_thread(
    store: MemoryStore,
    *,
    topic: str,
    summary: str,
    actor: str,
    next_steps: tuple[str, ...] = (),
    files: tuple[str, ...] = (),
    session: str | None = None,
) -> Thread:
    """Lay a thread aside, with what was kept in its session."""
    content = {"title": topic, "summary": summary, "openQuestions": list(next_steps)}
    draft = Draft(
        type=TYPE,
        kind=KIND,
        title=topic,
        text=summary,
        content=content,
        tags=(OPEN,),
        files=tuple(FileLink(path) for path in files),
        session=session,
        source="stash",
    )
    with store.transaction():
        memory = save(store, draft, actor=actor).memory
        if OPEN not in memory.tags:  # the very same thread, laid aside once more
            memory = store.update(memory.id, {"tags": (OPEN,)}, actor=actor)
        learned = _made_in(store, session, without=memory.id)
        told = Evidence(EvidenceKind.EXPLICIT, "made in the thread that was laid aside")
        edges = (CausalEdge(memory.id, one, Relation.DERIVED_FROM, 1.0, (told,)) for one in learned)
        store.edges.put(edges, actor=actor)
    return read_thread(store, memory)


def resume_thread(store: MemoryStore, wanted: str | None, *, actor: str) -> Thread:
    """Take up the thread of this id or topic, or the newest. Raises RESOURCE_NOT_FOUND."""
    memory = _find(store, wanted)
    tags = tuple({*memory.tags, RESUMED} - {OPEN})
    return read_thread(store, store.update(memory.id, {"tags": tags}, actor=actor))


def list_threads(store: MemoryStore, *, with_resumed: bool = False) -> tuple[Thread, ...]:
    """The threads laid aside, newest first."""
    return tuple(read_thread(store, memory) for memory in _threads(store, tag=None if with_resumed else OPEN))


def read_thread(store: MemoryStore, memory: Memory) -> Thread:
    edges = store.edges.of([memory.id], Direction.OUT)
    return Thread(
        memory.id,
        memory.title,
        memory.text,
        tuple(memory.content.get("openQuestions", ())),
        tuple(sorted({link.path for link in memory.files})),
        OPEN in memory.tags,
        tuple(edge.target for edge in edges if edge.relation is Relation.DERIVED_FROM),
        memory.recorded_at_ms,
    )


def _threads(store: MemoryStore, *, tag: str | None) -> tuple[Memory, ...]:
    return store.list(Listing(types=(TYPE,), kinds=(KIND,), tag=tag), limit=_MOST_LISTED).memories


def _find(store: MemoryStore, wanted: str | None) -> Memory:
    open_threads = _threads(store, tag=OPEN)
    if wanted is None and open_threads:
        return open_threads[0]
    # A topic is redacted when it is kept, so it is asked for in the same form.
    name = redact(wanted or "").text.strip().casefold()
    known = _threads(store, tag=None)
    for memory in (*open_threads, *known):
        if wanted is not None and (memory.id == wanted or memory.title.casefold() == name):
            return memory
    raise DriftError(
        ErrorCode.RESOURCE_NOT_FOUND,
        f"No thread {wanted[:60]!r} was laid aside" if wanted else "No thread is laid aside",
        Recovery(
            hint="drift_memory_stash with action=list shows the threads.",
            similar=similar_names(wanted or "", [memory.title for memory in known]),
        ),
    )


def _made_in(store: MemoryStore, session: str | None, *, without: str) -> tuple[str, ...]:
    if session is None:
        return ()
    page = store.list(Listing(session=session), limit=_MOST_LINKED + 1)
    return tuple(memory.id for memory in page.memories if memory.id != without)[:_MOST_LINKED]


def thread_row(thread: Thread, *, is_whole: bool = False) -> ThreadRow:
    recorded = day(thread.recorded_at_ms)
    if not is_whole:
        return ThreadRow(thread.id, thread.topic, recorded)
    return ThreadRow(
        thread.id, thread.topic, recorded, thread.summary, thread.next_steps, thread.files, thread.learned
    )
