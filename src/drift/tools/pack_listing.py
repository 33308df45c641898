"""What is told of packs: which there are, what one holds, which fits a task, which tools are used most."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from drift.context.composition import Step
from drift.context.pack_usage import read_runs
from drift.context.packs import Taken, complete_steps
from drift.kernel.answer import Answer, NextAction
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.text import plural
from drift.kernel.wire import to_wire
from drift.registry import Call, Effect, Intent
from drift.registry.pack_files import pack_path
from drift.registry.pack_suggestion import SuggestedPack, suggest_packs
from drift.registry.packs import Pack, Packs
from drift.tools.workflow_answers import Section, Unanswered

logger = logging.getLogger(__name__)

_LEAST_CALLS: Final = 3  # fewer say nothing of a habit
_MOST_INFERRED: Final = 8
_INFERRED_NAME: Final = "most-used"


@dataclass(frozen=True, slots=True)
class PackRow:
    """A pack. `tools` says how many of its tools this version has; `runs` is of 30 days, null when not counted."""

    name: str
    does: str
    tools: str
    is_custom: bool
    runs: int | None


@dataclass(frozen=True, slots=True)
class PackDetail:
    """A pack as its file holds it, the tools this version lacks, and the calls of tools it has no step for."""

    definition: Mapping[str, Any]
    missing_tools: tuple[str, ...]
    usual_steps: tuple[Step, ...]
    file: str | None = None


@dataclass(frozen=True, slots=True)
class PackRun:
    """What the steps of a pack found, those that found nothing with the reason, and the tokens shared among them."""

    pack: str
    budget_tokens: int
    sections: tuple[Section, ...]
    unanswered: tuple[Unanswered, ...]


@dataclass(frozen=True, slots=True)
class UsedTool:
    """How often a tool was called in the counted days."""

    tool: str
    calls: int


@dataclass(frozen=True, slots=True)
class PackData:
    """What the action was about; the rest is absent."""

    packs: tuple[PackRow, ...] | None = None
    pack: PackDetail | None = None
    run: PackRun | None = None
    suggestions: tuple[SuggestedPack, ...] | None = None
    used: tuple[UsedTool, ...] | None = None
    definition: Mapping[str, Any] | None = None


def list_packs(call: Call, packs: Packs) -> Answer[PackData]:
    runs = _runs(call)
    toolbox = call.runtime.toolbox
    rows = tuple(
        PackRow(
            pack.name,
            pack.description,
            f"{sum(each in toolbox for each in pack.tools)} of {len(pack.tools)}",
            pack.is_custom,
            None if runs is None else runs.get(pack.name, 0),
        )
        for pack in packs.by_name.values()
    )
    own = sum(row.is_custom for row in rows)
    return Answer(
        f"{plural(len(rows), 'pack')}, {own} of the project's own",
        PackData(packs=rows),
        next=(call.suggest("drift_pack", "run one", action="run", name="NAME", focus="TASK"),),
        warnings=tuple(f"pack {problem}" for problem in packs.problems),
    )


def show_pack(call: Call, pack: Pack) -> Answer[PackData]:
    usual = tuple(
        step for step in steps_of(call, pack)[len(pack.steps) :] if step.tool in call.runtime.toolbox
    )
    # What the file of the pack would hold: where it comes from is not part of it.
    plain = {key: value for key, value in to_wire(replace(pack, file_name=None)).items() if key != "isCustom"}
    missing = tuple(name for name in pack.tools if name not in call.runtime.toolbox)
    file = shown_path(call, pack) if pack.is_custom else None
    return Answer(
        f"{pack.title}: {pack.description}; {len(pack.tools) - len(missing)} of {plural(len(pack.tools), 'tool')} here",
        PackData(pack=PackDetail(plain, missing, usual, file)),
        next=(call.suggest("drift_pack", "run it", action="run", name=pack.name, focus="TASK"),),
    )


def suggest_for(packs: Packs, *, focus: str, file: str | None, intent: Intent | None) -> Answer[PackData]:
    if not (focus or file or intent):
        raise DriftError(
            ErrorCode.MISSING_REQUIRED_PARAM,
            "focus: give focus, file or intent when action=suggest",
            Recovery(details={"argument": "focus"}),
        )
    found = suggest_packs(packs.by_name.values(), intent=intent, file=file, text=focus)
    given = {"focus": focus, "file": file}
    known = {key: value for key, value in given.items() if value}
    actions = tuple(
        NextAction("drift_pack", {"action": "run", "name": each.name, **known}, each.reason)
        for each in found[:1]
    )
    summary = f"{found[0].name} fits best ({found[0].reason})" if found else "No pack has a trigger for this"
    return Answer(summary, PackData(suggestions=found), next=actions)


def infer_pack(call: Call) -> Answer[PackData]:
    """A pack of the tools that are called most, from the counts on this machine."""
    usage = call.runtime.usage(call.project)
    toolbox = call.runtime.toolbox
    found = [(row, toolbox.find(row.tool)) for row in usage.tools if row.calls >= _LEAST_CALLS]
    used = tuple(
        UsedTool(row.tool, row.calls)
        for row, known in found
        if known is not None and known.effect is Effect.READS
    )[:_MOST_INFERRED]
    if not used:
        off = "" if usage.enabled else "; counting is off"
        switch = call.suggest("drift_telemetry", "count from now on, on this machine alone", action="enable")
        return Answer(
            f"No tool was called {_LEAST_CALLS} times in {usage.days} days{off}",
            PackData(used=()),
            next=() if usage.enabled else (switch,),
        )
    document = {
        "name": _INFERRED_NAME,
        "title": "Most used here",
        "description": f"The tools called most in {usage.days} days",
        "tools": [each.tool for each in used],
    }
    return Answer(
        f"{plural(len(used), 'tool')} called {_LEAST_CALLS} times or more in {usage.days} days",
        PackData(used=used, definition=document),
        next=(call.suggest("drift_pack", "keep it as a pack", action="create", definition=document),),
    )


def steps_of(call: Call, pack: Pack) -> tuple[Step, ...]:
    known = {name: call.runtime.toolbox.find(name) for name in pack.tools}
    taken = {
        name: [Taken(each.wire, each.is_required) for each in found.parameters if not each.is_page]
        for name, found in known.items()
        if found is not None
    }
    return complete_steps(pack.steps, pack.tools, taken)


def shown_path(call: Call, pack: Pack) -> str:
    """The file of a project's own pack, from the root where it lies below."""
    path = pack_path(call.project, pack)
    inside = path.is_relative_to(call.project.root)
    return (path.relative_to(call.project.root) if inside else path).as_posix()


def _runs(call: Call) -> Mapping[str, int] | None:
    """The runs of each pack, or None where nobody agreed to counting or the counts cannot be read."""
    if not call.runtime.usage(call.project).enabled:
        return None
    try:
        return read_runs(call.project.state, call.runtime.today())
    except DriftError as error:
        logger.warning("runs of packs are not known: %s", error.message)
        return None
