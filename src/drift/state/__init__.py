"""What was seen and decided over time: conventions, curation, feedback, gates, measures. Precious, in Drift's home."""

from drift.state.claims import PassRate, claim_rates
from drift.state.health import HEALTH, SCORE, WHOLE, HealthGlance, glance_at_health
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
    "claim_rates",
    "effective_rates",
    "find_switched_off",
    "glance_at_health",
    "state_stamp",
    "switch_off_harmful",
    "switch_on",
]
