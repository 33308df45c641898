"""Reports of findings and measures in the forms people and programs read: text, Markdown, CSV, JSON, SARIF, JUnit."""

from drift.quality.reporters.report import (
    Cell,
    CheckOutcome,
    CheckStatus,
    Format,
    Report,
    Table,
    is_document,
)
from drift.quality.reporters.writing import write_report, write_within

__all__ = [
    "Cell",
    "CheckOutcome",
    "CheckStatus",
    "Format",
    "Report",
    "Table",
    "is_document",
    "write_report",
    "write_within",
]
