"""Cycles between modules: groups that all depend on each other, a shortest way around each, the cheapest way out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from drift.analyses.modules.components import shortest_cycle, strong_components
from drift.analyses.modules.cuts import cheapest_cut
from drift.analyses.modules.graph import Dependency, ModuleGraph
from drift.kernel.ranking import Sort
from drift.kernel.text import plural

Severity = Literal["critical", "warning", "info"]

SEVERITIES: Final[tuple[Severity, ...]] = ("critical", "warning", "info")
_MOST_MEMBERS: Final = 15
_MOST_NAMES: Final = 6
_MOST_CUTS: Final = 10
_LARGE: Final = 5
_SIZEABLE: Final = 3
_HEAVY: Final = 10


@dataclass(frozen=True, slots=True)
class DependencyRow:
    """One module using another: by how many names, the first of them, and the first place."""

    source: str
    target: str
    uses: int
    names: tuple[str, ...]
    at: str


@dataclass(frozen=True, slots=True)
class CycleRow:
    """A group that depends on itself, a shortest way around, and what to drop, which is `names` names together."""

    size: int
    severity: Severity
    members: tuple[str, ...]
    way: tuple[DependencyRow, ...]
    cut: tuple[DependencyRow, ...]
    cuts: int
    names: int
    is_cheapest: bool


class Cycle(NamedTuple):
    """Modules that all lead to each other, a shortest way around, and what to drop to open them."""

    members: tuple[str, ...]
    way: tuple[Dependency, ...]
    cut: tuple[Dependency, ...]
    is_cheapest: bool

    @property
    def names(self) -> int:
        """How many names the cut is about."""
        return sum(one.weight for one in self.cut)

    @property
    def severity(self) -> Severity:
        """By the size, and by how much holds the members together on the way around."""
        if len(self.members) > _LARGE:
            return "critical"
        is_heavy = sum(one.weight for one in self.way) > _HEAVY
        return "warning" if len(self.members) > _SIZEABLE or is_heavy else "info"


def find_groups(graph: ModuleGraph) -> list[tuple[str, ...]]:
    """The groups of modules that all lead to each other, the smallest first."""
    groups = (tuple(sorted(group)) for group in strong_components(graph.targets) if len(group) > 1)
    return sorted(groups, key=lambda members: (len(members), members))


def find_cycles(graph: ModuleGraph) -> list[Cycle]:
    """All cycles, the smallest first."""
    weights = {edge: one.weight for edge, one in graph.edges.items()}
    return [_cycle(graph, members, weights) for members in find_groups(graph)]


def _cycle(graph: ModuleGraph, members: tuple[str, ...], weights: Mapping[tuple[str, str], int]) -> Cycle:
    way = shortest_cycle(members, graph.targets)
    start = way.index(min(way))
    turned = way[start:] + way[:start]
    steps = zip(turned, [*turned[1:], turned[0]], strict=True)
    cut = cheapest_cut(members, weights)
    return Cycle(
        members,
        tuple(graph.edges[step] for step in steps),
        tuple(graph.edges[edge] for edge in cut.edges),
        cut.is_cheapest,
    )


def cycle_row(cycle: Cycle) -> CycleRow:
    return CycleRow(
        len(cycle.members),
        cycle.severity,
        cycle.members[:_MOST_MEMBERS],
        tuple(map(dependency_row, cycle.way)),
        tuple(dependency_row(one) for one in cycle.cut[:_MOST_CUTS]),
        len(cycle.cut),
        cycle.names,
        cycle.is_cheapest,
    )


def dependency_row(one: Dependency) -> DependencyRow:
    return DependencyRow(
        one.source, one.target, one.weight, one.names[:_MOST_NAMES], f"{one.path}:{one.line}"
    )


def cycles_summary(found: list[Cycle], level: str) -> str:
    largest = f", the largest of {len(found[-1].members)}" if found else ""
    return f"{plural(len(found), 'cycle')} between {level}s{largest}"


# No two cycles share a member, so the first one names it.
CYCLE_SORTS: Final[Mapping[str, Sort[Cycle]]] = {
    "size": Sort(lambda one: (len(one.members), one.members[0]), "asc")
}
