"""What a report tells, whatever its form: figures, tables, checks, findings, notes."""

from dataclasses import dataclass
from typing import Final, Literal

from drift.quality.findings import Finding
from drift.quality.rules import Rule, rules

Format = Literal["summary", "detailed", "json", "markdown", "csv", "sarif", "junit", "github", "gitlab"]
Cell = str | int | float | bool | None
CheckStatus = Literal["passed", "warned", "failed", "errored", "skipped"]

_DOCUMENTS: Final = frozenset({"markdown", "csv", "sarif", "junit", "github", "gitlab"})


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a title; a cell that is None could not be measured."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """How a check came out, measured against what was wanted. One that could not be evaluated is `errored`."""

    check: str
    status: CheckStatus
    message: str
    measured: float | None = None
    threshold: float | None = None
    rules: tuple[str, ...] = ()
    """The rules its findings are of."""


@dataclass(frozen=True, slots=True)
class Report:
    """All that was found out about a subject, in the words of no form."""

    tool: str
    subject: str
    summary: str
    figures: tuple[tuple[str, Cell], ...] = ()
    tables: tuple[Table, ...] = ()
    findings: tuple[Finding, ...] = ()
    checks: tuple[CheckOutcome, ...] = ()
    notes: tuple[str, ...] = ()
    own_rules: tuple[Rule, ...] = ()
    """Rules of findings that Drift does not ship: conventions, and what the project itself forbids."""

    def rule(self, name: str) -> Rule:
        """What a finding's rule says."""
        own = next((each for each in self.own_rules if each.id == name), None)
        return own or rules()[name]


def is_document(wanted: Format) -> bool:
    """Whether a form is a text of its own, beside the data of an answer."""
    return wanted in _DOCUMENTS
