"""How much a test checks: assertions, failures and edges it tries, and how much of it is replaced.

Score: 50, +10 with an assertion, +10 with three, +15 for a failure, +10 for an edge, -5 with more than half of
what it touches mocked, -15 with more than seven tenths, -20 without an assertion.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.index_cache import PerState
from drift.analyses.testing.mocks import Mock, ReadText, cases_of_mock, find_mocks
from drift.analyses.testing.signs import load_signs, words_of
from drift.analyses.testing.suites import Case, Suites
from drift.index.ids import SymbolId, file_of_symbol

if TYPE_CHECKING:
    from drift.index import IndexReader

HIGH_MOCK_RATIO: Final = 0.7
_MANY_ASSERTIONS: Final = 3
_SOME_MOCK_RATIO: Final = 0.5
_STATEMENT: Final = re.compile(r"^[^\S\n]*assert\b(?!\s*=)", re.MULTILINE)
_HELPER_DEPTH: Final = 2


class Quality(NamedTuple):
    """What was counted in a test. `mock_ratio` is None for a test that neither mocks nor calls the product."""

    case: Case
    assertions: int
    helper_assertions: int
    tries_errors: bool
    tries_edges: bool
    mocks: int
    mock_ratio: float | None
    setup_ratio: float
    score: int


_kept: Final = PerState[tuple[Quality, ...]]()


def measure_project_quality(reader: "IndexReader", suites: Suites, read: ReadText) -> tuple[Quality, ...]:
    """The quality of every case of the project."""

    def measure() -> tuple[Quality, ...]:
        suites.read_all(reader)
        mocks = find_mocks(reader, suites, suites.files, read)
        return measure_quality(reader, suites, suites.cases.values(), mocks=mocks, read=read)

    return _kept.get(reader, measure)


def measure_quality(
    reader: "IndexReader", suites: Suites, cases: Iterable[Case], *, mocks: Iterable[Mock], read: ReadText
) -> tuple[Quality, ...]:
    """The quality of each case, in their order."""
    wanted = list(cases)
    files = sorted({case.file_id for case in wanted})
    checks = _checks(reader, suites, wanted)
    _add_statements(checks, wanted, read)
    lines = {one.id: one.end_line - one.line + 1 for one in reader.testing.scopes(files)}
    mocked: Counter[SymbolId] = Counter()
    for mock in mocks:
        mocked.update(cases_of_mock(suites, mock))
    product = _product_calls(reader, suites, wanted)
    helpers = _helper_assertions(
        reader, suites, [case for case in wanted if not checks[case.id].assertions], read
    )
    rows = []
    for case in wanted:
        check = checks[case.id]
        around = sum(lines.get(each, 0) for each in suites.setups_of.get(case.id, ()))
        touched = mocked[case.id] + product[case.id]
        rows.append(
            _quality(
                case,
                check,
                helpers[case.id],
                mocks=mocked[case.id],
                mock_ratio=round(mocked[case.id] / touched, 2) if touched else None,
                setup_ratio=round(around / (around + case.end_line - case.line + 1), 2),
            )
        )
    return tuple(rows)


class _Checks:
    """What one test is seen to check."""

    __slots__ = ("assertions", "has_edge", "has_error")

    def __init__(self) -> None:
        self.assertions = 0
        self.has_error = False
        self.has_edge = False


def _quality(
    case: Case, check: _Checks, helpers: int, *, mocks: int, mock_ratio: float | None, setup_ratio: float
) -> Quality:
    signs = load_signs()
    words = words_of(case.title)
    errors = check.has_error or not signs.error_words.isdisjoint(words)
    edges = check.has_edge or not signs.edge_words.isdisjoint(words)
    total = check.assertions + helpers
    score = 50 + (10 if total else -20) + (10 if total >= _MANY_ASSERTIONS else 0)
    score += (15 if errors else 0) + (10 if edges else 0)
    if mock_ratio is not None and mock_ratio > _SOME_MOCK_RATIO:
        score -= 15 if mock_ratio > HIGH_MOCK_RATIO else 5
    return Quality(
        case,
        check.assertions,
        helpers,
        errors,
        edges,
        mocks,
        mock_ratio,
        setup_ratio,
        max(0, min(100, score)),
    )


def _checks(reader: "IndexReader", suites: Suites, cases: list[Case]) -> defaultdict[SymbolId, _Checks]:
    found: defaultdict[SymbolId, _Checks] = defaultdict(_Checks)
    signs = load_signs()
    by_language: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        by_language[case.language].append(case)
    for language, group in by_language.items():
        files = sorted({case.file_id for case in group})
        words = reader.testing.call_texts(files)
        kinds = {
            word: (
                signs.is_assertion(language, text),
                signs.is_error_check(language, text),
                signs.is_edge_check(language, text),
            )
            for word, text in words.items()
        }
        chosen = {word: text for word, text in words.items() if any(kinds[word])}
        of_text = {text: kinds[word] for word, text in chosen.items()}
        for call in reader.testing.calls_written(files, chosen) if chosen else ():
            case_id = suites.case_of.get(call.caller_id)
            if case_id is not None:
                is_assertion, is_error, is_edge = of_text[call.text]
                check = found[case_id]
                check.assertions += is_assertion
                check.has_error |= is_error
                check.has_edge |= is_edge
    return found


def _add_statements(checks: dict[SymbolId, _Checks], cases: Iterable[Case], read: ReadText) -> None:
    """Count the assertions that are no calls: `assert` in Python."""
    by_path: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        if case.language == "python":
            by_path[case.path].append(case)
    for path, group in by_path.items():
        lines = read(path).splitlines()
        for case in group:
            body = "\n".join(lines[case.line - 1 : case.end_line])
            checks[case.id].assertions += len(_STATEMENT.findall(body))


def _product_calls(reader: "IndexReader", suites: Suites, cases: Iterable[Case]) -> Counter[SymbolId]:
    """How many symbols of the product each case runs itself."""
    inside: dict[SymbolId, list[SymbolId]] = defaultdict(list)
    wanted = {case.id for case in cases}
    for symbol, case in suites.case_of.items():
        if case in wanted:
            inside[case].append(symbol)
    pairs = {
        (suites.case_of[user], used)
        for user, used, _ in reader.testing.used(sorted(each for group in inside.values() for each in group))
        if file_of_symbol(used) not in suites.files
    }
    return Counter(case for case, _ in pairs)


def _helper_assertions(
    reader: "IndexReader", suites: Suites, cases: Iterable[Case], read: ReadText
) -> Counter[SymbolId]:
    """The assertions in functions of test files that cases without own ones call."""
    origins: dict[SymbolId, set[SymbolId]] = {case.id: {case.id} for case in cases}
    for symbol, case in suites.case_of.items():
        if case in origins:
            origins.setdefault(symbol, set()).add(case)
    level, seen = dict(origins), set(origins)
    reached: dict[SymbolId, set[SymbolId]] = defaultdict(set)
    for _ in range(_HELPER_DEPTH):
        following: dict[SymbolId, set[SymbolId]] = defaultdict(set)
        for user, used, _ in reader.testing.used(sorted(level)):
            if file_of_symbol(used) in suites.files and used not in seen:
                following[used] |= level[user]
        for symbol, found in following.items():
            reached[symbol] |= found
        seen |= following.keys()
        level = following
    signs, totals = load_signs(), Counter[SymbolId]()
    files = sorted({file_of_symbol(each) for each in reached})
    languages = {
        file: record.language or "" for file in files if (record := reader.files.get(file)) is not None
    }
    words = {
        word: text
        for word, text in reader.testing.call_texts(files).items()
        if any(signs.is_assertion(language, text) for language in set(languages.values()))
    }
    for call in reader.testing.calls_written(files, words) if words else ():
        totals.update(reached.get(call.caller_id, ()))
    for helper in reader.symbols.many(sorted(reached)):
        if helper.language == "python" and helper.kind in {"function", "method"}:
            lines = read(helper.path).splitlines()[helper.line - 1 : helper.end_line]
            statements = len(_STATEMENT.findall("\n".join(lines)))
            totals.update(dict.fromkeys(reached[helper.id], statements))
    return +totals
