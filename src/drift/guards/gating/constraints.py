"""Constraints: what the project must and must not do, verified over a change.

What it does: evaluates approved and own constraints, and mined ones where a policy asks for them.
Why it matters: what people agreed on is checked by nobody when it counts.
Known limits: those of each constraint's predicate; one that could not be evaluated makes the gate errored.
"""

from collections.abc import Collection
from typing import Final

from drift.guards.changed_lines import Change
from drift.guards.constraints.form import ConstraintStatus
from drift.guards.constraints.verifying import ENFORCED, verify
from drift.guards.gating.form import Found, Settings, Subject, new_ones, number
from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.text import plural
from drift.quality.gate import NotMeasurableError

CONSTRAINTS: Final = "constraint-verification"
SETTINGS: Final[Settings] = {"approved": True, "discovered": False, "min_confidence": 0.9}
_MOST_LINES: Final = 1_000_000


def check_constraints(subject: Subject, settings: Settings) -> Found:
    """The gate."""
    statuses: list[ConstraintStatus] = [*ENFORCED] if settings["approved"] else []
    statuses += ["discovered"] if settings["discovered"] else []
    found = verify(
        subject.reader,
        subject.project,
        lines=_lines(subject.change) if subject.change is not None else None,
        statuses=statuses,
        least_confidence=number(settings, "min_confidence"),
    )
    if found.problems:
        raise DriftError(ErrorCode.CONFIG_INVALID, "; ".join(found.problems))
    if found.skipped:
        told = "; ".join(f"{each.id}: {each.reason}" for each in found.skipped)
        raise DriftError(ErrorCode.ANALYSIS_FAILED, f"not all constraints could be evaluated: {told}")
    looked_at = len(found.satisfied) + len({each.rule for each in found.violations})
    if not looked_at:
        raise NotMeasurableError("there are no constraints: none is approved or in .drift/rules/")
    told_findings = subject.told(found.violations)
    new = new_ones(told_findings)
    message = f"{plural(len(new), 'place')} that a constraint forbids, {plural(len(found.satisfied), 'constraint')} kept"
    return Found(not new, message, told_findings, {"kept": len(found.satisfied), "broken": len(new)})


def _lines(change: Change) -> dict[str, Collection[int]]:
    """The new lines of each file."""
    return {
        path: range(each.added[0][0], each.added[0][1] + 1)
        if len(each.added) == 1
        else {line for first, last in each.added for line in range(first, min(last, first + _MOST_LINES) + 1)}
        for path, each in change.files.items()
    }
