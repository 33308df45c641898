"""A report in the wanted form, whole or as much of it as fits; what is left out is said in the report itself."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from drift.kernel.tokens import count_tokens
from drift.kernel.wire import to_wire
from drift.quality.reporters.annotations import write_annotations
from drift.quality.reporters.code_quality import code_quality
from drift.quality.reporters.junit import write_junit
from drift.quality.reporters.markdown import write_markdown
from drift.quality.reporters.plain_text import write_detailed, write_summary
from drift.quality.reporters.report import Format, Report
from drift.quality.reporters.sarif import sarif_log
from drift.quality.reporters.spreadsheet import write_csv


def _json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=2)
    # Half a surrogate pair, which a name may hold, is nothing that UTF-8 can say.
    return text.encode("utf-8", "replace").decode() + "\n"


def _as_data(report: Report) -> dict[str, Any]:
    """The report by names, each row of a table an object."""
    tables = {
        table.title: [dict(zip(table.columns, row, strict=True)) for row in table.rows]
        for table in report.tables
    }
    return {
        "tool": report.tool,
        "subject": report.subject,
        "summary": report.summary,
        "figures": dict(report.figures),
        "checks": to_wire(report.checks, is_snake=True),
        **tables,
        "findings": to_wire(report.findings, is_snake=True),
        "notes": list(report.notes),
    }


_WRITERS: Final[Mapping[Format, Callable[[Report], str]]] = {
    "summary": write_summary,
    "detailed": write_detailed,
    "json": lambda report: _json(_as_data(report)),
    "markdown": write_markdown,
    "csv": write_csv,
    "sarif": lambda report: _json(sarif_log(report)),
    "junit": write_junit,
    "github": write_annotations,
    "gitlab": lambda report: _json(code_quality(report)),
}


def write_report(report: Report, wanted: Format) -> str:
    """The whole report in a form."""
    return _WRITERS[wanted](report)


def write_within(report: Report, wanted: Format, max_tokens: int) -> str:
    """The report in a form, with as many of its gravest findings and first rows as these tokens hold."""
    text = write_report(report, wanted)
    tokens = count_tokens(text)
    share = 1.0
    while tokens > max_tokens and share > 1e-6:  # noqa: PLR2004 - nothing is left of a million rows then
        share *= min(0.9, 0.95 * max_tokens / tokens)
        text = write_report(_shortened(report, share), wanted)
        tokens = count_tokens(text)
    return text


def _shortened(report: Report, share: float) -> Report:
    findings = report.findings[: int(len(report.findings) * share)]
    tables = tuple(replace(table, rows=table.rows[: int(len(table.rows) * share)]) for table in report.tables)
    left_out = len(report.findings) - len(findings)
    rows = sum(len(table.rows) for table in report.tables) - sum(len(table.rows) for table in tables)
    note = f"left out for length: {left_out:,} findings, {rows:,} rows; maxTokens, or a narrower path, brings more"
    return replace(report, findings=findings, tables=tables, notes=(*report.notes, note))
