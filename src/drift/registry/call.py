"""One call, as a tool sees it: the project, the caller, and what the rest of Drift offers."""

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Protocol

from drift.index import IndexState
from drift.kernel.answer import Meta, NextAction, Priority
from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.wire import camel, plain, to_wire
from drift.languages import DetectedLanguage
from drift.project import Project, ProjectRegistry
from drift.registry.categories import ServerName
from drift.registry.client import Caller, Client
from drift.registry.declaration import definition_of
from drift.registry.definition import ToolDefinition
from drift.registry.measures import MetricsSnapshot, UsageSigns, UsageStatus
from drift.registry.outcome import Outcome
from drift.registry.packs import Packs
from drift.registry.surfaces import Surface
from drift.registry.toolbox import Toolbox
from drift.registry.visibility import View


class Runtime(Protocol):
    """What is behind every call: the other tools, the caches, the counters, the projects."""

    @property
    def server(self) -> ServerName: ...
    @property
    def surface(self) -> Surface: ...
    @property
    def toolbox(self) -> Toolbox: ...
    @property
    def projects(self) -> ProjectRegistry: ...
    @property
    def environ(self) -> Mapping[str, str]: ...
    def today(self) -> date: ...
    def packs(self, project: Project) -> Packs: ...
    def index_state(self, project: Project) -> IndexState: ...
    def languages(self, project: Project) -> tuple[DetectedLanguage, ...]: ...
    def view(self, project: Project, caller: Caller) -> View: ...
    def metrics(self) -> MetricsSnapshot: ...
    def tool_of(self, request_id: str) -> str | None: ...
    def usage(self, project: Project) -> UsageStatus: ...
    def usage_signs(self, project: Project) -> UsageSigns | None: ...
    def keep_usage(self, project: Project, *, enabled: bool) -> UsageStatus: ...
    def clear_cache(self, project: Project | None, categories: frozenset[str] | None) -> int: ...
    async def dispatch(
        self, call: "Call", name: str, arguments: Mapping[str, Any], *, is_for_client: bool = True
    ) -> Outcome: ...


@dataclass(frozen=True, slots=True)
class Call:
    """The first argument of every tool."""

    project: Project
    tool: ToolDefinition
    arguments: Mapping[str, Any]
    caller: Caller
    client: Client
    runtime: Runtime
    request_id: str
    depth: int = 0
    max_tokens: int | None = None
    """What the caller allows for the answer; a tool that knows better than the pipeline what to leave out looks here."""
    relayed: list[Meta] = field(default_factory=list)
    """How the answers of the calls that this one made came about."""
    cancelled: threading.Event = field(default_factory=threading.Event)
    closing_notes: list[Callable[[], Iterable[str]]] = field(default_factory=list)
    """Asked when the tool is done: what a reader must know of what it read from."""
    index: IndexState | None = None
    """What this call reads in the place of the project's index: a copy with the links that it needs."""

    def suggest(
        self,
        target: Callable[..., Any] | str,
        why: str,
        /,
        *,
        priority: Priority = "medium",
        **arguments: Any,
    ) -> NextAction:
        """A next call with its arguments filled in, given in Python names."""
        name = target if isinstance(target, str) else definition_of(target).name
        known = self.runtime.toolbox.find(name)
        write = plain if known is not None and known.is_snake else camel
        return NextAction(
            name, {write(key): to_wire(value) for key, value in arguments.items()}, why, priority
        )

    async def dispatch(
        self, name: str, arguments: Mapping[str, Any], *, is_for_client: bool = True
    ) -> Outcome:
        """Another tool's outcome, through the whole pipeline; its next calls as the client can make them, if it is for one."""
        return await self.runtime.dispatch(self, name, arguments, is_for_client=is_for_client)

    def progress(self, done: float, total: float | None = None, message: str | None = None) -> None:
        """Tell the client how far the work is; safe from worker threads. Ends a cancelled call."""
        self.check_cancelled()
        self.client.report(done, total, message)

    def check_cancelled(self) -> None:
        """Raise if nobody waits for the answer any more. Long loops call this now and then."""
        if self.cancelled.is_set():
            raise DriftError(ErrorCode.CANCELLED, f"{self.tool.name} was cancelled")
