"""drift-analysis: what the code is, who uses what, and what a change would break."""

import orjson

from drift.pipeline import ServerRuntime
from drift.protocol.resources import Content, Resource, Template
from drift.registry import ServerName
from drift.servers.analysis_resources import place_completions, place_templates
from drift.servers.assembly import Blueprint, Extras, ask_tool, read_tool
from drift.servers.prompts import prompt_completions, symbol_names, write_prompts

INSTRUCTIONS = (
    "Drift knows this code base: call it before reading files at random. Begin a task with drift_context(intent, "
    "focus). drift_discover lists the other tools, drift_tool(name, args) runs them; ask for one tool's arguments with drift_discover(tool=NAME). "
    "Several questions at once: drift_batch. Answers carry evidence (file:line, confidence) and nextActions with "
    "arguments filled in. Lists come in pages; answers are cut to maxTokens and say so. An error says what to do next."
)


def _extras(runtime: ServerRuntime) -> Extras:
    async def status() -> Content:
        return await read_tool(runtime, "drift_status")

    async def capabilities() -> Content:
        return await read_tool(runtime, "drift_capabilities")

    async def one_tool(name: str) -> Content | None:
        if runtime.toolbox.find(name) is None:
            return None
        return await read_tool(runtime, "drift_discover", tool=name)

    async def calls_around(function: str) -> Content:
        callers = await ask_tool(runtime, "drift_callers", symbol=function)
        callees = await ask_tool(runtime, "drift_callees", symbol=function)
        return orjson.dumps({"callers": callers.structured(), "callees": callees.structured()}).decode()

    return Extras(
        prompts=write_prompts(runtime),
        changing=("drift://status",),
        resources=(
            Resource("drift://status", "Status", "Project, index and server at this moment", status),
            Resource("drift://capabilities", "Capabilities", "What this server offers", capabilities),
        ),
        templates=(
            Template("drift://tools/{name}", "Tool", "One tool's arguments and answer", one_tool),
            Template(
                "drift://callgraph/{function}", "Call graph", "Who calls it, what it calls", calls_around
            ),
            *place_templates(runtime),
        ),
        suggest={
            ("drift://tools/{name}", "name"): lambda: [tool.name for tool in runtime.toolbox],
            ("drift://callgraph/{function}", "function"): lambda: symbol_names(runtime),
            **place_completions(runtime),
            **prompt_completions(runtime),
        },
    )


ANALYSIS = Blueprint(ServerName.ANALYSIS, "Drift analysis", INSTRUCTIONS, _extras)
