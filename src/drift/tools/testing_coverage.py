"""Answers about coverage: of the project, of its files, and what has no test."""

from collections import Counter
from collections.abc import Mapping, Sequence

from drift.analyses.targets import require_file
from drift.analyses.testing.case_frameworks import CaseFrameworks
from drift.analyses.testing.coverage import FunctionCoverage, by_file, cover_functions, percent
from drift.analyses.testing.file_reach import Covering, reach_file
from drift.analyses.testing.frameworks import frameworks_in
from drift.analyses.testing.quality import measure_project_quality
from drift.analyses.testing.report_files import find_reports
from drift.analyses.testing.suites import suites_of
from drift.analyses.testing.uncovered import Uncovered, find_uncovered
from drift.analyses.unseen_ways import UnseenWay, find_unseen_way
from drift.index import IndexReader, SymbolId
from drift.index.test_queries import FunctionRecord
from drift.kernel.answer import Answer
from drift.kernel.text import plural
from drift.registry import Call, Page
from drift.tools.testing_measures import (
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


def answer_status(call: Call, reader: IndexReader) -> Answer[TestTopologyData]:
    suites, reports, coverage = measure_project(call, reader)
    uses = frameworks_in(reader, call.project.root)
    names = CaseFrameworks(reader, uses, suites.cases.values())
    counts = Counter((names.name(case), case.language) for case in suites.cases.values())
    call.check_cancelled()
    quality = measure_project_quality(reader, suites, texts_of(call))
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
    call: Call, reader: IndexReader, file: str | None, page: Page
) -> Answer[TestTopologyData]:
    if file is not None:
        return _file_coverage(call, reader, file, page)
    _, reports, coverage = measure_project(call, reader)
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
    shown, pagination = page_of(call, page, rows, place=lambda row: (row.file, 0))
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
        warnings=(*report_warnings(reports, coverage), *blind_warnings(reader)),
    )


def _file_coverage(call: Call, reader: IndexReader, file: str, page: Page) -> Answer[TestTopologyData]:
    """By a walk back from the functions of the file, whatever else the project has."""
    record, reports = require_file(reader, file), find_reports(call.project.root)
    known = {one.id: one for one in reader.testing.functions_of(record.id)}
    reach = reach_file(reader, suites_of(reader), record.id, known, texts_of(call))
    coverage = cover_functions(reader, known.values(), reach.covered, reports.coverage)
    functions = tuple(_covered_row(row, reach.tests.get(row.function.id, 0)) for row in coverage.functions)
    found, pagination = page_of(call, page, reach.covering, place=lambda one: (one.case.path, one.case.line))
    shown = tuple(_covering_row(one, known) for one in found)
    covered = sum(row.covered for row in functions)
    return Answer(
        f"{covered} of {plural(len(functions), 'function')} of {record.path} are run by "
        f"{plural(len(reach.covering), 'test')}",
        TestTopologyData(functions=functions[: page.limit], covering=shown),
        pagination=pagination,
        next=(
            call.suggest("drift_test_topology", "what has no test", action="uncovered", file=record.path),
            call.suggest(
                "drift_test_topology", "the fewest of these tests", action="affected", files=[record.path]
            ),
        ),
        warnings=(*report_warnings(reports, coverage), *blind_warnings(reader)),
    )


def _covered_row(row: FunctionCoverage, tests: int) -> CoveredRow:
    one = row.function
    return CoveredRow(
        one.qualname, one.line, row.is_covered, row.source, row.confidence, tests, row.line_rate
    )


def _covering_row(one: Covering, known: Mapping[SymbolId, FunctionRecord]) -> CoveringRow:
    names = tuple(known[each].qualname for each in one.functions)
    return CoveringRow(
        one.case.title, one.case.path, one.case.line, one.reach, one.depth, one.confidence, names
    )


def _unseen_ways(reader: IndexReader, shown: Sequence[Uncovered]) -> dict[SymbolId, UnseenWay | None]:
    """What outside may run functions without a test; an entry point says that itself."""
    asked = [
        one.function.id for one in shown if not any(why.startswith("entry point") for why in one.reasons)
    ]
    return {one.id: find_unseen_way(reader, one) for one in reader.symbols.many(asked)}


def answer_uncovered(
    call: Call, reader: IndexReader, file: str | None, *, min_risk: int, page: Page
) -> Answer[TestTopologyData]:
    _, reports, coverage = measure_project(call, reader)
    path = require_file(reader, file).path if file is not None else None
    rows = [row for row in coverage.functions if path is None or row.function.path == path]
    found = [one for one in find_uncovered(reader, rows) if one.risk >= min_risk]
    faint = sum(one.is_faint for one in rows)
    shown, pagination = page_of(call, page, found, place=lambda one: (one.function.path, one.function.line))
    ways = _unseen_ways(reader, shown)
    listed = tuple(
        UncoveredRow(
            one.function.qualname,
            one.function.path,
            one.function.line,
            one.risk,
            one.source,
            one.reasons,
            (*one.may_be_fine, *([way.says()] if (way := ways.get(one.function.id)) is not None else ())),
        )
        for one in shown
    )
    where = f" of {path}" if path else ""
    return Answer(
        f"{len(found):,} of {plural(len(rows), 'function')}{where} are run by no test that is seen"
        f"{f', {faint:,} more only perhaps' if faint else ''}; riskiest first",
        TestTopologyData(uncovered=listed),
        pagination=pagination,
        next=tuple(
            call.suggest("drift_callers", "who relies on the riskiest", symbol=f"{one.file}:{one.line}")
            for one in listed[:1]
        ),
        warnings=(*report_warnings(reports, coverage), *blind_warnings(reader)),
    )
