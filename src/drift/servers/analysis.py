"""drift-analysis: what the code is, who uses what, and what a change would break."""

from collections.abc import Mapping, Sequence

import mcp_types as types
import orjson

from drift.pipeline import ServerRuntime, may_name_projects
from drift.protocol.prompts import Argument, Prompt, user_text
from drift.protocol.registry_tools import current_caller
from drift.protocol.resources import Content, Resource, Template
from drift.registry import ServerName
from drift.servers.assembly import Blueprint, Extras, ask_tool, read_tool

INSTRUCTIONS = (
    "Drift knows this code base: call it before reading files at random. Start with drift_discover for the tools, "
    "then run them with drift_tool(name, args); ask for one tool's arguments with drift_discover(tool=NAME). "
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
        prompts=(_onboarding(runtime),),
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
        ),
        suggest={
            ("drift://tools/{name}", "name"): lambda: [tool.name for tool in runtime.toolbox],
            ("drift://callgraph/{function}", "function"): lambda: _function_names(runtime),
            ("onboarding", "project"): lambda: _project_names(runtime),
            ("onboarding", "pack"): lambda: list(runtime.packs(runtime.project).by_name),
        },
    )


def _function_names(runtime: ServerRuntime) -> list[str]:
    """The functions and classes of the server's own project; none before it is scanned."""
    state = runtime.index_state(runtime.project)
    if not state.is_usable:
        return []
    from drift.index import IndexReader  # brings SQLite, which a project without an index does not need

    with IndexReader(state.path) as reader:
        kinds = (reader.symbols.of_kind(kind, limit=-1) for kind in ("function", "class"))
        return sorted(
            {one.name for found in kinds for one in found if one.role != "test" and one.name.isidentifier()}
        )


def _project_names(runtime: ServerRuntime) -> list[str]:
    """The projects a caller may name; whoever may not gets only the server's own."""
    if not may_name_projects(current_caller()):
        return [runtime.project.name]
    return [entry.name for entry in runtime.projects.list()]


def _onboarding(runtime: ServerRuntime) -> Prompt:
    async def write(given: Mapping[str, str]) -> Sequence[types.PromptMessage]:
        about = {"project": given["project"]} if "project" in given else {}
        status = await ask_tool(runtime, "drift_status", **about)
        tools = await ask_tool(runtime, "drift_discover", section="tools", **about)
        pack = runtime.packs(runtime.project).get(given["pack"]) if "pack" in given else None
        follow = f" Follow the pack {pack.name}: {', '.join(pack.tools)}." if pack else ""
        return [
            user_text(
                "I am new to this code base. Introduce me: what it is, how it is laid out, where to start reading, "
                f"and which conventions to keep. Use Drift's tools and cite files and lines.{follow}"
            ),
            user_text(f"What Drift knows now:\n\n{status.full_text}"),
            user_text(f"Tools to call through drift_tool:\n\n{tools.full_text}"),
        ]

    return Prompt(
        "onboarding",
        "Get to know the project",
        "A guided introduction to the code base for someone new to it",
        write,
        (Argument("project", "A registered project"), Argument("pack", "A pack whose tools to follow")),
    )


ANALYSIS = Blueprint(ServerName.ANALYSIS, "Drift analysis", INSTRUCTIONS, _extras)
