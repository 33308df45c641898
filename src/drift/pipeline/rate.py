"""Rate: sliding windows per caller, for all calls, for expensive ones, and per tool."""

import time
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.pipeline.request import Next, Request
from drift.pipeline.shared_state import SharedState, Window
from drift.registry import Outcome, Tier

WINDOW_SECONDS = 60.0
_MAX_CALLERS = 1_000


@dataclass(frozen=True, slots=True)
class RateLimits:
    """Calls per minute; 0 switches a limit off."""

    overall: int = 120
    expensive: int = 15
    per_tool: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_off(self) -> bool:
        return not (self.overall or self.expensive or any(self.per_tool.values()))


@dataclass(frozen=True, slots=True)
class Refusal:
    """Which limit was hit and when there is room again."""

    what: str
    limit: int
    wait_seconds: float


class RateLimiter:
    """Remembers when each caller called, for as long as the window lasts; with `shared`, in a store of several servers.

    `heed` hears of each call how often the servers have changed anything, None where that cannot be told.
    """

    def __init__(
        self,
        limits: RateLimits,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        shared: SharedState | None = None,
        heed: Callable[[str | None], None] = lambda _epoch: None,
        server: str = "",
    ) -> None:
        self._limits = limits
        self._clock = clock
        self._now = now
        self._shared = shared
        self._heed = heed
        self._server = server
        self._calls: OrderedDict[str, dict[str, deque[float]]] = OrderedDict()

    async def __call__(self, request: Request, step: Next) -> Outcome:
        if request.tool.tier is not Tier.RELAY:
            refusal = await self._judge(request.caller.id, request.tool.name, request.tool.tier)
            if refusal is not None:
                raise self._error(refusal)
        return await step(request)

    async def _judge(self, caller: str, tool: str, tier: Tier) -> Refusal | None:
        if self._shared is None:
            return None if self._limits.is_off else self.take(caller, tool, tier)
        windows = self._windows(tool, tier)
        found = await self._shared.take(
            caller, [Window(f"{self._server}:{name}", limit) for name, limit in windows], WINDOW_SECONDS
        )
        self._heed(found.epoch if found is not None else None)
        if found is None:
            return self.take(caller, tool, tier)  # each server for itself, until the store is back
        if found.full is None:
            return None
        name, limit = windows[found.full]
        return Refusal(name, limit, found.wait_seconds)

    def take(self, caller: str, tool: str, tier: Tier) -> Refusal | None:
        """Count one call, or say which window is full. A refused call counts nowhere."""
        moment = self._clock()
        windows = self._windows(tool, tier)
        kept = self._kept(caller)
        for key, limit in windows:
            times = kept.setdefault(key, deque())
            while times and times[0] <= moment - WINDOW_SECONDS:
                times.popleft()
            if len(times) >= limit:
                return Refusal(key, limit, times[0] + WINDOW_SECONDS - moment)
        for key, _limit in windows:
            kept[key].append(moment)
        return None

    def _windows(self, tool: str, tier: Tier) -> Sequence[tuple[str, int]]:
        windows = [("all tools together", self._limits.overall)]
        if tier is Tier.EXPENSIVE:
            windows.append(("all expensive tools together", self._limits.expensive))
        if tool in self._limits.per_tool:
            windows.append((tool, self._limits.per_tool[tool]))
        return [(key, limit) for key, limit in windows if limit]

    def _kept(self, caller: str) -> dict[str, deque[float]]:
        kept = self._calls.setdefault(caller, {})
        self._calls.move_to_end(caller)
        if len(self._calls) > _MAX_CALLERS:
            self._calls.popitem(last=False)
        return kept

    def _error(self, refusal: Refusal) -> DriftError:
        reset_at = self._now() + timedelta(seconds=refusal.wait_seconds)
        return DriftError(
            ErrorCode.RATE_LIMITED,
            f"Too many calls: {refusal.limit} per minute are allowed for {refusal.what}",
            Recovery(
                retry_after_ms=max(1, round(refusal.wait_seconds * 1000)),
                details={
                    "limit": refusal.limit,
                    "remaining": 0,
                    "resetAt": reset_at.isoformat(timespec="milliseconds"),
                },
            ),
        )
