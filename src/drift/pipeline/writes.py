"""Writes: whoever wants to know hears of every call that changed something."""

import asyncio
from collections.abc import Awaitable, Callable

from drift.pipeline.request import Request
from drift.registry import Effect, Outcome


class WriteNews:
    """An observer of calls. Hearers run beside the call, which does not wait for them."""

    def __init__(self) -> None:
        self._hearers: list[Callable[[], Awaitable[None]]] = []
        self._telling: set[asyncio.Task[None]] = set()

    def add(self, hearer: Callable[[], Awaitable[None]]) -> None:
        self._hearers.append(hearer)

    def observe(self, request: Request, outcome: Outcome, duration_ms: float) -> None:  # noqa: ARG002 - the interface's argument
        if not self._hearers or outcome.is_error or request.tool.effect is Effect.READS:
            return
        task = asyncio.get_running_loop().create_task(self._tell())
        self._telling.add(task)  # a task nobody holds may vanish before it ran
        task.add_done_callback(self._telling.discard)

    async def _tell(self) -> None:
        for hear in self._hearers:
            await hear()
