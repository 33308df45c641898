"""The numbers Drift keeps about its own work, as plain data."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Latency:
    """Percentiles in milliseconds over the latest calls; None before the first."""

    p50: float | None
    p95: float | None
    p99: float | None


@dataclass(frozen=True, slots=True)
class ToolMeasures:
    """One tool's share."""

    calls: int
    errors: int
    cached: int
    tokens: int
    latency_ms: Latency


@dataclass(frozen=True, slots=True)
class MetricsSnapshot:
    """All counts since the server started."""

    started_at: str
    calls: int
    errors: int
    cached: int
    tokens: int
    latency_ms: Latency
    by_tool: Mapping[str, ToolMeasures]
    by_category: Mapping[str, int]
    errors_by_code: Mapping[str, int]
    cache_hits: int
    cache_misses: int
    cache_entries: int

    @property
    def cache_hit_rate(self) -> float | None:
        """Share of look-ups answered from the cache; None before the first look-up."""
        total = self.cache_hits + self.cache_misses
        return round(self.cache_hits / total, 4) if total else None


@dataclass(frozen=True, slots=True)
class ToolUsage:
    """How one tool was used over the kept days."""

    tool: str
    calls: int
    errors: int
    cached: int
    average_ms: float
    tokens: int


@dataclass(frozen=True, slots=True)
class ToolSigns:
    """What callers did after a tool's answers in 30 days."""

    tool: str
    followed: int = 0
    moved_on: int = 0
    retried: int = 0
    ended: int = 0

    @property
    def total(self) -> int:
        return self.followed + self.moved_on + self.retried + self.ended


@dataclass(frozen=True, slots=True)
class UsageSigns:
    """What use says beyond counts, where people agreed to counting."""

    counted_days: int
    """For how long use has been counted."""
    called: frozenset[str]
    """The tools that were called in the days that are kept."""
    tools: tuple[ToolSigns, ...]


@dataclass(frozen=True, slots=True)
class UsageStatus:
    """Whether use is counted on this machine, where, and what was counted."""

    enabled: bool
    path: str
    days: int
    tools: tuple[ToolUsage, ...]
