"""A graph of modules as it is drawn: every module on its height, what uses what, and who is in a cycle with whom."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from drift.analyses.modules.components import strong_components
from drift.analyses.modules.graph import Level, ModuleGraph, module_graph

if TYPE_CHECKING:
    from drift.index import IndexReader


@dataclass(frozen=True, slots=True)
class GraphDrawing:
    """Modules in columns; an edge is the numbers of who uses and who is used, and by how many names.

    `heights` counts the steps of the longest way down, and is the same for all of a cycle. `cycles` has the number of
    the cycle a module is in, from 1 on, and 0 for none.
    """

    level: Level
    generation: int
    names: tuple[str, ...]
    files: tuple[int, ...]
    heights: tuple[int, ...]
    cycles: tuple[int, ...]
    edges: tuple[tuple[int, int, int], ...]


def draw_modules(reader: "IndexReader", level: Level, *, with_tests: bool = False) -> GraphDrawing:
    """The graph of a level; modules that use nobody and are used by nobody are left out."""
    graph = module_graph(reader, level, with_tests=with_tests)
    names = tuple(sorted(name for name in graph.members if graph.targets[name] or graph.sources[name]))
    number = {name: at for at, name in enumerate(names)}
    heights, cycles = stand(graph)
    return GraphDrawing(
        level,
        reader.generation(),
        names,
        tuple(len(graph.members[name]) for name in names),
        tuple(heights[name] for name in names),
        tuple(cycles.get(name, 0) for name in names),
        tuple((number[source], number[target], one.weight) for (source, target), one in sorted(graph.edges.items())),
    )  # fmt: skip


def stand(graph: ModuleGraph) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Of each module its height, and of those in a cycle its number."""
    heights: dict[str, int] = {}
    cycles: dict[str, int] = {}
    count = 0
    # Groups come after all that they lead to.
    for group in strong_components(graph.targets):
        own = set(group)
        below = [heights[one] for name in group for one in graph.targets[name] if one not in own]
        heights.update(dict.fromkeys(group, 1 + max(below, default=-1)))
        if len(group) > 1:
            count += 1
            cycles.update(dict.fromkeys(group, count))
    return heights, cycles
