"""Reports as text for a terminal: figures and the first findings, or all of it."""

from collections.abc import Iterator, Sequence
from typing import Final

from drift.kernel.text import plural
from drift.quality.reporters.report import Cell, Report, Table

_MOST_IN_SUMMARY: Final = 10


def write_summary(report: Report) -> str:
    """Figures, checks, and the gravest findings or the first rows."""
    return _write(report, most=_MOST_IN_SUMMARY)


def write_detailed(report: Report) -> str:
    """All that the report has."""
    return _write(report, most=None)


def show(cell: Cell) -> str:
    """A cell as people read it."""
    if cell is None:
        return "not measured"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return f"{cell:,.2f}".rstrip("0").rstrip(".")
    return f"{cell:,}" if isinstance(cell, int) else one_line(cell)


def one_line(text: str) -> str:
    """A text that may come from a repository, on one line and without characters that steer a terminal."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def _write(report: Report, *, most: int | None) -> str:
    return "\n".join([report.summary, *_lines(report, most=most), ""])


def _lines(report: Report, *, most: int | None) -> Iterator[str]:
    yield from (f"  {name}: {show(cell)}" for name, cell in report.figures)
    yield from (f"  {one.check}: {one.status}, {one_line(one.message)}" for one in report.checks)
    new = [one for one in report.findings if one.baseline != "unchanged"]
    for one in new[:most]:
        yield f"{one_line(one.file)}:{one.line}: {one.severity} {one.rule} {one_line(one.message)} [{one.id}]"
    yield from _rest(new, most, "finding")
    if most is None or not new:
        for table in report.tables:
            yield from _table(table, most=most)
    yield from (f"note: {one_line(note)}" for note in report.notes)


def _table(table: Table, *, most: int | None) -> Iterator[str]:
    if not table.rows:
        return
    yield f"{table.title}:"
    rows = [table.columns, *(tuple(map(show, row)) for row in table.rows[:most])]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield f"  {'  '.join(cells)}".rstrip()
    yield from _rest(table.rows, most, "row")


def _rest(rows: Sequence[object], most: int | None, noun: str) -> Iterator[str]:
    if most is not None and len(rows) > most:
        yield f"  and {plural(len(rows) - most, f'more {noun}')}"
