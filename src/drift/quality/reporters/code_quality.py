"""Findings as GitLab's code quality report, a list in the form of Code Climate."""

from typing import Any, Final

from drift.quality.reporters.report import Report
from drift.quality.rules import Severity

_SEVERITIES: Final[dict[Severity, str]] = {"error": "critical", "warning": "major", "info": "info"}


def code_quality(report: Report) -> list[dict[str, Any]]:
    """A row for each finding; what could not be evaluated is one, too, since an empty list would say that all is well."""
    found: list[dict[str, Any]] = [
        {
            "description": one.message,
            "check_name": one.rule,
            "fingerprint": one.id,
            "severity": _SEVERITIES[one.severity],
            "location": {"path": one.file, "lines": {"begin": one.line, "end": one.end_line}},
        }
        for one in report.findings
        if one.baseline != "unchanged"
    ]
    found += [
        {
            "description": f"{one.check} could not be evaluated: {one.message}",
            "check_name": one.check,
            "fingerprint": f"errored-{one.check}",
            "severity": "blocker",
            "location": {"path": ".", "lines": {"begin": 1}},
        }
        for one in report.checks
        if one.status == "errored"
    ]
    return found
