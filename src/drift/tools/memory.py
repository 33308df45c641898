"""The doors of drift-memory. Tools of the category `memory` are found and called through them."""

from dataclasses import dataclass
from typing import Annotated, Any

from drift.kernel.answer import Answer
from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.text import plural
from drift.registry import Call, Effect, Intent, Outcome, Scope, Tier, tool
from drift.registry.summary import ToolRow, tool_rows

_MEMORY = frozenset({Scope.MEMORY})


@dataclass(frozen=True, slots=True)
class MemoryToolsData:
    """The memory tools there are."""

    tools: tuple[ToolRow, ...]


@tool(category="memory", title="Memories for a task", tokens=(50, 3000), scopes=_MEMORY)
def drift_memory_context(
    call: Call, focus: Annotated[str, "Task, file or symbol"], intent: Intent | None = None
) -> Answer[MemoryToolsData]:
    """What was learned before about a task."""
    raise DriftError(
        ErrorCode.NOT_REGISTERED,
        "This version of Drift keeps no memories yet, so there was nowhere to look"
        f" for {focus[:60]!r}{f' ({intent})' if intent else ''} in {call.project.name}",
    )


@tool(
    category="memory",
    title="Call a memory tool",
    tokens=(50, 4000),
    tier=Tier.RELAY,
    effect=Effect.WRITES,
    is_idempotent=False,
    scopes=_MEMORY,
)
async def drift_memory_manage(
    call: Call, name: Annotated[str, "From drift_memory_discover"], args: dict[str, Any] | None = None
) -> Outcome:
    """Run a memory tool by name."""
    return await call.dispatch(name, args or {})


@tool(category="memory", title="Discover memory tools", tokens=(50, 1500), scopes=_MEMORY)
def drift_memory_discover(call: Call) -> Answer[MemoryToolsData]:
    """Memory tools to call through drift_memory_manage."""
    rows = tool_rows(call.runtime.toolbox, call.runtime.view(call.project, call.caller), "memory")
    summary = (
        f"{plural(len(rows), 'memory tool')}" if rows else "No memory tools are registered in this version"
    )
    return Answer(summary, MemoryToolsData(rows))
