"""The page in short, for a comment on a change: as Markdown, in which names of the repository are text."""

from typing import Final

from drift.kernel.text import plural
from drift.quality.findings import count_severities
from drift.quality.page.charts import hotspots
from drift.quality.page.content import PageContent
from drift.quality.reporters import Report, Table, write_report

_MOST_HOTSPOTS: Final = 10
_MOST_FINDINGS: Final = 15
_GRAVITY: Final = ("error", "warning", "info")


def write_summary(page: PageContent) -> str:
    """Health, hotspots, trends, conventions that are broken most and the gravest findings."""
    return write_report(_report(page), "markdown")


def _report(page: PageContent) -> Report:
    health = page.health
    score = "not known" if health.score is None else f"{health.score:g} of 100"
    severities = count_severities(page.findings).items()
    counts = ", ".join(f"{count:,} {name}" for name, count in severities if count)
    gravest = sorted(page.findings, key=lambda one: (_GRAVITY.index(one.severity), one.file, one.line))
    return Report(
        tool="Drift",
        subject=f"{page.project}, {page.head[:12] if page.head else page.made_at}",
        summary=f"Health {score}, from {health.measured} of {plural(len(health.parts), 'part')}. Findings: {counts or 'none'}.",
        figures=page.figures,
        tables=(
            Table("Health", ("Part", "Score", "Why"), tuple((one.part, one.score, one.reason) for one in health.parts)),
            _hotspots(page),
            _trends(page),
            _conventions(page),
        ),
        findings=tuple(gravest[:_MOST_FINDINGS]),
        notes=page.notes,
    )  # fmt: skip


def _hotspots(page: PageContent) -> Table:
    rows = [(one.path, one.commits, one.cognitive, one.debt) for one in hotspots(page.files)[:_MOST_HOTSPOTS]]
    columns = ("File", "Commits in a year", "Cognitive complexity", "Debt (0 to 5)")
    return Table("Hotspots", columns, tuple(rows))


def _trends(page: PageContent) -> Table:
    rows = [
        (one.title, *one.points[0], *one.points[-1]) for one in page.trends if one.points
    ]  # a single point is both ends
    return Table("Trends", ("What", "First kept", "Value", "Last kept", "Value"), tuple(rows))


def _conventions(page: PageContent) -> Table:
    broken = sorted(page.conventions, key=lambda one: (-one.outliers, one.rule))
    rows = [(one.rule, one.status, one.followed, one.outliers) for one in broken if one.outliers]
    columns = ("Convention", "Status", "Places that keep it", "Outliers")
    return Table("Conventions with most outliers", columns, tuple(rows[:_MOST_HOTSPOTS]))
