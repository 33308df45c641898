"""The doors of drift-catalog. Tools of the category `catalog` are found and called through them."""

from dataclasses import dataclass
from typing import Annotated, Any, NoReturn

from drift.kernel.answer import Answer
from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.text import plural
from drift.registry import Call, Effect, Outcome, Tier, tool
from drift.registry.summary import ToolRow, tool_rows


@dataclass(frozen=True, slots=True)
class CatalogToolsData:
    """The catalog tools there are."""

    tools: tuple[ToolRow, ...]


@tool(
    category="catalog",
    title="Instructions",
    tokens=(50, 4000),
    tier=Tier.RELAY,
    effect=Effect.WRITES,
    is_idempotent=False,
    method="instructions/dispatch",
)
async def instructions_dispatch(
    call: Call, action: Annotated[str, "From catalog_discover"], params: dict[str, Any] | None = None
) -> Outcome:
    """Read or change governed instructions."""
    _nothing_registered(call, "instruction", action, params)


@tool(
    category="catalog",
    title="Feedback",
    tokens=(50, 2000),
    tier=Tier.RELAY,
    effect=Effect.WRITES,
    is_idempotent=False,
    method="feedback/dispatch",
)
async def feedback_dispatch(
    call: Call, action: Annotated[str, "From catalog_discover"], params: dict[str, Any] | None = None
) -> Outcome:
    """Send or review feedback."""
    _nothing_registered(call, "feedback", action, params)


@tool(category="catalog", title="Discover the catalog", tokens=(50, 1000))
def catalog_discover(call: Call) -> Answer[CatalogToolsData]:
    """Actions of instructions_dispatch and feedback_dispatch."""
    rows = tool_rows(call.runtime.toolbox, call.runtime.view(call.project, call.caller), "catalog")
    summary = (
        f"{plural(len(rows), 'catalog tool')}"
        if rows
        else "No catalog actions are registered in this version"
    )
    return Answer(summary, CatalogToolsData(rows))


def _nothing_registered(call: Call, kind: str, action: str, params: dict[str, Any] | None) -> NoReturn:
    given = f" with {plural(len(params), 'parameter')}" if params else ""
    raise DriftError(
        ErrorCode.NOT_REGISTERED,
        f"This version of Drift has no {kind} actions yet; {action[:60]!r}{given} was not run in {call.project.name}",
    )
