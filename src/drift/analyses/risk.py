"""How risky a change is, as a sum of counted things, each said aloud.

The weights follow the family's formula (30 for users, 25 for entry points); what it leaves to the kind of
data that is touched is not counted until the index knows of data, and the rest of the hundred goes to what
the graph does show: who else may call it, how far it spreads, and whether a test would notice.
"""

from typing import Final, Literal, NamedTuple

from drift.analyses.impact import Impact
from drift.kernel.text import plural

Level = Literal["low", "medium", "high", "critical"]

_LEVELS: Final[tuple[tuple[int, Level], ...]] = ((75, "critical"), (50, "high"), (25, "medium"))


class RiskReason(NamedTuple):
    """One part of a score: what was counted and what it gave."""

    points: int
    reason: str


class Risk(NamedTuple):
    """A score of 0 to 100, its level, and the parts it is the sum of."""

    level: str
    score: int
    reasons: tuple[RiskReason, ...]


def assess_risk(impact: Impact, *, public_count: int) -> Risk:
    """The risk of a change; `public_count` is how many of the changed symbols code outside may use."""
    users, entries = len(impact.product), len(impact.entries)
    spread = len(impact.packages) - 1
    parts = (
        RiskReason(min(30, 2 * users), f"{plural(users, 'user')} outside tests, direct or through others"),
        RiskReason(min(25, 5 * entries), f"reached from {plural(entries, 'entry point')}"),
        RiskReason(min(10, 2 * max(spread, 0)), f"its users are in {len(impact.packages)} packages"),
        RiskReason(
            min(10, 2 * len(impact.overriding)),
            f"{plural(len(impact.overriding), 'override')} of what changes",
        ),
        RiskReason(10 if public_count else 0, f"public API: {plural(public_count, 'changed symbol')}"),
        RiskReason(15 if not impact.tests else 0, "no test reaches it through calls that are known"),
    )
    reasons = tuple(part for part in parts if part.points)
    score = sum(part.points for part in reasons)
    level: Level = next((name for least, name in _LEVELS if score >= least), "low")
    return Risk(level, score, reasons)
