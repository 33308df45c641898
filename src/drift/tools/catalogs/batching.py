"""The action that runs several others, each by itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from drift.kernel.answer import Answer
from drift.kernel.errors import invalid
from drift.registry import Call, Effect, InputRequired, Length, Outcome, tool
from drift.tools.catalogs.actions import find_action, run_action

_MOST_OPERATIONS: Final = 100


@dataclass(frozen=True, slots=True)
class OperationResult:
    """What one operation came to: its `result`, or its `error`."""

    action: str
    ok: bool
    result: Any = None
    error: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class OperationsData:
    """All results, in the order of the operations."""

    results: tuple[OperationResult, ...]
    succeeded: int
    failed: int


# Its own effect and rights are those of what it runs, which are checked one by one.
@tool(
    category="catalog",
    title="Several actions at once",
    tokens=(100, 16000),
    effect=Effect.WRITES,
    is_idempotent=False,
    scopes=frozenset(),
    max_tokens=16_000,
    examples=({"operations": [{"action": "list"}, {"action": "get", "id": "use-uv"}]},),
)
async def instructions_batch(
    call: Call,
    operations: Annotated[tuple[dict[str, Any], ...], Length(_MOST_OPERATIONS), "[{action, …}]"],
) -> Answer[OperationsData]:
    """Several actions, one after the other; a failing one does not stop the rest."""
    if not operations:
        raise invalid("operations", "got an empty list; give at least one operation")
    results = tuple([await _run(call, each) for each in operations])
    succeeded = sum(each.ok for each in results)
    data = OperationsData(results, succeeded, len(results) - succeeded)
    return Answer(f"{succeeded} succeeded, {data.failed} failed", data)


async def _run(call: Call, operation: Mapping[str, Any]) -> OperationResult:
    action = operation.get("action")
    if not isinstance(action, str):
        missing = invalid("action", "required; the name of an action").as_wire()
        return OperationResult("", ok=False, error=missing)
    found = find_action(call.runtime.toolbox, "instructions", action)
    if found is not None and found.name == call.tool.name:
        # Each level would multiply what one request can ask for.
        nested = invalid("action", "a batch cannot hold a batch; give its operations themselves").as_wire()
        return OperationResult(action, ok=False, error=nested)
    arguments = {name: value for name, value in operation.items() if name != "action"}
    try:
        outcome = await run_action(call, "instructions", action, arguments)
    except InputRequired as required:
        asked = invalid("action", f"asks {required.question.message!r}; call it by itself").as_wire()
        return OperationResult(action, ok=False, error=asked)
    return _result(action, outcome)


def _result(action: str, outcome: Outcome) -> OperationResult:
    if outcome.is_error:
        return OperationResult(action, ok=False, error=outcome.body)
    return OperationResult(action, ok=True, result=outcome.body.get("data"))
