"""Communities by Louvain's method (Blondel and others 2008), with the order of nodes from a fixed seed."""

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from drift.quality.graphs.graph import Graph

_SEED: Final = 20_080
_LEAST_GAIN: Final = 1e-7  # of modularity, in a round
_MOST_ROUNDS: Final = 50

Weights = list[dict[int, float]]
"""Of each node its neighbours, and the weight between them; a node's own weight counts twice."""


class Communities(NamedTuple):
    """Of each node the number of its community, the largest first, and how much better than chance they are."""

    members: list[int]
    modularity: float


def find_communities(graph: Graph) -> Communities:
    """Groups of nodes with more edges among them than chance would give; edges count once, whichever way they go."""
    weights = _weights(len(graph.nodes), graph.uses)
    members = list(range(len(graph.nodes)))
    total = sum(map(_sum, weights)) / 2
    if not total:
        return Communities(members, 0.0)
    chance = random.Random(_SEED)  # noqa: S311 - an order, no secret
    level = weights
    while True:
        found, gained = _move(level, total, chance)
        if gained < _LEAST_GAIN:
            break
        members = [found[one] for one in members]
        level = _joined(level, found)
    ordered = _by_size(members)
    return Communities(ordered, modularity(graph, ordered))


def modularity(graph: Graph, members: Sequence[int]) -> float:
    """How many more edges lie inside communities than chance would give, as a share of all."""
    weights = _weights(len(graph.nodes), graph.uses)
    total = sum(map(_sum, weights)) / 2
    if not total:
        return 0.0
    inside: dict[int, float] = {}
    degrees: dict[int, float] = {}
    for node, around in enumerate(weights):
        group = members[node]
        degrees[group] = degrees.get(group, 0.0) + _sum(around)
        inside[group] = inside.get(group, 0.0) + sum(
            weight for other, weight in around.items() if members[other] == group
        )
    return sum(inside[group] / (2 * total) - (degree / (2 * total)) ** 2 for group, degree in degrees.items())


def _weights(count: int, edges: Iterable[tuple[int, int]]) -> Weights:
    found: Weights = [{} for _ in range(count)]
    for one, other in edges:
        found[one][other] = found[other][one] = 1.0
    return found


def _sum(around: Mapping[int, float]) -> float:
    return sum(around.values())


def _move(weights: Weights, total: float, chance: random.Random) -> tuple[list[int], float]:
    """Nodes moved to the neighbours' communities as long as that gains; the communities, and what was gained."""
    members = list(range(len(weights)))
    degrees = list(map(_sum, weights))
    sums = list(degrees)
    order = list(range(len(weights)))
    chance.shuffle(order)
    gained = 0.0
    for _ in range(_MOST_ROUNDS):
        before = gained
        for node in order:
            own, degree = members[node], degrees[node]
            links: dict[int, float] = {}
            for other, weight in weights[node].items():
                if other != node:
                    group = members[other]
                    links[group] = links.get(group, 0.0) + weight
            sums[own] -= degree
            base = links.get(own, 0.0) - sums[own] * degree / (2 * total)
            best, most = own, 0.0
            for group, weight in sorted(links.items()):
                gain = weight - sums[group] * degree / (2 * total) - base
                if gain > most:
                    best, most = group, gain
            sums[best] += degree
            members[node] = best
            gained += most / total
        if gained - before < _LEAST_GAIN:
            break
    numbers = {group: number for number, group in enumerate(dict.fromkeys(members))}
    return [numbers[group] for group in members], gained


def _joined(weights: Weights, members: Sequence[int]) -> Weights:
    """A graph with a node for each community."""
    found: Weights = [{} for _ in range(max(members) + 1)]
    for node, around in enumerate(weights):
        group = found[members[node]]
        for other, weight in around.items():
            group[members[other]] = group.get(members[other], 0.0) + weight
    return found


def _by_size(members: Sequence[int]) -> list[int]:
    sizes: dict[int, int] = {}
    for one in members:
        sizes[one] = sizes.get(one, 0) + 1
    order = sorted(sizes, key=lambda one: (-sizes[one], members.index(one)))
    numbers = {one: number for number, one in enumerate(order)}
    return [numbers[one] for one in members]
