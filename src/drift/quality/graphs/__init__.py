"""Graphs of a project and what is measured on them: centralities, ranks, clusters, components, communities."""

from drift.quality.graphs.communities import Communities, find_communities, modularity
from drift.quality.graphs.graph import Graph, Node, file_graph, symbol_graph
from drift.quality.graphs.graphml import write_graphml
from drift.quality.graphs.measures import Components, clustering, components, degrees, density
from drift.quality.graphs.shortest_paths import PathMeasures, measure_paths

__all__ = [
    "Communities",
    "Components",
    "Graph",
    "Node",
    "PathMeasures",
    "clustering",
    "components",
    "degrees",
    "density",
    "file_graph",
    "find_communities",
    "measure_paths",
    "modularity",
    "symbol_graph",
    "write_graphml",
]
