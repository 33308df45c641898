"""Scanning: bring the index up to date on request."""

from typing import Annotated

from drift.kernel.answer import Answer
from drift.kernel.text import plural
from drift.registry import Call, Effect, Tier, tool
from drift.scan import ScanOptions, scan
from drift.scan.record import kept_choices
from drift.scan.report import ScanReport

_MODES = {"full": "Scanned", "update": "Updated", "none": "Nothing had changed in"}


@tool(
    category="setup",
    title="Scan the project",
    tokens=(150, 400),
    tier=Tier.EXPENSIVE,
    effect=Effect.WRITES,
    is_long=True,
    examples=({}, {"force": True}),
)
def drift_scan(call: Call, force: Annotated[bool, "Read everything anew"] = False) -> Answer[ScanReport]:
    """Read changed files into the index: symbols, imports, who calls whom."""
    report = scan(
        call.project.root,
        ScanOptions.chosen(call.project.config.scan, kept_choices(call.project.state), is_forced=force),
        progress=lambda phase, done, total: call.progress(done, total, phase),
    )
    found = f"{plural(report.files, 'file')}, {plural(report.symbols, 'symbol')}, {plural(sum(report.calls.values()), 'call')}"
    return Answer(
        f"{_MODES[report.mode]} {call.project.name}: {found}",
        report,
        next=(call.suggest("drift_status", "see what the index holds"),),
        warnings=tuple(f"{each.path}: {each.reason}" for each in (*report.failures, *report.cut)[:5]),
    )
