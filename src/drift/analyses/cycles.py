"""Cycles between files or packages: groups that all depend on each other, and a shortest way around each.

A dependency is an import or a call that was resolved with some certainty; imports for types alone do not count,
because they are gone at run time.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from posixpath import dirname
from typing import Final, Literal, NamedTuple, TypeVar

from drift.index import IndexReader
from drift.index.dependency_queries import FileDependency
from drift.kernel.ranking import Sort
from drift.kernel.text import plural

_MOST_MEMBERS = 15


@dataclass(frozen=True, slots=True)
class DependencyRow:
    """One file or package using another: how often, and the first place."""

    source: str
    target: str
    uses: int
    at: str
    kind: str


@dataclass(frozen=True, slots=True)
class CycleRow:
    """A group that depends on itself: its size, members, a shortest way around, and the weakest step of that."""

    size: int
    members: tuple[str, ...]
    way: tuple[DependencyRow, ...]
    weakest: str


Level = Literal["file", "package"]
Node = TypeVar("Node", bound=Hashable)

MIN_CONFIDENCE: Final = 0.5


class Dependency(NamedTuple):
    """One file or package using another, how often, and the first place where it does."""

    source: str
    target: str
    uses: int
    path: str
    line: int
    kind: str  # import, call


class Cycle(NamedTuple):
    """Files or packages that all lead to each other, and a shortest way around."""

    members: tuple[str, ...]
    way: tuple[Dependency, ...]

    @property
    def weakest(self) -> Dependency:
        """The step of the way with the fewest uses: the one to look at first when it shall be cut."""
        return min(self.way, key=lambda one: one.uses)


def find_cycles(reader: IndexReader, *, level: Level, with_tests: bool = False) -> list[Cycle]:
    """All cycles, the smallest first."""
    edges = _dependencies(reader, level, with_tests=with_tests)
    targets: dict[str, list[str]] = defaultdict(list)
    for source, target in sorted(edges):
        targets[source].append(target)
    groups = [group for group in strong_components(targets) if len(group) > 1]
    cycles = [_cycle(group, targets, edges) for group in groups]
    return sorted(cycles, key=lambda one: (len(one.members), one.members))


def strong_components(targets: Mapping[Node, Sequence[Node]]) -> list[list[Node]]:
    """The groups of nodes that all reach each other (Tarjan's, without recursion: graphs are deep)."""
    order: dict[Node, int] = {}
    low: dict[Node, int] = {}
    stack: list[Node] = []
    on_stack: set[Node] = set()
    found: list[list[Node]] = []
    for root in targets:
        if root in order:
            continue
        work: list[tuple[Node, int]] = [(root, 0)]
        while work:
            node, at = work.pop()
            if node not in order:
                order[node] = low[node] = len(order)
                stack.append(node)
                on_stack.add(node)
            nexts = targets.get(node, ())
            while at < len(nexts) and nexts[at] in order:
                if nexts[at] in on_stack:
                    low[node] = min(low[node], low[nexts[at]])
                at += 1
            if at < len(nexts):
                work += [(node, at), (nexts[at], 0)]
            elif low[node] == order[node]:
                found.append(_pop_group(node, stack, on_stack))
    return found


def _pop_group(node: Node, stack: list[Node], on_stack: set[Node]) -> list[Node]:
    group = []
    while True:
        member = stack.pop()
        on_stack.discard(member)
        group.append(member)
        if member == node:
            return group


def shortest_cycle(group: Iterable[Node], targets: Mapping[Node, Sequence[Node]]) -> list[Node]:
    """The members of a shortest way around in a group that is strongly connected."""
    inside = set(group)
    best: list[Node] = []
    for start in inside:
        found = _way_around(start, inside, targets, shorter_than=len(best) or len(inside) + 1)
        if found:
            best = found
        if len(best) == 2:  # noqa: PLR2004 - no way around is shorter
            break
    return best


def _way_around(
    start: Node, inside: set[Node], targets: Mapping[Node, Sequence[Node]], *, shorter_than: int
) -> list[Node]:
    origins: dict[Node, Node] = {}
    frontier = [start]
    for _ in range(shorter_than - 1):
        following = []
        for node in frontier:
            for target in targets.get(node, ()):
                if target == start:
                    way = [node]
                    while way[-1] != start:
                        way.append(origins[way[-1]])
                    return way[::-1]
                if target in inside and target not in origins:
                    origins[target] = node
                    following.append(target)
        frontier = following
    return []


def _cycle(
    group: list[str], targets: Mapping[str, Sequence[str]], edges: Mapping[tuple[str, str], Dependency]
) -> Cycle:
    way = shortest_cycle(sorted(group), targets)
    start = way.index(min(way))
    turned = way[start:] + way[:start]
    steps = zip(turned, [*turned[1:], turned[0]], strict=True)
    return Cycle(tuple(sorted(group)), tuple(edges[step] for step in steps))


def _dependencies(
    reader: IndexReader, level: Level, *, with_tests: bool
) -> dict[tuple[str, str], Dependency]:
    found: dict[tuple[str, str], Dependency] = {}
    for one in reader.dependencies.between_files(min_confidence=MIN_CONFIDENCE, with_tests=with_tests):
        ends = _ends(one, level)
        if ends[0] == ends[1]:
            continue
        known = found.get(ends)
        if known is None:
            found[ends] = Dependency(*ends, one.uses, one.path, one.line, one.kind)
        else:
            found[ends] = known._replace(uses=known.uses + one.uses)
    return found


def _ends(one: FileDependency, level: Level) -> tuple[str, str]:
    if level == "file":
        return one.path, one.target_path
    return one.package or dirname(one.path) or ".", one.target_package or dirname(one.target_path) or "."


def cycle_row(cycle: Cycle) -> CycleRow:
    way = tuple(
        DependencyRow(one.source, one.target, one.uses, f"{one.path}:{one.line}", one.kind)
        for one in cycle.way
    )
    weakest = cycle.weakest
    return CycleRow(
        len(cycle.members),
        cycle.members[:_MOST_MEMBERS],
        way,
        f"{weakest.source} -> {weakest.target}, {plural(weakest.uses, 'use')}",
    )


# No two cycles share a member, so the first one names it.
CYCLE_SORTS: Final[Mapping[str, Sort[Cycle]]] = {
    "size": Sort(lambda one: (len(one.members), one.members[0]), "asc")
}
