"""What of a file may tell whether it will need a fix: its code, its place among others, its history up to HEAD.

Amounts are taken by their logarithms, since the tenth commit says more than the hundredth.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.index_cache import PerState
from drift.history import Wanted, follow_renames, opened_history
from drift.index.ids import FileId, SymbolId, file_of_symbol
from drift.index.path_text import path_to_text
from drift.kernel.words import split_words
from drift.quality.graphs.graph import MIN_CONFIDENCE

if TYPE_CHECKING:
    from drift.history import Commit
    from drift.index import IndexReader
    from drift.index.records import FileRecord
    from drift.quality.duplicates import Duplicates

DAY: Final = 86_400
YEAR: Final = 365 * DAY
_YEARS: Final = 3  # of history that count
_HALF_LIFE: Final = 180 * DAY  # of a change: what was long ago tells less
_FIX: Final = "fix"
_SHORTEST_WORD: Final = 3
_MOST_STEPS: Final = 6  # of calls from a test


class FileFeatures(NamedTuple):
    """The features of a file, in the order of `FEATURES`; None where one could not be measured."""

    path: str
    values: tuple[float | None, ...]
    fixes_last_year: int


class Features(NamedTuple):
    """The features of all files, and what has to be said of how they were measured."""

    files: tuple[FileFeatures, ...]
    notes: tuple[str, ...] = ()


class _Past(NamedTuple):
    commits: Counter[str]
    fixes: Counter[str]
    recent: Mapping[str, float]
    recent_fixes: Mapping[str, float]
    authors: Mapping[str, set[str]]
    fixes_last_year: Counter[str]
    notes: tuple[str, ...] = ()
    is_known: bool = True


_NO_PAST: Final = _Past(Counter(), Counter(), {}, {}, {}, Counter(), is_known=False)

FEATURES: Final[Mapping[str, str]] = {
    "size": "lines of code",
    "complexity": "cognitive complexity of all its functions",
    "hardest_function": "cognitive complexity of its hardest function",
    "functions": "number of functions",
    "churn": "commits to it in three years",
    "recent_churn": "commits to it, one of half a year ago counting half",
    "fixes": "fixes to it in three years",
    "recent_fixes": "fixes to it, one of half a year ago counting half",
    "authors": "people who changed it in three years",
    "fan_in": "files that use it",
    "fan_out": "files that it uses",
    "duplication": "share of its lines that stands elsewhere, too",
    "name_quality": "share of its names that are made of words",
    "test_reach": "share of its functions that tests run into",
}
"""The features by name, and what each counts."""


def measure_features(
    reader: "IndexReader",
    root: Path | None,
    files: Sequence["FileRecord"],
    duplicates: "Duplicates | None",
    *,
    check: Callable[[], None] = lambda: None,
) -> Features:
    """The features of these files; without duplicates that feature is unknown, without a root those of history."""
    past = _read_past(root) if root is not None else _NO_PAST
    check()
    known = _counted.get(reader, lambda: _Counted(*_fans(reader), _reached(reader), {}))
    check()
    found = [
        FileFeatures(
            one.path,
            (
                *_counts(reader, one, known)[0],
                *_of_past(past, one.path),
                math.log1p(known.fan_in[one.path]),
                math.log1p(known.fan_out[one.path]),
                duplicates.share(one.path) if duplicates is not None else None,
                *_counts(reader, one, known)[1],
            ),
            past.fixes_last_year[one.path],
        )
        for one in files
    ]
    return Features(tuple(found), past.notes)


class _Counted(NamedTuple):
    """What holds for a state of the index, whatever git says; files are added as they are asked for."""

    fan_in: Counter[str]
    fan_out: Counter[str]
    reached: set[SymbolId]
    files: dict[FileId, tuple[tuple[float, float, float, float], tuple[float | None, float | None]]]


_counted: Final = PerState[_Counted]()


def _counts(
    reader: "IndexReader", file: "FileRecord", known: _Counted
) -> tuple[tuple[float, float, float, float], tuple[float | None, float | None]]:
    """What is counted of the code of a file, and of its names and tests."""
    if file.id not in known.files:
        known.files[file.id] = (_of_code(reader, file), _of_names(reader, file.id, known.reached))
    return known.files[file.id]


def _of_code(reader: "IndexReader", file: "FileRecord") -> tuple[float, float, float, float]:
    measured = reader.symbols.complexities(file.id)
    hard = [one.cognitive for one in measured]
    return (
        math.log1p(file.code_lines or 0),
        math.log1p(sum(hard)),
        math.log1p(max(hard, default=0)),
        math.log1p(len(hard)),
    )


def _of_past(past: _Past, path: str) -> tuple[float | None, ...]:
    if not past.is_known:
        return (None,) * 5
    return (
        math.log1p(past.commits[path]),
        math.log1p(past.recent.get(path, 0)),
        math.log1p(past.fixes[path]),
        math.log1p(past.recent_fixes.get(path, 0)),
        math.log1p(len(past.authors.get(path, ()))),
    )


def _read_past(root: Path) -> _Past:
    """The changes to each file under its present name; without a commit nothing is known."""
    with opened_history(root, Wanted(days=_YEARS * 365)) as history:
        end = history.reach.head_time
        if end is None:
            return _NO_PAST
        return _count(history.since(end - _YEARS * YEAR), end, history.reach.notes())


def _count(commits: Iterable["Commit"], end: int, notes: tuple[str, ...]) -> _Past:
    counted, fixes, last_year = Counter[str](), Counter[str](), Counter[str]()
    recent, recent_fixes = defaultdict[str, float](float), defaultdict[str, float](float)
    authors: dict[str, set[str]] = defaultdict(set)
    for commit, changes in follow_renames(commits):
        weight = 0.5 ** (max(0, end - commit.time) / _HALF_LIFE)
        is_fix = commit.kind == _FIX
        for name in {path_to_text(name) for name, _ in changes}:
            counted[name] += 1
            recent[name] += weight
            authors[name].add(commit.mail.lower() or commit.author)
            if is_fix:
                fixes[name] += 1
                recent_fixes[name] += weight
                last_year[name] += commit.time > end - YEAR
    return _Past(counted, fixes, recent, recent_fixes, authors, last_year, notes)


def _fans(reader: "IndexReader") -> tuple[Counter[str], Counter[str]]:
    """Of each file how many use it, and how many it uses; tests count as nobody."""
    pairs = {
        (one.path, one.target_path)
        for one in reader.dependencies.between_files(min_confidence=MIN_CONFIDENCE, with_tests=False)
    }
    return Counter(target for _, target in pairs), Counter(source for source, _ in pairs)


def _reached(reader: "IndexReader") -> set[SymbolId]:
    """The symbols that tests call, directly or through a few others."""
    callees: dict[SymbolId, list[SymbolId]] = defaultdict(list)
    for caller, callee in reader.dependencies.call_pairs(min_confidence=MIN_CONFIDENCE, with_tests=True):
        callees[caller].append(callee)
    tests = {FileId(one.id) for one in reader.files.stamps() if one.role == "test"}
    frontier = {one for one in callees if file_of_symbol(one) in tests}
    found = set(frontier)
    for _ in range(_MOST_STEPS):
        frontier = {callee for one in frontier for callee in callees.get(one, ())} - found
        found |= frontier
    return found


def _of_names(
    reader: "IndexReader", file: FileId, reached: set[SymbolId]
) -> tuple[float | None, float | None]:
    symbols = reader.symbols.of_file(file)[1:]
    functions = [one for one in symbols if one.kind in {"function", "method", "constructor"}]
    reach = sum(one.id in reached for one in functions) / len(functions) if functions else None
    if not symbols:
        return None, reach
    return sum(is_worded(one.name) for one in symbols) / len(symbols), reach


def is_worded(name: str) -> bool:
    """Whether a name is made of words: one of three letters at least, and no number at its end."""
    words = split_words(name)
    return any(len(word) >= _SHORTEST_WORD for word in words) and not words[-1].isdigit()
