"""What one connection may ask of the server, and the counters that hold it to that.

The sizes and rates are those of the wire protocol; a deployment may pass its own `WireLimits`.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final

import anyio

from drift.kernel.errors import DriftError, ErrorCode

if TYPE_CHECKING:
    # The SDK takes about a second to import; settings and tests of the numbers need none of it.
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
    from mcp.shared.exceptions import MCPError

SERVER_BUSY: Final = -32000
RATE_LIMITED: Final = -32003
# -32001 means a time-out to the SDK's clients and -32002 is retired, so the next free code of ours.
RESPONSE_TOO_LARGE: Final = -32004

# Handshakes and probes must get through a busy server, and a subscription would hold its place for ever.
_UNCOUNTED_METHODS: Final = frozenset({"initialize", "ping", "server/discover", "subscriptions/listen"})

_MAY_BE_ZERO: Final = frozenset({"max_waiting", "sustained_per_second", "drain_seconds"})


@dataclass(frozen=True, slots=True)
class WireLimits:
    """The sizes, counts and rates one connection is held to."""

    max_request_bytes: int = 1_048_576
    max_response_bytes: int = 10 * 1_048_576
    max_depth: int = 64
    max_in_flight: int = 128
    max_waiting: int = 1024
    burst: int = 1000
    sustained_per_second: float = 100.0
    """Requests per second once the burst is spent; 0 turns the rate limit off."""
    drain_seconds: float = 30.0
    """How long calls in flight may still run after the client has left or a signal came."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            smallest = 0 if field.name in _MAY_BE_ZERO else 1
            if not math.isfinite(value) or value < smallest:
                raise DriftError(
                    ErrorCode.CONFIG_INVALID, f"{field.name}: {value} is not at least {smallest}"
                )


class TokenBucket:
    """A rate limit that allows bursts: full at first, refilled at a steady pace."""

    def __init__(self, burst: int, per_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst = float(burst)
        self._per_second = per_second
        self._clock = clock
        self._tokens = self._burst
        self._refilled_at = clock()

    @property
    def remaining(self) -> int:
        """Whole tokens left at the last `take`."""
        return int(self._tokens)

    def take(self) -> float:
        """Take one token: 0.0 when there was one, else the seconds until there will be."""
        if self._per_second <= 0:
            return 0.0
        now = self._clock()
        elapsed = max(0.0, now - self._refilled_at)
        self._tokens = min(self._burst, self._tokens + elapsed * self._per_second)
        self._refilled_at = now
        if self._tokens >= 1.0:
            self._tokens -= 1.0
            return 0.0
        return (1.0 - self._tokens) / self._per_second


class InFlight:
    """Server middleware that lets so many requests run, so many more wait in line, and refuses the rest."""

    def __init__(self, limits: WireLimits, clock: Callable[[], float] = time.monotonic) -> None:
        self._max_running = limits.max_in_flight
        self._max_waiting = limits.max_waiting
        self._clock = clock
        self._places = anyio.Semaphore(limits.max_in_flight, fast_acquire=True)
        self._running = 0
        self._inside = 0
        self._emptied: anyio.Event | None = None
        self._mean_call_seconds: float | None = None

    @property
    def active(self) -> int:
        """Requests whose handlers run now."""
        return self._running

    @property
    def waiting(self) -> int:
        """Requests that wait in line for a place."""
        return self._inside - self._running

    async def __call__(self, ctx: "ServerRequestContext[Any, Any]", call_next: "CallNext") -> "HandlerResult":
        """Run the rest of the chain when there is a place. Raises MCPError when even the line is full."""
        if ctx.request_id is None or ctx.method in _UNCOUNTED_METHODS:
            return await call_next(ctx)
        if self._inside >= self._max_running + self._max_waiting:
            raise self._refusal()
        self._inside += 1
        try:
            async with self._places:
                return await self._run(ctx, call_next)
        finally:
            self._inside -= 1
            if not self._inside and self._emptied is not None:
                self._emptied.set()
                self._emptied = None

    async def idle(self) -> None:
        """Return once no counted request runs or waits."""
        while self._inside:
            if self._emptied is None:
                self._emptied = anyio.Event()
            await self._emptied.wait()

    async def _run(self, ctx: "ServerRequestContext[Any, Any]", call_next: "CallNext") -> "HandlerResult":
        started_at = self._clock()
        self._running += 1
        try:
            return await call_next(ctx)
        finally:
            self._running -= 1
            self._record(self._clock() - started_at)

    def _record(self, call_seconds: float) -> None:
        # A moving mean over about the last ten calls: recent enough to follow a change of load.
        mean = self._mean_call_seconds
        self._mean_call_seconds = call_seconds if mean is None else mean + (call_seconds - mean) / 10

    def _refusal(self) -> "MCPError":
        from mcp.shared.exceptions import MCPError  # a heavy import that only a running server needs

        # After the time of a mean call about as many places have come free as calls run;
        # before the first call has ended there is nothing to tell from.
        mean = self._mean_call_seconds
        retry_after_ms = None if mean is None else max(1, math.ceil(mean * 1000))
        return MCPError(
            SERVER_BUSY,
            f"Server busy: {self._running} requests run and {self.waiting} wait; call again later",
            {"limit": self._max_running, "retryAfterMs": retry_after_ms},
        )
