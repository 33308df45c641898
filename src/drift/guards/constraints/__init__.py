"""Constraints: invariants that a project holds to or that its people wrote down, and whether a change keeps them."""

from drift.guards.constraints.form import CATEGORIES, Constraint, ConstraintCategory, ConstraintStatus
from drift.guards.constraints.verifying import Satisfied, Skipped, Verification, verify

__all__ = [
    "CATEGORIES",
    "Constraint",
    "ConstraintCategory",
    "ConstraintStatus",
    "Satisfied",
    "Skipped",
    "Verification",
    "verify",
]
