"""Reports as Markdown, in which nothing that a repository says can break a table or begin markup."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from drift.quality.reporters.plain_text import one_line, show
from drift.quality.reporters.report import Cell, Report, Table

_MARKS: Final = re.compile(r"([\\`*_{}\[\]<>#|!~&])")


def write_markdown(report: Report) -> str:
    """The whole report as a page."""
    return "\n".join(_lines(report)).rstrip() + "\n"


def escape(text: str) -> str:
    """A text as it stands, none of its characters a mark."""
    return _MARKS.sub(r"\\\1", one_line(text))


def _lines(report: Report) -> Iterator[str]:
    yield f"# {escape(report.tool)}: {escape(report.subject)}"
    yield ""
    yield escape(report.summary)
    yield ""
    if report.figures:
        yield from _rows(("Figure", "Value"), report.figures)
    if report.checks:
        yield "## Checks"
        yield ""
        cells = [(one.check, one.status, one.measured, one.threshold, one.message) for one in report.checks]
        yield from _rows(("Check", "Status", "Measured", "Threshold", "What"), cells)
    for table in report.tables:
        yield from _table(table)
    if report.findings:
        yield "## Findings"
        yield ""
        found = [(one.severity, one.rule, f"{one.file}:{one.line}", one.message) for one in report.findings]
        yield from _rows(("Severity", "Rule", "Place", "What"), found)
    yield from (f"> {escape(note)}" for note in report.notes)


def _table(table: Table) -> Iterator[str]:
    if table.rows:
        yield f"## {escape(table.title)}"
        yield ""
        yield from _rows(table.columns, table.rows)


def _rows(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> Iterator[str]:
    yield f"| {' | '.join(map(escape, columns))} |"
    yield f"|{' --- |' * len(columns)}"
    for row in rows:
        yield f"| {' | '.join(escape(show(cell)) for cell in row)} |"
    yield ""
