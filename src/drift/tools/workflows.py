"""Runs the steps of a workflow through the pipeline, those that can at the same time."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from drift.context.composition import INPUT, SETTINGS, Step, order_calls
from drift.context.composition_paths import Reference, Scope, fill
from drift.context.packs import PACK_INPUTS
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.registry import Call, Effect, InputRequired, Outcome, View, hidden_because
from drift.registry.definition import LEAST_TOKENS
from drift.tools.workflow_answers import Merged, StepEnd, merge


async def run_steps(call: Call, steps: Sequence[Step], *, given: Scope, budget_tokens: int) -> Merged:
    """The merged answer. Steps that cannot run are named; one that is required ends it with its own error."""
    by_id = {step.id: step for step in steps}
    running: dict[str, asyncio.Task[StepEnd]] = {}
    step_tokens = max(budget_tokens, LEAST_TOKENS)
    async with asyncio.TaskGroup() as group:
        for identity in order_calls({step.id: step.earlier for step in steps}):
            running[identity] = group.create_task(
                _run(call, by_id[identity], running, given=given, max_tokens=step_tokens)
            )
    ends = [running[step.id].result() for step in steps]
    _require(ends)
    return merge(ends, budget_tokens)


async def _run(
    call: Call,
    step: Step,
    running: Mapping[str, asyncio.Task[StepEnd]],
    *,
    given: Scope,
    max_tokens: int,
) -> StepEnd:
    reason = _forbids(call, step)
    if reason is not None:
        return StepEnd(step, skipped=reason)
    earlier = {each: await asyncio.shield(running[each]) for each in step.earlier}
    scope = {**given, **{identity: _data(end) for identity, end in earlier.items()}}
    if not step.is_wanted(scope):
        return StepEnd(step, skipped=f"only when {step.when}")
    filled = fill(step.args, scope)
    if filled.missing:
        return _lacking(step, *filled.missing[0])
    try:
        outcome = await call.dispatch(
            step.tool, {**filled.arguments, "maxTokens": max_tokens}, is_for_client=False
        )
    except InputRequired as required:
        return StepEnd(step, skipped=f"asks {required.question.message!r}; call it by itself")
    return StepEnd(step, filled.arguments, outcome)


def _forbids(call: Call, step: Step) -> str | None:
    """Why the step's tool is not called here, or None when it is."""
    tool = call.runtime.toolbox.find(step.tool)
    if tool is None:
        return "not in this version of Drift"
    # A repository brings its packs along: running one must change nothing.
    if tool.effect_of(step.args) is not Effect.READS:
        return "may change something; call it by itself"
    known = call.runtime.view(call.project, call.caller)
    # What the index lacks does not count: the call itself has it scanned, or says that it must be.
    return hidden_because(tool, View(known.today, known.languages, scopes=known.scopes))


def _lacking(step: Step, argument: str, reference: Reference) -> StepEnd:
    asked = [str(path.parts[0]) for path in reference.paths if path.source == INPUT and path.parts]
    if asked == [argument] and argument not in PACK_INPUTS:
        return StepEnd(step, skipped=f"needs {argument}; call it by itself")
    searched = [path.source for path in reference.paths if path.source not in (INPUT, SETTINGS)]
    ways = [f"give {' or '.join(asked)}"] if asked else []
    ways += [f"step {each} has none" for each in searched]
    reason = f"{argument} is not known: {', '.join(ways) or reference}"
    return StepEnd(step, skipped=reason, lacking=asked[0] if asked else None)


def _data(end: StepEnd) -> Mapping[str, Any]:
    data = end.answer.body.get("data") if end.answer else None
    return data if isinstance(data, Mapping) else {}


def _require(ends: Sequence[StepEnd]) -> None:
    """Raise the cause where a required step has no answer, or where every step that ran failed."""
    for end in ends:
        if end.step.required and end.failure is not None:
            raise _cause(end.step, end.failure)
        if end.step.required and end.lacking is not None:
            raise DriftError(
                ErrorCode.MISSING_REQUIRED_PARAM,
                f"{end.lacking}: step {end.step.id} ({end.step.tool}) cannot do without; {end.skipped}",
                Recovery(details={"argument": end.lacking}),
            )
    failures = [(end.step, end.failure) for end in ends if end.failure is not None]
    if failures and not any(end.answer for end in ends):
        raise _cause(*failures[0])


def _cause(step: Step, failure: Outcome) -> DriftError:
    body = failure.body
    return DriftError(
        ErrorCode(str(failure.code)),
        f"Step {step.id} ({step.tool}): {body['message']}",
        Recovery(
            hint=body.get("hint"),
            similar=tuple(body.get("similar", ())),
            alternative_tools=tuple(body.get("alternativeTools", ())),
            command=body.get("command"),
            retry_after_ms=body.get("retryAfterMs"),
        ),
    )
