"""All analyses of a scope in one: their findings together, the files where most of them meet, what each part cost.

What it does: runs the parts that are wanted one after another, each from the index, and ranks files by their findings.
Why it matters: one answer tells where to begin.
Example: a file with two errors of complexity, a clone and three debt comments stands before one with five notes.
Known limits: parts measure what their own answers tell; a part that fails is told as such and counts for nothing.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.text import plural
from drift.quality.complexity import Limits, complexity_findings, measure
from drift.quality.debt import debt_findings as gradient_findings
from drift.quality.debt import measure_debt
from drift.quality.defect_probability import find_defects
from drift.quality.duplicate_report import duplicates_report
from drift.quality.duplicates import DEFAULT_MIN_LINES, Options, find_duplicates
from drift.quality.findings import Finding, count_severities, in_order
from drift.quality.reporters import Report, Table
from drift.quality.satd import debt_findings, find_debt
from drift.quality.unused import find_unused, unused_findings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from drift.quality.gate import Subject

_WEIGHTS: Final = {"error": 10, "warning": 5, "info": 1}


class Wanted(NamedTuple):
    """The parts that are run, and the least confidence and length of what they tell."""

    parts: frozenset[str]
    confidence: float = 0.5
    min_lines: int = 10


@dataclass(frozen=True, slots=True)
class PartRow:
    """A part: how many findings it has and how long it took; null and a reason where it could not be run."""

    part: str
    findings: int | None
    reason: str | None = None
    elapsed_ms: float | None = None


@dataclass(frozen=True, slots=True)
class FileFindings:
    """A file, its findings by rule, and their weight: ten for an error, five for a warning, one for a note."""

    file: str
    weight: int
    findings: int
    rules: dict[str, int]


@dataclass(frozen=True, slots=True)
class ComprehensiveData:
    """Findings of all parts, and the files with the heaviest of them."""

    total: int
    by_severity: dict[str, int]
    by_rule: dict[str, int]
    density_per_1000_lines: float | None
    parts: tuple[PartRow, ...]
    hotspots: tuple[FileFindings, ...]
    findings: tuple[Finding, ...] | None = None
    document: str | None = None


class Comprehensive(NamedTuple):
    """What all parts found."""

    findings: tuple[Finding, ...]
    parts: tuple[PartRow, ...]
    code_lines: int

    @property
    def summary(self) -> str:
        files = len({one.file for one in self.findings})
        missed = [one.part for one in self.parts if one.findings is None]
        told = f"; not run: {', '.join(missed)}" if missed else ""
        return f"{plural(len(self.findings), 'finding')} in {plural(files, 'file')} by {plural(len(self.parts), 'analysis', 'analyses')}{told}"


def _complexity(subject: Subject, _wanted: Wanted) -> Sequence[Finding]:
    return complexity_findings(measure(subject.reader, subject.scope).functions, Limits())


def _duplicates(subject: Subject, wanted: Wanted) -> Sequence[Finding]:
    # The usual search serves longer clones as well, and other parts have made it or are going to.
    options = Options(min_lines=min(wanted.min_lines, DEFAULT_MIN_LINES))
    found = find_duplicates(
        subject.reader, subject.root, subject.scope, options, check=subject.check_cancelled
    )
    findings = duplicates_report(subject.reader, found).findings
    return [one for one in findings if one.end_line - one.line + 1 >= wanted.min_lines]


def _dead_code(subject: Subject, wanted: Wanted) -> Sequence[Finding]:
    found = find_unused(
        subject.reader, subject.root, subject.scope, min_level="low", check=subject.check_cancelled
    )
    return unused_findings([one for one in found if one.confidence >= wanted.confidence])


def _satd(subject: Subject, _wanted: Wanted) -> Sequence[Finding]:
    return debt_findings(find_debt(subject.reader, subject.root, subject.scope))


def _gradient(subject: Subject, _wanted: Wanted) -> Sequence[Finding]:
    debt = measure_debt(subject.reader, subject.root, subject.scope, check=subject.check_cancelled)
    return gradient_findings(debt.files)


def _defects(subject: Subject, wanted: Wanted) -> Sequence[Finding]:
    found = find_defects(
        subject.reader, subject.root, subject.scope, min_confidence=wanted.confidence, check=subject.check_cancelled
    )  # fmt: skip
    return found.report().findings


PARTS: Final[dict[str, Callable[[Subject, Wanted], Sequence[Finding]]]] = {
    "complexity": _complexity,
    "satd": _satd,
    "duplicates": _duplicates,
    "dead_code": _dead_code,
    "tdg": _gradient,
    "defects": _defects,
}


def analyze_all(
    subject: Subject, wanted: Wanted, *, progress: Callable[[int, int, str], None]
) -> Comprehensive:
    """Run the parts that are wanted. One that fails is told, and the others are run all the same."""
    findings: list[Finding] = []
    rows: list[PartRow] = []
    chosen = [name for name in PARTS if name in wanted.parts]
    for number, name in enumerate(chosen):
        progress(number, len(chosen), name)
        began = time.perf_counter()
        try:
            found: Sequence[Finding] | None = PARTS[name](subject, wanted)
            reason = None
        except DriftError as error:
            if error.code is ErrorCode.CANCELLED:
                raise
            found, reason = None, error.message
        elapsed = round(1000 * (time.perf_counter() - began), 1)
        rows.append(PartRow(name, None if found is None else len(found), reason, elapsed))
        findings += found or ()
    return Comprehensive(in_order(findings), tuple(rows), subject.scope.code_lines)


def file_hotspots(findings: Sequence[Finding]) -> list[FileFindings]:
    """Files by the weight of their findings."""
    by_file: dict[str, list[Finding]] = defaultdict(list)
    for one in findings:
        by_file[one.file].append(one)
    rows = [
        FileFindings(
            file, sum(_WEIGHTS[one.severity] for one in found), len(found), dict(Counter(one.rule for one in found))
        )
        for file, found in by_file.items()
    ]  # fmt: skip
    return sorted(rows, key=lambda row: (-row.weight, row.file))


def told_all(
    found: Comprehensive,
    *,
    subject: str,
    top_files: int,
    perf: bool,
    write: Callable[[Report], str] | None,
) -> Callable[[tuple[Finding, ...]], ComprehensiveData]:
    """How a page of findings is told."""
    hotspots = file_hotspots(found.findings)
    document = write(comprehensive_report(found, hotspots, subject=subject)) if write else None
    parts = found.parts if perf else tuple(replace(one, elapsed_ms=None) for one in found.parts)
    lines = found.code_lines
    counts: dict[str, int] = dict(count_severities(found.findings).items())
    return lambda shown: ComprehensiveData(
        len(found.findings),
        counts,
        dict(Counter(one.rule for one in found.findings).most_common()),
        round(1000 * len(found.findings) / lines, 2) if lines else None,
        parts,
        tuple(hotspots[:top_files]),
        shown or None,
        document,
    )


def comprehensive_report(found: Comprehensive, hotspots: Sequence[FileFindings], *, subject: str) -> Report:
    table = Table(
        "files", ("file", "weight", "findings"), tuple((one.file, one.weight, one.findings) for one in hotspots)
    )  # fmt: skip
    figures = tuple((f"{one.part} findings", one.findings) for one in found.parts)
    notes = tuple(f"{one.part}: {one.reason}" for one in found.parts if one.reason)
    return Report(
        "analyze_comprehensive", subject, found.summary, figures, (table,), found.findings, (), notes
    )
