"""How long the catalog's tools worked, in this process."""

import threading
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(slots=True)
class Timing:
    """The work of one tool."""

    count: int = 0
    total_ms: float = 0.0
    max_ms: float = 0.0

    @property
    def average_ms(self) -> float | None:
        return round(self.total_ms / self.count, 3) if self.count else None


class Timings:
    """Sums by tool; calls may come from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by_tool: defaultdict[str, Timing] = defaultdict(Timing)

    def add(self, tool: str, duration_ms: float) -> None:
        """Count one call."""
        with self._lock:
            timing = self._by_tool[tool]
            timing.count += 1
            timing.total_ms += duration_ms
            timing.max_ms = max(timing.max_ms, duration_ms)

    def by_tool(self) -> Mapping[str, Timing]:
        """Each tool's sums as they are now."""
        with self._lock:
            return {
                name: Timing(each.count, each.total_ms, each.max_ms)
                for name, each in sorted(self._by_tool.items())
            }

    def overall(self) -> Timing:
        """The sums of all tools."""
        every = self.by_tool().values()
        return Timing(
            sum(each.count for each in every),
            sum(each.total_ms for each in every),
            max((each.max_ms for each in every), default=0.0),
        )


TIMINGS: Final = Timings()
