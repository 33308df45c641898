"""A call on its way through the steps, and what a step is."""

import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from drift.index import IndexState
from drift.kernel.answer import Freshness, Meta
from drift.project import Project
from drift.registry import Caller, Client, Outcome, Surface, ToolDefinition


@dataclass(slots=True)
class Request:
    """What is known of a call so far. Steps fill in what the later ones need."""

    tool: ToolDefinition
    arguments: dict[str, Any]
    caller: Caller
    client: Client
    id: str
    started: float
    default_project: Project
    depth: int = 0
    may_ask: bool = True
    """Whether a question may go to the person: not for one of several calls that were made together."""
    surface: Surface | None = None
    """What the client that reads the answer is shown; None where another tool reads it."""
    project: Project | None = None
    max_tokens: int | None = None
    generation: str = ""
    index: IndexState | None = None
    """What the call reads in the place of the project's index."""
    freshness: Freshness | None = None
    data_age: str | None = None
    is_cached: bool = False
    warnings: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    """What holds for this call alone, and is not kept with its answer."""
    relayed: list[Meta] = field(default_factory=list)
    """How the answers of the calls that this one made came about."""
    cancelled: threading.Event = field(default_factory=threading.Event)

    @property
    def token_limit(self) -> int:
        """The most tokens the answer may have: what the call allows, else the tool, else the settings."""
        return self.max_tokens or self.usual_limit

    @property
    def usual_limit(self) -> int:
        return self.tool.max_tokens or (self.project or self.default_project).config.mcp.max_tokens

    @property
    def settled_project(self) -> Project:
        """The project, once the step that settles it has run."""
        assert self.project is not None, "the project step comes before every step that needs a project"
        return self.project


Next = Callable[[Request], Awaitable[Outcome]]
Step = Callable[[Request, Next], Awaitable[Outcome]]


def compose(steps: tuple[Step, ...], last: Next) -> Next:
    """One callable that runs the steps in order, each around all that follow it."""
    chain = last
    for step in reversed(steps):
        chain = _around(step, chain)
    return chain


def _around(step: Step, inner: Next) -> Next:
    def run(request: Request) -> Awaitable[Outcome]:
        return step(request, inner)

    return run
