"""Setup: prepare a project, count use on this machine, clear what is remembered of answers."""

import json
from dataclasses import dataclass
from typing import Annotated, Literal

from drift.kernel.answer import Answer, NextAction
from drift.kernel.errors import invalid
from drift.kernel.text import plural
from drift.project import SetupOptions, SetupState, initialise, setup_state
from drift.registry import CATEGORIES, Call, Effect, Length, Question, UsageStatus, tool

_INIT_QUESTION = "Set up Drift in this project?"


@dataclass(frozen=True, slots=True)
class SetupData:
    """What is set up, what was just done, and which options were assumed because nobody was asked."""

    state: SetupState
    done: tuple[str, ...]
    assumed: tuple[str, ...]


@tool(
    category="setup",
    title="Set up a project",
    tokens=(150, 400),
    effect=Effect.WRITES,
    examples=({"action": "status"}, {"action": "init", "name": "shop", "register": True}),
)
async def drift_setup(
    call: Call,
    action: Literal["status", "init"] = "status",
    name: Annotated[str | None, Length(100), "Project name"] = None,
    register: Annotated[bool | None, "List it in ~/.drift/projects.json"] = None,
) -> Answer[SetupData]:
    """What is set up here, or set it up: .drift/, drift.toml and the project list."""
    root, projects = call.project.root, call.runtime.projects
    if action == "status":
        state = setup_state(root, projects)
        return Answer(_summary(call, state), SetupData(state, (), ()), next=_next(call, state))
    options, assumed = await _options(call, name, register)
    done = initialise(root, options, projects)
    state = setup_state(root, projects)
    return Answer(
        f"{options.name} is set up" if done else f"{options.name} was set up already; nothing changed",
        SetupData(state, done, assumed if done else ()),
    )


async def _options(
    call: Call, name: str | None, register: bool | None
) -> tuple[SetupOptions, tuple[str, ...]]:
    """The given options; missing ones are asked for, and assumed when nobody answers."""
    given = {"name": name, "register": register}
    missing = [key for key, value in given.items() if value is None]
    defaults = {"name": call.project.name, "register": True}
    if missing:
        reply = await call.client.ask(_question(call, missing))
        if reply is not None and not reply.accepted:
            raise invalid("action", "the person declined the set-up", hint="Nothing was changed.")
        answered = dict(reply.content) if reply else {}
        given |= {key: answered[key] for key in missing if answered.get(key) not in (None, "")}
    assumed = tuple(f"{key}={json.dumps(defaults[key])}" for key, value in given.items() if value is None)
    settled = {key: defaults[key] if value is None else value for key, value in given.items()}
    return SetupOptions(name=str(settled["name"]), register=bool(settled["register"])), assumed


def _question(call: Call, missing: list[str]) -> Question:
    fields = {
        "name": {"type": "string", "title": "Project name", "default": call.project.name, "maxLength": 100},
        "register": {"type": "boolean", "title": "List it in ~/.drift/projects.json", "default": True},
    }
    return Question(
        "setup", _INIT_QUESTION, {"type": "object", "properties": {key: fields[key] for key in missing}}
    )


def _summary(call: Call, state: SetupState) -> str:
    return f"{call.project.name} is {'set up' if state.has_state_dir else 'not set up yet'}"


def _next(call: Call, state: SetupState) -> tuple[NextAction, ...]:
    return () if state.has_state_dir else (call.suggest(drift_setup, "prepare the project", action="init"),)


@dataclass(frozen=True, slots=True)
class TelemetryData:
    """Whether use is counted, where the counts are, and that they stay there."""

    leaves_this_machine: bool
    usage: UsageStatus


@tool(category="setup", title="Usage counts on this machine", tokens=(100, 400), effect=Effect.WRITES)
def drift_telemetry(
    call: Call, action: Literal["status", "enable", "disable"] = "status"
) -> Answer[TelemetryData]:
    """Local usage counts: status, enable or disable. Nothing ever leaves this machine."""
    if action == "status":
        usage = call.runtime.usage(call.project)
    else:
        usage = call.runtime.keep_usage(call.project, enabled=action == "enable")
    counted = sum(row.calls for row in usage.tools)
    state = "on" if usage.enabled else "off"
    return Answer(
        f"Usage counting is {state}; {plural(counted, 'call')} in {usage.days} days. Nothing ever leaves this machine.",
        TelemetryData(leaves_this_machine=False, usage=usage),
    )


@dataclass(frozen=True, slots=True)
class ClearedData:
    """How many kept answers were forgotten."""

    forgotten: int


@tool(category="setup", title="Clear cached answers", tokens=(50, 100), effect=Effect.WRITES)
def drift_cache_clear(
    call: Call,
    category: Annotated[str | None, "Only answers of this category"] = None,
    everywhere: Annotated[bool, "Other projects, too"] = False,
) -> Answer[ClearedData]:
    """Forget cached answers, so that the next call computes anew."""
    if category is not None and category not in CATEGORIES:
        raise invalid("category", f"got {category[:60]!r}; allowed: {', '.join(CATEGORIES)}")
    categories = frozenset({category}) if category else None
    forgotten = call.runtime.clear_cache(None if everywhere else call.project, categories)
    return Answer(f"{plural(forgotten, 'cached answer')} forgotten", ClearedData(forgotten))
