"""Which tests run a function, directly or through others, and how sure that is.

What it does: walks from functions to all that call them or pass them on, up to the tests; what stands in a test
is the test, and what runs around tests (set-up, the file itself) is each of them.
Why it matters: a change needs the tests that run it, and no others.
Known limits: calls that nobody could resolve are not walked; a path of many unsure calls is left out.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.testing.suites import Suites
from drift.index.ids import SymbolId

if TYPE_CHECKING:
    from drift.index import IndexReader

MOST_DEPTH: Final = 8
LEAST_CONFIDENCE: Final = 0.2  # of a whole path: below, a test more likely does not run the function
_MOST_SYMBOLS: Final = 60_000
_DIRECT, _TRANSITIVE = 0.9, 0.6


class Reach(NamedTuple):
    """How a test comes to a function: after how many calls, how surely, through which symbols (the test first)."""

    case: SymbolId
    depth: int
    confidence: float
    path: tuple[SymbolId, ...]

    @property
    def kind(self) -> str:
        """How near the test is."""
        return "direct" if self.depth <= 1 else "transitive"


class Users(NamedTuple):
    """Who runs whom around some functions; `is_cut`: there are more than are followed."""

    users_of: Mapping[SymbolId, list[tuple[SymbolId, float]]]
    is_cut: bool


def weigh(depth: int, path_confidence: float) -> float:
    """How surely a test covers a function that is so many calls away by a path of this confidence."""
    return round((_DIRECT if depth <= 1 else _TRANSITIVE) * path_confidence, 3)


def collect_users(
    reader: "IndexReader", suites: Suites, functions: Iterable[SymbolId], *, max_depth: int = MOST_DEPTH
) -> Users:
    """Everyone on a way from a test to these functions; the files of tests on the way become known to `suites`."""
    frontier = set(functions)
    seen = set(frontier)
    users_of: dict[SymbolId, list[tuple[SymbolId, float]]] = defaultdict(list)
    for _ in range(max_depth):
        if not frontier:
            break
        suites.of_symbols(frontier)
        walked = sorted(each for each in frontier if each not in suites.case_of)
        found: set[SymbolId] = set()
        for use in reader.testing.users(walked):
            users_of[use.source].append((use.target, use.confidence))
            found.add(use.target)
        frontier = found - seen
        seen |= frontier
        if len(seen) > _MOST_SYMBOLS:
            suites.of_symbols(frontier)
            return Users(users_of, is_cut=True)
    suites.of_symbols(frontier)
    return Users(users_of, is_cut=False)


def find_reaching(
    users: Users, suites: Suites, function: SymbolId, *, max_depth: int = MOST_DEPTH
) -> dict[SymbolId, Reach]:
    """The cases that run a function, by case; of several ways the shortest, of those the surest."""
    found: dict[SymbolId, Reach] = {}
    paths: dict[SymbolId, tuple[SymbolId, ...]] = {function: (function,)}
    level: dict[SymbolId, float] = {function: 1.0}
    for depth in range(1, max_depth + 1):
        following: dict[SymbolId, float] = {}
        for used, sureness in level.items():
            for user, confidence in users.users_of.get(used, ()):
                whole = sureness * confidence
                is_new = user not in paths or (user in following and whole > following[user])
                if whole >= LEAST_CONFIDENCE and is_new:
                    following[user] = whole
                    paths[user] = (user, *paths[used])
        for user, whole in following.items():
            for case in _cases_at(suites, user):
                if case not in found:
                    way = paths[user] if case == user else (case, *paths[user])
                    found[case] = Reach(case, depth, weigh(depth, whole), way)
        level = {user: whole for user, whole in following.items() if user not in suites.case_of}
        if not level:
            break
    return found


def _cases_at(suites: Suites, symbol: SymbolId) -> Collection[SymbolId]:
    case = suites.case_of.get(symbol)
    return (case,) if case is not None else suites.runs_for.get(symbol, ())


class Covered(NamedTuple):
    """A symbol some test runs: how many calls from the nearest one, and how surely."""

    depth: int
    confidence: float


def find_covered(reader: "IndexReader", suites: Suites) -> dict[SymbolId, Covered]:
    """All that the known cases run."""
    level = dict.fromkeys(suites.starts(), 1.0)
    found = {symbol: Covered(0, 1.0) for symbol in level}
    for depth in range(1, MOST_DEPTH + 1):
        following: dict[SymbolId, float] = {}
        for use in reader.testing.used(sorted(level)):
            whole = level[use.source] * use.confidence
            if use.target not in found and whole >= max(LEAST_CONFIDENCE, following.get(use.target, 0.0)):
                following[use.target] = whole
        if not following:
            break
        found |= {symbol: Covered(depth, weigh(depth, whole)) for symbol, whole in following.items()}
        level = following
    return found
