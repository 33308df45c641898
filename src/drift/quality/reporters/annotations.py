"""Findings as commands of GitHub Actions, which shows each beside the line it is about."""

from typing import Final

from drift.quality.reporters.plain_text import one_line
from drift.quality.reporters.report import Report
from drift.quality.rules import Severity

_COMMANDS: Final[dict[Severity, str]] = {"error": "error", "warning": "warning", "info": "notice"}


def write_annotations(report: Report) -> str:
    """A command for each new finding and each check that could not be evaluated, then the summary as plain text."""
    lines = [
        f"::{_COMMANDS[one.severity]} file={_property(one.file)},line={one.line},endLine={one.end_line},"
        f"title={_property(one.rule)}::{_data(one.message, one.suggestion or report.rule(one.rule).help)}"
        for one in report.findings
        if one.baseline != "unchanged"
    ]
    lines += [
        f"::error title={_property(one.check)}::{_data('could not be evaluated: ' + one.message)}"
        for one in report.checks
        if one.status == "errored"
    ]
    # A line of the repository must not become a command of its own.
    return "\n".join([*lines, _plain(report.summary), *map(_plain, report.notes), ""])


def _plain(text: str) -> str:
    return one_line(text).replace("::", ": :").replace("##[", "## [")


def _data(*texts: str) -> str:
    return "%0A".join(one_line(text).replace("%", "%25") for text in texts if text)


def _property(text: str) -> str:
    return one_line(text).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
