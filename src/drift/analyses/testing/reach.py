"""Which tests run a function, directly or through others, and how sure that is.

What it does: walks from functions to all that call them or pass them on, up to the tests; what stands in a test
is the test, and what runs around tests (set-up, the file itself) is each of them.
Why it matters: a change needs the tests that run it, and no others.
Known limits: calls that nobody could resolve are not walked; a path of many unsure calls is left out.
"""

import threading
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.testing.kept import PerState
from drift.analyses.testing.suites import Suites
from drift.index.ids import SymbolId

if TYPE_CHECKING:
    from drift.index import IndexReader

MOST_DEPTH: Final = 8
LEAST_CONFIDENCE: Final = 0.2  # of a whole path: below, a test more likely does not run the function
_MOST_SYMBOLS: Final = 60_000
_DIRECT, _TRANSITIVE = 0.9, 0.6

# A symbol and the rest of the way to the function: ways share their ends, which copies of them would not.
Way = tuple[SymbolId, "Way | None"]


class Reach(NamedTuple):
    """How a test comes to a function: after how many calls, how surely, and on which way."""

    case: SymbolId
    depth: int
    confidence: float
    way: Way

    @property
    def kind(self) -> str:
        """How near the test is."""
        return "direct" if self.depth <= 1 else "transitive"

    @property
    def path(self) -> tuple[SymbolId, ...]:
        """The symbols from the test to the function."""
        path = [] if self.way[0] == self.case else [self.case]
        rest: Way | None = self.way
        while rest is not None:
            path.append(rest[0])
            rest = rest[1]
        return tuple(path)


class UserGraph:
    """Who runs whom in one state of an index, read as far as anyone walked. Threads may share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.users_of: Final[dict[SymbolId, tuple[tuple[SymbolId, float], ...]]] = {}

    def read(self, reader: "IndexReader", symbols: Iterable[SymbolId]) -> None:
        """Make the users of these symbols known."""
        with self._lock:
            wanted = sorted(each for each in symbols if each not in self.users_of)
            if not wanted:
                return
            found: dict[SymbolId, dict[SymbolId, float]] = {}
            for used, user, confidence in reader.testing.users(wanted):
                users = found.setdefault(used, {})
                users[user] = max(confidence, users.get(user, 0.0))
            for symbol in wanted:
                self.users_of[symbol] = tuple(found.get(symbol, {}).items())


_graphs: Final = PerState[UserGraph]()


class Users(NamedTuple):
    """Who runs whom around some functions; `is_cut`: there are more than are followed."""

    users_of: Mapping[SymbolId, tuple[tuple[SymbolId, float], ...]]
    is_cut: bool


def weigh(depth: int, path_confidence: float) -> float:
    """How surely a test covers a function that is so many calls away by a path of this confidence."""
    return round((_DIRECT if depth <= 1 else _TRANSITIVE) * path_confidence, 3)


def collect_users(
    reader: "IndexReader", suites: Suites, functions: Iterable[SymbolId], *, max_depth: int = MOST_DEPTH
) -> Users:
    """Everyone on a way from a test to these functions; the files of tests on the way become known to `suites`."""
    graph = _graphs.get(reader, UserGraph)
    frontier = set(functions)
    seen = set(frontier)
    is_cut = False
    for _ in range(max_depth):
        suites.of_symbols(reader, frontier)
        walked = [each for each in frontier if each not in suites.case_of]
        if not walked:
            break
        graph.read(reader, walked)
        frontier = {user for each in walked for user, _ in graph.users_of[each]} - seen
        seen |= frontier
        if len(seen) > _MOST_SYMBOLS:
            is_cut = True
            break
    suites.of_symbols(reader, frontier)
    return Users(graph.users_of, is_cut)


def walk_reaching(
    users: Users, suites: Suites, functions: Iterable[SymbolId], *, max_depth: int = MOST_DEPTH
) -> Iterator[list[Reach]]:
    """The cases that run any of the functions, those so many calls away at a time, beginning with none.

    Each case comes once: of several ways the shortest, of those the surest.
    """
    level = dict.fromkeys(functions, 1.0)
    ways: dict[SymbolId, Way] = {each: (each, None) for each in level}
    met: set[SymbolId] = set()
    for depth in range(max_depth + 1):
        found: list[Reach] = []
        for user, whole in level.items():
            cases = _cases_at(suites, user)
            if cases and not met.issuperset(cases):
                confidence = weigh(depth, whole) if depth else 1.0
                found += [Reach(case, depth, confidence, ways[user]) for case in cases if case not in met]
                met.update(cases)
        yield found
        level = _next_level(users, suites, level, ways)
        if not level:
            return


def _next_level(
    users: Users, suites: Suites, level: dict[SymbolId, float], ways: dict[SymbolId, Way]
) -> dict[SymbolId, float]:
    """One call further from the functions; `ways` learns how. Nobody is asked who runs a test."""
    following: dict[SymbolId, float] = {}
    for used, sureness in level.items():
        if used in suites.case_of:
            continue
        way = ways[used]
        for user, confidence in users.users_of.get(used, ()):
            whole = sureness * confidence
            if whole >= LEAST_CONFIDENCE and (
                user not in ways or (user in following and whole > following[user])
            ):
                following[user] = whole
                ways[user] = (user, way)
    return following


def find_reaching(
    users: Users, suites: Suites, function: SymbolId, *, max_depth: int = MOST_DEPTH
) -> dict[SymbolId, Reach]:
    """The cases that run a function, by case, nearest first."""
    levels = walk_reaching(users, suites, (function,), max_depth=max_depth)
    return {reach.case: reach for level in levels for reach in level}


def find_cases(users: Users, suites: Suites, functions: Iterable[SymbolId]) -> frozenset[SymbolId]:
    """Every case that runs any of the functions: all that a walk from each of them would find."""
    level = dict.fromkeys(functions, 1.0)
    best = dict(level)
    for _ in range(MOST_DEPTH):
        following: dict[SymbolId, float] = {}
        for used, sureness in level.items():
            if used in suites.case_of:
                continue
            for user, confidence in users.users_of.get(used, ()):
                whole = sureness * confidence
                # A longer way may be surer, and lead on where the shorter is given up.
                if whole >= LEAST_CONFIDENCE and whole > best.get(user, 0.0):
                    best[user] = following[user] = whole
        if not following:
            break
        level = following
    return frozenset(case for symbol in best for case in _cases_at(suites, symbol))


def _cases_at(suites: Suites, symbol: SymbolId) -> Collection[SymbolId]:
    case = suites.case_of.get(symbol)
    return (case,) if case is not None else suites.runs_for.get(symbol, ())


class Covered(NamedTuple):
    """A symbol some test runs: how many calls from the nearest one, and how surely."""

    depth: int
    confidence: float


_covered: Final = PerState[dict[SymbolId, Covered]]()


def find_covered(reader: "IndexReader", suites: Suites) -> dict[SymbolId, Covered]:
    """All that the cases of the project run."""
    return _covered.get(reader, lambda: _find_covered(reader, suites))


def _find_covered(reader: "IndexReader", suites: Suites) -> dict[SymbolId, Covered]:
    suites.read_all(reader)
    level = dict.fromkeys(suites.starts(), 1.0)
    found = {symbol: Covered(0, 1.0) for symbol in level}
    for depth in range(1, MOST_DEPTH + 1):
        following: dict[SymbolId, float] = {}
        for user, used, confidence in reader.testing.used(sorted(level)):
            if used not in found:
                whole = level[user] * confidence
                if whole >= max(LEAST_CONFIDENCE, following.get(used, 0.0)):
                    following[used] = whole
        if not following:
            break
        found |= {symbol: Covered(depth, weigh(depth, whole)) for symbol, whole in following.items()}
        level = following
    return found
