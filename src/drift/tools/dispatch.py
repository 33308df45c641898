"""Dispatch: any tool by name, one at a time or many at once."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from drift.context.composition import order_calls
from drift.kernel.answer import Answer
from drift.kernel.errors import invalid
from drift.kernel.text import plural
from drift.registry import Call, Effect, InputRequired, Length, Outcome, Tier, tool

_MOST_CALLS = 20


@tool(
    category="orchestration",
    title="Call a tool",
    tokens=(100, 4000),
    tier=Tier.RELAY,
    effect=Effect.WRITES,
    is_idempotent=False,
    scopes=frozenset(),
    examples=({"name": "drift_status"},),
)
async def drift_tool(
    call: Call, name: Annotated[str, "From drift_discover"], args: dict[str, Any] | None = None
) -> Outcome:
    """Ask the code by tool name: who calls it, what breaks, which tests to run, where it is defined.

    Also similar or dead code, call paths, types, imports, dependencies, recent changes.
    """
    return await call.dispatch(name, args or {})


@dataclass(frozen=True, slots=True)
class BatchCall:
    """One call of a batch. `after` names calls (by id) that must have succeeded first."""

    tool: str
    args: dict[str, Any] | None = None
    id: str | None = None
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BatchResult:
    """What one call of a batch came to: the tool's whole answer with its own meta."""

    id: str
    tool: str
    ok: bool
    answer: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class BatchData:
    """All results, in the order the calls were given."""

    succeeded: int
    failed: int
    results: tuple[BatchResult, ...]


@tool(
    category="orchestration",
    title="Call several tools at once",
    tokens=(300, 16000),
    effect=Effect.WRITES,
    is_idempotent=False,
    scopes=frozenset(),
    max_tokens=16_000,
    is_long=True,  # each of its calls has its own limit, or none
    examples=({"calls": [{"tool": "drift_status"}, {"tool": "drift_capabilities"}]},),
)
async def drift_batch(
    call: Call,
    calls: Annotated[tuple[BatchCall, ...], Length(_MOST_CALLS), "Independent calls run in parallel"],
) -> Answer[BatchData]:
    """Several calls in one; a failing one does not stop the others."""
    named = {each.id or str(position): each for position, each in enumerate(calls, 1)}
    _check(calls, named)
    try:
        ordered = order_calls({identity: each.after for identity, each in named.items()})
    except ValueError as error:
        raise invalid("calls", f"the calls {error}") from error
    running: dict[str, asyncio.Task[BatchResult]] = {}
    async with asyncio.TaskGroup() as group:
        for identity in ordered:
            running[identity] = group.create_task(_run(call, identity, named[identity], running))
    results = tuple(running[identity].result() for identity in named)
    succeeded = sum(result.ok for result in results)
    data = BatchData(succeeded, len(results) - succeeded, results)
    return Answer(f"{plural(len(results), 'call')}: {succeeded} succeeded, {data.failed} failed", data)


async def _run(
    call: Call, identity: str, wanted: BatchCall, running: Mapping[str, asyncio.Task[BatchResult]]
) -> BatchResult:
    for earlier in wanted.after:
        if not (await asyncio.shield(running[earlier])).ok:
            skipped = {"code": "CANCELLED", "message": f"not run: {earlier} failed"}
            return BatchResult(identity, wanted.tool, ok=False, answer=skipped)
    try:
        outcome = await call.dispatch(wanted.tool, wanted.args or {})
    except InputRequired as required:
        asked = {
            "code": "INVALID_ARGUMENT",
            "message": f"asks {required.question.message!r}; call it by itself",
        }
        return BatchResult(identity, wanted.tool, ok=False, answer=asked)
    return BatchResult(identity, wanted.tool, ok=not outcome.is_error, answer=outcome.structured())


def _check(calls: tuple[BatchCall, ...], named: Mapping[str, BatchCall]) -> None:
    if not calls:
        raise invalid("calls", "got an empty list; give at least one call")
    if len(named) < len(calls):
        raise invalid("calls", "two calls have the same id")
    for identity, each in named.items():
        unknown = [earlier for earlier in each.after if earlier not in named]
        if unknown:
            raise invalid(f"calls.{identity}.after", f"there is no call with the id {unknown[0][:60]!r}")
