"""Constraints: what the project must and must not do, verified over a change."""

from typing import Final

from drift.guards.gating.form import Found, Settings, Subject
from drift.quality.gate import NotMeasurableError

CONSTRAINTS: Final = "constraint-verification"
SETTINGS: Final[Settings] = {"approved": True, "discovered": False, "min_confidence": 0.9}


def check_constraints(_subject: Subject, _settings: Settings) -> Found:
    """The gate."""
    raise NotMeasurableError("this version verifies no constraints")
