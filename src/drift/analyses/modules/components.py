"""Groups of nodes that all reach each other, in any graph."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


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
