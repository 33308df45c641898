"""What one check found."""

from dataclasses import dataclass
from enum import StrEnum

from drift.kernel.errors import ERRORS, DriftError


class Verdict(StrEnum):
    """How serious a finding is. Only `fail` keeps Drift from working."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the doctor: what was looked at, how it is, and what mends it.

    `mending` are the words of a command that mends it without a person's choice, `drift` left out.
    """

    name: str
    verdict: Verdict
    detail: str
    fix: str | None = None
    mending: tuple[str, ...] = ()


def ok(name: str, detail: str) -> Finding:
    return Finding(name, Verdict.OK, detail)


def warn(name: str, detail: str, fix: str, *, mending: tuple[str, ...] = ()) -> Finding:
    return Finding(name, Verdict.WARN, detail, fix, mending)


def fail(name: str, detail: str, fix: str) -> Finding:
    return Finding(name, Verdict.FAIL, detail, fix)


def failing(name: str, error: DriftError) -> Finding:
    """An error as a finding, with its own way out."""
    hint = error.recovery.hint or ERRORS[error.code].hint
    return fail(
        name, error.message, f"{hint} Run: {error.recovery.command}" if error.recovery.command else hint
    )
