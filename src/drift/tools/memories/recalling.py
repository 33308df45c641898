"""Memories for a task, packed into a budget, and never sent twice to a session that has them."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Final, NamedTuple

from drift.kernel.answer import Answer, NextAction
from drift.kernel.render import render_value
from drift.kernel.text import plural
from drift.kernel.tokens import count_tokens
from drift.kernel.wire import to_wire
from drift.memory import Memory
from drift.memory.work.disclosure import Level, disclose
from drift.memory.work.packing import Offer, Packed, pack
from drift.memory.work.searched import told_words
from drift.memory.work.session_dedup import Ledger
from drift.memory.work.task_memories import TaskMemories, ToldRow, is_caution
from drift.registry import Call, Intent, Length, ProjectFile, Range, tool
from drift.tools.memories.access import MEMORY, count_uses, session_of, store_of
from drift.tools.memories.candidates import Candidate, Candidates, Task, find_candidates
from drift.tools.memories.ledgers import ledger_of, note_told

_BUDGET_TOKENS: Final = 2_000  # where the call names no maxTokens
_AROUND_TOKENS: Final = 130  # the summary, the names of the columns, words and the next step
_MOST_REFERENCES: Final = 20


class _Chosen(NamedTuple):
    """What is told of each candidate, what it costs, and what was told before."""

    packed: Packed
    costs: Mapping[str, tuple[int, int, int, int]]
    sent: tuple[str, ...]
    tokens_saved: int


@tool(
    category="memory",
    title="Memories for a context",
    tokens=(50, 2000),
    scopes=MEMORY,
    max_tokens=2_500,
    examples=(
        {"focus": "payments are charged twice", "intent": "fix_bug", "activeFile": "shop/orders.py"},
        {"focus": "Cart.total", "maxTokens": 600, "compressionLevel": 1},
    ),
)
def drift_memory_for_context(
    call: Call,
    focus: Annotated[str, "Task, file or symbol"],
    *,
    intent: Intent | None = None,
    active_file: ProjectFile | None = None,
    recent_files: Annotated[tuple[ProjectFile, ...], Length(50)] = (),
    relevant_patterns: Annotated[tuple[str, ...], Length(50)] = (),
    compression_level: Annotated[int, Range(1, 3), "Most told of each: 1 line, 2 gist, 3 full"] = 3,
    session_id: Annotated[str | None, Length(100), "What it was told is not told again"] = None,
    resend: Annotated[bool, "Tell again what this session was told"] = False,
) -> Answer[TaskMemories]:
    """What was learned about a task and the files at hand, as much as fits: warnings first, nothing twice."""
    task = Task(focus, intent, active_file, recent_files, relevant_patterns)
    return recall_for(
        call,
        task,
        most_level=compression_level,
        session_id=session_of(call, session_id),
        is_resent=resend,
    )


def recall_for(
    call: Call, task: Task, *, most_level: int, session_id: str, is_resent: bool
) -> Answer[TaskMemories]:
    """The answer to a task: candidates, packed, without what the session has, which is then noted."""
    budget_tokens = max(0, (call.max_tokens or _BUDGET_TOKENS) - _AROUND_TOKENS)
    found = find_candidates(call, task)
    ledger = ledger_of(call, session_id)
    chosen = _choose(found.found, None if is_resent else ledger, budget_tokens, most_level)
    told = [
        (memory_id, level, chosen.costs[memory_id][level])
        for memory_id, level in chosen.packed.levels.items()
        if level > 0 and memory_id not in chosen.sent
    ]
    warnings = note_told(call, session_id, ledger, told)
    count_uses(call, (memory_id for memory_id, level, _cost in told if level > 1))
    data = _data(found, chosen)
    return Answer(
        _summarize(call, data),
        data,
        next=_next_actions(call, data),
        warnings=(*found.searched.warnings, *warnings),
    )


def _choose(
    found: tuple[Candidate, ...], ledger: Ledger | None, budget_tokens: int, most_level: int
) -> _Chosen:
    """Pack all, then once more with what the session has as references: the room they leave is used."""
    costs = {one.memory.id: _costs(one) for one in found}
    offers = {
        one.memory.id: Offer(
            one.memory.id, one.worth, costs[one.memory.id], _least(one.memory), Level(most_level)
        )
        for one in found
    }
    first = pack(offers.values(), budget_tokens=budget_tokens)
    sent = _find_sent(found, ledger, first.levels)
    if not sent:
        return _Chosen(first, costs, (), 0)
    references = {one: count_tokens(one) + 1 for one in sent[:_MOST_REFERENCES]}
    for memory_id in sent:
        reference = references.get(memory_id, 0)
        offers[memory_id] = offers[memory_id]._replace(
            costs=(reference, reference, reference, reference), least=Level.REFERENCE, most=Level.REFERENCE
        )
    saved = _count_saved(found, first.levels, sent)
    return _Chosen(pack(offers.values(), budget_tokens=budget_tokens), costs, sent, saved)


def _count_saved(found: tuple[Candidate, ...], levels: Mapping[str, Level], sent: tuple[str, ...]) -> int:
    """What the answer would be longer by with the rows of what was sent before, less what naming them costs."""
    rows = _rows([one for one in found if one.memory.id in levels], levels)
    others = tuple(row for row in rows if row.id not in sent)
    naming = {"alreadySent": list(sent[:_MOST_REFERENCES]), "deduplicated": len(sent), "tokensSaved": 0}
    whole, rest, named = (count_tokens(render_value(to_wire(one))) for one in (rows, others, naming))
    return max(0, whole - rest - named)


def _find_sent(
    found: tuple[Candidate, ...], ledger: Ledger | None, levels: Mapping[str, Level]
) -> tuple[str, ...]:
    """Ids of what the session was told at the level it would get now, or higher."""
    if ledger is None:
        return ()
    memories = (one.memory for one in found)
    return tuple(
        one.id
        for one in memories
        if (known := ledger.level_of(one)) is not None and known >= levels.get(one.id, known)
    )


def _least(memory: Memory) -> Level | None:
    return Level.LINE if memory.importance == "critical" else None


def _costs(one: Candidate) -> tuple[int, int, int, int]:
    """What each level takes in an answer at most: the form with a line for each field, which long texts need."""
    memory = one.memory
    around = count_tokens(
        f" - id: {memory.id}\n   type: {memory.type}\n   confidence: {one.confidence:.2f}\n"
        + (f"   scope: {one.scope}\n" if one.scope else "")
        + (f"   stale: {one.stale}\n" if one.stale else "")
    )
    texts = [disclose(memory, level) for level in Level]
    costs = [
        around + (count_tokens(f"   text: |\n{text}") + text.count("\n") if text else 0) for text in texts
    ]
    return costs[0], costs[1], costs[2], costs[3]


def _row(one: Candidate, level: Level) -> ToldRow:
    memory = one.memory
    said = disclose(memory, level) or None
    return ToldRow(memory.id, memory.type, round(one.confidence, 2), said, one.scope, one.stale)


def _data(found: Candidates, chosen: _Chosen) -> TaskMemories:
    levels = chosen.packed.levels
    told = [one for one in found.found if one.memory.id in levels and one.memory.id not in chosen.sent]
    cautions = [one for one in told if is_caution(one.memory)]
    others = [one for one in told if not is_caution(one.memory)]
    warnings, memories = _rows(cautions, levels), _rows(others, levels)
    return TaskMemories(
        warnings=warnings,
        memories=memories,
        tokens_used=count_tokens(render_value([to_wire(warnings), to_wire(memories)])),
        intent=found.intent,
        dropped=len(chosen.packed.dropped) or None,
        already_sent=chosen.sent[:_MOST_REFERENCES] or None,
        deduplicated=len(chosen.sent) or None,
        tokens_saved=chosen.tokens_saved or None,
        unknown_words=told_words(found.searched.found.unknown_words),
    )


def _rows(candidates: Iterable[Candidate], levels: Mapping[str, Level]) -> tuple[ToldRow, ...]:
    return tuple(_row(one, levels[one.memory.id]) for one in candidates)


def _summarize(call: Call, data: TaskMemories) -> str:
    saved = (
        f"; {plural(data.deduplicated, 'more was', 'more were')} sent before, {data.tokens_saved or 0:,} tokens saved"
        if data.deduplicated
        else ""
    )
    count = len(data.warnings) + len(data.memories)
    if count:
        cautions = f", {plural(len(data.warnings), 'warning')} first" if data.warnings else ""
        return f"{plural(count, 'memory', 'memories')}{cautions}{saved}"
    if not store_of(call).is_present:
        return "Nothing has been saved in this project yet"
    return f"Nothing new{saved}" if saved else "No memory bears on this"


def _next_actions(call: Call, data: TaskMemories) -> tuple[NextAction, ...]:
    rows = (*data.warnings, *data.memories)
    return (call.suggest("drift_memory_get", "all about one", id=rows[0].id, priority="low"),) if rows else ()
