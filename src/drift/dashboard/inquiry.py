"""The page's questions, answered by the tools of a project's own servers."""

import asyncio
import shlex
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

import orjson

from drift.dashboard.freshness import LookingFreshener
from drift.dashboard.questions import Asked, Decision, Look, Question
from drift.dashboard.tool_listing import ToolListing, list_tools
from drift.dashboard.visitors import Visitor
from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.wire import to_wire
from drift.pipeline import Environment, ServerRuntime
from drift.registry import Caller, ServerName, Surface, Toolbox, UsageStatus
from drift.servers import BLUEPRINTS, assemble, enabled_servers

# A page shows what is true now, and watching a project leaves no cache file in it.
_WITHOUT_CACHES: Final = {
    "DRIFT_MCP_ANALYSIS_CACHE_ENABLED": "false",
    "DRIFT_MCP_CACHE_L2_ENABLED": "false",
}
_OWN: Final = Visitor(Caller(id="dashboard"))
# Arguments that a person at a terminal has no use for.
_FOR_THE_PAGE: Final = frozenset({"maxTokens", "asOf", "cursor"})

CommandWriter = Callable[[str, Mapping[str, Any], Toolbox], str]
"""A call as the command that a person would type."""


def _now() -> datetime:
    return datetime.now(UTC)


def _plain_command(tool: str, arguments: Mapping[str, Any], _toolbox: Toolbox) -> str:
    given = ["--args", orjson.dumps(arguments).decode()] if arguments else []
    return shlex.join(["drift", "call", tool, *given])


class Inquiry:
    """The servers of a project, asked without changing anything."""

    def __init__(
        self,
        at: Environment,
        now: Callable[[], datetime] = _now,
        *,
        write_command: CommandWriter = _plain_command,
    ) -> None:
        self.now = now
        self._write_command = write_command
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

    async def ask(self, question: Question, asked: Asked, visitor: Visitor = _OWN) -> Mapping[str, Any]:
        """`answer` as the tool gave it, or `problem` with the code, the message and the way out; the same as a `command`."""
        return await self._call(question.server, question.tool, question.arguments(asked), visitor)

    async def decide(self, decision: Decision, visitor: Visitor) -> Mapping[str, Any]:
        """What `drift_curate` answers to a decision that a person made on the page."""
        given = {"action": decision.action, "patternId": decision.convention, "evidence": decision.evidence}
        return await self._call(ServerName.ANALYSIS, "drift_curate", given, visitor)

    async def _call(
        self, server: ServerName, tool: str, arguments: dict[str, Any], visitor: Visitor
    ) -> Mapping[str, Any]:
        runtime = self._runtimes.get(server)
        if runtime is None:
            return {"answer": None, "problem": _switched_off(server).as_wire()}
        if tool not in runtime.toolbox:
            missing = DriftError(ErrorCode.NOT_REGISTERED, f"This version of Drift has no {tool}")
            return {"answer": None, "problem": missing.as_wire()}
        outcome = await runtime.call(tool, arguments, caller=visitor.caller)
        typed = {name: value for name, value in arguments.items() if name not in _FOR_THE_PAGE}
        command = self._write_command(tool, typed, runtime.toolbox)
        if outcome.is_error:
            return {"answer": None, "problem": dict(outcome.body), "command": command}
        return {"answer": outcome.structured(), "problem": None, "command": command}

    async def look(self, look: Look, asked: Asked, visitor: Visitor = _OWN) -> Mapping[str, Any]:
        """A whole that no tool gives as an answer with `data`, or the `problem`."""
        try:
            if look.server not in self._runtimes:
                raise _switched_off(look.server)
            visitor.require(look.server)
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
