"""Add, read, change and hide memories of every type."""

from typing import Annotated, Any, Final, Literal, NamedTuple

from drift.kernel.answer import Answer
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.text import plural, shorten
from drift.memory import CausalEdge, Draft, Importance, Memory, MemoryStore
from drift.memory.branches import branch_tags
from drift.memory.causes.inference import infer_edges
from drift.memory.dates import read_time, write_time
from drift.memory.details import (
    AddedData,
    DeletedData,
    LinkedTo,
    MemoryData,
    MemoryDetail,
    alike_rows,
    detail_of,
    memory_row,
    redacted_rows,
    saving_warnings,
)
from drift.memory.links import (
    FilePlace,
    causal_rows,
    cite_files,
    explicit_edges,
    put_edges,
)
from drift.memory.saving import Saved, clean_draft, save
from drift.memory.truth.staleness import explain_stale
from drift.memory.types import memory_types
from drift.registry import Call, Effect, Length, Range, tool
from drift.tools.memories.access import MEMORY, actor_of, counts_of, now_ms, session_of, store_of
from drift.tools.memories.lookups import call_holding, require_memories
from drift.tools.memories.personal import SavingScope, refuse_links, scope_of, scoped


class _NamedIds(NamedTuple):
    """Other memories that a call names, and as what."""

    caused_by: tuple[str, ...]
    related: tuple[str, ...]
    supersedes: str | None

    @property
    def all(self) -> tuple[str, ...]:
        superseded = (self.supersedes,) if self.supersedes is not None else ()
        return tuple(dict.fromkeys((*self.caused_by, *self.related, *superseded)))


ImportanceName = Literal["low", "normal", "high", "critical"]
MOST_TEXT: Final = 200_000
_MOST_LINKS: Final = 100

Names = Annotated[tuple[str, ...], Length(_MOST_LINKS)]
Ids = Annotated[tuple[str, ...], Length(20), "Ids of memories"]
Files = Annotated[tuple[str | FilePlace, ...], Length(_MOST_LINKS), "path or path:12-20"]


def _type_names() -> tuple[str, ...]:
    return tuple(sorted(memory_types()))


@tool(
    category="memory",
    title="Add a memory",
    tokens=(60, 400),
    scopes=MEMORY,
    effect=Effect.WRITES,
    asks={"type": _type_names},
    examples=(
        {
            "type": "tribal",
            "text": "The importer must run before midnight UTC: the partner rotates its files then.",
            "importance": "high",
            "linkedFiles": ["shop/orders.py:1-3"],
        },
        {
            "type": "incident",
            "content": {
                "title": "Double charges",
                "severity": "critical",
                "rootCause": "retry without a key",
            },
        },
    ),
)
def drift_memory_add(
    call: Call,
    type: Annotated[str, Length(40), "insight, decision, tribal, procedural, incident, code_smell, …"],  # noqa: A002 - the word agents use
    text: Annotated[str, Length(MOST_TEXT)] = "",
    *,
    content: Annotated[dict[str, Any] | None, "Fields of the type"] = None,
    title: Annotated[str, Length(300), "Made from the text if left out"] = "",
    importance: ImportanceName = "normal",
    confidence: Annotated[float, Range(0, 1)] = 1.0,
    tags: Names = (),
    linked_files: Files = (),
    linked_functions: Names = (),
    linked_patterns: Names = (),
    linked_constraints: Names = (),
    valid_from: Annotated[str | None, "Date from which it is true"] = None,
    valid_until: str | None = None,
    related_memory_ids: Ids = (),
    caused_by: Ids = (),
    supersedes: Annotated[str | None, Length(100), "Id this takes the place of"] = None,
    infer_causal: Annotated[bool, "Look for causes among earlier memories"] = True,
    source: Annotated[str | None, Length(200)] = None,
    session_id: Annotated[str | None, Length(100)] = None,
    scope: SavingScope = "project",
) -> Answer[AddedData]:
    """Keep a decision, rule, incident or other typed memory. With links, causes and importance; nothing is kept twice."""
    call = scoped(call, scope)
    if scope_of(call):
        refuse_links(linked_files, linked_functions, linked_patterns, linked_constraints)
    others = _NamedIds(caused_by, related_memory_ids, supersedes)
    if others.all:
        require_memories(call, others.all)
    cited = cite_files(call.project.root, linked_files, said=_said(linked_functions, title, text))
    draft = Draft(
        type=type,
        title=title,
        text=text,
        content=content or {},
        confidence=confidence,
        importance=Importance(importance),
        tags=(*tags, *branch_tags(scope, call.project.root)),
        files=cited.links,
        functions=linked_functions,
        patterns=linked_patterns,
        constraints=linked_constraints,
        source=source,
        session=session_of(call, session_id),
        created_by=call.caller.id,
        valid_from_ms=read_time(valid_from, "validFrom"),
        valid_until_ms=read_time(valid_until, "validUntil", is_end=True),
    )
    store = store_of(call)
    kept = save(store, draft, actor=actor_of(call), counts=counts_of(call))
    memory = kept.memory if kept.is_new else _merge_links(call, kept.memory, draft)
    edges = _connect(call, store, memory, others=others, infer=infer_causal)
    return _answer_added(kept, memory, edges, cited.warnings, scope=scope_of(call))


def _said(functions: Names, title: str, text: str) -> str:
    """What a new memory says of the code it is linked to."""
    return "\n".join((*(f"`{name}`" for name in functions), title, text))


def _merge_links(call: Call, memory: Memory, draft: Draft) -> Memory:
    """The memory that was there already, with the links the new one brought."""
    clean, _findings = clean_draft(draft)  # told with what was kept, which saw the same draft
    return store_of(call).link(
        memory.id,
        actor=actor_of(call),
        files=clean.files,
        functions=clean.functions,
        patterns=clean.patterns,
        constraints=clean.constraints,
        tags=clean.tags,
    )


def _connect(
    call: Call, store: MemoryStore, memory: Memory, *, others: _NamedIds, infer: bool
) -> tuple[CausalEdge, ...]:
    """The edges of a new memory: those that were named, then those its words give reason for."""
    actor = actor_of(call)
    named = explicit_edges(
        memory.id, caused_by=others.caused_by, related=others.related, supersedes=others.supersedes
    )
    put_edges(store, memory, named, supersedes=others.supersedes, actor=actor)
    inferred = infer_edges(store, memory, counts=counts_of(call)) if infer else ()
    if inferred:  # else it would be a second transaction, with nothing in it
        store.edges.put(inferred, actor=actor)
    return (*named, *inferred)


def _answer_added(
    kept: Saved,
    memory: Memory,
    edges: tuple[CausalEdge, ...],
    warnings: tuple[str, ...],
    *,
    scope: str | None,
) -> Answer[AddedData]:
    redacted, alike = redacted_rows(kept.redacted), alike_rows(kept.alike)
    counts = LinkedTo(len(memory.files), len(memory.functions), len(memory.patterns), len(memory.constraints))
    done = f"Added {memory.type} {memory.id}" if kept.is_new else f"Known already as {memory.id}"
    links = f", {plural(len(edges), 'causal link')}" if edges else ""
    return Answer(
        f"{done}{links}{', in your own memories' if scope else ''}",
        AddedData(
            memory.id,
            kept.is_new,
            memory.type,
            shorten(memory.title, 100),
            counts,
            causal_rows(edges) or None,
            alike,
            redacted,
            scope,
        ),
        warnings=(*warnings, *saving_warnings(redacted, alike)),
    )


@tool(
    category="memory",
    title="One memory in full",
    tokens=(100, 4000),
    scopes=MEMORY,
    max_tokens=4_000,
    examples=({"id": "m_1hf3c8z0kq7w2x9"}, {"id": "m_1hf3c8z0kq7w2x9", "asOf": "2026-01-31"}),
)
def drift_memory_get(
    call: Call,
    id: Annotated[str, Length(100)],  # noqa: A002 - the word agents use
    as_of: Annotated[str | None, "Date or time: as it was known then"] = None,
) -> Answer[MemoryData]:
    """Everything about a memory: text, content, links, edges, times, and how often it changed."""
    call = call_holding(call, id)
    memory = require_memories(call, [id])[id]
    store = store_of(call)
    at_ms = read_time(as_of, "asOf", is_end=True)
    if at_ms is not None:
        memory = _as_known(call, memory, at_ms)
    else:
        store.touch([id])
    history = store.history.of(id)
    edges = store.edges.of([id]) if at_ms is None else store.history.edges_at(at_ms)
    return Answer(
        f"{memory.type}: {shorten(memory.title, 100)}",
        MemoryData(
            _detail(call, memory, at_ms),
            sum(entry.at_ms <= at_ms for entry in history) if at_ms is not None else len(history),
            causal_rows([edge for edge in edges if id in (edge.source, edge.target)]),
            write_time(at_ms),
            scope_of(call),
        ),
    )


def _detail(call: Call, memory: Memory, at_ms: int | None) -> MemoryDetail:
    """The memory in full; whether its code is as it was is told of the present alone."""
    if at_ms is not None:
        return detail_of(memory, now_ms=at_ms)
    return detail_of(memory, now_ms=now_ms(), stale=explain_stale(call.project.root, memory))


def _as_known(call: Call, memory: Memory, at_ms: int) -> Memory:
    found = store_of(call).history.memory_at(memory.id, at_ms)
    if found is None:
        raise DriftError(
            ErrorCode.RESOURCE_NOT_FOUND,
            f"{memory.id} was not known then: it was recorded {write_time(memory.recorded_at_ms)}",
            Recovery(hint="Ask for a later time, or without asOf."),
        )
    return found


@tool(
    category="memory",
    title="Hide or restore a memory",
    tokens=(40, 150),
    scopes=MEMORY,
    effect=Effect.WRITES,
    examples=({"id": "m_1hf3c8z0kq7w2x9"}, {"id": "m_1hf3c8z0kq7w2x9", "restore": True}),
)
def drift_memory_delete(
    call: Call,
    id: Annotated[str, Length(100)],  # noqa: A002 - the word agents use
    restore: Annotated[bool, "Bring it back instead"] = False,
) -> Answer[DeletedData]:
    """Hide a memory from everything that does not ask for purged ones. It is kept; restore brings it back."""
    call = call_holding(call, id)
    before = require_memories(call, [id])[id]
    store = store_of(call)
    change = store.restore if restore else store.purge
    (memory,) = change([id], actor=actor_of(call))
    if before.is_purged == memory.is_purged:
        done = "was not hidden" if restore else "was hidden already"
    else:
        done = "restored" if restore else "hidden; restore=true brings it back"
    return Answer(f"{id} {done}", DeletedData(id, memory.is_purged, memory_row(memory, now_ms=now_ms())))
