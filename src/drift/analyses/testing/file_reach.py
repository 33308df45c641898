"""Which tests run the functions of one file, found by a walk back from these functions alone."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.index_cache import PerState
from drift.analyses.testing.affected import find_neighbourhood, is_real, reach_functions, replaced_by_case
from drift.analyses.testing.mocks import ReadText, find_mocks
from drift.analyses.testing.reach import Covered, Reach
from drift.analyses.testing.suites import Case, Suites
from drift.index.ids import FileId, SymbolId

if TYPE_CHECKING:
    from drift.index import IndexReader

_MOST_FILES: Final = 16  # whose answers are kept: the next page is asked for right after the first
_MOST_FUNCTIONS: Final = 5


class Covering(NamedTuple):
    """A test and some functions of the file it runs; `reach` is direct, transitive or mocked."""

    case: Case
    reach: str
    depth: int
    confidence: float
    functions: tuple[SymbolId, ...]


class FileReach(NamedTuple):
    """The tests of a file, the surest first, and of each function how many run it and how near the surest is."""

    covering: tuple[Covering, ...]
    tests: Mapping[SymbolId, int]
    covered: Mapping[SymbolId, Covered]


_kept: Final = PerState[dict[FileId, FileReach]]()


def reach_file(
    reader: "IndexReader", suites: Suites, file: FileId, functions: Iterable[SymbolId], read: ReadText
) -> FileReach:
    """The tests that run the functions of a file."""
    kept = _kept.get(reader, dict)
    found = kept.get(file)
    if found is None:
        found = _reach(reader, suites, functions, read)
        while len(kept) >= _MOST_FILES:
            kept.pop(next(iter(kept)), None)
        kept[file] = found
    return found


def _reach(reader: "IndexReader", suites: Suites, functions: Iterable[SymbolId], read: ReadText) -> FileReach:
    around = find_neighbourhood(reader, suites, functions)
    files = {suites.cases[each].file_id for each in around.cases}
    replaced = replaced_by_case(suites, find_mocks(reader, suites, files, read))
    tests: dict[SymbolId, int] = {}
    covered: dict[SymbolId, Covered] = {}
    by_case: dict[SymbolId, list[tuple[SymbolId, Reach]]] = {}
    for function, reaching in reach_functions(around, suites).items():
        for case, reach in reaching.items():
            by_case.setdefault(case, []).append((function, reach))
        real = [reach for reach in reaching.values() if is_real(reach, replaced)]
        tests[function] = len(real)
        if real:
            surest = max(real, key=lambda reach: reach.confidence)
            covered[function] = Covered(surest.depth, surest.confidence)
    rows = [_covering(suites.cases[case], found, replaced) for case, found in by_case.items()]
    rows.sort(key=lambda row: (-row.confidence, row.case.path, row.case.line))
    return FileReach(tuple(rows), tests, covered)


def _covering(
    case: Case, functions: list[tuple[SymbolId, Reach]], replaced: Mapping[SymbolId, frozenset[SymbolId]]
) -> Covering:
    is_mocking = case.id in replaced
    real = [each for each in functions if is_real(each[1], replaced)] if is_mocking else functions
    shown = real or functions
    nearest = min((reach for _, reach in shown), key=lambda reach: (reach.depth, -reach.confidence))
    return Covering(
        case,
        nearest.kind if real else "mocked",
        nearest.depth,
        nearest.confidence if real else 0.0,
        tuple(function for function, _ in shown[:_MOST_FUNCTIONS]),
    )
