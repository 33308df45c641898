"""Betweenness and closeness from shortest paths, after Brandes (2001); from a sample of sources where all are too many.

Of a sample, both are estimates (Brandes and Pich 2007; Eppstein and Wang 2004) whose error falls with its root; the
sample is the same every time.
"""

import random
from collections.abc import Callable
from typing import Final, NamedTuple

from drift.quality.graphs.graph import Graph

_MOST_STEPS: Final = 1_500_000  # nodes and edges gone over: about a second
_FEWEST_SOURCES: Final = 20
_SEED: Final = 20_010


class PathMeasures(NamedTuple):
    """By node: the share of shortest paths that go through it, and how near it is to those that reach it."""

    betweenness: list[float]
    closeness: list[float]
    sources: int
    """How many nodes paths were followed from; all where there are as many nodes."""


def measure_paths(
    graph: Graph, *, most_steps: int = _MOST_STEPS, check: Callable[[], None] = lambda: None
) -> PathMeasures:
    """Betweenness, normalised for directed graphs, and closeness over paths that lead to a node."""
    count = len(graph.nodes)
    affordable = max(_FEWEST_SOURCES, most_steps // max(1, count + len(graph.uses)))
    sources = list(range(count))
    if affordable < count:
        sources = sorted(random.Random(_SEED).sample(sources, affordable))  # noqa: S311 - a sample, no secret
    between = [0.0] * count
    distances, reached = [0] * count, [0] * count
    for source in sources:
        check()
        _follow(graph, source, between, distances, reached)
    scale = count / len(sources) if sources else 1.0
    pairs = (count - 1) * (count - 2)
    betweenness = [value * scale / pairs if pairs > 0 else 0.0 for value in between]
    closeness = [
        _closeness(scale * near, scale * far, count) for near, far in zip(reached, distances, strict=True)
    ]
    return PathMeasures(betweenness, closeness, len(sources))


def _closeness(near: float, far: float, count: int) -> float:
    if not far or count < 2:  # noqa: PLR2004 - one node has no others
        return 0.0
    return near / far * near / (count - 1)


def _follow(
    graph: Graph, source: int, between: list[float], distances: list[int], reached: list[int]
) -> None:
    """Add what the shortest paths from one node tell."""
    targets = graph.targets
    depth, ways = {source: 0}, {source: 1}
    before: dict[int, list[int]] = {}
    order, frontier = [source], [source]
    level = 0
    while frontier:
        level += 1
        found: list[int] = []
        for node in frontier:
            count = ways[node]
            for other in targets[node]:
                known = depth.get(other)
                if known is None:
                    depth[other] = level
                    ways[other] = count
                    before[other] = [node]
                    found.append(other)
                elif known == level:
                    ways[other] += count
                    before[other].append(node)
        for other in found:
            distances[other] += level
            reached[other] += 1
        order += found
        frontier = found
    share = dict.fromkeys(order, 0.0)
    for node in reversed(order[1:]):
        part = (1 + share[node]) / ways[node]
        for earlier in before[node]:
            share[earlier] += ways[earlier] * part
        between[node] += share[node]
