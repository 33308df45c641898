"""What was seen and decided over time: conventions, curation, feedback, gates, measures. Precious, in Drift's home."""

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
    "LAYOUT",
    "Curation",
    "Feedback",
    "Measure",
    "Numbered",
    "Point",
    "RatingCount",
    "Run",
    "Sighting",
    "Snapshot",
    "StateStore",
    "VerificationCount",
]
