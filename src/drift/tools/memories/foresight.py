"""What comes next: memories likely to be wanted, warnings to heed, and what is worth recording."""

from collections.abc import Iterable
from typing import Annotated, Literal

from drift.kernel.answer import Answer, NextAction
from drift.kernel.errors import invalid
from drift.kernel.text import plural
from drift.memory.lessons.prediction import PredictedData, Situation, predict, prediction_row
from drift.memory.lessons.suggestions import SuggestedData, SuggestionRow, suggest
from drift.memory.lessons.warnings import (
    Severity,
    Warnings,
    WarningsData,
    find_warnings,
    warning_row,
)
from drift.memory.truth.staleness import find_stale
from drift.registry import Call, Intent, Length, ProjectFile, Range, tool
from drift.tools.memories.access import MEMORY, counts_of, now_ms, store_of
from drift.tools.memories.code_facts import find_hot_files


@tool(
    category="memory",
    title="Memories wanted next",
    tokens=(50, 1200),
    scopes=MEMORY,
    examples=({"activeFile": "shop/orders.py", "intent": "fix_bug"},),
)
def drift_memory_predict(
    call: Call,
    active_file: ProjectFile | None = None,
    recent_files: Annotated[tuple[ProjectFile, ...], Length(20), "Latest first"] = (),
    functions: Annotated[tuple[str, ...], Length(20)] = (),
    patterns: Annotated[tuple[str, ...], Length(20)] = (),
    intent: Intent | None = None,
    focus: Annotated[str, Length(10_240), "Task in words"] = "",
    limit: Annotated[int, Range(1, 20)] = 10,
) -> Answer[PredictedData]:
    """Guess which memories you will want next. From the files, task and habits, each with what speaks for it."""
    situation = Situation(active_file, recent_files, functions, patterns, intent, focus)
    if situation.is_empty:
        hint = "Give activeFile, recentFiles, functions, patterns or focus."
        raise invalid("activeFile", "nothing to go by", hint=hint)
    store, counts, at_ms = store_of(call), counts_of(call), now_ms()
    found = predict(store, situation, now_ms=at_ms, limit=limit, counts=counts) if store.is_present else ()
    rows = tuple(map(prediction_row, found))
    summary = f"{plural(len(rows), 'memory', 'memories')} likely to be wanted"
    following = _read_next(call, (one.id for one in rows))
    return Answer(summary, PredictedData(rows), next=following, warnings=_no_store(call))


def _read_next(call: Call, ids: Iterable[str]) -> tuple[NextAction, ...]:
    first = next(iter(ids), None)
    return (call.suggest("drift_memory_get", "read the first", id=first),) if first else ()


def _no_store(call: Call) -> tuple[str, ...]:
    if store_of(call).is_present:
        return ()
    return ("nothing has been saved in this project yet; drift_memory_add or save_memory begins it",)


@tool(
    category="memory",
    title="Warnings",
    tokens=(50, 1500),
    scopes=MEMORY,
    examples=({"files": ["shop/orders.py"]}, {"focus": "deploy the importer", "severity": "high"}),
)
def drift_memory_warnings(
    call: Call,
    focus: Annotated[str, Length(10_240), "Task in words"] = "",
    files: Annotated[tuple[ProjectFile, ...], Length(50)] = (),
    severity: Annotated[Literal["critical", "high", "warning", "info"], "The least grave to show"] = "info",
    limit: Annotated[int, Range(1, 50)] = 10,
) -> Answer[WarningsData]:
    """What to beware of: tribal knowledge, incidents and smells about a task or files, critical first."""
    store, at_ms = store_of(call), now_ms()
    found = Warnings((), is_cut=False)
    if store.is_present:
        found = find_warnings(store, focus=focus, files=files, now_ms=at_ms, counts=counts_of(call))
    grave = [one for one in found.found if one.severity <= Severity[severity.upper()]]
    stale = find_stale(call.project.root, (one.memory for one in grave[:limit]))
    rows = tuple(warning_row(one, now_ms=at_ms, stale=stale.get(one.memory.id)) for one in grave[:limit])
    critical = sum(one.severity is Severity.CRITICAL for one in grave)
    summary = f"{plural(len(grave), 'warning')}, {critical} critical"
    following = _read_next(call, (one.id for one in rows))
    told = (*_no_store(call), *(("only the newest 1,000 were looked at",) if found.is_cut else ()))
    return Answer(summary, WarningsData(rows, len(grave)), next=following, warnings=told)


@tool(category="memory", title="What to record", tokens=(50, 1000), scopes=MEMORY, examples=({"limit": 5},))
def drift_memory_suggest(
    call: Call,
    focus: Annotated[str, Length(500), "Part of a path or title"] = "",
    limit: Annotated[int, Range(1, 30)] = 10,
) -> Answer[SuggestedData]:
    """What is worth recording and is missing: files that change often and have no memory, gaps in what is kept."""
    hot = find_hot_files(call)
    found = suggest(store_of(call), hot_files=hot.files, focus=focus, now_ms=now_ms(), limit=limit)
    rows = tuple(
        SuggestionRow(one.kind, one.what, one.because, one.type, one.memory, one.file) for one in found.found
    )
    cut = ("only the newest 1,000 memories were looked at",) if found.is_cut else ()
    return Answer(
        f"{plural(len(rows), 'thing')} worth recording, from {plural(found.looked_at, 'memory', 'memories')} "
        f"and {plural(len(hot.files), 'changed file')}",
        SuggestedData(rows, found.looked_at, len(hot.files)),
        next=_record_next(call, rows),
        warnings=(*_no_store(call), *((hot.problem,) if hot.problem else ()), *cut),
    )


def _record_next(call: Call, rows: tuple[SuggestionRow, ...]) -> tuple[NextAction, ...]:
    first = next(iter(rows), None)
    if first is None:
        return ()
    if first.memory_id is not None:
        return (call.suggest("drift_memory_get", "see what it says", id=first.memory_id),)
    return (
        call.suggest(
            drift_memory_warnings, "see what is known around it", files=[first.file], priority="low"
        ),
    )
