"""Tools that check: stored hashes, gates over the whole catalog, and a prompt before it is used."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Literal

from drift.catalog import evaluate_gates, review_prompt
from drift.catalog.times import format_time
from drift.kernel.answer import Answer
from drift.kernel.text import plural
from drift.registry import Call, Length
from drift.tools.catalogs.access import catalog_of, catalog_tool
from drift.tools.catalogs.rows import ProblemRow, problem_rows

Severity = Literal["error", "warning", "info"]

_LONGEST_PROMPT = 100_000  # longer than is taken, so that the refusal can say how long it may be


@dataclass(frozen=True, slots=True)
class HashRow:
    """A file that claims another hash (`expected`) than its body has (`actual`)."""

    id: str
    expected: str
    actual: str


@dataclass(frozen=True, slots=True)
class VerifyData:
    """What is wrong with stored hashes, and which files are no instructions."""

    hash: str
    count: int
    issues: tuple[HashRow, ...]
    issue_count: int
    problems: tuple[ProblemRow, ...] | None = None


@dataclass(frozen=True, slots=True)
class GateRow:
    """Whether a gate holds; a joined gate has no count and no value of its own."""

    id: str
    passed: bool
    count: int | None
    op: str
    value: float | None
    severity: Severity
    description: str | None = None


@dataclass(frozen=True, slots=True)
class GateSummary:
    """Gates that do not hold."""

    errors: int
    warnings: int
    total: int


@dataclass(frozen=True, slots=True)
class GatesData:
    """Every gate of gates.json."""

    generated_at: str
    results: tuple[GateRow, ...]
    summary: GateSummary


@dataclass(frozen=True, slots=True)
class IssueRow:
    """One thing to look at in a prompt, and what to do about it."""

    rule: str
    category: str
    severity: Severity
    message: str
    remediation: str
    line: int
    excerpt: str | None = None


@dataclass(frozen=True, slots=True)
class ReviewSummary:
    """Issues by severity."""

    counts: Mapping[str, int]
    highest_severity: Severity | None = None
    is_cut: bool | None = None


@dataclass(frozen=True, slots=True)
class ReviewData:
    """What a review found."""

    issues: tuple[IssueRow, ...]
    summary: ReviewSummary


@catalog_tool(title="Verify stored hashes", tokens=(50, 1000), method="integrity/verify")
def integrity_verify(call: Call) -> Answer[VerifyData]:
    """Files whose stored hash does not fit their body, and files that are broken."""
    catalog = catalog_of(call)
    found = catalog.verify()
    rows = tuple(HashRow(each.id, each.expected, each.actual) for each in found.issues)
    problems = problem_rows(catalog.problems()) or None
    return Answer(
        f"{plural(found.count, 'instruction')} checked, {plural(len(rows), 'issue')}",
        VerifyData(found.hash, found.count, rows, len(rows), problems),
    )


@catalog_tool(title="Evaluate gates", tokens=(50, 1000), method="gates/evaluate")
def gates_evaluate(call: Call) -> Answer[GatesData]:
    """Whether the catalog is as its gates.json asks."""
    catalog = catalog_of(call)
    now = format_time(datetime.now(UTC))
    report = evaluate_gates(catalog.directory, catalog.export(), now=now)
    rows = tuple(
        GateRow(each.id, each.passed, each.count, each.op, each.value, each.severity, each.description)
        for each in report.results
    )
    failed = sum(not row.passed for row in rows)
    return Answer(
        f"{plural(len(rows), 'gate')}, {failed} failed" if rows else "There are no gates",
        GatesData(now, rows, GateSummary(report.errors, report.warnings, report.total)),
    )


@catalog_tool(
    title="Review a prompt",
    tokens=(50, 2000),
    method="prompt/review",
    examples=({"prompt": "Always run the tests before you commit."},),
)
def prompt_review(
    call: Call,  # noqa: ARG001 - every tool's first argument
    prompt: Annotated[str, Length(_LONGEST_PROMPT), "At most 10 KB"],
) -> Answer[ReviewData]:
    """Secrets, unsafe demands, injections and vagueness in a prompt, each with a remedy."""
    found = review_prompt(prompt)
    rows = tuple(
        IssueRow(
            each.rule, each.category, each.severity, each.message, each.remediation, each.line, each.excerpt
        )
        for each in found.issues
    )
    summary = ReviewSummary(found.counts, found.highest_severity, found.is_cut or None)
    return Answer(f"{plural(sum(found.counts.values()), 'issue')}", ReviewData(rows, summary))
