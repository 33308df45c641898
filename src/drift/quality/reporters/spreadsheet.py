"""Reports as CSV: the first table, else the findings, then the notes. No cell can start a formula in a spreadsheet."""

import csv
import io
from typing import Final

from drift.quality.reporters.plain_text import one_line
from drift.quality.reporters.report import Cell, Report, Table

_FORMULA_STARTS: Final = frozenset("=+-@\t\r")


def write_csv(report: Report) -> str:
    """A heading and a line for each row, as RFC 4180 has it but for line ends; notes are rows that begin with #."""
    table = report.tables[0] if report.tables else _findings(report)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows([_safe(cell) for cell in row] for row in table.rows)
    # A table that was cut must not pass for a whole one.
    writer.writerows([f"# {one_line(note)}", *[""] * (len(table.columns) - 1)] for note in report.notes)
    return text.getvalue()


def _findings(report: Report) -> Table:
    rows = tuple(
        (one.id, one.severity, one.rule, one.file, one.line, one.end_line, one.symbol, one.message)
        for one in report.findings
    )
    return Table(
        "findings", ("id", "severity", "rule", "file", "line", "end_line", "symbol", "message"), rows
    )


def _safe(cell: Cell) -> Cell:
    if isinstance(cell, str):
        clean = cell.replace("\0", " ")
        return f"'{clean}" if clean[:1] in _FORMULA_STARTS else clean
    return cell
