"""Flows: data that others choose gets to no place where it does harm.

What it does: follows data from requests to queries, shells, files, pages and addresses (`flow`), and tells the ways that touch
new lines; of a whole project, all of them.
Why it matters: one such way is enough.
Known limits: those of the engine, which each finding names.
"""

from typing import Final, Literal

from drift.flow import FlowRow, Wanted, find_flows, list_flows
from drift.guards.gating.form import Found, Settings, Subject, new_ones
from drift.kernel.text import plural, shorten
from drift.libraries import kinds
from drift.quality import Finding, Rule, Severity, finding

FLOWS: Final = "security-flows"
SETTINGS: Final[Settings] = {"min_confidence": "high"}
_SEVERITIES: Final[dict[str, Severity]] = {
    "critical": "error",
    "high": "error",
    "medium": "warning",
    "low": "info",
}
_LEVELS: Final[dict[str, Literal["high", "medium", "low"]]] = {
    "high": "high",
    "medium": "medium",
    "low": "low",
}
_MOST_SHOWN: Final = 80
_MOST_WAY: Final = 400


def check_flows(subject: Subject, settings: Settings) -> Found:
    """The gate: fails where a grave weakness is new; the rest is told."""
    level = _LEVELS.get(str(settings["min_confidence"]), "high")
    flows = find_flows(subject.reader, subject.project.root, subject.project.state)
    rows = [row for row in list_flows(flows, Wanted(min_confidence=level)).rows if _is_touched(subject, row)]
    told = subject.told(map(flow_finding, rows))
    new = new_ones(told)
    failing = [each for each in new if each.severity == "error"]
    rules = tuple(flow_rule(name) for name in dict.fromkeys(row.kind for row in rows))
    message = f"{plural(len(new), 'weakness', 'weaknesses')} in {plural(flows.functions, 'function')}"
    return Found(not failing, message, told, {"functions": flows.functions}, rules)


def _is_touched(subject: Subject, row: FlowRow) -> bool:
    places = [(row.path, row.line), *((each.path, each.line) for each in row.steps)]
    return any(subject.is_wanted(path, line) for path, line in places)


def flow_finding(row: FlowRow) -> Finding:
    """A weakness as a finding; the way stands in its evidence."""
    source = f"{shorten(row.source, _MOST_SHOWN)} gets to " if row.source else ""
    way = " -> ".join(f"{each.path}:{each.line}" for each in row.steps)
    return finding(
        f"flow/{row.kind}",
        f"{source}{shorten(row.sink, _MOST_SHOWN)}: {kinds()[row.kind].title} ({row.cwe}, {row.confidence} confidence)",
        file=row.path,
        lines=(row.line, row.line),
        symbol=row.function or None,
        snippet=f"{row.sink} {row.source or ''}",
        severity=_SEVERITIES.get(row.severity, "warning"),
        evidence={
            "cwe": row.cwe,
            "owasp": row.owasp,
            "confidence": row.confidence,
            "way": shorten(way, _MOST_WAY),
        },
        suggestion=row.remedy,
    )


def flow_rule(name: str) -> Rule:
    """A kind of weakness as a rule."""
    kind = kinds()[name]
    severity = _SEVERITIES.get(kind.severity, "warning")
    return Rule(f"flow/{name}", severity, kind.title, f"CWE-{kind.cwe}, {kind.owasp}.", kind.remedy)
