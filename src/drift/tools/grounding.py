"""Grounding: whether the code still bears out what a memory says."""

from contextlib import ExitStack
from typing import Annotated

from drift.context.grounding import (
    Grounding,
    GroundingData,
    changes_of,
    ground_memory,
    grounding_data,
    summarize_grounding,
)
from drift.conventions.verification.ground import Ground
from drift.index import IndexReader
from drift.kernel.answer import Answer, NextAction
from drift.registry import Call, Effect, Length, tool
from drift.registry.indexes import opened_index
from drift.tools.memories.access import MEMORY, actor_of, now_ms, store_of
from drift.tools.memories.lookups import require_memories


@tool(
    category="memory",
    title="Check a memory against the code",
    tokens=(150, 1500),
    effect=Effect.WRITES,
    scopes=MEMORY,
    is_bridge=True,
    examples=({"memoryId": "m_1hf3c8z0kq7w2x9"}, {"memoryId": "m_1hf3c8z0kq7w2x9", "apply": True}),
)
def drift_grounding_check(
    call: Call,
    memory_id: Annotated[str, Length(100)],
    apply: Annotated[bool, "Keep the score and adjust the confidence"] = False,
) -> Answer[GroundingData]:
    """Look up every path, symbol, route, variable and version a memory names: verdict, score, evidence."""
    store = store_of(call)
    memory = require_memories(call, [memory_id])[memory_id]
    with ExitStack() as stack:
        reader = _reader(call, stack)
        found = ground_memory(memory, Ground(call.project.root, reader), store.history.of(memory_id))
    changes = changes_of(found, now_ms=now_ms())
    if apply and changes:
        store.update(memory_id, changes, actor=actor_of(call))
    return Answer(
        summarize_grounding(found),
        grounding_data(
            found, changes.get("confidence", memory.confidence), is_applied=apply and bool(changes)
        ),
        next=_suggest(call, found, is_applied=apply),
        warnings=() if reader is not None else ("there is no index: only files and versions were looked up",),
    )


def _reader(call: Call, stack: ExitStack) -> IndexReader | None:
    is_usable = call.runtime.index_state(call.project).is_usable
    return stack.enter_context(opened_index(call)) if is_usable else None


def _suggest(call: Call, found: Grounding, *, is_applied: bool) -> tuple[NextAction, ...]:
    memory_id = found.memory.id
    suggested = []
    has_moved = any(one.verdict == "moved" for one in found.claims) and bool(found.memory.files)
    if has_moved:
        suggested.append(
            call.suggest(
                "drift_memory_validate", "mend the citations that moved", ids=[memory_id], auto_heal=True
            )
        )
    if found.adjustment.mode in {"boost", "penalize"} and not is_applied:
        suggested.append(
            call.suggest(
                drift_grounding_check,
                "keep the score and adjust the confidence",
                memory_id=memory_id,
                apply=True,
            )
        )
    if found.is_contradicted:
        suggested.append(call.suggest("drift_memory_get", "read it and correct it", id=memory_id))
    return tuple(one for one in suggested if one.tool in call.runtime.toolbox)
