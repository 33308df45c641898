"""One server's working parts, and the one place where the steps around every call stand in order."""

import itertools
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from drift.index import IndexState
from drift.kernel.errors import DriftError, ErrorCode
from drift.languages import DetectedLanguage
from drift.pipeline.audit import Audit
from drift.pipeline.auth import authorize, authorize_action
from drift.pipeline.budget import Budget
from drift.pipeline.cache import Cache, Event
from drift.pipeline.cache_store import CacheStore
from drift.pipeline.clarify import clarify
from drift.pipeline.deprecation import Deprecations
from drift.pipeline.fresh import Freshener, FreshStep, IndexReader
from drift.pipeline.handler import HandlerStep
from drift.pipeline.limits import limit
from drift.pipeline.metrics import Metrics, log_call
from drift.pipeline.next_forms import NextForms
from drift.pipeline.projects import OpenProjects, ProjectStep
from drift.pipeline.rate import RateLimiter, RateLimits
from drift.pipeline.request import Next, Request, Step, compose
from drift.pipeline.settle import Settle
from drift.pipeline.shared_state import SharedState
from drift.pipeline.usage import UsageLog
from drift.pipeline.validate import Validator
from drift.pipeline.writes import WriteNews
from drift.project import Project, ProjectRegistry
from drift.registry import (
    Call,
    Caller,
    Client,
    MetricsSnapshot,
    Outcome,
    Packs,
    ServerName,
    SilentClient,
    Surface,
    Toolbox,
    UsageSigns,
    UsageStatus,
    View,
    failed,
    load_packs,
    parse_intent,
    route,
)

logger = logging.getLogger(__name__)


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class Environment:
    """What the edge gives a server: where it stands, what it may see, what day it is."""

    root: Path
    projects: ProjectRegistry
    environ: Mapping[str, str]
    today: Callable[[], date] = date.today
    now: Callable[[], datetime] = _now
    is_root_given: bool = True
    """Whether somebody said which project it is; else the folder that the client has open counts."""
    counts_usage: bool = True
    """Whether calls may be counted where a project lets them be; a page that only looks leaves no trace."""
    shared: SharedState | None = None
    """What is shared with other servers behind the same balancer."""
    around: Step | None = None
    """What stands around all steps of every call, such as telemetry."""


class ServerRuntime:
    """Answers the calls of one server, for its own project and for those named explicitly."""

    def __init__(
        self,
        server: ServerName,
        toolbox: Toolbox,
        surface: Surface,
        *,
        at: Environment,
        freshener: Freshener | None = None,
    ) -> None:
        self.server = server
        self.toolbox = toolbox
        self.surface = surface
        self.projects = at.projects
        self.environ = at.environ
        self.today = at.today
        self.is_root_given = at.is_root_given
        self._open = OpenProjects(at.root, at.projects, at.environ, on_close=self._release)
        self._index = IndexReader()
        self._cache = Cache(
            self.project.config.mcp.analysis_cache_l1_size,
            store=_open_second_level,
            environ=at.environ,
            shared=at.shared,
        )
        self._shared = at.shared
        self._usage = UsageLog(at.today)
        self._writes = WriteNews()
        observers = [
            *([self._usage.observe] if at.counts_usage else []),
            self._writes.observe,
            *([log_call] if self._is_verbose else []),
        ]
        self._metrics = Metrics(now=at.now, observers=observers)
        self._handler = HandlerStep(self)
        self._ids = itertools.count(1)
        self._freshener = freshener or self._index
        self._answer, self._relay = self._compose(self._freshener, at.now)
        if at.around is not None:
            self._answer, self._relay = (compose((at.around,), each) for each in (self._answer, self._relay))

    @property
    def project(self) -> Project:
        """The server's own project, which every call is about unless it names another."""
        return self._open.own

    def stand_at(self, root: Path) -> None:
        """Answer for another project from now on: the client says which folder it has open."""
        self._open.stand_at(root)

    @property
    def _is_verbose(self) -> bool:
        return self.project.config.mcp.analysis_verbose

    def _compose(self, freshener: Freshener, now: Callable[[], datetime]) -> tuple[Next, Next]:
        """The order of the steps: for tools, and for relays whose calls pass through in their own right."""
        mcp = self.project.config.mcp
        settle, validate, find_project = Settle(), Validator(), ProjectStep(self._open)
        rate = RateLimiter(
            rate_limits(self.server, self.project),
            now=now,
            shared=self._shared,
            heed=self._cache.heed,
            server=str(self.server),
        )
        shaped = Budget(NextForms(self._handler, self))
        steps = (
            self._metrics,  # counts everything inside it, refusals too
            Audit(),
            settle,  # from here inward, steps may raise
            limit,
            authorize,
            rate,
            Deprecations(self.today),
            clarify,
            validate,
            authorize_action,
            find_project,
            FreshStep(freshener),
        )
        cached = (*steps, self._cache) if mcp.analysis_cache_enabled else steps
        return compose(cached, shaped), compose((settle, limit, validate, find_project), shaped)

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Any],
        *,
        caller: Caller | None = None,
        client: Client | None = None,
    ) -> Outcome:
        """What a call comes to. Only an unknown tool raises: whether that is a fault depends on who asks."""
        request = self._request(name, arguments, caller=caller or Caller(), client=client or SilentClient())
        if isinstance(request, Outcome):
            return request
        return await self._run(request)

    async def dispatch(
        self, call: Call, name: str, arguments: Mapping[str, Any], *, is_for_client: bool = True
    ) -> Outcome:
        """A call made by another call, about the same project unless it names one."""
        try:
            request = self._request(name, arguments, caller=call.caller, client=call.client)
        except DriftError as error:
            return self.refused(error)
        if isinstance(request, Outcome):
            return request
        if request.tool.is_relay:
            reason = f"{request.tool.name} cannot be reached through {call.tool.name}; call the tool you want itself"
            return self.refused(DriftError(ErrorCode.INVALID_ARGUMENT, reason))
        request.default_project = call.project
        request.depth = call.depth + 1
        request.may_ask = call.tool.is_relay
        request.surface = self.surface if is_for_client else None
        request.max_tokens = call.max_tokens  # unless it has a limit of its own
        outcome = await self._run(request)
        if outcome.meta is not None:
            call.relayed.append(outcome.meta)
        return outcome

    def _request(
        self, name: str, arguments: Mapping[str, Any], *, caller: Caller, client: Client
    ) -> Request | Outcome:
        try:
            tool_name, routed = route(self.surface, name, arguments, self.toolbox)
        except DriftError as error:
            return self.refused(error)
        return Request(
            tool=self.toolbox.get(tool_name),
            arguments=dict(routed),
            caller=caller,
            client=client,
            id=f"{self.server}-{next(self._ids)}",
            started=time.perf_counter(),
            default_project=self.project,
            surface=self.surface,
        )

    async def _run(self, request: Request) -> Outcome:
        return await (self._relay if request.tool.is_relay else self._answer)(request)

    def refused(self, error: DriftError) -> Outcome:
        """What a call comes to that is refused before any step sees it."""
        outcome = failed(error.as_wire())
        return outcome.with_meta(Settle().meta_of_refusal(f"{self.server}-{next(self._ids)}", outcome))

    def _release(self, project: Project) -> None:
        """Let go of what a project that is closed holds."""
        self._freshener.release(project)
        self._index.release(project)
        self._cache.release(project)

    def packs(self, project: Project) -> Packs:
        """The packs of a project; a folder that may not be used is one of their problems."""
        disabled = project.config.mcp.packs.disabled
        try:
            return load_packs(project.path_of("mcp.packs.custom_dir"), disabled)
        except DriftError as error:
            return replace(load_packs(None, disabled), problems=(error.message,))

    def index_state(self, project: Project) -> IndexState:
        return self._index.state(project)

    def languages(self, project: Project) -> tuple[DetectedLanguage, ...]:
        """The languages of a project, from a look that may be a minute old."""
        return self._open.languages(project, self.index_state(project).generation)

    def view(self, project: Project, caller: Caller) -> View:
        """What a caller of a project gets to see; without a usable index nothing is held back, since the call will scan."""
        state = self.index_state(project)
        return View(
            today=self.today(),
            languages=frozenset(found.language for found in self.languages(project)),
            layers=state.layers if state.is_usable else None,
            intent=parse_intent(project.config.mcp.intent),
            scopes=caller.scopes,
            has_memories=project.has_memory if self.server is ServerName.ANALYSIS else None,
        )

    def metrics(self) -> MetricsSnapshot:
        return self._metrics.snapshot(
            cache_hits=self._cache.hits, cache_misses=self._cache.misses, cache_entries=len(self._cache)
        )

    def cache_operations(self) -> Mapping[str, int]:
        """What was done with kept answers since the server's start."""
        return {"hit": self._cache.hits, "miss": self._cache.misses, "invalidate": self._cache.forgotten}

    def tool_of(self, request_id: str) -> str | None:
        return self._metrics.tool_of(request_id)

    def usage(self, project: Project) -> UsageStatus:
        return self._usage.status(project)

    def usage_signs(self, project: Project) -> UsageSigns | None:
        return self._usage.signs(project)

    def keep_usage(self, project: Project, *, enabled: bool) -> UsageStatus:
        return self._usage.switch(project, enabled=enabled)

    def clear_cache(self, project: Project | None, categories: frozenset[str] | None) -> int:
        return self._cache.forget(project, categories)

    def invalidate(self, event: Event, project: Project | None = None) -> int:
        """Forget what an event made old."""
        return self._cache.invalidate(event, project)

    def on_write(self, hearer: Callable[[], Awaitable[None]]) -> None:
        """Have someone told whenever a call has changed something."""
        self._writes.add(hearer)

    def close(self) -> None:
        """Write what is pending and let go of files and threads."""
        self._freshener.close()
        self._usage.close()
        self._handler.close()
        self._cache.close()


def _open_second_level(project: Project) -> CacheStore | None:
    if not project.config.mcp.cache_l2_enabled:
        return None
    try:
        return CacheStore(project.prepare().stores.cache_db)
    except DriftError as error:
        # A cache must never break a call.
        logger.warning("the second-level cache is off: %s", error.message)
        return None


def rate_limits(server: ServerName, project: Project) -> RateLimits:
    """The limits a project's configuration sets for a server; 0 for the whole server switches all off."""
    mcp = project.config.mcp
    overall = {
        ServerName.ANALYSIS: mcp.analysis_rate_limit,
        ServerName.MEMORY: mcp.memory_rate_limit,
        ServerName.CATALOG: mcp.catalog_rate_limit,
    }[server]
    if overall == 0:
        return RateLimits(overall=0, expensive=0)
    return RateLimits(overall, mcp.expensive_rate_limit, mcp.tool_rate_limits)
