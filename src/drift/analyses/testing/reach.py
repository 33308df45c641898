"""Which tests run a function, directly or through others, and how sure that is.

What it does: walks from functions to all that call them or pass them on, up to the tests; what stands in a test
is the test, and what runs around tests (set-up, the file itself) is each of them.
Why it matters: a change needs the tests that run it, and no others.
Known limits: calls that nobody could resolve are not walked; a path of many unsure calls is left out.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.index_cache import PerState
from drift.analyses.running.graph import LEAST_CONFIDENCE, Dispatch, run_graph
from drift.analyses.running.replaced import MOST_OF_SEVERAL
from drift.analyses.testing.queued import A_QUEUE, NOTHING_QUEUED, PUT_OFF, Queued, queued_work
from drift.analyses.testing.suites import Suites
from drift.index.ids import SymbolId, is_file

if TYPE_CHECKING:
    from drift.index import IndexReader

MOST_DEPTH: Final = 16
FAINT_CONFIDENCE: Final = 0.05  # of a whole path, where no surer one is known
_NEAR_SUREST: Final = 0.8  # of faint ways those that are nearly as sure as the surest
_IMPORTING: Final = 0.25  # that what a file runs when it is imported matters to one of its tests
_MOST_SYMBOLS: Final = 60_000
_MOST_OWNERS: Final = 60  # classes whose objects are followed to find who has one of the first
_DIRECT, _TRANSITIVE = 0.9, 0.6
_DISPATCHED: Final = (
    0.9  # that a method runs where one is called that it stands in for, if an object of its class is there
)

# A symbol and the rest of the way to the function: ways share their ends, which copies of them would not.
Way = tuple[SymbolId, "Way | None"]
# Where a walk is: at a symbol, and the class of which a test must have an object for the way to count, if any.
_State = tuple[SymbolId, SymbolId | None]


class Reach(NamedTuple):
    """How a test comes to a function: after how many calls, how surely, and on which way.

    `is_faint`: no likely way is known, so that this one counts, by a name, an import or a parent outside.
    """

    case: SymbolId
    depth: int
    confidence: float
    way: Way
    is_faint: bool = False

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


class Users:
    """Who runs whom around some functions; `is_cut`: there are more than are followed."""

    def __init__(
        self,
        users_of: Mapping[SymbolId, tuple[tuple[SymbolId, float], ...]],
        *,
        is_cut: bool,
        dispatch_of: Mapping[SymbolId, tuple[Dispatch, ...]] = MappingProxyType({}),
        having: Mapping[SymbolId, Mapping[SymbolId, float]] = MappingProxyType({}),
        queued: Queued = NOTHING_QUEUED,
    ) -> None:
        self.users_of: Final = users_of
        self.is_cut: Final = is_cut
        self._dispatch_of: Final = dispatch_of
        self._having: Final = having
        self._queued: Final = queued
        self._cases_having: Final[dict[SymbolId, frozenset[SymbolId] | None]] = {}
        self.faint: Final[dict[tuple[tuple[SymbolId, ...], int], list[list[Reach]]]] = {}
        """The cases of functions that no likely way leads to, by those functions and how far they were followed."""

    def joined(self, more: Mapping[SymbolId, Collection[tuple[SymbolId, float]]]) -> "Users":
        """The same with more users of some."""
        if not more:
            return self
        added = {used: (*self.users_of.get(used, ()), *users) for used, users in more.items()}
        return self._with_users({**self.users_of, **added})

    def without(self, pairs: Collection[tuple[SymbolId, SymbolId]]) -> "Users":
        """The same without some that use another, each as (what is used, user)."""
        if not pairs:
            return self
        fewer = {
            used: tuple(one for one in self.users_of.get(used, ()) if (used, one[0]) not in pairs)
            for used, _ in pairs
        }
        return self._with_users({**self.users_of, **fewer})

    def _with_users(self, users_of: Mapping[SymbolId, tuple[tuple[SymbolId, float], ...]]) -> "Users":
        return Users(
            users_of,
            is_cut=self.is_cut,
            dispatch_of=self._dispatch_of,
            having=self._having,
            queued=self._queued,
        )

    def next_to(
        self, used: SymbolId, need: SymbolId | None
    ) -> Iterator[tuple[SymbolId, SymbolId | None, float]]:
        """Who runs something, the class of which an object is needed for that, and how surely."""
        near = self.users_of.get(used, ())
        if off := self._queued.putting.get(used):
            if self._queued.running:
                is_free = need is None
                yield from ((user, A_QUEUE if is_free else need, sure) for user, sure in near if user in off)
            near = tuple((user, min(sure, PUT_OFF) if user in off else sure) for user, sure in near)
        dispatches = self._dispatch_of.get(used, ())
        if not dispatches:
            yield from ((user, need, confidence) for user, confidence in near)
            return
        for user, confidence in near:
            # Of a call of one of several the object at hand tells which.
            if confidence > MOST_OF_SEVERAL or not any(user in one.callers for one in dispatches):
                yield user, need, confidence
        for one in dispatches:
            # The first class on the way is the nearest to the function, and tells most.
            needed = need if need is not None else one.owner
            yield from ((user, needed, _DISPATCHED) for user in one.callers)

    def cases_having(self, owner: SymbolId, suites: Suites) -> frozenset[SymbolId] | None:
        """The cases that have an object of a class; None where nobody is seen to have one, so that anyone may."""
        if owner not in self._cases_having:
            self._settle_having(owner, suites)
        return self._cases_having[owner]

    def _settle_having(self, owner: SymbolId, suites: Suites) -> None:
        """Find who has objects of a class, and of those that are needed to come by one.

        What makes the object may be a method that itself stands in for another: then only who has an object of its
        class comes by one. All these sets are found together, the least that fit each other.
        """
        by_need: dict[SymbolId, dict[SymbolId | None, set[SymbolId]]] = {}
        had: dict[SymbolId, set[SymbolId]] = {}
        pending = [owner]
        while pending and len(by_need) < _MOST_OWNERS:
            each = pending.pop()
            if each in by_need or each in self._cases_having:
                continue
            by_need[each] = _find_having(self, suites, self._having.get(each, {}))
            pending += [need for need in by_need[each] if need is not None]
        for each, found in by_need.items():
            # Of what nobody is seen to have, anyone may have an object.
            free = [need for need in found if need is None or by_need.get(need) == {}]
            had[each] = set().union(*(found[need] for need in free))
        before = -1
        while before != (before := sum(map(len, had.values()))):
            for each, found in by_need.items():
                for need, cases in found.items():
                    if need is None or (need in had and not by_need[need]):
                        continue
                    known = had[need] if need in had else self._cases_having.get(need)
                    had[each] |= cases if known is None else cases & known
        self._cases_having.update((each, frozenset(cases) or None) for each, cases in had.items())


def _find_having(
    users: Users, suites: Suites, starts: Mapping[SymbolId, float]
) -> dict[SymbolId | None, set[SymbolId]]:
    """The cases that likely run any of these, by the class of which an object is needed on the way."""
    level: dict[_State, float] = {(each, None): sureness for each, sureness in starts.items()}
    best = dict(level)
    found: dict[SymbolId | None, set[SymbolId]] = {}
    for _ in range(MOST_DEPTH):
        following: dict[_State, float] = {}
        for (used, need), sureness in level.items():
            cases, whole = _cases_at(suites, used, sureness)
            if cases and whole >= LEAST_CONFIDENCE:
                found.setdefault(need, set()).update(cases)
            if used in suites.case_of:
                continue
            for user, needed, confidence in users.next_to(used, need):
                whole = sureness * confidence
                if whole >= LEAST_CONFIDENCE and whole > max(
                    best.get((user, None), 0.0), best.get((user, needed), 0.0)
                ):
                    best[user, needed] = following[user, needed] = whole
        if not following:
            break
        level = following
    return found


def weigh(depth: int, path_confidence: float) -> float:
    """How surely a test covers a function that is so many calls away by a path of this confidence."""
    return round((_DIRECT if depth <= 1 else _TRANSITIVE) * path_confidence, 3)


def collect_users(
    reader: "IndexReader", suites: Suites, functions: Iterable[SymbolId], *, max_depth: int = MOST_DEPTH
) -> Users:
    """Everyone on a way from a test to these functions; the files of tests on the way become known to `suites`."""
    graph = run_graph(reader)
    frontier = set(functions)
    seen = set(frontier)
    is_cut = False
    queued = queued_work(reader)
    for _ in range(max_depth):
        suites.of_symbols(reader, frontier)
        walked = [each for each in frontier if each not in suites.case_of]
        if not walked:
            break
        users_of = graph.read_users(reader, walked)
        frontier = {user for each in walked for user, _ in users_of[each]}
        for dispatch in graph.read_dispatch(reader, walked):
            frontier |= dispatch.callers | graph.having[dispatch.owner].keys()
        if not queued.putting.keys().isdisjoint(walked):
            frontier |= queued.running.keys()
        frontier -= seen
        seen |= frontier
        if len(seen) > _MOST_SYMBOLS:
            is_cut = True
            break
    suites.of_symbols(reader, frontier)
    having = {**graph.having, A_QUEUE: queued.running}
    return Users(graph.users_of, is_cut=is_cut, dispatch_of=graph.dispatch_of, having=having, queued=queued)


def walk_reaching(
    users: Users, suites: Suites, functions: Iterable[SymbolId], *, max_depth: int = MOST_DEPTH
) -> Iterator[list[Reach]]:
    """The cases that run any of the functions, those so many calls away at a time, beginning with none.

    Each case comes once: of several ways the shortest, of those the surest. Where no case comes by a likely way,
    the surest of those by a faint one follow.
    """
    starts = tuple(functions)
    known = (starts, max_depth)
    if known not in users.faint:
        is_reached = False
        for found in _walk(users, suites, starts, max_depth=max_depth, least=LEAST_CONFIDENCE):
            is_reached = is_reached or bool(found)
            yield found
        if is_reached:
            return
        users.faint[known] = _walk_faintly(users, suites, starts, max_depth=max_depth)
    yield from users.faint[known]


def _walk_faintly(
    users: Users, suites: Suites, starts: tuple[SymbolId, ...], *, max_depth: int
) -> list[list[Reach]]:
    levels = list(_walk(users, suites, starts, max_depth=max_depth, least=FAINT_CONFIDENCE))
    surest = max((reach.confidence for found in levels for reach in found), default=0.0)
    return [
        [reach._replace(is_faint=True) for reach in found if reach.confidence >= _NEAR_SUREST * surest]
        for found in levels
    ]


def _walk(
    users: Users, suites: Suites, functions: Iterable[SymbolId], *, max_depth: int, least: float
) -> Iterator[list[Reach]]:
    level: dict[_State, float] = {(each, None): 1.0 for each in functions}
    best = dict(level)
    ways: dict[_State, Way] = {(each, None): (each, None) for each, _ in level}
    met: set[SymbolId] = set()
    for depth in range(max_depth + 1):
        found: list[Reach] = []
        for (user, need), sureness in level.items():
            cases, whole = _cases_at(suites, user, sureness)
            if whole < least or met.issuperset(cases):
                continue
            having = users.cases_having(need, suites) if need is not None else None
            reached = [case for case in cases if case not in met and (having is None or case in having)]
            confidence = weigh(depth, whole) if depth else 1.0
            found += [Reach(case, depth, confidence, ways[user, need]) for case in reached]
            met.update(reached)
        yield found
        level = _next_level(users, suites, level, best, ways, least=least)
        if not level:
            return


def _next_level(
    users: Users,
    suites: Suites,
    level: dict[_State, float],
    best: dict[_State, float],
    ways: dict[_State, Way],
    *,
    least: float,
) -> dict[_State, float]:
    """One call further from the functions; `best` and `ways` learn how. Nobody is asked who runs a test."""
    following: dict[_State, float] = {}
    for state, sureness in level.items():
        used, need = state
        if used in suites.case_of:
            continue
        way = ways[state]
        for user, needed, confidence in users.next_to(used, need):
            whole = sureness * confidence
            there = (user, needed)
            # A longer way may be surer, and lead on where the shorter is given up; so may one that needs nothing.
            if whole < least or whole <= best.get(there, 0.0):
                continue
            if needed is not None and whole <= best.get((user, None), 0.0):
                continue
            best[there] = following[there] = whole
            ways[there] = (user, way)
    return following


def find_reaching(
    users: Users, suites: Suites, function: SymbolId, *, max_depth: int = MOST_DEPTH
) -> dict[SymbolId, Reach]:
    """The cases that run a function, by case, nearest first."""
    levels = walk_reaching(users, suites, (function,), max_depth=max_depth)
    return {reach.case: reach for level in levels for reach in level}


def find_cases(users: Users, suites: Suites, functions: Iterable[SymbolId]) -> frozenset[SymbolId]:
    """Every case that runs any of the functions: all that a walk from each of them would find."""
    starts = tuple(functions)
    likely = _walk(users, suites, starts, max_depth=MOST_DEPTH, least=LEAST_CONFIDENCE)
    found = {reach.case for level in likely for reach in level}
    for start in starts:
        for level in walk_reaching(users, suites, (start,)):
            if level and not level[0].is_faint:
                break
            found.update(reach.case for reach in level)
    return frozenset(found)


def _cases_at(suites: Suites, symbol: SymbolId, whole: float) -> tuple[Collection[SymbolId], float]:
    """The cases that a symbol belongs to or runs for, and how surely they run what it comes to run."""
    case = suites.case_of.get(symbol)
    if case is not None:
        return (case,), whole
    cases = suites.runs_for.get(symbol, ())
    return cases, whole * _IMPORTING if is_file(symbol) else whole


class Covered(NamedTuple):
    """A symbol some test runs: how many calls from the nearest one, and how surely; `is_faint` as that of `Reach`."""

    depth: int
    confidence: float
    is_faint: bool = False


_covered: Final = PerState[dict[SymbolId, Covered]]()


def find_covered(reader: "IndexReader", suites: Suites) -> dict[SymbolId, Covered]:
    """All that the cases of the project run."""
    return _covered.get(reader, lambda: _find_covered(reader, suites))


def _find_covered(reader: "IndexReader", suites: Suites) -> dict[SymbolId, Covered]:
    suites.read_all(reader)
    found = _cover(reader, suites, LEAST_CONFIDENCE)
    faint = _cover(reader, suites, FAINT_CONFIDENCE)
    return {symbol: one._replace(is_faint=True) for symbol, one in faint.items()} | found


def _cover(reader: "IndexReader", suites: Suites, least: float) -> dict[SymbolId, Covered]:
    level = {each: _IMPORTING if is_file(each) else 1.0 for each in suites.starts()}
    level = {each: sureness for each, sureness in level.items() if sureness >= least}
    best = dict(level)
    found = {symbol: Covered(0, 1.0) for symbol in level}
    graph, queued = run_graph(reader), queued_work(reader)
    off = (
        {} if queued.running else queued.putting
    )  # which of several tests works it off is not looked at here
    for depth in range(1, MOST_DEPTH + 1):
        following: dict[SymbolId, float] = {}
        used_by = graph.read_used(reader, level)
        for user, sureness in level.items():
            for used, confidence in used_by[user]:
                whole = sureness * (min(confidence, PUT_OFF) if user in off.get(used, ()) else confidence)
                if whole >= least and whole > best.get(used, 0.0):
                    best[used] = following[used] = whole
        if not following:
            break
        for symbol, whole in following.items():
            found.setdefault(symbol, Covered(depth, weigh(depth, whole)))
        level = following
    return found
