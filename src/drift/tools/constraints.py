"""Constraints: invariants the project holds to or wrote down, and whether code keeps them."""

from datetime import UTC, datetime
from typing import Annotated

from drift.guards.constraints.asking import ConstraintAction, ConstraintsData, ConstraintWish, answer
from drift.guards.constraints.form import ConstraintCategory, ConstraintStatus
from drift.index import Layer
from drift.kernel.answer import Answer
from drift.kernel.arguments import Range
from drift.registry import Call, Effect, Length, ProjectFile, Scope, tool
from drift.registry.indexes import opened_index


@tool(
    category="analysis",
    title="Constraints",
    tokens=(400, 2500),
    effect=Effect.WRITES,
    action_scopes={"approve": frozenset({Scope.WRITE}), "ignore": frozenset({Scope.WRITE})},
    needs=Layer.CALLS,
    examples=({"action": "list"}, {"action": "verify"}, {"action": "extract", "category": "auth"}),
)
def drift_constraints(
    call: Call,
    action: Annotated[ConstraintAction, "approve and ignore write .drift/rules/constraints.toml"] = "list",
    id: Annotated[str | None, Length(400), "Needed to show, approve or ignore"] = None,  # noqa: A002 - the word agents use
    *,
    file: Annotated[ProjectFile | None, "Verify this file alone"] = None,
    category: ConstraintCategory | None = None,
    status: ConstraintStatus | None = None,
    min_confidence: Annotated[float, Range(0, 1), "Of mined ones"] = 0.8,
    reason: Annotated[str | None, Length(1000), "Why it is approved or ignored"] = None,
    limit: Annotated[int, Range(1, 200)] = 20,
) -> Answer[ConstraintsData]:
    """Invariants of the code, mined or written: layers, wrappers, guards on routes; what breaks them."""
    wish = ConstraintWish(action, id, file, category, status, min_confidence, reason, limit)
    by = "person" if call.caller.is_person else str(call.caller.id)
    with opened_index(call) as reader:
        said = answer(reader, call.project, wish, by=by, now=datetime.now(UTC))
    return Answer(said.summary, said.data, warnings=said.warnings)
