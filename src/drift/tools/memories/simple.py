"""The two tools of the surface `simple`: save a memory, recall it again."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Final, Literal

from drift.kernel.answer import Answer, NextAction
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.text import plural, shorten
from drift.memory import Draft, FileLink
from drift.memory.branches import branch_tags
from drift.memory.citations import cite_named
from drift.memory.details import alike_rows, redacted_rows, saving_warnings
from drift.memory.saving import save
from drift.memory.work.code_changes import read_code_change
from drift.memory.work.recall_views import (
    Detail,
    RecalledData,
    RecalledRow,
    SavedData,
    code_row,
    count_recalled,
    show,
)
from drift.memory.work.searched import Searched, SearchedMemory, told_words, word_warnings
from drift.registry import Call, Effect, Length, Range, tool
from drift.tools.memories.access import MEMORY, actor_of, count_uses, counts_of, session_of, store_of
from drift.tools.memories.lookups import homes_of, require_memories
from drift.tools.memories.personal import SavingScope, scope_of, scoped
from drift.tools.memories.recall_sources import as_found, find_by_words, list_newest

Kind = Literal["change", "reference", "finding", "decision", "verification"]
Action = Literal["view", "purge", "restore"]

# What is done or checked once is an episode and fades within weeks; what was found out, decided or written down
# elsewhere lasts as its type does. A text without a kind is a change where it holds a diff, else a finding.
TYPES_OF_KINDS: Final[Mapping[str, str]] = {
    "change": "episodic",
    "reference": "reference",
    "finding": "insight",
    "decision": "decision",
    "verification": "episodic",
}
_MOST_LINKED: Final = 20
_MOST_TEXT: Final = 200_000
_MOST_VIEWED: Final = 20


@tool(
    category="memory",
    title="Save a memory",
    tokens=(40, 300),
    scopes=MEMORY,
    effect=Effect.WRITES,
    is_bridge=True,
    examples=(
        {"text": "Retries of payments must keep the idempotency key, or customers are charged twice."},
        {"text": "We keep SQLite because one file is enough.", "kind": "decision", "title": "SQLite stays"},
    ),
)
def save_memory(
    call: Call,
    text: Annotated[str, Length(_MOST_TEXT), "With the reason"],
    title: Annotated[str | None, Length(300), "Made from the text if left out"] = None,
    source: Annotated[str | None, Length(200), "Where it comes from"] = None,
    kind: Kind | None = None,
    scope: SavingScope = "project",
) -> Answer[SavedData]:
    """Remember a decision, rule or fix for later sessions. Secrets are taken out."""
    call = scoped(call, scope)
    draft = _draft(call, text, title=title, source=source or "manual", kind=kind)
    draft = replace(draft, tags=branch_tags(scope, call.project.root))
    kept = save(store_of(call), draft, actor=actor_of(call), counts=counts_of(call))
    redacted, alike = redacted_rows(kept.redacted), alike_rows(kept.alike)
    memory = kept.memory
    done = f"Saved as {memory.id}" if kept.is_new else f"Known already as {memory.id}; nothing was added"
    return Answer(
        f"{done}, in your own memories" if scope_of(call) else done,
        SavedData(
            memory.id,
            kept.is_new,
            shorten(memory.title, 100),
            memory.type,
            memory.kind,
            code_row(text),
            redacted,
            alike,
            scope_of(call),
        ),
        warnings=saving_warnings(redacted, alike),
    )


def _draft(call: Call, text: str, *, title: str | None, source: str, kind: str | None) -> Draft:
    change = read_code_change(text)
    kind = kind or ("change" if change.has_diff else None)
    memory_type = TYPES_OF_KINDS.get(kind or "", "insight")
    content: dict[str, Any] = {}
    if memory_type == "episodic" and (change.has_diff or change.files):
        counted = {"added": change.added, "removed": change.removed, "files": list(change.files)}
        content = {"context": {"code": counted}}
    return Draft(
        type=memory_type,
        title=title or "",
        text=text,
        content=content,
        files=() if scope_of(call) else _cite_named(call, change.files, "" if change.has_diff else text),
        source=source,
        kind=kind,
        session=session_of(call, None),
        created_by=call.caller.id,
    )


def _cite_named(call: Call, paths: Sequence[str], text: str) -> tuple[FileLink, ...]:
    """Citations of those files a text names that the project has; a name that leads elsewhere is only a name."""
    links: list[FileLink] = []
    for path in paths[:_MOST_LINKED]:
        try:
            links += cite_named(call.project.root, path, text)
        except DriftError as error:
            if error.code is ErrorCode.INTERNAL_ERROR:
                raise
    return tuple(links)


@tool(
    category="memory",
    title="Recall memories",
    tokens=(40, 4000),
    scopes=MEMORY,
    effect=Effect.WRITES,
    max_tokens=4_000,
    is_bridge=True,
    examples=(
        {"query": "how do we retry payments"},
        {"ids": ["m_1hf3c8z0kq7w2x9"], "detail": "full"},
        {"ids": ["m_1hf3c8z0kq7w2x9"], "action": "purge"},
    ),
)
def recall(
    call: Call,
    query: Annotated[str | None, "Words or a question"] = None,
    *,
    id: Annotated[str | None, Length(100)] = None,  # noqa: A002 - the word agents use
    title: Annotated[str | None, Length(300), "Words of the title"] = None,
    action: Annotated[Action, "purge hides, restore undoes; both need ids"] = "view",
    ids: Annotated[tuple[str, ...], Length(100), "From an earlier recall"] = (),
    detail: Annotated[Detail | None, "Default: full for one id, else compact"] = None,
    kind: Kind | None = None,
    limit: Annotated[int, Range(1, 20)] = 10,
    include_purged: bool = False,
) -> Answer[RecalledData]:
    """Find what was remembered, by words or id; else the newest."""
    chosen = tuple(dict.fromkeys((*ids, *((id,) if id else ()))))
    if chosen:
        if action == "view":
            return _view(call, chosen, detail or ("full" if len(chosen) == 1 else "compact"))
        return _act(call, chosen, action)
    text = query if query is not None else title
    wants_purged = include_purged or action == "restore"
    if text is None or not text.strip():
        if action != "view":
            raise _needs_ids(action)
        found = list_newest(call, limit, kind=kind, include_purged=wants_purged)
    else:
        found = find_by_words(
            call, text, kind=kind, limit=limit, include_purged=wants_purged, in_title=query is None
        )
    return _answer_search(call, found, text or "", action=action, detail=detail or "compact")


def _view(call: Call, ids: tuple[str, ...], detail: Detail) -> Answer[RecalledData]:
    shown = ids[:_MOST_VIEWED]
    found = {
        one.memory.id: one
        for home, held in homes_of(call, shown)
        for one in as_found(home, tuple(require_memories(home, held).values()))
    }
    if detail == "full":
        count_uses(call, found)
    rows = show([found[one] for one in shown], detail, max_tokens=call.max_tokens)
    left_out = len(ids) - len(rows)
    warnings = (f"{left_out} more ids were given; at most {_MOST_VIEWED} are shown",) if left_out > 0 else ()
    summary = rows[0].title if len(rows) == 1 else plural(len(rows), "memory", "memories")
    return Answer(shorten(summary, 100), RecalledData(rows), warnings=warnings)


def _act(call: Call, ids: tuple[str, ...], action: Action) -> Answer[RecalledData]:
    homes = homes_of(call, ids)
    # All are known before the first is changed.
    before = {key: one for home, held in homes for key, one in require_memories(home, held).items()}
    is_purge = action == "purge"
    memories = tuple(one for home, held in homes for one in _set_purged(home, held, is_purge=is_purge))
    changed = sum(before[one.memory.id].is_purged != one.memory.is_purged for one in memories)
    done = "purged: kept, and can be restored" if is_purge else "restored"
    same = len(memories) - changed
    rest = f"; {same} {'was' if same == 1 else 'were'} so already" if same else ""
    undo: Action = "restore" if is_purge else "purge"
    return Answer(
        f"{plural(changed, 'memory', 'memories')} {done}{rest}",
        RecalledData(show(memories, "compact")),
        next=(call.suggest(recall, "undo it", ids=list(ids), action=undo, priority="low"),),
    )


def _set_purged(call: Call, ids: tuple[str, ...], *, is_purge: bool) -> tuple[SearchedMemory, ...]:
    store = store_of(call)
    change = store.purge if is_purge else store.restore
    return as_found(call, change(ids, actor=actor_of(call)))


def _needs_ids(action: Action) -> DriftError:
    return DriftError(
        ErrorCode.MISSING_REQUIRED_PARAM,
        f"ids: required when action={action}",
        Recovery(hint="Recall with a query first, then name the ids you mean.", details={"argument": "ids"}),
    )


def _answer_search(
    call: Call, found: Searched, text: str, *, action: Action, detail: Detail
) -> Answer[RecalledData]:
    memories = found.memories
    if action == "restore":
        memories = tuple(one for one in memories if one.memory.is_purged)
    rows = show(memories, detail, max_tokens=call.max_tokens)
    if detail == "full":
        count_uses(call, (row.id for row in rows if row.text))
    is_counted = bool(text.strip()) and action != "restore"
    total = max(found.found.weighed, len(rows)) if is_counted else None
    return Answer(
        _summarize(call, rows, total, action=action, text=text, detail=detail),
        RecalledData(
            rows, total, told_words(found.found.ignored_words), told_words(found.found.unknown_words)
        ),
        next=_next_actions(call, rows, action=action, detail=detail),
        warnings=(*word_warnings(text), *found.beside_notes([row.id for row in rows]), *found.warnings),
    )


def _summarize(
    call: Call, rows: tuple[RecalledRow, ...], total: int | None, *, action: Action, text: str, detail: Detail
) -> str:
    if not rows:
        if not store_of(call).is_present:
            return "Nothing has been saved in this project yet"
        return "No memory holds any of these words" if text.strip() else "There are no memories yet"
    shown = count_recalled(len(rows), total, is_newest=not text.strip(), is_timeline=detail == "timeline")
    if action == "view":
        return shown
    return f"{shown}; nothing was {action}d yet: name the ids to {action}"


def _next_actions(
    call: Call, rows: tuple[RecalledRow, ...], *, action: Action, detail: Detail
) -> tuple[NextAction, ...]:
    if not rows:
        return ()
    if action != "view":
        return (
            call.suggest(recall, f"{action} one; add other ids you mean", ids=[rows[0].id], action=action),
        )
    return () if detail == "full" else (call.suggest(recall, "read it", id=rows[0].id),)
