"""Security: sensitive fields, who reaches which table, what guards the way, and rules about it."""

from drift.security.routes import Routes, is_open
from drift.security.rules import BoundaryRule, BoundaryRuleError, find_crossings, read_boundary_rules
from drift.security.sensitive import SENSITIVITIES, SensitiveField, Sensitivity, find_sensitive, judge_name

__all__ = [
    "SENSITIVITIES",
    "BoundaryRule",
    "BoundaryRuleError",
    "Routes",
    "SensitiveField",
    "Sensitivity",
    "find_crossings",
    "find_sensitive",
    "is_open",
    "judge_name",
    "read_boundary_rules",
]
