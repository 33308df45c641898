"""Every tool of a project's servers, with how much it was used and how well it went."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from drift.index import IndexState
from drift.registry import ServerName, ToolDefinition, ToolUsage, UsageStatus

Health = Literal["healthy", "degraded", "unhealthy", "unknown"]

_LEAST_CALLS: Final = 5  # of fewer, one wrong argument would make a tool look broken
# Errors count wrong arguments, too, which agents correct themselves; a few of them are everyday.
_DEGRADED_SHARE: Final = 0.1
_UNHEALTHY_SHARE: Final = 0.5


class Verdict(NamedTuple):
    """How a tool stands, and why it is said."""

    health: Health
    reason: str


@dataclass(frozen=True, slots=True)
class ListedTool:
    """A tool. What was counted is null while counting is off, `averageMs` also before the first call."""

    name: str
    title: str
    purpose: str
    server: ServerName
    category: str
    effect: str
    calls: int | None
    errors: int | None
    average_ms: float | None
    health: Health
    health_reason: str


@dataclass(frozen=True, slots=True)
class ToolListing:
    """All tools. `usageProblem` says why there are no counts; `usageDays` is what the counts go back."""

    generated_at: str
    project: str
    usage_enabled: bool
    usage_days: int | None
    usage_problem: str | None
    tools: tuple[ListedTool, ...]


def judge_tool(tool: ToolDefinition, used: ToolUsage | None, index: IndexState) -> Verdict:
    """How a tool stands, by what it needs and by how its calls ended."""
    if tool.needs is not None and tool.needs not in index.layers:
        return Verdict("degraded", f"needs the {tool.needs} layer of the index; run drift scan")
    if used is None or used.calls == 0:
        return Verdict("unknown", "no call was counted")
    share = used.errors / used.calls
    reason = f"{used.errors:,} of {used.calls:,} calls ended in an error"
    if used.calls < _LEAST_CALLS:
        return Verdict("unknown", f"{reason}; too few to tell")
    if share >= _UNHEALTHY_SHARE:
        return Verdict("unhealthy", reason)
    return Verdict("degraded" if share >= _DEGRADED_SHARE else "healthy", reason)


def list_tools(
    tools: Iterable[ToolDefinition], usage: UsageStatus | None, index: IndexState
) -> tuple[ListedTool, ...]:
    """The tools in their fixed order, with the counts there are."""
    used: Mapping[str, ToolUsage] = {row.tool: row for row in usage.tools} if usage else {}
    is_counted = usage is not None and (usage.enabled or bool(usage.tools))
    return tuple(_list_tool(tool, used.get(tool.name), index, is_counted=is_counted) for tool in tools)


def _list_tool(
    tool: ToolDefinition, used: ToolUsage | None, index: IndexState, *, is_counted: bool
) -> ListedTool:
    verdict = judge_tool(tool, used, index)
    nothing = 0 if is_counted else None
    return ListedTool(
        name=tool.name,
        title=tool.title,
        purpose=tool.purpose,
        server=tool.category.server,
        category=tool.category.name,
        effect=str(tool.effect),
        calls=used.calls if used else nothing,
        errors=used.errors if used else nothing,
        average_ms=round(used.average_ms, 1) if used else None,
        health=verdict.health,
        health_reason=verdict.reason,
    )
