"""Answers about coverage: of the project, of its files, and what has no test."""

from collections import Counter
from typing import TYPE_CHECKING, Any

from drift.kernel.answer import Answer
from drift.kernel.text import plural
from drift.registry import Call, Page
from drift.tools.targets import require_file
from drift.tools.testing_measures import (
    MOST_EVIDENCE,
    blind_warnings,
    mean_of,
    measure_project,
    page_of,
    report_warnings,
    source_row,
    texts_of,
    unlinked_warnings,
)
from drift.tools.testing_rows import (
    CoveredRow,
    CoveringRow,
    FileRow,
    FrameworkRow,
    TestingStatus,
    TestTopologyData,
    UncoveredRow,
)

if TYPE_CHECKING:
    from drift.analyses.testing.coverage import FunctionCoverage, ProjectCoverage
    from drift.analyses.testing.suites import Suites
    from drift.index import IndexReader
    from drift.index.ids import SymbolId


def answer_status(call: Call, reader: "IndexReader") -> Answer[TestTopologyData]:
    from drift.analyses.testing.case_frameworks import CaseFrameworks  # these bring the index
    from drift.analyses.testing.coverage import by_file, percent
    from drift.analyses.testing.frameworks import frameworks_in
    from drift.analyses.testing.mocks import find_mocks
    from drift.analyses.testing.quality import measure_quality

    suites, reports, coverage = measure_project(call, reader)
    uses = frameworks_in(reader, call.project.root)
    names = CaseFrameworks(reader, uses)
    counts = Counter((names.name(case), case.language) for case in suites.cases.values())
    call.check_cancelled()
    read = texts_of(call)
    mocks = find_mocks(reader, suites, suites.files, read)
    quality = measure_quality(reader, suites, suites.cases.values(), mocks=mocks, read=read)
    ratios = [one.mock_ratio for one in quality if one.mock_ratio is not None]
    covered = [row for row in coverage.functions if row.is_covered]
    product = by_file(coverage.functions)
    covered_files = len(by_file(covered))
    status = TestingStatus(
        test_files=len({case.file_id for case in suites.cases.values()}),
        test_cases=len(suites.cases) + suites.unlinked,
        functions=len(coverage.functions),
        covered_functions=len(covered),
        function_coverage_percent=percent(len(covered), len(coverage.functions)),
        files=len(product),
        covered_files=covered_files,
        coverage_percent=percent(covered_files, len(product)),
        average_quality=mean_of([one.score for one in quality]),
        average_mock_ratio=mean_of(ratios),
        without_assertion=sum(not one.assertions and not one.helper_assertions for one in quality),
        frameworks=tuple(
            FrameworkRow(
                use.framework,
                use.language,
                counts.get((use.framework, use.language), 0),
                f"{use.evidence[0].file}:{use.evidence[0].line} {use.evidence[0].reason}",
                use.confidence,
            )
            for use in uses
        ),
        coverage=source_row(coverage),
    )
    return Answer(
        f"{plural(status.test_cases, 'test')} in {plural(status.test_files, 'file')}; "
        f"{status.covered_functions:,} of {plural(status.functions, 'function')} are run by tests "
        f"({status.coverage.reason})",
        TestTopologyData(status=status),
        next=(
            call.suggest("drift_test_topology", "what is riskiest without a test", action="uncovered"),
            call.suggest("drift_test_topology", "the tests for what you changed", action="affected"),
        ),
        warnings=(*report_warnings(reports, coverage), *unlinked_warnings(suites), *blind_warnings(reader)),
    )


def answer_coverage(
    call: Call, reader: "IndexReader", file: str | None, page: Page
) -> Answer[TestTopologyData]:
    from drift.analyses.testing.coverage import by_file, percent  # brings the index

    suites, reports, coverage = measure_project(call, reader)
    warnings = (*report_warnings(reports, coverage), *blind_warnings(reader))
    if file is not None:
        return _file_coverage(call, reader, file, page, suites=suites, coverage=coverage, warnings=warnings)
    rows = [
        FileRow(
            path,
            sum(one.is_covered for one in found),
            len(found),
            percent(sum(one.is_covered for one in found), len(found)),
            found[0].source,
        )
        for path, found in by_file(coverage.functions).items()
    ]
    rows.sort(key=lambda row: (row.percent or 0, -row.functions, row.file))
    shown, pagination = page_of(call, page, rows)
    covered = sum(row.covered > 0 for row in rows)
    return Answer(
        f"{covered:,} of {plural(len(rows), 'file')} have a function that a test runs; least covered first",
        TestTopologyData(files=tuple(shown)),
        pagination=pagination,
        next=tuple(
            call.suggest(
                "drift_test_topology", "which functions, and by which tests", action="coverage", file=row.file
            )
            for row in shown[:1]
        ),
        warnings=warnings,
    )


def _file_coverage(
    call: Call, reader: "IndexReader", file: str, page: Page, *, suites: "Suites", coverage: "ProjectCoverage",
    warnings: tuple[str, ...],
) -> Answer[TestTopologyData]:  # fmt: skip
    from drift.analyses.testing.affected import reach_functions, split_mocked
    from drift.analyses.testing.mocks import find_mocks
    from drift.index.ids import SymbolId

    record = require_file(reader, file)
    rows = [row for row in coverage.functions if row.function.path == record.path]
    ids = [SymbolId(row.function.id) for row in rows]
    reaching, _ = reach_functions(reader, suites, ids)
    cases = {case for found in reaching.values() for case in found}
    mocks = find_mocks(reader, suites, {suites.cases[each].file_id for each in cases}, texts_of(call))
    kept, mocked = split_mocked(reaching, suites, mocks)
    names = {SymbolId(row.function.id): row.function.qualname for row in rows}
    functions = tuple(_covered_row(row, kept.get(SymbolId(row.function.id), {})) for row in rows)
    covering = _covering_rows(suites, reaching, mocked, names)
    shown, pagination = page_of(call, page, covering)
    covered = sum(row.covered for row in functions)
    return Answer(
        f"{covered} of {plural(len(functions), 'function')} of {record.path} are run by {plural(len(cases), 'test')}",
        TestTopologyData(functions=functions[: page.limit], covering=tuple(shown)),
        pagination=pagination,
        next=(
            call.suggest("drift_test_topology", "what has no test", action="uncovered", file=record.path),
            call.suggest(
                "drift_test_topology", "the fewest of these tests", action="affected", files=[record.path]
            ),
        ),
        warnings=warnings,
    )


def _covered_row(row: "FunctionCoverage", cases: "dict[SymbolId, Any]") -> CoveredRow:
    one = row.function
    if row.line_rate is not None:
        return CoveredRow(
            one.qualname, one.line, row.is_covered, row.source, row.confidence, len(cases), row.line_rate
        )
    best = max((reach.confidence for reach in cases.values()), default=0.0)
    return CoveredRow(one.qualname, one.line, bool(cases), row.source, best, len(cases))


def _covering_rows(
    suites: "Suites",
    reaching: "dict[SymbolId, dict[SymbolId, Any]]",
    mocked: "set[tuple[SymbolId, SymbolId]]",
    names: "dict[SymbolId, str]",
) -> list[CoveringRow]:
    by_case: dict[SymbolId, list[SymbolId]] = {}
    for function, cases in reaching.items():
        for case in cases:
            by_case.setdefault(case, []).append(function)
    rows = []
    for number, functions in by_case.items():
        one = suites.cases[number]
        real = [each for each in functions if (number, each) not in mocked]
        nearest = min(
            (reaching[each][number] for each in real or functions),
            key=lambda reach: (reach.depth, -reach.confidence),
        )
        rows.append(
            CoveringRow(
                one.title,
                one.path,
                one.line,
                nearest.kind if real else "mocked",
                nearest.depth,
                nearest.confidence if real else 0.0,
                tuple(names[each] for each in (real or functions)[:MOST_EVIDENCE]),
            )
        )
    return sorted(rows, key=lambda row: (-row.confidence, row.file, row.line))


def answer_uncovered(
    call: Call, reader: "IndexReader", file: str | None, *, min_risk: int, page: Page
) -> Answer[TestTopologyData]:
    from drift.analyses.testing.uncovered import find_uncovered  # brings the index

    _, reports, coverage = measure_project(call, reader)
    path = require_file(reader, file).path if file is not None else None
    rows = [row for row in coverage.functions if path is None or row.function.path == path]
    found = [one for one in find_uncovered(reader, rows) if one.risk >= min_risk]
    shown, pagination = page_of(call, page, found)
    listed = tuple(
        UncoveredRow(
            one.function.qualname,
            one.function.path,
            one.function.line,
            one.risk,
            one.source,
            one.reasons,
            one.may_be_fine,
        )
        for one in shown
    )
    where = f" of {path}" if path else ""
    return Answer(
        f"{len(found):,} of {plural(len(rows), 'function')}{where} are run by no test that is seen; riskiest first",
        TestTopologyData(uncovered=listed),
        pagination=pagination,
        next=tuple(
            call.suggest("drift_callers", "who relies on the riskiest", symbol=f"{one.file}:{one.line}")
            for one in listed[:1]
        ),
        warnings=(*report_warnings(reports, coverage), *blind_warnings(reader)),
    )
