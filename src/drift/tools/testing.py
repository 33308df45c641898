"""Tests and what they test: coverage, gaps, tests for a change, mocks and quality."""

from collections import Counter
from typing import Annotated, Literal

from drift.analyses.targets import require_file
from drift.analyses.testing.mocks import find_mocks
from drift.analyses.testing.quality import HIGH_MOCK_RATIO, Quality, measure_project_quality, measure_quality
from drift.analyses.testing.suites import suites_of
from drift.index import IndexReader, Layer
from drift.kernel.answer import Answer
from drift.kernel.text import plural
from drift.registry import Call, Page, Range, Tier, tool
from drift.registry.indexes import opened_index
from drift.tools.testing_affected import answer_affected
from drift.tools.testing_coverage import answer_coverage, answer_status, answer_uncovered
from drift.tools.testing_measures import MOST_LEFT, SORTS, mean_of, page_of, texts_of
from drift.tools.testing_rows import MockCounts, MockRow, QualityRow, TestTopologyData

Action = Literal["status", "coverage", "uncovered", "affected", "mocks", "quality"]


@tool(
    category="analysis",
    title="Test topology",
    tokens=(300, 2500),
    tier=Tier.EXPENSIVE,
    # What a change touches is asked right after it, and an old answer would be about another change.
    serves_old=lambda arguments: arguments.get("action") != "affected",
    needs=Layer.CALLS,
    examples=(
        {"action": "status"},
        {"action": "coverage", "file": "shop/pricing.py"},
        {"action": "affected"},
        {"action": "affected", "files": ["shop/pricing.py"]},
        {"action": "uncovered", "minRisk": 60},
    ),
)
def drift_test_topology(
    call: Call,
    action: Action = "status",
    file: Annotated[
        str | None, "Only this file: of the product for coverage and uncovered, of tests for the others"
    ] = None,
    files: Annotated[
        tuple[str, ...] | None, "For affected: changed files or symbols; without, the git diff"
    ] = None,
    base: Annotated[str, "For affected: commit or branch to compare with"] = "HEAD",
    min_risk: Annotated[int, Range(0, 100), "For uncovered"] = 0,
    *,
    all_tests: Annotated[bool, "For affected: every reaching test, not the fewest"] = False,
    page: Page = Page(limit=20, sorts=SORTS),
) -> Answer[TestTopologyData]:
    """Which tests to run for a change (affected), what no test covers by risk, coverage of a file, mocks, quality."""
    with opened_index(call) as reader:
        match action:
            case "status":
                return answer_status(call, reader)
            case "coverage":
                return answer_coverage(call, reader, file, page)
            case "uncovered":
                return answer_uncovered(call, reader, file, min_risk=min_risk, page=page)
            case "affected":
                wanted = files if files is not None else (file,) if file else None
                return answer_affected(call, reader, wanted, base=base, all_tests=all_tests, page=page)
            case "mocks":
                return answer_mocks(call, reader, file, page)
            case "quality":
                return answer_quality(call, reader, file, page)


def answer_mocks(call: Call, reader: IndexReader, file: str | None, page: Page) -> Answer[TestTopologyData]:
    suites = suites_of(reader)
    files = {require_file(reader, file).id} if file is not None else suites.files
    found = find_mocks(reader, suites, files, texts_of(call))
    shown, pagination = page_of(call, page, found, place=lambda one: (one.path, one.line))
    inside = sum(one.is_external is False for one in found)
    outside = sum(one.is_external is True for one in found)
    doubles = sum(one.is_double for one in found)
    most = Counter(one.target for one in found if one.target).most_common(MOST_LEFT)
    unknown = len(found) - inside - outside - doubles
    rows = tuple(
        MockRow(
            one.target,
            one.kind,
            one.call,
            one.path,
            one.line,
            one.is_external,
            one.has_implementation,
            one.returns_value,
        )
        for one in shown
    )
    return Answer(
        f"{plural(len(found), 'mock')} in {plural(len({one.path for one in found}), 'file')}: "
        f"{inside} of the project's own code, {outside} external, {doubles} free-standing, {unknown} unknown",
        TestTopologyData(
            mocks=rows, mock_counts=MockCounts(len(found), inside, outside, doubles, unknown, dict(most))
        ),
        pagination=pagination,
    )


def answer_quality(call: Call, reader: IndexReader, file: str | None, page: Page) -> Answer[TestTopologyData]:
    found = sorted(_quality_of(call, reader, file), key=lambda one: (one.score, one.case.path, one.case.line))
    shown, pagination = page_of(call, page, found, place=lambda one: (one.case.path, one.case.line))
    rows = tuple(
        QualityRow(
            one.case.title, one.case.path, one.case.line, one.score, one.assertions, one.helper_assertions,
            one.tries_errors, one.tries_edges, one.mock_ratio, one.setup_ratio,
        )
        for one in shown
    )  # fmt: skip
    silent = sum(not one.assertions and not one.helper_assertions for one in found)
    heavy = sum((one.mock_ratio or 0) > HIGH_MOCK_RATIO for one in found)
    mean = mean_of([one.score for one in found])
    return Answer(
        f"{plural(len(found), 'test')}, average score {mean if mean is not None else 'unknown'}; "
        f"{silent} without an assertion, {heavy} mostly mocks; weakest first",
        TestTopologyData(quality=rows),
        pagination=pagination,
    )


def _quality_of(call: Call, reader: IndexReader, file: str | None) -> tuple[Quality, ...]:
    suites, read = suites_of(reader), texts_of(call)
    if file is None:
        return measure_project_quality(reader, suites, read)
    record = require_file(reader, file)
    suites.read(reader, (record.id,))
    cases = suites.of_file(record.id)
    return measure_quality(
        reader, suites, cases, mocks=find_mocks(reader, suites, (record.id,), read), read=read
    )
