"""Tools that run several others and answer as one, as context/workflows.toml says."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from drift.context.workflows import workflow
from drift.index import Layer
from drift.kernel.answer import Answer
from drift.kernel.text import plural
from drift.registry import Call, KnownPath, Scope, Tier, tool
from drift.tools.workflow_answers import Section, Unanswered
from drift.tools.workflows import run_steps


@dataclass(frozen=True, slots=True)
class ComposedData:
    """What the steps found, and those that found nothing with the reason."""

    sections: tuple[Section, ...]
    unanswered: tuple[Unanswered, ...]


@tool(
    category="orchestration",
    title="Deep security analysis",
    tokens=(1000, 8000),
    tier=Tier.EXPENSIVE,
    needs=Layer.CALLS,
    scopes=frozenset({Scope.SECURITY}),
    is_long=True,
    examples=({}, {"module": "shop"}),
)
async def drift_security_deep(
    call: Call, module: Annotated[KnownPath | None, "Only boundaries of files below this path"] = None
) -> Answer[ComposedData]:
    """Everything about security in one call. Summary, boundaries, who reaches the worst table, secrets, flows, the gates."""
    return await _compose(call, "drift_security_deep", {"module": module})


@tool(
    category="orchestration",
    title="Security audit",
    tokens=(1000, 8000),
    tier=Tier.EXPENSIVE,
    needs=Layer.CALLS,
    scopes=frozenset({Scope.SECURITY}),
    is_long=True,
    examples=({},),
)
async def drift_security_audit(
    call: Call, module: Annotated[KnownPath | None, "Only boundaries of files below this path"] = None
) -> Answer[ComposedData]:
    """A security audit in one call. Summary, boundaries, reachability, flows, secrets and the security gate over all code."""
    return await _compose(call, "drift_security_audit", {"module": module})


async def _compose(call: Call, name: str, given: Mapping[str, str | None]) -> Answer[ComposedData]:
    wanted = workflow(name)
    budget = call.max_tokens or wanted.max_tokens
    merged = await run_steps(call, wanted.steps, given={"input": given}, budget_tokens=budget)
    told = "; ".join(each.summary for each in merged.sections[:1])
    missing = f", {len(merged.unanswered)} without an answer" if merged.unanswered else ""
    return Answer(
        f"{wanted.title}: {plural(len(merged.sections), 'section')}{missing}. {told}",
        ComposedData(merged.sections, merged.unanswered),
        next=merged.next,
        warnings=merged.warnings,
        max_tokens=budget,
    )
