"""What a report tells, whatever its form: figures, tables, checks, findings, notes."""

from dataclasses import dataclass
from typing import Final, Literal

from drift.quality.findings import Finding

Format = Literal["summary", "detailed", "json", "markdown", "csv", "sarif", "junit"]
Cell = str | int | float | bool | None
CheckStatus = Literal["passed", "failed", "errored", "skipped"]

_DOCUMENTS: Final = frozenset({"markdown", "csv", "sarif", "junit"})


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


def is_document(wanted: Format) -> bool:
    """Whether a form is a text of its own, beside the data of an answer."""
    return wanted in _DOCUMENTS
