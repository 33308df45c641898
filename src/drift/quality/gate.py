"""A gate: checks over a part of a project, each a function from the index to findings, and one verdict.

What it does: runs the checks that have a threshold and puts their outcomes together.
Why it matters: one answer to "may this go in", with the numbers behind it.
Example: complexity passed, duplication failed with 7.2 % over 5 %, so the gate failed.
Known limits: coverage is read from reports that a test run left behind; Drift runs no tests.

It fails closed: a check that was asked for and could not be evaluated is `errored`, and so is the gate.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeVar

from drift.analyses.testing.coverage import match_report
from drift.analyses.testing.report_files import Lines, find_reports
from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.text import plural, shorten
from drift.quality.complexity import Limits, complexity_findings, measure
from drift.quality.defect_probability import find_defects
from drift.quality.duplicate_report import duplicates_report
from drift.quality.duplicates import find_duplicates
from drift.quality.findings import Finding, finding, in_order
from drift.quality.reporters import CheckOutcome, Report

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.quality.scope import Scope

logger = logging.getLogger(__name__)

T = TypeVar("T")

GateStatus = Literal["passed", "failed", "errored"]
_NO_LIMIT: Final = 10**9


class Subject(NamedTuple):
    """What a gate looks at."""

    reader: "IndexReader"
    root: Path
    scope: "Scope"
    check_cancelled: Callable[[], None] = lambda: None


class Checked(NamedTuple):
    """What a check measured, in words, and the findings if it is over the threshold."""

    measured: float
    is_kept: bool
    message: str
    findings: tuple[Finding, ...] = ()


class Check(NamedTuple):
    """A check: its rules, the threshold where the caller says none (null: skipped then), and what evaluates it."""

    name: str
    rules: tuple[str, ...]
    default: float | None
    evaluate: Callable[[Subject, float], Checked]


class NotMeasurableError(Exception):
    """A check has nothing to measure by; the message says what is missing."""


class GateRun(NamedTuple):
    """How a gate came out."""

    status: GateStatus
    checks: tuple[CheckOutcome, ...]
    findings: tuple[Finding, ...]

    @property
    def summary(self) -> str:
        told = ", ".join(f"{one.check} {one.status}" for one in self.checks)
        return f"Quality gate {self.status}: {told}; {plural(len(self.findings), 'finding')}"


def run_gate(checks: tuple[Check, ...], subject: Subject, thresholds: Mapping[str, float | None]) -> GateRun:
    """Run the checks against the thresholds that were given, else their own."""
    outcomes: list[CheckOutcome] = []
    findings: list[Finding] = []
    for check in checks:
        subject.check_cancelled()
        outcome, found = _run(check, subject, thresholds.get(check.name))
        outcomes.append(outcome)
        findings += found
    statuses = {one.status for one in outcomes}
    nothing_ran = not statuses & {"passed", "failed"}
    status: GateStatus = (
        "errored" if "errored" in statuses or nothing_ran else "failed" if "failed" in statuses else "passed"
    )
    return GateRun(status, tuple(outcomes), in_order(findings))


def gate_report(run: GateRun, *, tool: str, subject: "Scope") -> Report:
    """The run for a form that is a text."""
    counts = tuple((f"{one.check} measured", one.measured) for one in run.checks)
    return Report(
        tool,
        subject.subject,
        run.summary,
        (("status", run.status), *counts),
        (),
        run.findings,
        run.checks,
        subject.notes,
    )


class Failure(NamedTuple):
    """Why a check gave nothing: there was nothing to measure by, or it broke."""

    message: str
    is_unmeasurable: bool = False


def attempt(name: str, evaluate: Callable[[], T]) -> T | Failure:
    """What a check gives, or why it gives nothing; only that nobody waits any more goes through."""
    try:
        return evaluate()
    except NotMeasurableError as error:
        return Failure(str(error), is_unmeasurable=True)
    except DriftError as error:
        if error.code is ErrorCode.CANCELLED:
            raise
        return Failure(error.message)
    except Exception as error:
        logger.exception("the check %s failed", name)
        return Failure(f"failed inside Drift: {shorten(str(error) or type(error).__name__, 160)}")


def _run(check: Check, subject: Subject, asked: float | None) -> tuple[CheckOutcome, tuple[Finding, ...]]:
    threshold = asked if asked is not None else check.default
    if threshold is None:
        return CheckOutcome(
            check.name, "skipped", "no threshold was given", None, None, check.rules
        ), ()  # fmt: skip
    found = attempt(check.name, lambda: check.evaluate(subject, threshold))
    if isinstance(found, Failure):
        is_errored = asked is not None or not found.is_unmeasurable
        return CheckOutcome(
            check.name, "errored" if is_errored else "skipped", found.message, None, threshold, check.rules
        ), ()  # fmt: skip
    status: Literal["passed", "failed"] = "passed" if found.is_kept else "failed"
    outcome = CheckOutcome(check.name, status, found.message, found.measured, threshold, check.rules)
    return outcome, () if found.is_kept else found.findings


def check_complexity(subject: Subject, threshold: float) -> Checked:
    """No function has more paths than this."""
    functions = measure(subject.reader, subject.scope).functions
    limits = Limits(int(threshold), _NO_LIMIT, _NO_LIMIT)
    found = complexity_findings(functions, limits)
    worst = max((one.cyclomatic for one in functions), default=0)
    message = (
        f"the highest cyclomatic complexity is {worst}; {plural(len(found), 'function')} above {threshold:g}"
    )
    return Checked(worst, not found, message, found)


def check_duplication(subject: Subject, threshold: float) -> Checked:
    """No more than this percentage of the code lies in clones."""
    found = find_duplicates(subject.reader, subject.root, subject.scope, check=subject.check_cancelled)
    is_kept = found.percentage <= threshold
    message = f"{found.percentage} % of the code without tests lies in clones; {threshold:g} % is the limit"
    findings = () if is_kept else duplicates_report(subject.reader, found).findings
    return Checked(found.percentage, is_kept, message, findings)


def check_coverage(subject: Subject, threshold: float) -> Checked:
    """At least this percentage of the lines that a report knows ran."""
    reports = find_reports(subject.root)
    if reports.coverage is None:
        problems = f" ({'; '.join(reports.problems)})" if reports.problems else ""
        raise NotMeasurableError(f"no report of coverage was found{problems}")
    lines, stale = match_report(subject.reader, reports.coverage)
    inside = {path: found for path, found in lines.items() if path in subject.scope.paths}
    known = sum(len(one.known) for one in inside.values())
    if not known:
        reason = f"; {plural(len(stale), 'file')} changed after it was written" if stale else ""
        raise NotMeasurableError(f"{reports.coverage.path} says nothing of the files here{reason}")
    percent = round(100 * sum(len(one.hit & one.known) for one in inside.values()) / known, 2)
    is_old = f", {plural(len(stale), 'file')} left out that changed since" if stale else ""
    message = f"{percent} % of {known:,} lines ran, by {reports.coverage.path}{is_old}"
    return Checked(percent, percent >= threshold, message, _uncovered(inside, threshold))


def _uncovered(lines: Mapping[str, Lines], threshold: float) -> tuple[Finding, ...]:
    """The files below the threshold."""
    rows = []
    for path, one in lines.items():
        percent = round(100 * len(one.hit & one.known) / len(one.known), 1) if one.known else 100.0
        if percent < threshold:
            rows.append(
                finding(
                    "coverage/lines",
                    f"{percent} % of {len(one.known)} lines ran; {threshold:g} % are wanted",
                    file=path,
                    evidence={"percent": percent, "lines": len(one.known)},
                )
            )
    return in_order(rows)


def check_defects(subject: Subject, threshold: float) -> Checked:
    """No file is likelier than this to need a fix within a year."""
    found = find_defects(subject.reader, subject.root, subject.scope, check=subject.check_cancelled)
    if not found.predictions:
        raise NotMeasurableError("there is no file to predict for")
    over = [one for one in found.predictions if one.probability > threshold]
    worst = max(one.probability for one in found.predictions)
    message = f"the highest probability is {worst:.2f}; {plural(len(over), 'file')} above {threshold:g}"
    findings = tuple(
        finding(
            "defects/likely",
            f"{one.probability:.0%} likely to need a fix within a year; {threshold:.0%} is the limit",
            file=one.path,
            evidence={part.feature: part.contribution for part in one.contributions},
        )
        for one in over
    )
    return Checked(round(worst, 3), not over, message, findings)


# The checks of `quality_gate`. Coverage is wanted only of those who have a report, or who ask for it.
THRESHOLD_CHECKS: Final = (
    Check("complexity", ("complexity/cyclomatic",), 10, check_complexity),
    Check("duplication", ("duplication/clone",), 5, check_duplication),
    Check("coverage", ("coverage/lines",), 80, check_coverage),
    Check("defects", ("defects/likely",), None, check_defects),
)


def run_thresholds(subject: Subject, wanted: Sequence[float | None]) -> GateRun:
    """Run the checks of `quality_gate` against thresholds in their order; None is what the caller did not say."""
    given = {check.name: each for check, each in zip(THRESHOLD_CHECKS, wanted, strict=True)}
    return run_gate(THRESHOLD_CHECKS, subject, given)
