"""Which functions tests run: by a report where there is a fresh one for the file, else by the call graph."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.index_cache import PerState
from drift.analyses.testing.reach import Covered, find_covered
from drift.analyses.testing.report_files import CoverageReport, Lines
from drift.analyses.testing.suites import Suites
from drift.index.ids import SymbolId

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.test_queries import FunctionRecord


class FunctionCoverage(NamedTuple):
    """A function and whether tests run it; `line_rate` only where a report says it."""

    function: "FunctionRecord"
    is_covered: bool
    source: str
    confidence: float
    depth: int | None
    line_rate: float | None
    is_faint: bool = False


class ProjectCoverage(NamedTuple):
    """All functions of the product. `stale` files changed after the report, which does not count for them."""

    functions: tuple[FunctionCoverage, ...]
    report: CoverageReport | None
    reported: frozenset[str]
    stale: frozenset[str]


_functions: Final = PerState[tuple["FunctionRecord", ...]]()


def cover_project(reader: "IndexReader", suites: Suites, report: CoverageReport | None) -> ProjectCoverage:
    """The coverage of every function of the product."""
    covered = find_covered(reader, suites)
    functions = _functions.get(reader, lambda: tuple(reader.testing.functions()))
    return cover_functions(reader, functions, covered, report)


def cover_functions(
    reader: "IndexReader",
    functions: Iterable["FunctionRecord"],
    covered: Mapping[SymbolId, Covered],
    report: CoverageReport | None,
) -> ProjectCoverage:
    """The coverage of some functions, of which the call graph covers these."""
    lines, stale = match_report(reader, report) if report is not None else ({}, frozenset[str]())
    rows = []
    for one in functions:
        known = lines.get(one.path)
        rate = _line_rate(one, known) if known is not None else None
        if rate is not None and report is not None:
            rows.append(FunctionCoverage(one, rate > 0, report.format, 1.0, None, round(rate, 2)))
            continue
        found = covered.get(one.id)
        confidence, depth = (found.confidence, found.depth) if found is not None else (0.0, None)
        is_faint = found is not None and found.is_faint
        rows.append(FunctionCoverage(one, found is not None, "call graph", confidence, depth, None, is_faint))
    return ProjectCoverage(tuple(rows), report, frozenset(lines), stale)


def match_report(reader: "IndexReader", report: CoverageReport) -> tuple[dict[str, Lines], frozenset[str]]:
    """The lines of the report by path of the project, and the files that changed after it was written."""
    stamps = {one.path: one for one in reader.files.stamps() if one.language is not None}
    by_name: dict[str, list[str]] = defaultdict(list)
    for path in stamps:
        by_name[path.rpartition("/")[2]].append(path)
    found: dict[str, Lines] = {}
    stale: set[str] = set()
    for given, lines in report.lines.items():
        meant = _project_path(given.replace("\\", "/"), by_name)
        if meant is None:
            continue
        if stamps[meant].mtime_ns > report.mtime_ns:
            stale.add(meant)
        else:
            found[meant] = lines
    return found, frozenset(stale)


def _project_path(given: str, by_name: dict[str, list[str]]) -> str | None:
    """The one file of the project that a path in a report means, by the longest end they share."""
    wanted = [part for part in given.split("/") if part not in {"", "."}]
    if not wanted:
        return None
    ends = [(_shared(path.split("/"), wanted), path) for path in by_name.get(wanted[-1], ())]
    fitting = [(length, path) for length, path in ends if length == min(len(wanted), path.count("/") + 1)]
    best = max((length for length, _ in fitting), default=0)
    found = [path for length, path in fitting if length == best]
    return found[0] if len(found) == 1 else None


def _shared(left: list[str], right: list[str]) -> int:
    length = 0
    for one, other in zip(reversed(left), reversed(right), strict=False):
        if one != other:
            break
        length += 1
    return length


def _line_rate(function: "FunctionRecord", lines: Lines) -> float | None:
    """The part of its lines that ran; None where the report has none of them."""
    # Reading a file runs the first line of its functions in some languages, without running them.
    first = function.line + 1 if function.end_line > function.line else function.line
    known = _between(sorted(lines.known), first, function.end_line)
    return sum(line in lines.hit for line in known) / len(known) if known else None


def _between(lines: list[int], first: int, last: int) -> list[int]:
    return lines[bisect_left(lines, first) : bisect_right(lines, last)]


def percent(part: int, whole: int) -> float | None:
    """So many of a hundred; None of nothing."""
    return round(100 * part / whole, 1) if whole else None


def by_file(rows: Iterable[FunctionCoverage]) -> dict[str, list[FunctionCoverage]]:
    """The functions by file."""
    found: dict[str, list[FunctionCoverage]] = defaultdict(list)
    for row in rows:
        found[row.function.path].append(row)
    return found
