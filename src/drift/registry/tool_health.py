"""How tools fare, and what should be done about it: errors, ratings, what callers did next, and use."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from drift.registry.measures import ToolMeasures, ToolSigns, ToolUsage, UsageSigns

_LEAST_CALLS: Final = 5  # below it one failure says nothing
_LEAST_SIGNS: Final = 20
_UNHEALTHY_ERRORS: Final = 0.20
_DEGRADED_ERRORS: Final = 0.05
_UNHEALTHY_FEEDBACK: Final = 0.3
_DEGRADED_FEEDBACK: Final = 0.6
_OFTEN_CACHED: Final = 0.95
_MOST_UNUSED: Final = 40
UNUSED_DAYS: Final = 90


@dataclass(frozen=True, slots=True)
class ToolHealth:
    """A tool that fails often or is of little use. `feedback` is 1 where all called it useful, null below 20 ratings.

    `retried` is the share of answers after which the same was asked in other words, null where that is not counted.
    """

    tool: str
    status: Literal["degraded", "unhealthy"]
    calls: int
    error_rate: float | None
    feedback: float | None
    retried: float | None = None
    average_ms: float | None = None
    average_tokens: int | None = None
    cache_hit_rate: float | None = None


@dataclass(frozen=True, slots=True)
class ToolAdvice:
    """What the numbers of some tools call for."""

    tools: tuple[str, ...]
    advice: Literal["investigate", "precompute", "deprecate"]
    why: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of all tools: of this server since its start, and of 30 days where use is counted."""

    measures: Mapping[str, ToolMeasures]
    usage: Mapping[str, ToolUsage]
    not_useful: Mapping[str, float]
    signs: UsageSigns | None

    def judge(self, tool: str) -> ToolHealth | None:
        """How a tool fares; None where it is well."""
        errors, feedback = self.error_rate(tool), self.feedback(tool)
        failing, score = errors or 0.0, 1.0 if feedback is None else feedback
        is_unhealthy = failing > _UNHEALTHY_ERRORS or score < _UNHEALTHY_FEEDBACK
        if not is_unhealthy and failing <= _DEGRADED_ERRORS and score >= _DEGRADED_FEEDBACK:
            return None
        used = self.usage.get(tool)
        return ToolHealth(
            tool,
            "unhealthy" if is_unhealthy else "degraded",
            self.calls(tool),
            _rounded(errors),
            _rounded(feedback),
            _rounded(self.retry_rate(tool)),
            None if used is None else round(used.average_ms, 1),
            None if used is None else round(used.tokens / used.calls),
            _rounded(self.cache_rate(tool)),
        )

    def advise(self, tools: Iterable[str]) -> tuple[ToolAdvice, ...]:
        """What should be done, as far as anybody knows."""
        known = sorted(tools)
        failing = [name for name in known if (self.error_rate(name) or 0) > _UNHEALTHY_ERRORS]
        useless = [
            name
            for name in known
            if (score := self.feedback(name)) is not None and score < _UNHEALTHY_FEEDBACK
        ]
        cached = [name for name in known if (self.cache_rate(name) or 0) > _OFTEN_CACHED]
        found = (
            ToolAdvice(tuple(failing), "investigate", f"more than {_UNHEALTHY_ERRORS:.0%} of calls fail"),
            ToolAdvice(tuple(useless), "investigate", f"feedback is below {_UNHEALTHY_FEEDBACK}"),
            ToolAdvice(
                tuple(cached), "precompute", f"more than {_OFTEN_CACHED:.0%} of answers are from the cache"
            ),
            ToolAdvice(self._unused(known), "deprecate", f"not called in {UNUSED_DAYS} days"),
        )
        return tuple(each for each in found if each.tools)

    def calls(self, tool: str) -> int:
        """In 30 days where they are counted, else since the server's start."""
        counted = self._counted(tool)
        return counted.calls if counted is not None else 0

    def error_rate(self, tool: str) -> float | None:
        counted = self._counted(tool)
        return (
            counted.errors / counted.calls if counted is not None and counted.calls >= _LEAST_CALLS else None
        )

    def cache_rate(self, tool: str) -> float | None:
        counted = self._counted(tool)
        return (
            counted.cached / counted.calls if counted is not None and counted.calls >= _LEAST_SIGNS else None
        )

    def feedback(self, tool: str) -> float | None:
        bad = self.not_useful.get(tool)
        return None if bad is None else 1 - bad

    def retry_rate(self, tool: str) -> float | None:
        found = self._signs(tool)
        if found is None or found.total < _LEAST_SIGNS:
            return None
        return found.retried / found.total

    def _signs(self, tool: str) -> ToolSigns | None:
        every = () if self.signs is None else self.signs.tools
        return next((each for each in every if each.tool == tool), None)

    def _counted(self, tool: str) -> ToolUsage | ToolMeasures | None:
        return self.usage.get(tool) or self.measures.get(tool)

    def _unused(self, tools: Iterable[str]) -> tuple[str, ...]:
        """Those nobody called; none before use was counted for as long."""
        if self.signs is None or self.signs.counted_days < UNUSED_DAYS:
            return ()
        return tuple(name for name in tools if name not in self.signs.called)[:_MOST_UNUSED]


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, 3)
