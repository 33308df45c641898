"""Metrics: counts, errors, latencies, cache hits and tokens, by tool and by category."""

import logging
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from drift.pipeline.request import Next, Request
from drift.registry import Latency, MetricsSnapshot, Outcome, ToolMeasures

logger = logging.getLogger(__name__)

# Percentiles speak of the latest calls; older ones would hide a change.
_KEPT_LATENCIES = 1_024
_KEPT_REQUESTS = 1_024  # feedback comes soon after the answer, or never


@dataclass(slots=True)
class _Tally:
    calls: int = 0
    errors: int = 0
    cached: int = 0
    tokens: int = 0
    latencies_ms: deque[float] = field(default_factory=lambda: deque(maxlen=_KEPT_LATENCIES))

    def add(self, duration_ms: float, outcome: Outcome, *, is_cached: bool) -> None:
        self.calls += 1
        self.errors += outcome.is_error
        self.cached += is_cached
        self.tokens += outcome.tokens
        self.latencies_ms.append(duration_ms)


class Metrics:
    """Counts what passes through. Observers hear of every call, too."""

    def __init__(
        self,
        clock: Callable[[], float] = time.perf_counter,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        observers: Sequence[Callable[[Request, Outcome, float], None]] = (),
    ) -> None:
        self._clock = clock
        self._started_at = now().isoformat(timespec="seconds")
        self._observers = observers
        self._all = _Tally()
        self._by_tool: defaultdict[str, _Tally] = defaultdict(_Tally)
        self._by_category: Counter[str] = Counter()
        self._errors_by_code: Counter[str] = Counter()
        self._recent: dict[str, str] = {}

    async def __call__(self, request: Request, step: Next) -> Outcome:
        outcome = await step(request)
        duration_ms = (self._clock() - request.started) * 1000
        self._all.add(duration_ms, outcome, is_cached=request.is_cached)
        self._by_tool[request.tool.name].add(duration_ms, outcome, is_cached=request.is_cached)
        self._by_category[request.tool.category.name] += 1
        self._recent[request.id] = request.tool.name
        if len(self._recent) > _KEPT_REQUESTS:
            del self._recent[next(iter(self._recent))]
        if outcome.code is not None:
            self._errors_by_code[outcome.code] += 1
        for observe in self._observers:
            observe(request, outcome, duration_ms)
        return outcome

    def tool_of(self, request_id: str) -> str | None:
        """The tool that gave one of the latest answers."""
        return self._recent.get(request_id)

    def snapshot(self, *, cache_hits: int, cache_misses: int, cache_entries: int) -> MetricsSnapshot:
        return MetricsSnapshot(
            started_at=self._started_at,
            calls=self._all.calls,
            errors=self._all.errors,
            cached=self._all.cached,
            tokens=self._all.tokens,
            latency_ms=_latency(self._all.latencies_ms),
            by_tool={name: _measures(tally) for name, tally in sorted(self._by_tool.items())},
            by_category=dict(sorted(self._by_category.items())),
            errors_by_code=dict(sorted(self._errors_by_code.items())),
            cache_hits=cache_hits,
            cache_misses=cache_misses,
            cache_entries=cache_entries,
        )


def log_call(request: Request, outcome: Outcome, duration_ms: float) -> None:
    """An observer that tells the log of every call; values of arguments stay out, they may be secret."""
    names = ", ".join(sorted(request.arguments))
    result = outcome.code or ("cached" if request.is_cached else "ok")
    logger.info("%s %s(%s): %s in %.1f ms", request.id, request.tool.name, names, result, duration_ms)


def _measures(tally: _Tally) -> ToolMeasures:
    return ToolMeasures(tally.calls, tally.errors, tally.cached, tally.tokens, _latency(tally.latencies_ms))


def _latency(values: Sequence[float]) -> Latency:
    ordered = sorted(values)
    return Latency(*(percentile(ordered, share) for share in (0.50, 0.95, 0.99)))


def percentile(ordered: Sequence[float], share: float) -> float | None:
    """The nearest-rank percentile of sorted values."""
    if not ordered:
        return None
    rank = max(1, -(-len(ordered) * share // 1))
    return round(ordered[int(rank) - 1], 3)
