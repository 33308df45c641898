"""The doors of drift-catalog. Tools of the category `catalog` are found and called through them."""

from dataclasses import dataclass
from typing import Annotated, Any

from drift.kernel.answer import Answer
from drift.kernel.errors import invalid
from drift.kernel.similar import similar_names
from drift.kernel.text import plural, shorten
from drift.registry import Call, Effect, Length, Outcome, Tier, tool
from drift.registry.summary import ToolDetail, ToolRow, tool_detail, tool_rows
from drift.tools.catalogs.access import catalog_of
from drift.tools.catalogs.actions import action_names, find_action, run_action


@dataclass(frozen=True, slots=True)
class CatalogToolsData:
    """Actions by name and the other tools, or all about one."""

    mutation_enabled: bool
    instructions: tuple[str, ...] | None = None
    feedback: tuple[str, ...] | None = None
    tools: tuple[ToolRow, ...] | None = None
    tool: ToolDetail | None = None


@tool(
    category="catalog",
    title="Instructions",
    tokens=(50, 4000),
    tier=Tier.RELAY,
    effect=Effect.WRITES,
    is_idempotent=False,
    method="instructions/dispatch",
    examples=({"action": "list"}, {"action": "get", "params": {"id": "use-uv"}}),
)
async def instructions_dispatch(
    call: Call, action: Annotated[str, "From catalog_discover"], params: dict[str, Any] | None = None
) -> Outcome:
    """Search, read or change the rules agents follow in this project."""
    return await run_action(call, "instructions", action, params or {})


@tool(
    category="catalog",
    title="Feedback",
    tokens=(50, 2000),
    tier=Tier.RELAY,
    effect=Effect.WRITES,
    is_idempotent=False,
    method="feedback/dispatch",
    examples=({"action": "stats"},),
)
async def feedback_dispatch(
    call: Call, action: Annotated[str, "From catalog_discover"], params: dict[str, Any] | None = None
) -> Outcome:
    """Report a defect or a wish, or review such feedback."""
    return await run_action(call, "feedback", action, params or {})


@tool(
    category="catalog",
    title="Discover the catalog",
    tokens=(50, 1000),
    examples=({}, {"name": "governanceHash"}),
)
def catalog_discover(
    call: Call, name: Annotated[str | None, Length(100), "One action: its params"] = None
) -> Answer[CatalogToolsData]:
    """Actions of instructions_dispatch and feedback_dispatch; or one action's params."""
    toolbox, view = call.runtime.toolbox, call.runtime.view(call.project, call.caller)
    enabled = catalog_of(call).settings.is_mutation_enabled
    instructions, feedback = action_names(toolbox, "instructions"), action_names(toolbox, "feedback")
    if name is not None:
        found = find_action(toolbox, "instructions", name) or find_action(toolbox, "feedback", name)
        if found is None:
            known = (*instructions, *feedback, *(tool.name for tool in toolbox))
            raise invalid(
                "name", f"there is no action {shorten(name, 60)!a}", similar=similar_names(name, known)
            )
        return Answer(
            f"{found.name}: {found.purpose}", CatalogToolsData(enabled, tool=tool_detail(found, view))
        )
    rows = tuple(
        row
        for row in tool_rows(toolbox, view, "catalog")
        if not row.call.startswith(("instructions_", "feedback_"))
    )
    summary = (
        f"{plural(len(instructions), 'action')} of instructions_dispatch, {len(feedback)} of feedback_dispatch; "
        f"{plural(len(rows), 'tool')} called by name or as actions"
    )
    return Answer(summary, CatalogToolsData(enabled, instructions, feedback, rows))
