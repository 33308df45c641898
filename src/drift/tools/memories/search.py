"""Search among memories by words, with every filter."""

from collections.abc import Sequence
from typing import Annotated, Literal

from drift.kernel.answer import Answer
from drift.kernel.text import plural
from drift.memory import Importance, memory_type
from drift.memory.dates import read_time
from drift.memory.search import Setting, Wanted
from drift.memory.work.disclosure import Level
from drift.memory.work.searched import (
    FoundData,
    FoundRow,
    Saved,
    Searched,
    SearchedMemory,
    cost_of,
    count_left_out,
    found_rows,
    refer,
    told_words,
    word_warnings,
)
from drift.memory.work.session_dedup import Ledger
from drift.registry import Call, Direction, Intent, Length, ProjectFile, Range, tool
from drift.tools.memories.access import MEMORY, now_ms, store_of
from drift.tools.memories.ledgers import ledger_of, note_told
from drift.tools.memories.lookups import read_memories, search_memories

ImportanceName = Literal["low", "normal", "high", "critical"]
Detail = Annotated[Literal["compact", "snippets"], "snippets: with relevance, confidence and the words found"]
SortName = Literal["relevance", "date", "confidence"]
Names = Annotated[tuple[str, ...], Length(30)]


@tool(
    category="memory",
    title="Search memories",
    tokens=(60, 1500),
    scopes=MEMORY,
    examples=(
        {"query": "why do payments retry"},
        {"query": "retry", "types": ["incident", "tribal"], "minConfidence": 0.5, "limit": 5},
    ),
)
def drift_memory_search(
    call: Call,
    query: Annotated[str, "Words or a question; nothing in it is an operator"],
    *,
    types: Names = (),
    kinds: Names = (),
    tags: Names = (),
    file: Annotated[ProjectFile | None, "Linked to this file"] = None,
    min_confidence: Annotated[float, Range(0, 1), "Of what is left today"] = 0.0,
    importance: Annotated[ImportanceName, "At least"] = "low",
    since: Annotated[str | None, "Recorded on or after this date"] = None,
    until: str | None = None,
    intent: Intent | None = None,
    limit: Annotated[int, Range(1, 100)] = 20,
    session_id: Annotated[str | None, Length(100), "Notes what was sent"] = None,
    exclude_already_sent: bool = False,
    include_archived: bool = False,
    include_superseded: bool = False,
    include_purged: bool = False,
    detail: Detail = "compact",
    sort: Annotated[SortName, "Of the best hits"] = "relevance",
    order: Direction | None = None,
) -> Answer[FoundData]:
    """Memories that share words with a query, best first, filtered by type, tag, file, date, confidence."""
    _require_types(types)
    ledger = ledger_of(call, session_id) if session_id else None
    wanted = Wanted(
        types=types,
        kinds=kinds,
        tags=tags,
        file=file,
        since_ms=read_time(since, "since"),
        until_ms=read_time(until, "until", is_end=True),
        least_importance=Importance(importance),
        with_archived=include_archived,
        with_superseded=include_superseded,
        with_purged=include_purged,
    )
    sent = _sent_ids(call, ledger) if exclude_already_sent else ()
    setting = Setting(now_ms(), intent=intent, files=(file,) if file else ())
    found = search_memories(
        call, query, setting=setting, wanted=wanted._replace(without=sent), limit=limit,
        least_confidence=min_confidence,
    )  # fmt: skip
    best = next((one.memory.id for one in found.memories), None)
    found = found._replace(memories=_sorted(found.memories, sort, order))
    is_compact = detail == "compact"
    whole = found_rows(found, ledger, is_compact=is_compact)
    rows = tuple(refer(row) if row.already_sent else row for row in whole)
    saved = Saved(None, sum(map(cost_of, whole)) - sum(map(cost_of, rows)) if ledger else 0)
    if sent:
        everything = search_memories(
            call, query, setting=setting, wanted=wanted, limit=max(limit, len(sent) + 100)
        )
        saved = count_left_out(found_rows(everything, ledger, is_compact=is_compact), sent, limit=limit)
    warnings = _note_rows(call, session_id, ledger, rows)
    return _answer(call, found, rows, query=query, best=best, saved=saved, warnings=warnings)


def _require_types(names: Names) -> None:
    for name in names:
        memory_type(name)


def _sorted(
    memories: Sequence[SearchedMemory], sort: SortName, order: Direction | None
) -> tuple[SearchedMemory, ...]:
    """The hits by another measure than relevance, the best first where it makes no difference; the most of it first."""
    match sort:
        case "relevance":
            ranked = memories
        case "date":
            ranked = sorted(memories, key=lambda one: -one.memory.recorded_at_ms)
        case "confidence":
            ranked = sorted(memories, key=lambda one: -one.confidence)
    return tuple(ranked[::-1] if order == "asc" else ranked)


def _sent_ids(call: Call, ledger: Ledger | None) -> tuple[str, ...]:
    """Ids of what the session was told and has not changed since."""
    if ledger is None or not ledger.sent:
        return ()
    memories = read_memories(call, tuple(ledger.sent))
    return tuple(one.id for one in memories.values() if ledger.level_of(one) is not None)


def _note_rows(
    call: Call, session_id: str | None, ledger: Ledger | None, rows: Sequence[FoundRow]
) -> tuple[str, ...]:
    if session_id is None or ledger is None:
        return ()
    told = [(row.id, Level.LINE, cost_of(row)) for row in rows if not row.already_sent]
    return note_told(call, session_id, ledger, told)


def _answer(
    call: Call,
    found: Searched,
    rows: tuple[FoundRow, ...],
    *,
    query: str,
    best: str | None,
    saved: Saved,
    warnings: tuple[str, ...],
) -> Answer[FoundData]:
    total = max(found.found.weighed, len(rows))
    data = FoundData(
        rows,
        total,
        saved.left_out,
        saved.tokens or None,
        told_words(found.found.ignored_words),
        told_words(found.found.unknown_words),
    )
    return Answer(
        _summarize(call, len(rows), total, saved),
        data,
        next=(call.suggest("drift_memory_get", "read the best", id=best),) if best else (),
        warnings=(
            *word_warnings(query),
            *found.beside_notes([row.id for row in rows]),
            *found.warnings,
            *warnings,
        ),
    )


def _summarize(call: Call, shown: int, total: int, saved: Saved) -> str:
    sent = f"; {saved.left_out} left out as already sent" if saved.left_out else ""
    sent += f"; {saved.tokens:,} tokens saved" if saved.tokens else ""
    if shown:
        count = plural(total, "memory", "memories")
        return f"{count if shown == total else f'{shown} of {count}'}{sent}"
    if not store_of(call).is_present:
        return "Nothing has been saved in this project yet"
    return f"No memory holds these words and fits the filters{sent}"
