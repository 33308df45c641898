"""The graph of calls, imports or inheritance as a mermaid flowchart, small enough to be read.

What it does: takes the best connected nodes of the graph, as many as there is room for, and draws the edges between
them. Why it matters: the shape of a project at a glance. Known limits: what there was no room for is counted, not drawn.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from drift.analyses.centrality import settle_ranks
from drift.analyses.index_cache import PerQuestion
from drift.kernel.text import plural, shorten
from drift.quality.graphs import Graph, Node, components, file_graph, symbol_graph

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.quality.scope import Scope

DagType = Literal["call-graph", "import-graph", "inheritance", "full-dependency"]

_ESCAPES: Final = str.maketrans(
    {'"': "#quot;", "<": "#lt;", ">": "#gt;", "&": "#amp;", "\n": " ", "`": "'", "#": "#35;"}
)
_MOST_LABEL: Final = 80


@dataclass(frozen=True, slots=True)
class DagEdge:
    """An edge that is drawn, and how often it is used."""

    source: str
    target: str
    uses: int


@dataclass(frozen=True, slots=True)
class DagData:
    """A mermaid flowchart with its edges; `left_out` nodes had no room. `cycles` counts groups that lead back to themselves."""

    dag_type: DagType
    nodes: int
    edges: int
    drawn: int
    left_out: int
    cycles: int
    mermaid: str
    shown: tuple[DagEdge, ...]

    @property
    def summary(self) -> str:
        more = f"; no room for {self.left_out:,} more" if self.left_out else ""
        return f"{plural(self.drawn, 'node')} of the {self.dag_type} drawn{more}"


def draw_dag(reader: "IndexReader", scope: "Scope", dag_type: DagType, *, max_nodes: int) -> DagData:
    """The best ranked nodes of the graph and the edges between them; nodes without edges are left out first."""
    graph, order, cycles = _ordered.get(
        reader, (dag_type, scope.paths), lambda: _order(_graph(reader, scope, dag_type))
    )
    chosen = sorted(order[:max_nodes])
    inside = set(chosen)
    edges = {edge: uses for edge, uses in graph.uses.items() if inside.issuperset(edge)}
    lines = ["flowchart LR", *(f'    n{one}["{_label(graph.nodes[one])}"]' for one in chosen)]
    lines += (f"    n{source} --> n{target}" for source, target in edges)
    return DagData(
        dag_type,
        len(graph.nodes),
        len(graph.uses),
        len(chosen),
        len(graph.nodes) - len(chosen),
        cycles,
        "\n".join(lines),
        tuple(
            DagEdge(graph.nodes[one].name, graph.nodes[other].name, uses)
            for (one, other), uses in edges.items()
        ),
    )


_MOST_COUNTED: Final = (
    100  # components, the largest first: a group of one is no cycle, and nothing after it is
)


class _Ordered(NamedTuple):
    """A graph, its nodes by rank, and how many cycles it has."""

    graph: Graph
    order: list[int]
    cycles: int


_ordered: Final = PerQuestion[_Ordered]()


def _order(graph: Graph) -> _Ordered:
    ranks = settle_ranks(graph.uses).ranks
    order = sorted(ranks, key=lambda one: (-ranks[one], -len(graph.neighbours[one]), one))
    strong = components(graph).strong
    cycles = sum(strong.count(number) > 1 for number in range(min(len(set(strong)), _MOST_COUNTED)))
    return _Ordered(graph, order, cycles)


def _graph(reader: "IndexReader", scope: "Scope", dag_type: DagType) -> Graph:
    match dag_type:
        case "call-graph":
            return symbol_graph(reader, scope.paths)
        case "import-graph":
            return file_graph(reader, scope.paths, kinds=frozenset({"import"}))
        case "full-dependency":
            return file_graph(reader, scope.paths)
        case "inheritance":
            return _inheritance(reader, scope.paths)


def _inheritance(reader: "IndexReader", paths: frozenset[str]) -> Graph:
    pairs = reader.functions.parents()
    found = [
        one for one in reader.symbols.many({each for pair in pairs for each in pair}) if one.path in paths
    ]
    numbers = {one.id: number for number, one in enumerate(found)}
    nodes = (Node(one.qualname, one.path, one.line, one.kind) for one in found)
    known = (pair for pair in pairs if pair[0] in numbers and pair[1] in numbers)
    return Graph(nodes, {(numbers[child], numbers[parent]): 1 for child, parent in known})


def _label(node: Node) -> str:
    return shorten(node.name, _MOST_LABEL).translate(_ESCAPES)
