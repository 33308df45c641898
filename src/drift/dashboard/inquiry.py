"""The page's questions, answered by the tools of a project's own servers."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

from drift.dashboard.freshness import LookingFreshener
from drift.dashboard.questions import Asked, Look, Question
from drift.dashboard.tool_listing import ToolListing, list_tools
from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.wire import to_wire
from drift.pipeline import Environment, ServerRuntime
from drift.registry import Caller, ServerName, Surface, UsageStatus
from drift.servers import BLUEPRINTS, assemble, enabled_servers

# A page shows what is true now, and watching a project leaves no cache file in it.
_WITHOUT_CACHES: Final = {
    "DRIFT_MCP_ANALYSIS_CACHE_ENABLED": "false",
    "DRIFT_MCP_CACHE_L2_ENABLED": "false",
}
_CALLER: Final = Caller(id="dashboard")


def _now() -> datetime:
    return datetime.now(UTC)


class Inquiry:
    """The servers of a project, asked without changing anything."""

    def __init__(self, at: Environment, now: Callable[[], datetime] = _now) -> None:
        self.now = now
        watching = replace(at, environ={**at.environ, **_WITHOUT_CACHES}, counts_usage=False)
        freshener = LookingFreshener(watching.environ)
        analysis = assemble(
            BLUEPRINTS[ServerName.ANALYSIS], Surface("full"), at=watching, freshener=freshener
        )
        self._analysis: ServerRuntime = analysis.runtime
        self.project = self._analysis.project
        self._runtimes = {ServerName.ANALYSIS: self._analysis}
        for name in enabled_servers(self.project):
            if name is not ServerName.ANALYSIS:
                server = assemble(BLUEPRINTS[name], Surface("full"), at=watching, freshener=freshener)
                self._runtimes[name] = server.runtime

    async def ask(self, question: Question, asked: Asked) -> Mapping[str, Any]:
        """`answer` as the tool gave it, or `problem` with the code, the message and the way out."""
        runtime = self._runtimes.get(question.server)
        if runtime is None:
            return {"answer": None, "problem": _switched_off(question.server).as_wire()}
        if question.tool not in runtime.toolbox:
            missing = DriftError(ErrorCode.NOT_REGISTERED, f"This version of Drift has no {question.tool}")
            return {"answer": None, "problem": missing.as_wire()}
        outcome = await runtime.call(question.tool, question.arguments(asked), caller=_CALLER)
        if outcome.is_error:
            return {"answer": None, "problem": dict(outcome.body)}
        return {"answer": outcome.structured(), "problem": None}

    async def look(self, look: Look, asked: Asked) -> Mapping[str, Any]:
        """A whole that no tool gives as an answer with `data`, or the `problem`."""
        try:
            if look.server not in self._runtimes:
                raise _switched_off(look.server)
            found = await asyncio.to_thread(look.make, self.project, asked)
        except DriftError as error:
            return {"answer": None, "problem": error.as_wire()}
        return {"answer": {"data": to_wire(found)}, "problem": None}

    async def list_tools(self) -> dict[str, Any]:
        """Every tool with its use and health, as /tools.json has it."""
        return await asyncio.to_thread(self._list_tools)

    def _list_tools(self) -> dict[str, Any]:
        usage, problem = self._usage()
        # Tools that bridge to another server are listed by the server they belong to.
        tools = [
            tool
            for name, runtime in self._runtimes.items()
            for tool in runtime.toolbox
            if tool.category.server is name
        ]
        listing = ToolListing(
            generated_at=self.now().isoformat(timespec="seconds"),
            project=self.project.name,
            usage_enabled=usage is not None and usage.enabled,
            usage_days=usage.days if usage else None,
            usage_problem=problem,
            tools=list_tools(tools, usage, self._analysis.index_state(self.project)),
        )
        wire: dict[str, Any] = to_wire(listing)
        return wire

    async def count_calls(self) -> dict[str, Any]:
        """What was counted of each tool that was called: `enabled`, `days`, `tools`, or the `problem`."""
        usage, problem = await asyncio.to_thread(self._usage)
        if usage is None:
            return {"enabled": None, "days": None, "tools": [], "problem": problem}
        counted: dict[str, Any] = to_wire(usage)
        return {"enabled": usage.enabled, "days": usage.days, "tools": counted["tools"], "problem": None}

    def _usage(self) -> tuple[UsageStatus | None, str | None]:
        try:
            return self._analysis.usage(self.project), None
        except DriftError as error:
            return None, error.message

    def close(self) -> None:
        """Let go of files and threads."""
        for runtime in self._runtimes.values():
            runtime.close()


def _switched_off(server: ServerName) -> DriftError:
    return DriftError(ErrorCode.CORTEX_UNAVAILABLE, f"drift-{server} is switched off for this project")
