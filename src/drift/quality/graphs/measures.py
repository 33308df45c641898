"""What can be told of a graph by looking at each node's neighbours: degrees, clustering, components."""

from typing import NamedTuple

from drift.quality.graphs.graph import Graph


class Components(NamedTuple):
    """Of each node the number of its component, the largest first: by edges either way, and by their directions."""

    weak: list[int]
    strong: list[int]


def degrees(graph: Graph) -> list[float]:
    """Of each node the share of all others that it has an edge with, in either direction counted apart."""
    others = max(1, len(graph.nodes) - 1)
    return [
        (len(ahead) + len(behind)) / others
        for ahead, behind in zip(graph.targets, graph.sources, strict=True)
    ]


def density(graph: Graph) -> float:
    """The share of possible edges that are there."""
    count = len(graph.nodes)
    return len(graph.uses) / (count * (count - 1)) if count > 1 else 0.0


def clustering(graph: Graph) -> list[float]:
    """Of each node how many of the pairs of its neighbours are neighbours, directions left aside."""
    found = []
    for neighbours in graph.neighbours:
        degree = len(neighbours)
        links = sum(len(neighbours & graph.neighbours[one]) for one in neighbours)
        found.append(links / (degree * (degree - 1)) if degree > 1 else 0.0)
    return found


def components(graph: Graph) -> Components:
    """The weakly and the strongly connected components."""
    return Components(_numbered(_weak(graph)), _numbered(_strong(graph)))


def _weak(graph: Graph) -> list[int]:
    found = [-1] * len(graph.nodes)
    for start in range(len(found)):
        if found[start] >= 0:
            continue
        waiting = [start]
        found[start] = start
        while waiting:
            for other in graph.neighbours[waiting.pop()]:
                if found[other] < 0:
                    found[other] = start
                    waiting.append(other)
    return found


def _strong(graph: Graph) -> list[int]:
    """Tarjan's algorithm with a stack of its own: graphs are deeper than Python's."""
    count = len(graph.nodes)
    order, low, found = [-1] * count, [0] * count, [-1] * count
    held: list[int] = []
    visited = 0
    for start in range(count):
        path = [(start, iter(graph.targets[start]))] if order[start] < 0 else []
        while path:
            node, ahead = path[-1]
            if order[node] < 0:
                order[node] = low[node] = visited
                visited += 1
                held.append(node)
            following = next(ahead, None)
            if following is not None:
                if order[following] < 0:
                    path.append((following, iter(graph.targets[following])))
                elif found[following] < 0:
                    low[node] = min(low[node], order[following])
                continue
            path.pop()
            if path:
                low[path[-1][0]] = min(low[path[-1][0]], low[node])
            if low[node] == order[node]:
                while found[node] < 0:
                    found[held.pop()] = node
    return found


def _numbered(found: list[int]) -> list[int]:
    """The same groups with numbers from 0, the largest first, of equals that with the first node."""
    sizes: dict[int, int] = {}
    for one in found:
        sizes[one] = sizes.get(one, 0) + 1
    firsts = {one: place for place, one in reversed(list(enumerate(found)))}
    order = sorted(sizes, key=lambda one: (-sizes[one], firsts[one]))
    numbers = {one: number for number, one in enumerate(order)}
    return [numbers[one] for one in found]
