"""The checks of `quality_gate` as gates, so that a policy can have thresholds of complexity, clones, coverage and defects."""

from collections.abc import Callable
from typing import Final

from drift.guards.gating.form import Found, Gate, Settings, Subject, new_ones, number
from drift.quality.gate import THRESHOLD_CHECKS, Check
from drift.quality.gate import Subject as Measured

_DEFECTS: Final = 0.9  # the probability that holds where a policy has the gate and does not say


def threshold_gates() -> tuple[Gate, ...]:
    """A gate for each check with a threshold."""
    return tuple(
        Gate(
            each.name,
            f"threshold of {each.name}",
            {"threshold": _DEFECTS if each.default is None else each.default},
            _evaluator(each),
        )
        for each in THRESHOLD_CHECKS
    )


def _evaluator(check: Check) -> Callable[[Subject, Settings], Found]:
    def evaluate(subject: Subject, settings: Settings) -> Found:
        measured = Measured(subject.reader, subject.project.root, subject.scope, subject.check_cancelled)
        found = check.evaluate(measured, number(settings, "threshold"))
        change = subject.change
        told = subject.told(
            each
            for each in found.findings
            if change is None or change.touches(each.file, (each.line, each.end_line))
        )
        is_kept = found.is_kept or (bool(found.findings) and not new_ones(told))
        return Found(is_kept, found.message, told, {"measured": found.measured})

    return evaluate
