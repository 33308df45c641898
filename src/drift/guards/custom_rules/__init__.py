"""Rules that a project writes itself: where they hold, when they fire, and what they say then."""

from drift.guards.custom_rules.matching import find_violations
from drift.guards.custom_rules.reading import CustomRule, RuleError, builtin_rules, read_own_rules, read_rules

__all__ = ["CustomRule", "RuleError", "builtin_rules", "find_violations", "read_own_rules", "read_rules"]
