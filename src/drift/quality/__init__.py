"""Quality: measures of code, the findings made of them, gates over the findings, and reports in the forms people use."""

from drift.quality.findings import Finding, against_baseline, count_severities, finding, in_order
from drift.quality.rules import Rule, Severity, rules

__all__ = [
    "Finding",
    "Rule",
    "Severity",
    "against_baseline",
    "count_severities",
    "finding",
    "in_order",
    "rules",
]
