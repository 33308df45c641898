"""What an answer and a report tell of debt that comments admit."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from drift.kernel.ranking import Ranked, Sort, as_found
from drift.kernel.text import plural
from drift.quality.hours import comment_minutes, in_hours
from drift.quality.reporters import Report, Table
from drift.quality.satd import DebtComment, debt_findings

SATD_SORTS: Final[dict[str, Sort[DebtComment]]] = {
    "severity": Sort(as_found),
    "age": Sort(lambda row: (-(row.age_days if row.age_days is not None else -1),), "desc"),
    "file": Sort(lambda row: (row.file, row.line)),
}


@dataclass(frozen=True, slots=True)
class DebtFile:
    """How many comments of a file admit debt."""

    file: str
    comments: int


@dataclass(frozen=True, slots=True)
class SatdData:
    """Comments that admit debt, the gravest first; the average age is of those whose age is known."""

    total: int
    by_category: dict[str, int]
    by_severity: dict[str, int]
    files_with_debt: int
    average_age_days: float | None
    technical_debt_hours: float
    top_files: tuple[DebtFile, ...]
    items: tuple[DebtComment, ...] | None = None
    document: str | None = None


def satd_summary(rows: Sequence[DebtComment]) -> str:
    grave = sum(row.severity in {"high", "critical"} for row in rows)
    files = len({row.file for row in rows})
    return f"{plural(len(rows), 'comment')} that {'admits' if len(rows) == 1 else 'admit'} debt in {plural(files, 'file')}, {grave:,} of them grave"


def ranked_satd(rows: Sequence[DebtComment]) -> Ranked[DebtComment]:
    return Ranked(rows, SATD_SORTS)


def told_satd(
    rows: Sequence[DebtComment], *, subject: str, top_files: int, write: Callable[[Report], str] | None
) -> Callable[[tuple[DebtComment, ...]], SatdData]:
    """How a page of them is told."""
    ages = [row.age_days for row in rows if row.age_days is not None]
    files = Counter(row.file for row in rows).most_common(top_files)
    document = write(satd_report(rows, subject=subject)) if write else None

    def data(shown: tuple[DebtComment, ...]) -> SatdData:
        return SatdData(
            len(rows),
            dict(Counter(row.category for row in rows).most_common()),
            dict(Counter(row.severity for row in rows).most_common()),
            len({row.file for row in rows}),
            round(sum(ages) / len(ages), 1) if ages else None,
            in_hours(sum(comment_minutes(row.category) for row in rows)),
            tuple(DebtFile(file, count) for file, count in files),
            shown or None,
            document,
        )

    return data


def satd_report(rows: Sequence[DebtComment], *, subject: str) -> Report:
    table = Table(
        "comments",
        ("file", "line", "category", "severity", "marker", "age in days", "form", "text"),
        tuple(
            (row.file, row.line, row.category, row.severity, row.marker, row.age_days, row.form, row.text) for row in rows
        ),
    )  # fmt: skip
    figures = tuple(Counter(row.category for row in rows).most_common())
    return Report("analyze_satd", subject, satd_summary(rows), figures, (table,), debt_findings(rows))
