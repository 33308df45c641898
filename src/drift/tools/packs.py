"""Packs: bundles of tools for one kind of task, run as one call."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Final, Literal

from drift.context.pack_usage import count_run
from drift.kernel.answer import Answer
from drift.kernel.errors import DriftError, ErrorCode, Recovery, invalid, needed
from drift.kernel.text import plural
from drift.kernel.wire import to_wire
from drift.registry import Call, Effect, Intent, Length, ProjectFile, Question, Scope, tool
from drift.registry.pack_files import create_pack, delete_pack, pack_path
from drift.registry.pack_suggestion import suggest_packs
from drift.registry.packs import Pack, Packs
from drift.tools.pack_listing import (
    PackData,
    PackRun,
    infer_pack,
    list_packs,
    show_pack,
    shown_path,
    steps_of,
    suggest_for,
)
from drift.tools.workflows import run_steps

logger = logging.getLogger(__name__)

Action = Literal["list", "get", "run", "suggest", "infer", "create", "delete"]
_TARGET_TOKENS: Final = 4_000
_MOST_TOKENS: Final = 100_000  # as much as a pack may ask for; its own budget is the limit


@tool(
    category="orchestration",
    title="Packs of tools for a task",
    tokens=(200, 12_000),
    effect=Effect.DESTROYS,
    is_idempotent=False,
    action_scopes={"create": frozenset({Scope.WRITE}), "delete": frozenset({Scope.WRITE})},
    max_tokens=_MOST_TOKENS,
    examples=(
        {"action": "list"},
        {"action": "run", "name": "bug-fix", "focus": "Cart total is wrong when an item has a discount"},
        {"action": "suggest", "focus": "restructure the cart"},
    ),
)
async def drift_pack(
    call: Call,
    action: Annotated[Action | None, "Default: run with name, suggest with focus, else list"] = None,
    name: Annotated[str | None, Length(64)] = None,
    *,
    focus: Annotated[str | None, "The task in words"] = None,
    target: Annotated[str | None, Length(4096), "Symbol, file or path:line; else found by focus"] = None,
    file: Annotated[ProjectFile | None, "Where you are"] = None,
    intent: Intent | None = None,
    definition: Annotated[dict[str, Any] | None, "create: as action=get shows one"] = None,
    confirm: Annotated[bool, "delete without asking"] = False,
) -> Answer[PackData]:
    """Run the tools of a task as one call and get one merged answer; or list, show, suggest, make, delete packs."""
    packs = call.runtime.packs(call.project)
    action = action or _meant(name, definition, focus or target or file or intent)
    match action:
        case "list":
            return await asyncio.to_thread(list_packs, call, packs)
        case "suggest":
            return suggest_for(packs, focus=focus or target or "", file=file, intent=intent)
        case "infer":
            return await asyncio.to_thread(infer_pack, call)
        case "create":
            return await asyncio.to_thread(
                _create, call, packs, needed("definition", definition, when=f"action={action}")
            )
        case "get":
            return show_pack(call, packs.get(needed("name", name, when=f"action={action}")))
        case "delete":
            return await _delete(
                call, packs.get(needed("name", name, when=f"action={action}")), confirm=confirm
            )
        case "run":
            pack = packs.get(_named(packs, name, focus=focus or "", file=file, intent=intent))
            given = {
                "focus": focus,
                "target": await _settle(call, target) if target else None,
                "file": file,
                "intent": str(intent) if intent else None,
            }
            return await _run(call, pack, given, budget_tokens=call.max_tokens or pack.config.max_tokens)


async def _run(
    call: Call, pack: Pack, given: Mapping[str, str | None], *, budget_tokens: int
) -> Answer[PackData]:
    scope = {"input": given, "pack": {**to_wire(pack.config), "intent": pack.intent}}
    merged = await run_steps(call, steps_of(call, pack), given=scope, budget_tokens=budget_tokens)
    await asyncio.to_thread(_count, call, pack)
    failed = sum(each.code is not None for each in merged.unanswered)
    skipped = len(merged.unanswered) - failed
    cut = sum(bool(each.cut) for each in merged.sections)
    found = "; ".join(each.summary for each in merged.sections[:1])
    counted = [f"{failed} failed"] * bool(failed) + [f"{skipped} skipped"] * bool(skipped)
    counted += [f"{cut} cut to fit {budget_tokens:,} tokens"] * bool(cut)
    title = f"{pack.title} (the project's own pack)" if pack.is_custom else pack.title
    summary = f"{title}: {', '.join([plural(len(merged.sections), 'section'), *counted])}"
    return Answer(
        f"{summary}. {found}" if found else summary,
        PackData(run=PackRun(pack.name, budget_tokens, merged.sections, merged.unanswered)),
        next=merged.next,
        warnings=merged.warnings,
        max_tokens=budget_tokens,
    )


def _create(call: Call, packs: Packs, document: Mapping[str, Any]) -> Answer[PackData]:
    pack, path = create_pack(call.project, packs, document)
    unknown = [each for each in pack.tools if each not in call.runtime.toolbox]
    warnings = [f"This version of Drift has no {', '.join(unknown)}"] if unknown else []
    if pack.name in packs.by_name:
        warnings.append(f"It now stands in place of the built-in pack {pack.name}")
    shown = show_pack(call, replace(pack, file_name=path.name))
    return Answer(
        f"Wrote {pack.name}: {shown.summary}", shown.data, next=shown.next, warnings=tuple(warnings)
    )


async def _settle(call: Call, target: str) -> str:
    """The place of the one symbol a target means, so that all steps mean the same; any other target as it is."""
    if "drift_explain" not in call.runtime.toolbox:
        return target
    # As a call, which sees to it that the index is fresh: an old line would be that of another symbol.
    explained = await call.dispatch("drift_explain", {"target": target, "maxTokens": _TARGET_TOKENS})
    data = {} if explained.is_error else explained.body.get("data") or {}
    symbol = data.get("symbol")
    return f"{symbol['file']}:{symbol['line']}" if symbol and not data.get("others") else target


async def _delete(call: Call, pack: Pack, *, confirm: bool) -> Answer[PackData]:
    path = pack_path(call.project, pack)
    file = shown_path(call, pack)
    if not confirm:
        schema = {"type": "object", "properties": {"confirm": {"type": "boolean", "title": f"Delete {file}"}}}
        reply = await call.client.ask(Question("delete", f"Delete the pack {pack.name} ({file})?", schema))
        if reply is None:
            raise DriftError(
                ErrorCode.MISSING_REQUIRED_PARAM,
                f"confirm: deleting {file} cannot be undone by Drift; call again with confirm=true",
                Recovery(details={"argument": "confirm"}),
            )
        if not (reply.accepted and reply.content.get("confirm", True)):
            raise invalid("action", "the person declined", hint="Nothing was deleted.")
    await asyncio.to_thread(delete_pack, path)
    return Answer(f"Deleted the pack {pack.name} ({file})", PackData())


def _count(call: Call, pack: Pack) -> None:
    """Count a run if the project's people agreed. The answer does not depend on it."""
    try:
        if call.runtime.usage(call.project).enabled:
            count_run(call.project.state, pack.name, call.runtime.today())
    except DriftError as error:
        logger.warning("a run of %s was not counted: %s", pack.name, error.message)


def _named(packs: Packs, name: str | None, *, focus: str, file: str | None, intent: Intent | None) -> str:
    """The pack to run; the error for none names those that fit the task."""
    if name is not None:
        return name
    fitting = suggest_packs(packs.by_name.values(), intent=intent, file=file, text=focus)
    raise DriftError(
        ErrorCode.MISSING_REQUIRED_PARAM,
        f"name: required when action=run; there are {', '.join(packs.by_name)}",
        Recovery(similar=tuple(each.name for each in fitting[:3]), details={"argument": "name"}),
    )


def _meant(name: str | None, definition: Mapping[str, Any] | None, task: str | None) -> Action:
    """The action that goes with what was given. What writes has to be named, since it takes rights of its own."""
    if definition is not None:
        raise DriftError(
            ErrorCode.MISSING_REQUIRED_PARAM,
            "action: a definition goes with action=create",
            Recovery(details={"argument": "action"}),
        )
    return "run" if name is not None else "suggest" if task else "list"
