"""What listings say of tools: one line each, or everything about one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from drift.registry.categories import ServerName
from drift.registry.definition import ToolDefinition
from drift.registry.surfaces import short_list
from drift.registry.toolbox import Toolbox
from drift.registry.visibility import View, phase_of, visible_tools


@dataclass(frozen=True, slots=True)
class ToolRow:
    """A tool in a listing."""

    name: str
    does: str
    category: str
    tokens: str


@dataclass(frozen=True, slots=True)
class ToolDetail:
    """Everything a caller needs to use one tool."""

    name: str
    title: str
    category: str
    description: str
    arguments: Mapping[str, Any]
    answer: Mapping[str, Any]
    tokens: str
    effect: str
    version: int
    scopes: tuple[str, ...]
    needs: str | None = None
    examples: tuple[Mapping[str, Any], ...] | None = None
    notice: str | None = None


def tool_rows(toolbox: Toolbox, view: View, category: str | None = None) -> tuple[ToolRow, ...]:
    """The visible tools that are reached through a dispatcher, in their fixed order."""
    doors = {name for server in ServerName for name in short_list("entry", server)}
    shown = (tool for tool in visible_tools(toolbox, view) if tool.name not in doors)
    return tuple(_row(tool) for tool in shown if category is None or tool.category.name == category)


def tool_detail(tool: ToolDefinition, view: View) -> ToolDetail:
    deprecated = tool.deprecation is not None and phase_of(tool, view.today) != "active"
    return ToolDetail(
        name=tool.name,
        title=tool.title,
        category=tool.category.name,
        description=tool.description,
        arguments=tool.listed_input_schema,
        answer=tool.output_schema,
        tokens=_tokens(tool),
        effect=str(tool.effect),
        version=tool.version,
        scopes=tuple(sorted(tool.scopes)),
        needs=tool.needs,
        examples=tool.examples or None,
        notice=tool.deprecation.notice(tool.name) if deprecated and tool.deprecation else None,
    )


def _row(tool: ToolDefinition) -> ToolRow:
    return ToolRow(tool.name, tool.title, tool.category.name, _tokens(tool))


def _tokens(tool: ToolDefinition) -> str:
    least, most = tool.tokens
    return str(most) if least == most else f"{least}-{most}"
