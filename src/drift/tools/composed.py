"""Tools that run several others and answer as one, as context/workflows.toml says."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from drift.context.workflows import workflow
from drift.index import Layer
from drift.kernel.answer import Answer
from drift.kernel.text import plural
from drift.registry import Call, KnownPath, Length, Scope, Tier, tool
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
    """Where sensitive data lives and what guards it. Summary, boundaries, who reaches the worst table, secrets, the gate's rules."""
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
    """What is weak, in one call. Summary, boundaries, who reaches the worst table, secrets, and where data of requests does harm."""
    return await _compose(call, "drift_security_audit", {"module": module})


@tool(
    category="orchestration",
    title="Plan a refactoring",
    tokens=(1000, 6000),
    tier=Tier.EXPENSIVE,
    needs=Layer.CALLS,
    is_long=True,
    examples=({"target": "Cart.load"}, {"target": "shop/models.py"}),
)
async def drift_refactor_plan(
    call: Call,
    target: Annotated[str, Length(4096), "File, symbol or path:line"],
    file: Annotated[KnownPath | None, "File of the symbol"] = None,
) -> Answer[ComposedData]:
    """What a refactoring must heed. Impact, callers, coupling, who notices a move, what no test covers, tests to run."""
    return await _compose(call, "drift_refactor_plan", {"target": target, "file": file})


@tool(
    category="orchestration",
    title="Review a change",
    tokens=(1000, 6000),
    tier=Tier.EXPENSIVE,
    needs=Layer.CALLS,
    is_long=True,
    examples=({}, {"file": "shop/models.py"}),
)
async def drift_code_review(
    call: Call,
    file: Annotated[KnownPath | None, "Only this file of the change"] = None,
    base: Annotated[str | None, "Commit or branch to compare with"] = None,
) -> Answer[ComposedData]:
    """What a review of the change must know. Whom it reaches, the gate, conventions of the file, lost errors, tests to run."""
    return await _compose(call, "drift_code_review", {"file": file, "base": base})


@tool(
    category="orchestration",
    title="Context of a bug",
    tokens=(1000, 6000),
    tier=Tier.EXPENSIVE,
    needs=Layer.CALLS,
    is_long=True,
    examples=({"issue": "the total is wrong with two discounts"},),
)
async def drift_debug_context(
    call: Call,
    issue: Annotated[str, "Report, error message or stack trace"],
    symbol: Annotated[str | None, "Where it shows, if known"] = None,
    file: Annotated[KnownPath | None, "Where you are"] = None,
) -> Answer[ComposedData]:
    """What to know of a bug. Likely places, callers, impact, where errors end, recent changes, conventions."""
    return await _compose(call, "drift_debug_context", {"issue": issue, "symbol": symbol, "file": file})


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
