"""What was seen and decided over time: conventions, curation, feedback, gates, measures. Precious, in Drift's home."""

from drift.state.health import HEALTH, SCORE, WHOLE, HealthGlance, glance_at_health
from drift.state.pass_rates import PassRate, pass_rates
from drift.state.ratings import (
    EffectiveRate,
    effective_rates,
    find_switched_off,
    state_stamp,
    switch_off_harmful,
    switch_on,
)
from drift.state.rows import (
    Curation,
    Feedback,
    Measure,
    Point,
    RatingCount,
    Run,
    Sighting,
    Snapshot,
    VerificationCount,
)
from drift.state.store import LAYOUT, Numbered, StateStore

__all__ = [
    "HEALTH",
    "LAYOUT",
    "SCORE",
    "WHOLE",
    "Curation",
    "EffectiveRate",
    "Feedback",
    "HealthGlance",
    "Measure",
    "Numbered",
    "PassRate",
    "Point",
    "RatingCount",
    "Run",
    "Sighting",
    "Snapshot",
    "StateStore",
    "VerificationCount",
    "effective_rates",
    "find_switched_off",
    "glance_at_health",
    "pass_rates",
    "state_stamp",
    "switch_off_harmful",
    "switch_on",
]
