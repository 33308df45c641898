"""What an answer tells of a gate."""

from collections.abc import Callable
from dataclasses import dataclass

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.wire import to_wire
from drift.quality.findings import Finding, count_severities
from drift.quality.gate import GateRun, GateStatus
from drift.quality.reporters import CheckOutcome


@dataclass(frozen=True, slots=True)
class GateData:
    """The verdict, the checks with what each measured, and the findings of those that failed."""

    status: GateStatus
    passed: bool
    checks: tuple[CheckOutcome, ...]
    total_violations: int
    by_severity: dict[str, int]
    findings: tuple[Finding, ...] | None = None
    document: str | None = None


def told_gate(run: GateRun, document: str | None) -> Callable[[tuple[Finding, ...]], GateData]:
    """How a page of findings is told."""
    counts: dict[str, int] = {name: count for name, count in count_severities(run.findings).items() if count}
    return lambda shown: GateData(
        run.status, run.status == "passed", run.checks, len(run.findings), counts, shown or None, document
    )


def refuse_violations(run: GateRun, document: str | None) -> None:
    """Raise QUALITY_GATE_FAILED unless the gate passed."""
    if run.status != "passed":
        told = {"status": run.status, "checks": to_wire(run.checks, is_snake=True), "document": document}
        raise DriftError(ErrorCode.QUALITY_GATE_FAILED, run.summary, Recovery(details=told))
