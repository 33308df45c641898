"""Discovery: what is here, how it stands, and what can be asked."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Annotated, Literal

from drift.kernel.answer import Answer, Link, NextAction
from drift.kernel.errors import invalid
from drift.kernel.similar import similar_names
from drift.kernel.text import plural
from drift.languages import DetectedLanguage
from drift.registry import CATEGORIES, Call, Intent, View, tool
from drift.registry.summary import ToolDetail, ToolRow, signature_of, tool_detail, tool_rows
from drift.tools.overview import (
    CapabilityData,
    HealthInfo,
    IndexInfo,
    PackRow,
    StatusData,
    capabilities,
    count_tools,
    health_info,
    index_info,
    pack_rows,
    project_status,
)

Section = Literal["all", "status", "tools", "packs", "languages", "health"]


@dataclass(frozen=True, slots=True)
class DiscoverData:
    """The sections asked for; the others are absent."""

    index: IndexInfo | None = None
    languages: tuple[DetectedLanguage, ...] | None = None
    packs: tuple[PackRow, ...] | None = None
    tools: tuple[ToolRow, ...] | None = None
    tool: ToolDetail | None = None
    health: HealthInfo | None = None


@tool(
    category="discovery",
    title="Discover",
    tokens=(200, 2000),
    examples=({}, {"category": "surgical"}, {"tool": "drift_status"}),
)
def drift_discover(
    call: Call,
    section: Section = "all",
    category: Annotated[str | None, "Only this category"] = None,
    tool: Annotated[str | None, "One tool's arguments"] = None,
    intent: Intent | None = None,
    include_deprecated: bool = False,
    schema: Annotated[bool, "With tool: its JSON schemas, too"] = False,
) -> Answer[DiscoverData]:
    """Every tool for drift_tool, one line each; or one tool's arguments. Also project state and packs."""
    known = call.runtime.view(call.project, call.caller)
    view = replace(known, intent=intent or known.intent, include_deprecated=include_deprecated)
    if tool is not None:
        return _one_tool(call, tool, view, has_schemas=schema)
    if category is not None:
        _check_category(call, category)
        rows = tool_rows(call.runtime.toolbox, view, category)
        summary = f"{plural(len(rows), 'tool')} in {category}: {CATEGORIES[category].purpose}"
        return Answer(summary, DiscoverData(tools=rows))
    return _sections(call, section, view)


def _one_tool(call: Call, name: str, view: View, *, has_schemas: bool) -> Answer[DiscoverData]:
    found = call.runtime.toolbox.get(name)
    detail = tool_detail(found, view, has_schemas=has_schemas)
    action = NextAction(found.name, found.examples[0] if found.examples else {}, "call it")
    return Answer(signature_of(found), DiscoverData(tool=detail), next=(action,))


def _check_category(call: Call, category: str) -> None:
    known = [name for name, found in CATEGORIES.items() if found.server is call.runtime.server]
    if category not in known:
        raise invalid(
            "category",
            f"got {category[:60]!r}; allowed: {', '.join(known)}",
            similar=similar_names(category, known),
        )


def _sections(call: Call, section: Section, view: View) -> Answer[DiscoverData]:
    wanted = {"status", "tools", "packs", "languages"} if section == "all" else {section}
    packs = call.runtime.packs(call.project)
    data = DiscoverData(
        index=index_info(call) if "status" in wanted else None,
        languages=call.runtime.languages(call.project) if "languages" in wanted else None,
        packs=pack_rows(call, packs) if "packs" in wanted else None,
        tools=tool_rows(call.runtime.toolbox, view) if "tools" in wanted else None,
        health=health_info(call, datetime.now(UTC)) if "health" in wanted else None,
    )
    counted = ""
    if data.tools is not None:
        counted = f", {plural(count_tools(call, view), 'tool')}, {len(data.tools)} of them below"
    action = call.suggest("drift_discover", "see a tool's arguments", tool="NAME", priority="low")
    return Answer(
        f"{call.project.name}: {call.runtime.server} server{counted}",
        data,
        next=(action,) if data.tools else (),
        warnings=tuple(f"pack {problem}" for problem in packs.problems),
    )


@tool(category="discovery", title="Project and server status", tokens=(200, 400), ttl=0)
def drift_status(
    call: Call,
    metrics: Annotated[bool, "Add counts and latencies by tool"] = False,
) -> Answer[StatusData]:
    """How the project, its index and this server stand, in one look."""
    data = project_status(call, with_metrics=metrics)
    state = (
        "not scanned yet" if not data.index.exists else "index unusable" if data.index.problem else "indexed"
    )
    languages = ", ".join(found.language for found in data.languages[:4]) or "no known language"
    return Answer(
        f"{data.project.name} ({languages}): {state}; {plural(data.server.tools, 'tool')} on the {data.server.name} server",
        data,
        warnings=(*((data.index.problem,) if data.index.problem else ()), *call.project.notes),
        links=(Link("drift://status", "Status", "This answer as a resource"),),
    )


@tool(category="discovery", title="What Drift can do", tokens=(300, 800))
def drift_capabilities(call: Call) -> Answer[CapabilityData]:
    """Surfaces, categories, tools by intent, limits and protocol versions of this server."""
    data = capabilities(call)
    return Answer(
        f"Drift {data.version}: {plural(data.tools, 'tool')} in {plural(len(data.categories), 'category', 'categories')}",
        data,
        next=(call.suggest("drift_discover", "list the tools", section="tools"),),
        links=(Link("drift://capabilities", "Capabilities", "This answer as a resource"),),
    )
