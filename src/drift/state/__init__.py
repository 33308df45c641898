"""What was seen and decided over time: conventions, curation, feedback, gates, measures. Precious, in Drift's home."""

from drift.state.health import HEALTH, SCORE, WHOLE, HealthGlance, glance_at_health
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
    "Feedback",
    "HealthGlance",
    "Measure",
    "Numbered",
    "Point",
    "RatingCount",
    "Run",
    "Sighting",
    "Snapshot",
    "StateStore",
    "VerificationCount",
    "glance_at_health",
]
