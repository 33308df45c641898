"""Fresh: an answer is never silently stale. Says how old the facts are, and asks for a scan when there are none."""

from dataclasses import dataclass, replace
from typing import Protocol

from drift.index import IndexState, IndexWatch
from drift.kernel.answer import Freshness
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.pipeline.cutting import copied, fit
from drift.pipeline.request import Next, Request
from drift.project import Project
from drift.registry import Outcome, ServerName
from drift.registry.outcome import cut_note, stale_note


@dataclass(frozen=True, slots=True)
class Refreshed:
    """The index as it is now, and whether it reflects the files on disk."""

    state: IndexState
    freshness: Freshness
    notices: tuple[str, ...] = ()
    """What the caller should know of it, such as that a scan is under way."""
    stand_in: "StandIn | None" = None
    """What answers this one call in the place of the project's index, which lacks what it needs."""


class StandIn(Protocol):
    """An index that was made for one call. Its life ends with `close`."""

    @property
    def state(self) -> IndexState: ...
    def close(self) -> None: ...


class Freshener(Protocol):
    """Brings a project's index up to date before a read."""

    async def refresh(self, request: Request, project: Project) -> Refreshed: ...
    def release(self, project: Project) -> None: ...
    def close(self) -> None: ...


class IndexReader:
    """Reads what the index says of itself; whether the files have moved on since is not known here."""

    def __init__(self) -> None:
        self._watches: dict[str, IndexWatch] = {}

    def state(self, project: Project) -> IndexState:
        if project.id not in self._watches:
            self._watches[project.id] = IndexWatch(project.state.index_db)
        return self._watches[project.id].state()

    async def refresh(self, request: Request, project: Project) -> Refreshed:  # noqa: ARG002 - the interface's argument
        return Refreshed(self.state(project), "unknown")

    def release(self, project: Project) -> None:
        """Let go of what was seen of a project."""
        self._watches.pop(project.id, None)

    def close(self) -> None:
        """Nothing is held."""


class FreshStep:
    """Lets the freshener look first, then checks that the tool's layer is there."""

    def __init__(self, freshener: Freshener) -> None:
        self._freshener = freshener

    async def __call__(self, request: Request, step: Next) -> Outcome:
        project = request.settled_project
        refreshed = await self._freshener.refresh(request, project)
        needed = request.tool.needs
        if needed is not None or request.tool.is_bridge or _is_of_analysis(request):
            request.freshness = refreshed.freshness
            request.data_age = refreshed.state.scanned_at
        request.generation = str(refreshed.state.generation)
        if refreshed.stand_in is not None:
            return await self._answer_from(refreshed.stand_in, refreshed, request, step)
        if needed is not None and needed not in refreshed.state.layers:
            raise DriftError(
                ErrorCode.SCAN_REQUIRED,
                f"{request.tool.name} needs the {needed} layer, which the index of {project.name} does not have",
                Recovery(command="drift scan", details={"layer": str(needed)}),
            )
        outcome = await step(request)
        return _with_notices(request, outcome, (*refreshed.notices, *request.notices))

    async def _answer_from(
        self, stand_in: StandIn, refreshed: Refreshed, request: Request, step: Next
    ) -> Outcome:
        request.index = stand_in.state
        # Nobody else is to be given this answer: the next call finds more links.
        request.generation = f"{request.generation}-{request.id}"
        try:
            outcome = await step(request)
        finally:
            stand_in.close()
        return _with_notices(request, outcome, (*refreshed.notices, *request.notices))


def _is_of_analysis(request: Request) -> bool:
    """Whether the tool tells of the index; memories and instructions have no age of one."""
    return request.tool.category.server is ServerName.ANALYSIS


def _with_notices(request: Request, outcome: Outcome, notices: tuple[str, ...]) -> Outcome:
    """The outcome with notices of this call. They come after the cache, which must not keep them."""
    tail = f"\n{stale_note(request.data_age)}" if request.freshness == "stale" else ""
    if outcome.is_error or not (notices or tail):
        return outcome
    was_cut, total = outcome.truncated, outcome.total_available
    body = {**copied(outcome.body), "warnings": [*outcome.body.get("warnings", ()), *notices]}
    note = f"\n{cut_note(total)}" if was_cut else ""
    fitted = fit(body, request.token_limit, total=total, tail=f"{tail}{note}")
    return replace(
        outcome,
        body=fitted.body,
        text=fitted.text,
        tokens=fitted.tokens,
        truncated=was_cut or fitted.is_cut,
        total_available=total or fitted.total,
    )
