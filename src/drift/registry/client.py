"""The other side of a call, as tools see it: it may be asked, told of progress, and may hang up."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from drift.registry.schema import Schema
from drift.registry.scopes import Scope


@dataclass(frozen=True, slots=True)
class Question:
    """What a tool wants to know from the person, with the shape of an acceptable reply."""

    key: str
    message: str
    schema: Schema
    wait_seconds: float | None = None
    """How long to wait for the person, where there is an answer without; since 2026-07-28 a client waits by itself."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What the person did with a question."""

    accepted: bool
    content: Mapping[str, Any]


class InputRequired(Exception):  # noqa: N818 - a request for input, not an error
    """Ends a call whose client answers questions by calling again with the replies."""

    def __init__(self, question: Question) -> None:
        super().__init__(question.message)
        self.question = question


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls. `scopes` is None on this machine, where all is allowed that needs no person."""

    id: str = "local"
    scopes: frozenset[Scope] | None = None
    is_person: bool = False
    """Whether a person typed the call; what comes over MCP may be a model's idea."""


class Client(Protocol):
    """A connected client; the protocol and the command line each have one."""

    @property
    def name(self) -> str | None:
        """What the client calls itself, where it says so."""
        ...

    @property
    def can_answer(self) -> bool:
        """Whether questions reach a person."""
        ...

    async def ask(self, question: Question) -> Reply | None:
        """The person's reply, or None when the client cannot be asked."""
        ...

    def report(self, done: float, total: float | None, message: str | None) -> None:
        """Tell of progress; safe from any thread, never blocks."""
        ...


class SilentClient:
    """A client that takes answers and nothing else."""

    name = None
    can_answer = False

    async def ask(self, question: Question) -> Reply | None:  # noqa: ARG002 - the interface's argument
        return None

    def report(self, done: float, total: float | None, message: str | None) -> None:
        """Progress has nobody to go to."""
