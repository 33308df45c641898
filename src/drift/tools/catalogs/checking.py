"""Tools that check: stored hashes, gates over the whole catalog, and a prompt before it is used."""

from datetime import UTC, datetime
from typing import Annotated

from drift.catalog import evaluate_gates, review_prompt
from drift.catalog.gates import GatesData, GateSummary
from drift.catalog.prompt_review import ReviewData, ReviewSummary
from drift.catalog.rows import VerifyData, problem_rows
from drift.catalog.times import format_time
from drift.kernel.answer import Answer
from drift.kernel.text import plural
from drift.registry import Call, Length
from drift.tools.catalogs.access import catalog_of, catalog_tool

_LONGEST_PROMPT = 100_000  # longer than is taken, so that the refusal can say how long it may be


@catalog_tool(title="Verify stored hashes", tokens=(50, 1000), method="integrity/verify")
def integrity_verify(call: Call) -> Answer[VerifyData]:
    """Files whose stored hash does not fit their body, and files that are broken."""
    catalog = catalog_of(call)
    found = catalog.verify()
    problems = problem_rows(catalog.problems()) or None
    return Answer(
        f"{plural(found.count, 'instruction')} checked, {plural(len(found.issues), 'issue')}",
        VerifyData(found.hash, found.count, found.issues, len(found.issues), problems),
    )


@catalog_tool(title="Evaluate gates", tokens=(50, 1000), method="gates/evaluate")
def gates_evaluate(call: Call) -> Answer[GatesData]:
    """Whether the catalog is as its gates.json asks."""
    catalog = catalog_of(call)
    now = format_time(datetime.now(UTC))
    report = evaluate_gates(catalog.directory, catalog.export(), now=now)
    rows = report.results
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
    summary = ReviewSummary(found.counts, found.highest_severity, found.is_cut or None)
    return Answer(f"{plural(sum(found.counts.values()), 'issue')}", ReviewData(found.issues, summary))
