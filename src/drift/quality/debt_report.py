"""What an answer and a report tell of the debt gradient."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from drift.kernel.ranking import Ranked, Sort
from drift.kernel.text import plural
from drift.quality.complexity_report import percentile
from drift.quality.debt import Debt, FileDebt, debt_findings
from drift.quality.reporters import Report, Table

DEBT_SORTS: Final[dict[str, Sort[FileDebt]]] = {
    "score": Sort(lambda row: (-row.score, row.file), "desc"),
    "hours": Sort(lambda row: (-row.hours,), "desc"),
    "file": Sort(lambda row: (row.file,)),
}


@dataclass(frozen=True, slots=True)
class DebtData:
    """The gradient of files. Hours are the sum over findings, by their kinds."""

    files: int
    critical: int
    warning: int
    average: float | None
    p95: float | None
    p99: float | None
    estimated_debt_hours: float
    hours_by: dict[str, float]
    hotspots: tuple[FileDebt, ...] | None = None
    document: str | None = None


def debt_summary(debt: Debt) -> str:
    critical = sum(one.severity == "critical" for one in debt.files)
    first = f"; most in {debt.files[0].file} ({debt.files[0].score})" if debt.files else ""
    return f"{plural(len(debt.files), 'file')}, {critical:,} critical{first}"


def told_debt(
    debt: Debt, *, threshold: float, subject: str, write: Callable[[Report], str] | None
) -> Callable[[tuple[FileDebt, ...]], DebtData]:
    """How a page of files is told."""
    scores = sorted(one.score for one in debt.files)
    by: dict[str, float] = {}
    for one in debt.files:
        for name, hours in one.hours_by.items():
            by[name] = round(by.get(name, 0.0) + hours, 1)
    document = write(debt_report(debt, threshold=threshold, subject=subject)) if write else None

    def data(shown: tuple[FileDebt, ...]) -> DebtData:
        return DebtData(
            len(debt.files),
            sum(one.severity == "critical" for one in debt.files),
            sum(one.severity == "warning" for one in debt.files),
            round(sum(scores) / len(scores), 2) if scores else None,
            percentile(scores, 0.95),
            percentile(scores, 0.99),
            round(sum(by.values()), 1),
            by,
            shown or None,
            document,
        )

    return data


def ranked_debt(debt: Debt, threshold: float) -> Ranked[FileDebt]:
    return Ranked([one for one in debt.files if one.score >= threshold], DEBT_SORTS)


def debt_report(debt: Debt, *, threshold: float, subject: str) -> Report:
    columns = (
        "file",
        "score",
        "severity",
        "primary",
        "complexity",
        "churn",
        "coupling",
        "duplication",
        "debt comments",
        "untested",
        "hours",
    )
    rows = tuple(
        (one.file, one.score, one.severity, one.primary, one.parts.complexity, one.parts.churn, one.parts.coupling,
         one.parts.duplication, one.parts.debt_comments, one.parts.untested, one.hours)
        for one in debt.files
        if one.score >= threshold
    )  # fmt: skip
    return Report(
        "analyze_tdg", subject, debt_summary(debt), (), (Table("files", columns, rows),),
        debt_findings(debt.files), (), debt.notes,
    )  # fmt: skip
