"""Findings as rows of an answer, chosen and ranked."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final, Literal

from drift.flow.finding import Flows
from drift.flow.findings import Finding
from drift.flow.reading import form_name
from drift.kernel.errors import invalid
from drift.kernel.ranking import Ranked, Sort
from drift.kernel.text import plural
from drift.languages.table import language_of
from drift.libraries import kinds

Severity = Literal["critical", "high", "medium", "low"]
Sureness = Literal["high", "medium", "low"]
_SEVERITIES: Final = ("critical", "high", "medium", "low")
_LEVELS: Final = ("high", "medium", "low")
_MOST_SANITIZERS: Final = 5


@dataclass(frozen=True, slots=True)
class StepRow:
    """A place data comes by."""

    path: str
    line: int
    what: str


@dataclass(frozen=True, slots=True)
class FlowRow:
    """A weakness, the way data takes to it, and why it may be none."""

    id: str
    kind: str
    cwe: str
    owasp: str
    severity: str
    confidence: str
    path: str
    line: int
    function: str
    sink: str
    source: str | None
    steps: tuple[StepRow, ...]
    sanitizers_looked_for: tuple[str, ...]
    may_be_wrong: tuple[str, ...]
    remedy: str


@dataclass(frozen=True, slots=True)
class FlowsData:
    """Findings, the worst first, and how many there are of each kind."""

    findings: tuple[FlowRow, ...]
    by_kind: dict[str, int]
    functions_followed: int


FLOW_SORTS: Final[dict[str, Sort[FlowRow]]] = {
    "severity": Sort(
        lambda row: (
            _SEVERITIES.index(row.severity),
            _LEVELS.index(row.confidence),
            row.path,
            row.line,
            row.kind,
            row.id,
        )
    ),
    "file": Sort(lambda row: (row.path, row.line, row.kind, row.id)),
    "confidence": Sort(lambda row: (_LEVELS.index(row.confidence), row.path, row.line, row.kind, row.id)),
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which findings are asked for; None asks for all."""

    path: str | None = None
    entry: str | None = None
    kind: str | None = None
    severity: Severity | None = None
    min_confidence: Sureness = "medium"


@dataclass(frozen=True, slots=True)
class FlowList:
    """All rows that are asked for."""

    rows: tuple[FlowRow, ...]
    less_sure: int
    flows: Flows

    @property
    def summary(self) -> str:
        counted = Counter(row.kind for row in self.rows)
        told = ", ".join(f"{count} {kind}" for kind, count in counted.most_common(6))
        rest = f"; {self.less_sure} less sure" if self.less_sure else ""
        return f"{plural(len(self.rows), 'finding')}{f': {told}' if told else ''}{rest}"

    @property
    def warnings(self) -> tuple[str, ...]:
        return self.flows.problems

    def ranked(self) -> Ranked[FlowRow]:
        return Ranked(self.rows, FLOW_SORTS)

    def data(self, shown: tuple[FlowRow, ...]) -> FlowsData:
        return FlowsData(shown, dict(Counter(row.kind for row in self.rows)), self.flows.functions)


def list_flows(flows: Flows, wanted: Wanted) -> FlowList:
    """The findings that are asked for."""
    if wanted.kind is not None and wanted.kind not in kinds():
        raise invalid("kind", f"{wanted.kind!r} is none of {', '.join(kinds())}")
    chosen = [each for each in flows.findings if _is_wanted(flows, each, wanted)]
    levels = _LEVELS[: _LEVELS.index(wanted.min_confidence) + 1]
    ids = lasting_ids(flows)
    rows = tuple(flow_row(flows, each, ids[each]) for each in chosen if each.confidence in levels)
    return FlowList(rows, len(chosen) - len(rows), flows)


def _is_wanted(flows: Flows, finding: Finding, wanted: Wanted) -> bool:
    if wanted.kind is not None and finding.kind.name != wanted.kind:
        return False
    if wanted.severity is not None and _SEVERITIES.index(finding.severity) > _SEVERITIES.index(
        wanted.severity
    ):
        return False
    if wanted.path is not None and not any(
        flows.paths[each.file].startswith(wanted.path) for each in finding.path
    ):
        return False
    if wanted.entry is None:
        return True
    names = (flows.names.get(finding.entry, ""), flows.names.get(finding.function, ""))
    return any(name == wanted.entry or name.endswith(f".{wanted.entry}") for name in names)


def lasting_ids(flows: Flows) -> dict[Finding, str]:
    """The id of each finding; those alike in one function are counted in their order."""
    counted: Counter[str] = Counter()
    found: dict[Finding, str] = {}
    for finding in flows.findings:
        key = finding.key(flows.paths[finding.file], flows.names.get(finding.function, ""))
        counted[key] += 1
        found[finding] = key if counted[key] == 1 else f"{key}-{counted[key]}"
    return found


def flow_row(flows: Flows, finding: Finding, lasting_id: str) -> FlowRow:
    """A finding as it is told."""
    path = flows.paths[finding.file]
    function = flows.names.get(finding.function, "")
    language = form_name(language_of(path.rpartition("/")[2]) or "")
    looked_for = flows.sanitizers.get((language, finding.kind.name), ()) if finding.source else ()
    return FlowRow(
        id=lasting_id,
        kind=finding.kind.name,
        cwe=f"CWE-{finding.kind.cwe}",
        owasp=finding.kind.owasp,
        severity=finding.severity,
        confidence=finding.confidence,
        path=path,
        line=finding.line,
        function=function,
        sink=finding.name,
        source=finding.source or None,
        steps=tuple(StepRow(flows.paths[each.file], each.line, each.what) for each in finding.path),
        sanitizers_looked_for=looked_for[:_MOST_SANITIZERS],
        may_be_wrong=finding.reasons,
        remedy=finding.kind.remedy,
    )
