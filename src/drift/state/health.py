"""The project's health as it was measured last: what answers show that measure nothing themselves."""

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from drift.state.store import StateStore

HEALTH: Final = "health"
WHOLE: Final = "project"
SCORE: Final = "score"
_MEASURE: Final = "run `drift report` or analyze_health"


@dataclass(frozen=True, slots=True)
class HealthGlance:
    """The health that was measured last, and its parts. `reason` says why there is none, or that code changed since."""

    score: float | None
    measured_at: str | None
    parts: dict[str, float] | None = None
    reason: str | None = None


def glance_at_health(state_db: Path, generation: int) -> HealthGlance:
    """The health that was measured last, and whether it is of this state of the index."""
    with closing(StateStore(state_db)) as store:
        last = store.last_measured(about=HEALTH, subject=WHOLE, measure=SCORE)
        measured = store.measures(last.number) if last else []
    scores = {one.subject: one.value for one in measured if (one.about, one.measure) == (HEALTH, SCORE)}
    if last is None or WHOLE not in scores:
        return HealthGlance(None, None, reason=f"not measured yet: {_MEASURE}")
    is_current = last.row.generation == generation
    reason = None if is_current else f"the code has changed since it was measured: {_MEASURE}"
    return HealthGlance(scores.pop(WHOLE), last.row.at.isoformat(timespec="seconds"), scores, reason)
