"""The fewest tests that run what changed: greedy set cover over the changed functions, near and cheap tests first.

The rule: a test may stand for a function only if it is at most one call farther away than the function's nearest
test, so that what reaches it through ten calls never stands in for what calls it. Among those, the test is taken
that is worth most: the sum of confidence over distance for each function not yet covered, more of it where its title
has words of the function, by its seconds. Where no report knows its seconds, it is taken to be as quick as most.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from heapq import heapify, heappop, heappush
from statistics import median
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.testing.mocks import Mock, cases_of_mock
from drift.analyses.testing.reach import Reach, Users, collect_users, find_cases, find_reaching, walk_reaching
from drift.analyses.testing.suites import Case, Suites
from drift.index.ids import SymbolId
from drift.kernel.words import split_words, stem

if TYPE_CHECKING:
    from drift.index import IndexReader

MOST_FUNCTIONS: Final = 300
_FARTHER: Final = 1  # calls that a test may be farther away than the nearest
_LEAST_SECONDS: Final = 0.001  # reports round down to nothing
_RENDERED: Final = 0.5  # who makes a page that names a member by its name alone runs it
_USUAL_SECONDS: Final = 0.1  # of a test, where no report knows any

Reaching = Mapping[SymbolId, dict[SymbolId, Reach]]
"""Of each function the tests that run it, by case."""


class Chosen(NamedTuple):
    """A test to run: the changed functions it is the first to cover, and the way to the nearest."""

    case: Case
    covers: tuple[SymbolId, ...]
    nearest: Reach
    seconds: float | None


class Selection(NamedTuple):
    """Tests to run, those that need not, what no test runs, and what tests only run replaced."""

    chosen: tuple[Chosen, ...]
    redundant: tuple[Case, ...]
    uncovered: tuple[SymbolId, ...]
    mocked: tuple[SymbolId, ...]


class Neighbourhood(NamedTuple):
    """Who runs some functions, and every test among them."""

    functions: tuple[SymbolId, ...]
    users: Users
    cases: frozenset[SymbolId]


def find_neighbourhood(
    reader: "IndexReader",
    suites: Suites,
    functions: Iterable[SymbolId],
    *,
    rendering: Mapping[SymbolId, Collection[SymbolId]] = MappingProxyType({}),
) -> Neighbourhood:
    """All tests that run any of the functions, by one walk back from them; of very many functions the first.

    `rendering` has of functions those that make the pages which name them.
    """
    wanted = tuple(functions)[:MOST_FUNCTIONS]
    makers = {maker for some in rendering.values() for maker in some}
    users = collect_users(reader, suites, dict.fromkeys((*wanted, *sorted(makers))))
    users = users.joined({used: [(one, _RENDERED) for one in some] for used, some in rendering.items()})
    return Neighbourhood(wanted, users, find_cases(users, suites, wanted))


def reach_functions(around: Neighbourhood, suites: Suites) -> dict[SymbolId, dict[SymbolId, Reach]]:
    """Of each function all tests that run it, replaced or not."""
    return {function: find_reaching(around.users, suites, function) for function in around.functions}


def reach_nearest(
    around: Neighbourhood, suites: Suites, replaced: Mapping[SymbolId, frozenset[SymbolId]]
) -> tuple[dict[SymbolId, dict[SymbolId, Reach]], set[SymbolId]]:
    """Of each function the tests that may stand for it, and the functions that some test only runs replaced."""
    found: dict[SymbolId, dict[SymbolId, Reach]] = {}
    mocked: set[SymbolId] = set()
    for function in around.functions:
        near: dict[SymbolId, Reach] = {}
        farthest: int | None = None
        for depth, level in enumerate(walk_reaching(around.users, suites, (function,))):
            if farthest is not None and depth > farthest:
                break
            real = [reach for reach in level if is_real(reach, replaced)]
            if len(real) < len(level):
                mocked.add(function)
            near |= {reach.case: reach for reach in real}
            if farthest is None and real:
                farthest = depth + _FARTHER
        found[function] = near
    return found, mocked


def replaced_by_case(suites: Suites, mocks: Iterable[Mock]) -> dict[SymbolId, frozenset[SymbolId]]:
    """The symbols of the project that each case replaces; none of cases that replace nothing."""
    found: dict[SymbolId, set[SymbolId]] = defaultdict(set)
    for mock in mocks:
        if mock.targets:
            for case in cases_of_mock(suites, mock):
                found[case] |= mock.targets
    return {case: frozenset(targets) for case, targets in found.items()}


def is_real(reach: Reach, replaced: Mapping[SymbolId, frozenset[SymbolId]]) -> bool:
    """Whether nothing on the way is replaced in the test."""
    targets = replaced.get(reach.case)
    return targets is None or targets.isdisjoint(reach.path)


def select_tests(
    reaching: Reaching,
    suites: Suites,
    *,
    seconds: Mapping[SymbolId, float],
    mocked: Collection[SymbolId] = (),
    names: Mapping[SymbolId, str] = MappingProxyType({}),
) -> Selection:
    """The tests that together run every function some test runs, by the rule above; `names` are of functions."""
    covers: dict[SymbolId, set[SymbolId]] = defaultdict(set)
    for function, cases in reaching.items():
        for case in cases:
            covers[case].add(function)
    usual = median(seconds.values()) if seconds else _USUAL_SECONDS
    remaining = {function for function, cases in reaching.items() if cases}

    said = {function: _stems(name) for function, name in names.items()}
    titles = {
        case: _stems(f"{suites.cases[case].path} {suites.cases[case].title}") for case in covers if said
    }

    def worth(case: SymbolId) -> float:
        near = ((function, reaching[function][case]) for function in covers[case] & remaining)
        value = sum(
            reach.confidence / max(reach.depth, 1) * (1 + _share(said.get(function), titles.get(case)))
            for function, reach in near
        )
        return value / max(seconds.get(case, usual), _LEAST_SECONDS)

    # What a test is worth only ever falls, so the first whose worth still holds is the best.
    queue = [(-worth(case), case) for case in covers]
    heapify(queue)
    chosen: list[Chosen] = []
    while remaining:
        known, case = heappop(queue)
        if (now := -worth(case)) > known:
            heappush(queue, (now, case))
            continue
        gain = sorted(covers.pop(case) & remaining)
        nearest = min((reaching[each][case] for each in gain), key=lambda one: (one.depth, -one.confidence))
        chosen.append(Chosen(suites.cases[case], tuple(gain), nearest, seconds.get(case)))
        remaining.difference_update(gain)
    uncovered = tuple(function for function, cases in reaching.items() if not cases)
    return Selection(
        tuple(chosen),
        tuple(suites.cases[each] for each in covers),
        uncovered,
        tuple(each for each in uncovered if each in mocked),
    )


def list_reaching(
    around: Neighbourhood,
    suites: Suites,
    replaced: Mapping[SymbolId, frozenset[SymbolId]],
    seconds: Mapping[SymbolId, float],
) -> list[Chosen]:
    """Every test that runs any of the functions, the surest first, with all of them that it runs."""
    found: dict[SymbolId, dict[SymbolId, Reach]] = defaultdict(dict)
    for function, reaches in reach_functions(around, suites).items():
        for case, reach in reaches.items():
            if is_real(reach, replaced):
                found[case][function] = reach
    rows = [
        Chosen(
            suites.cases[case],
            tuple(sorted(runs, key=lambda each: (runs[each].depth, each))),
            min(runs.values(), key=lambda one: (one.is_faint, -one.confidence, one.depth)),
            seconds.get(case),
        )
        for case, runs in found.items()
    ]
    return sorted(
        rows,
        key=lambda one: (
            one.nearest.is_faint,
            -one.nearest.confidence,
            one.nearest.depth,
            one.case.path,
            one.case.line,
        ),
    )


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, split_words(text)))


def _share(wanted: frozenset[str] | None, words: frozenset[str] | None) -> float:
    """How much of a function's name a title has, up to a half."""
    return len(wanted & words) / len(wanted) / 2 if wanted and words else 0.0


def match_durations(
    cases: Iterable[Case], durations: Mapping[tuple[str, str], float]
) -> dict[SymbolId, float]:
    """The seconds of each case that a report knows; runs of one case with several values are added up."""
    if not durations:
        return {}
    by_name: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for (owner, name), value in durations.items():
        by_name[name.partition("[")[0].strip()].append((owner, value))
    found: dict[SymbolId, float] = {}
    for case in cases:
        for name in {case.name, case.title, case.title.replace(" > ", " ")}:
            fitting = [value for owner, value in by_name.get(name, ()) if _belongs(case, owner)]
            if fitting:
                found[case.id] = round(sum(fitting), 3)
    return found


def _belongs(case: Case, owner: str) -> bool:
    """Whether the class or file a report names is that of the case."""
    parts = re.split(r"[./\\:]", owner)
    stem = case.path.rpartition("/")[2].partition(".")[0]
    return not owner or stem in parts or (bool(case.owner) and case.owner.rpartition(".")[2] in parts)
