"""The doors of drift-memory. Tools of the category `memory` are found and called through them."""

from dataclasses import dataclass
from typing import Annotated, Any

from drift.kernel.answer import Answer
from drift.kernel.errors import DriftError
from drift.kernel.text import plural
from drift.memory.work.task_memories import TaskMemories
from drift.registry import Call, Effect, Intent, Length, Outcome, ProjectFile, Tier, tool
from drift.registry.summary import ToolDetail, ToolRow, rows_about, tool_detail, tool_rows
from drift.tools.memories.access import MEMORY, session_of, store_of
from drift.tools.memories.candidates import Task
from drift.tools.memories.recalling import recall_for

_FULL = 3


@dataclass(frozen=True, slots=True)
class MemoryToolsData:
    """The memory tools there are, or all about one; `memories` counts what is kept, null where it cannot be read."""

    memories: int | None
    tools: tuple[ToolRow, ...] | None = None
    tool: ToolDetail | None = None


@tool(
    category="memory",
    title="Memories for a task",
    tokens=(50, 2000),
    scopes=MEMORY,
    max_tokens=2_500,
    examples=({"focus": "payments are charged twice", "intent": "fix_bug"},),
)
def drift_memory_context(
    call: Call,
    focus: Annotated[str, "Task, file or symbol"],
    intent: Intent | None = None,
    active_file: ProjectFile | None = None,
    session_id: Annotated[str | None, Length(100)] = None,
) -> Answer[TaskMemories]:
    """Decisions, warnings and fixes known for a task. Call before you start."""
    return recall_for(
        call,
        Task(focus, intent, active_file),
        most_level=_FULL,
        session_id=session_of(call, session_id),
        is_resent=False,
    )


@tool(
    category="memory",
    title="Call a memory tool",
    tokens=(50, 4000),
    tier=Tier.RELAY,
    effect=Effect.WRITES,
    is_idempotent=False,
    scopes=MEMORY,
)
async def drift_memory_manage(
    call: Call, name: Annotated[str, "From discover"], args: dict[str, Any] | None = None
) -> Outcome:
    """Run another memory tool by name."""
    return await call.dispatch(name, args or {})


@tool(
    category="memory",
    title="Discover memory tools",
    tokens=(50, 1500),
    scopes=MEMORY,
    examples=({}, {"tool": "drift_memory_add"}, {"tool": "debug error"}),
)
def drift_memory_discover(
    call: Call, tool: Annotated[str | None, Length(100), "Name, or words: debug error"] = None
) -> Answer[MemoryToolsData]:
    """List the other memory tools, or one with its arguments."""
    toolbox, view = call.runtime.toolbox, call.runtime.view(call.project, call.caller)
    count, warnings = _count(call)
    about = (
        rows_about(tool_rows(toolbox, view, "memory"), tool or "") if toolbox.find(tool or "") is None else ()
    )
    if tool is not None and not about:
        found = toolbox.get(tool)
        detail = MemoryToolsData(count, tool=tool_detail(found, view))
        return Answer(f"{found.name}: {found.purpose}", detail, warnings=warnings)
    rows = about if tool else tool_rows(toolbox, view)
    kept = "" if count is None else f"; {plural(count, 'memory', 'memories')} kept"
    said = f"{plural(len(rows), 'memory tool')} for drift_memory_manage{kept}"
    return Answer(said, MemoryToolsData(count, rows), warnings=warnings)


def _count(call: Call) -> tuple[int | None, tuple[str, ...]]:
    """How many current memories there are; a list of tools is worth having when the store is not."""
    store = store_of(call)
    try:
        return (store.counts().current if store.is_present else 0), ()
    except DriftError as error:
        return None, (error.message,)
