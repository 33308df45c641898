"""The fewest tests that run what changed: greedy set cover over the changed functions, cheap tests first."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from statistics import median
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.testing.mocks import Mock
from drift.analyses.testing.reach import Reach, collect_users, find_reaching
from drift.analyses.testing.suites import Case, Suites
from drift.index.ids import SymbolId

if TYPE_CHECKING:
    from drift.index import IndexReader

MOST_FUNCTIONS: Final = 300
_LEAST_SECONDS: Final = 0.001  # reports round down to nothing
_USUAL_SECONDS: Final = 0.1  # of a test, where no report knows any


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
    reaching: Mapping[SymbolId, dict[SymbolId, Reach]]
    is_cut: bool


def reach_functions(
    reader: "IndexReader", suites: Suites, functions: Iterable[SymbolId]
) -> tuple[dict[SymbolId, dict[SymbolId, Reach]], bool]:
    """Of each function the tests that run it, replaced or not; and whether there was more than is followed."""
    wanted = list(functions)[:MOST_FUNCTIONS]
    users = collect_users(reader, suites, wanted)
    found = {function: find_reaching(users, suites, function) for function in wanted}
    for function in wanted:
        own = suites.case_of.get(function)
        if own is not None:  # a changed test runs itself
            found[function] = {own: Reach(own, 0, 1.0, (own,))}
    return found, users.is_cut


def split_mocked(
    reaching: Mapping[SymbolId, dict[SymbolId, Reach]], suites: Suites, mocks: Iterable[Mock]
) -> tuple[dict[SymbolId, dict[SymbolId, Reach]], set[tuple[SymbolId, SymbolId]]]:
    """The tests that run each function itself, and the pairs (case, function) where something on the way is mocked."""
    replaced: dict[SymbolId, set[SymbolId]] = defaultdict(set)
    for mock in mocks:
        at = suites.case_of.get(mock.scope)
        for case in (at,) if at is not None else suites.runs_for.get(mock.scope, ()):
            replaced[case] |= mock.targets
    mocked: set[tuple[SymbolId, SymbolId]] = set()
    kept: dict[SymbolId, dict[SymbolId, Reach]] = {}
    for function, cases in reaching.items():
        kept[function] = {}
        for case, reach in cases.items():
            if replaced[case].isdisjoint(reach.path):
                kept[function][case] = reach
            else:
                mocked.add((case, function))
    return kept, mocked


def select_tests(
    reaching: Mapping[SymbolId, dict[SymbolId, Reach]],
    suites: Suites,
    *,
    seconds: Mapping[SymbolId, float],
    mocked: Iterable[tuple[SymbolId, SymbolId]] = (),
    is_cut: bool = False,
) -> Selection:
    """The fewest and quickest tests that together run every function some test runs."""
    covers: dict[SymbolId, set[SymbolId]] = defaultdict(set)
    for function, cases in reaching.items():
        for case in cases:
            covers[case].add(function)
    usual = median(seconds.values()) if seconds else _USUAL_SECONDS
    open_functions = {function for function, cases in reaching.items() if cases}
    chosen: list[Chosen] = []
    taken: set[SymbolId] = set()

    def worth(case: SymbolId) -> tuple[float, int]:
        gain = covers[case] & open_functions
        cost = max(seconds.get(case, usual), _LEAST_SECONDS)
        sureness = sum(reaching[function][case].confidence for function in gain)
        return sureness / cost, -case

    while open_functions:
        best = max(covers, key=worth)
        gain = sorted(covers.pop(best) & open_functions)
        nearest = min((reaching[each][best] for each in gain), key=lambda one: (one.depth, -one.confidence))
        chosen.append(Chosen(suites.cases[best], tuple(gain), nearest, seconds.get(best)))
        taken.add(best)
        open_functions -= set(gain)
    uncovered = tuple(function for function, cases in reaching.items() if not cases)
    seen_mocked = {function for _, function in mocked}
    return Selection(
        tuple(chosen),
        tuple(suites.cases[each] for each in covers if each not in taken),
        uncovered,
        tuple(each for each in uncovered if each in seen_mocked),
        reaching,
        is_cut,
    )


def match_durations(
    cases: Iterable[Case], durations: Mapping[tuple[str, str], float]
) -> dict[SymbolId, float]:
    """The seconds of each case that a report knows; runs of one case with several values are added up."""
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
