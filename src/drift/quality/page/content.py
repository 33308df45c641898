"""What the page shows, as plain data. What is None was not measured, and `notes` say why."""

from typing import NamedTuple

from drift.quality.comprehensive import PartRow
from drift.quality.findings import Finding
from drift.quality.health import ProjectHealth


class FileCell(NamedTuple):
    """A file: how much code it has, how hard it is to follow, its debt from 0 to 5, and the commits of a year."""

    path: str
    code_lines: int
    cognitive: int
    debt: float | None
    commits: int | None


class TrendLine(NamedTuple):
    """A measure over time, oldest first, each value with its day."""

    title: str
    unit: str
    points: tuple[tuple[str, float], ...]


class ConventionLine(NamedTuple):
    """A convention in short."""

    category: str
    rule: str
    status: str
    followed: int
    outliers: int


class PageContent(NamedTuple):
    """All that is on the page."""

    project: str
    head: str | None
    made_at: str
    version: str
    figures: tuple[tuple[str, str], ...]
    """What is known at a glance, each by its name."""
    health: ProjectHealth
    files: tuple[FileCell, ...]
    trends: tuple[TrendLine, ...]
    parts: tuple[PartRow, ...]
    findings: tuple[Finding, ...]
    conventions: tuple[ConventionLine, ...]
    notes: tuple[str, ...] = ()
