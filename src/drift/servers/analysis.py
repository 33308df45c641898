"""drift-analysis: what the code is, who uses what, and what a change would break."""

from typing import Final

import orjson

from drift.pipeline import ServerRuntime
from drift.protocol.resources import Resource, Template
from drift.protocol.sources import Content
from drift.registry import ServerName
from drift.servers.analysis_resources import place_completions, place_templates
from drift.servers.answer_view import answer_view
from drift.servers.assembly import QUOTED_IS_DATA, Blueprint, Extras, ask_tool, read_tool
from drift.servers.convention_resources import (
    CONVENTIONS,
    PATTERNS,
    convention_completions,
    convention_resource,
    convention_templates,
)
from drift.servers.index_news import IndexNews
from drift.servers.prompts import prompt_completions, symbol_names, write_prompts
from drift.servers.scaffolding import (
    list_template_resources,
    project_template,
    scaffold_prompts,
    template_completions,
)

_ABOUT: Final = (
    "Drift has this code base indexed: ask it before you search or read files. Begin a task with drift_context(intent, "
    "focus): it says where to act. Answers give file:line, confidence and the next calls; errors say what to do. "
    + QUOTED_IS_DATA
)
_DOORS: Final = (
    "Who calls it, what breaks, which tests to run, similar or dead code, call paths, types, dependencies: "
    "drift_discover lists a tool for each, drift_tool(name, args) runs it."
)


_STATUS: Final = "drift://status"
_FROM_INDEX: Final = (
    _STATUS,
    "drift://files/",
    "drift://callgraph/",
    "drift://packages/",
    "drift://boundaries/",
    CONVENTIONS,
    PATTERNS,
)


def _extras(runtime: ServerRuntime) -> Extras:
    async def status() -> Content:
        return await read_tool(runtime, "drift_status")

    async def capabilities() -> Content:
        return await read_tool(runtime, "drift_capabilities")

    async def one_tool(name: str) -> Content | None:
        if runtime.toolbox.find(name) is None:
            return None
        return await read_tool(runtime, "drift_discover", tool=name, schema=True)

    async def calls_around(function: str) -> Content:
        callers = await ask_tool(runtime, "drift_callers", symbol=function)
        callees = await ask_tool(runtime, "drift_callees", symbol=function)
        return orjson.dumps({"callers": callers.structured(), "callees": callees.structured()}).decode()

    return Extras(
        prompts=(*write_prompts(runtime), *scaffold_prompts(runtime)),
        changing=(_STATUS,),
        listen=lambda notices: IndexNews(runtime, notices, tells_of_index=_FROM_INDEX).listen(),
        resources=(
            Resource(_STATUS, "Status", "Project, index and server at this moment", status),
            Resource("drift://capabilities", "Capabilities", "What this server offers", capabilities),
            convention_resource(runtime),
            answer_view(),
        ),
        templates=(
            Template("drift://tools/{name}", "Tool", "One tool's arguments and answer", one_tool),
            Template(
                "drift://callgraph/{function}", "Call graph", "Who calls it, what it calls", calls_around
            ),
            *place_templates(runtime),
            *convention_templates(runtime),
            project_template(runtime),
        ),
        suggest={
            ("drift://tools/{name}", "name"): lambda: [tool.name for tool in runtime.toolbox],
            ("drift://callgraph/{function}", "function"): lambda: symbol_names(runtime),
            **place_completions(runtime),
            **convention_completions(runtime),
            **prompt_completions(runtime),
            **template_completions(runtime),
        },
        more_resources=lambda: list_template_resources(runtime),
    )


ANALYSIS: Final = Blueprint(
    ServerName.ANALYSIS,
    "Drift analysis",
    _ABOUT,
    {"entry": _DOORS, "core": _DOORS, "pack": _DOORS},
    _extras,
)
