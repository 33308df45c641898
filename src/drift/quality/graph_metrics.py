"""Which files or symbols of a project matter most, by how they are connected.

What it does: builds the graph of files (who imports or calls whom) or of symbols (who calls whom), and measures degree,
betweenness, closeness, PageRank, clustering, components and communities. Why it matters: what lies on many paths breaks
much, and what has no neighbours is in nobody's way. Example: the file with the highest betweenness is where two halves
of a project meet. Known limits: edges are those that linking found with a confidence of at least one half; of large
graphs betweenness and closeness are estimated from a sample of sources, which the answer says.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, get_args

from drift.analyses.centrality import settle_ranks
from drift.analyses.index_cache import PerQuestion
from drift.kernel.errors import invalid
from drift.kernel.ranking import Ranked, Sort
from drift.kernel.similar import similar_names
from drift.kernel.text import plural
from drift.quality.graphs import (
    Graph,
    clustering,
    components,
    degrees,
    density,
    file_graph,
    find_communities,
    measure_paths,
    symbol_graph,
    write_graphml,
)
from drift.quality.reporters import Format, Report, Table, is_document, write_within

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.quality.scope import Scope

Metric = Literal[
    "centrality",
    "degree",
    "betweenness",
    "closeness",
    "pagerank",
    "clustering",
    "components",
    "communities",
    "all",
]
Level = Literal["file", "symbol"]
GraphFormat = Literal["summary", "detailed", "json", "csv", "markdown", "graphml"]
Node = int

_PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "centrality": ("degree", "betweenness", "closeness"),
    "clustering": ("clustering", "communities"),
    "all": tuple(one for one in get_args(Metric) if one not in {"all", "centrality"}),
}
_DIGITS: Final = 9
_LEAST_SHOWN: Final = 5  # of the largest communities


class Ranking(NamedTuple):
    """How PageRank is computed; the defaults are networkx's."""

    seeds: tuple[str, ...] = ()
    damping: float = 0.85
    max_iterations: int = 100
    convergence: float = 1e-6


_USUAL: Final = Ranking()
_EVERY: Final[tuple[Metric, ...]] = ("all",)


@dataclass(frozen=True, slots=True)
class NodeRow:
    """A file or symbol with what was measured; what was not asked for is absent."""

    name: str
    file: str
    line: int
    edges_in: int
    edges_out: int
    degree: float | None = None
    betweenness: float | None = None
    closeness: float | None = None
    pagerank: float | None = None
    clustering: float | None = None
    component: int | None = None
    strong_component: int | None = None
    community: int | None = None


@dataclass(frozen=True, slots=True)
class CommunityRow:
    """A group of nodes with many edges among them: how many, and the best connected."""

    community: int
    size: int
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GraphMetricsData:
    """Figures of the whole graph, and its nodes. Averages are over all nodes."""

    level: Level
    nodes: int
    edges: int
    density: float
    average_clustering: float | None
    weak_components: int | None
    strong_components: int | None
    communities: int | None
    modularity: float | None
    sampled_sources: int | None
    """From how many nodes paths were followed, where that was a sample."""
    top_nodes: tuple[NodeRow, ...] | None = None
    largest_communities: tuple[CommunityRow, ...] | None = None
    document: str | None = None


class GraphMetrics:
    """A graph and its measures, each a column over the nodes."""

    def __init__(self, graph: Graph, level: Level, columns: Mapping[str, Sequence[float]]) -> None:
        self.graph = graph
        self.level = level
        self.columns = columns
        self.modularity: float | None = None
        self.sampled_sources: int | None = None
        self.notes: tuple[str, ...] = ()

    @property
    def summary(self) -> str:
        nodes = plural(len(self.graph.nodes), self.level)
        return f"{nodes}, {plural(len(self.graph.uses), 'edge')} between them"

    def ranked(self, *, top_k: int, min_centrality: float) -> Ranked[Node]:
        """The nodes, first by rank or whatever was measured; those with too few edges are left out."""
        order = [
            name
            for name in ("pagerank", "betweenness", "degree", "closeness", "clustering")
            if name in self.columns
        ]
        central = self.columns.get("degree") or degrees(self.graph)
        nodes = [one for one in range(len(self.graph.nodes)) if central[one] >= min_centrality]
        sorts: dict[str, Sort[Node]] = {name: self._sort(name) for name in order}
        sorts["name"] = Sort(lambda one: (one,))
        best = sorted(nodes, key=next(iter(sorts.values())).key)[:top_k]
        return Ranked(best, sorts)

    def _sort(self, name: str) -> Sort[Node]:
        column = self.columns[name]
        return Sort(lambda one: (-column[one], one), "desc")

    def rows(self, nodes: Sequence[Node]) -> tuple[NodeRow, ...]:
        """Some nodes as an answer shows them."""
        return tuple(map(self._row, nodes))

    def _row(self, node: Node) -> NodeRow:
        found = self.graph.nodes[node]
        edges = len(self.graph.sources[node]), len(self.graph.targets[node])
        values = {name: round(column[node], _DIGITS) for name, column in self.columns.items()}
        whole = {"component", "strong_component", "community"}
        given: dict[str, Any] = {
            name: int(value) if name in whole else value for name, value in values.items()
        }
        return replace(NodeRow(found.name, found.file, found.line, *edges), **given)

    def data(
        self, form: GraphFormat, nodes: Sequence[Node], *, max_tokens: int, ranked: Sequence[Node]
    ) -> GraphMetricsData:
        """The answer: figures always, rows or a text by the form."""
        clustered = self.columns.get("clustering")
        data = GraphMetricsData(
            self.level,
            len(self.graph.nodes),
            len(self.graph.uses),
            round(density(self.graph), _DIGITS),
            round(sum(clustered) / len(clustered), _DIGITS) if clustered else None,
            self._count("component"),
            self._count("strong_component"),
            self._count("community"),
            round(self.modularity, _DIGITS) if self.modularity is not None else None,
            self.sampled_sources,
        )
        if form == "graphml":
            return replace(data, document=write_graphml(self.graph, self.columns))
        if is_document(_report_form(form)):
            return replace(
                data, document=write_within(self.report(data, ranked), _report_form(form), max_tokens)
            )
        if form == "summary":
            return replace(data, top_nodes=self.rows(nodes[:_LEAST_SHOWN]))
        return replace(data, top_nodes=self.rows(nodes), largest_communities=self._communities())

    def report(self, data: GraphMetricsData, nodes: Sequence[Node]) -> Report:
        """The figures and the best nodes, for every form of report."""
        names = ("name", "file", "line", "edges_in", "edges_out", *self.columns)
        rows = tuple(tuple(getattr(row, name) for name in names) for row in self.rows(nodes))
        figures = (("nodes", data.nodes), ("edges", data.edges), ("density", data.density))
        return Report(
            "analyze_graph_metrics",
            self.level,
            self.summary,
            figures,
            (Table("nodes", names, rows),),
            notes=self.notes,
        )

    def _count(self, name: str) -> int | None:
        column = self.columns.get(name)
        return len(set(column)) if column is not None else None

    def _communities(self) -> tuple[CommunityRow, ...] | None:
        column = self.columns.get("community")
        if column is None:
            return None
        groups: dict[int, list[int]] = {}
        for node, community in enumerate(column):
            groups.setdefault(int(community), []).append(node)
        graph = self.graph
        return tuple(
            CommunityRow(
                number,
                len(groups[number]),
                tuple(
                    graph.nodes[one].name
                    for one in sorted(groups[number], key=lambda one: (-len(graph.neighbours[one]), one))[
                        :_LEAST_SHOWN
                    ]
                ),
            )
            for number in sorted(groups)[:_LEAST_SHOWN]
        )


_measured: Final = PerQuestion[GraphMetrics]()


def measure_graph(
    reader: "IndexReader",
    scope: "Scope",
    *,
    metrics: Collection[Metric] = _EVERY,
    level: Level = "file",
    ranking: Ranking = _USUAL,
    check: Callable[[], None] = lambda: None,
) -> GraphMetrics:
    """The graph of a scope with the wanted measures; `check` is called now and then, and ends the work by raising."""
    question = (scope.paths, scope.notes, frozenset(metrics), level, ranking)
    return _measured.get(
        reader, question, lambda: _measure(reader, scope, metrics, level=level, ranking=ranking, check=check)
    )


def _measure(
    reader: "IndexReader",
    scope: "Scope",
    metrics: Collection[Metric],
    *,
    level: Level,
    ranking: Ranking,
    check: Callable[[], None],
) -> GraphMetrics:
    graph = (file_graph if level == "file" else symbol_graph)(reader, scope.paths)
    wanted = {part for one in metrics for part in _PARTS.get(one, (one,))}
    columns: dict[str, Sequence[float]] = {}
    found = GraphMetrics(graph, level, columns)
    notes = list(scope.notes)
    if "degree" in wanted:
        columns["degree"] = degrees(graph)
    if wanted & {"betweenness", "closeness"}:
        paths = measure_paths(graph, check=check)
        columns |= {name: getattr(paths, name) for name in ("betweenness", "closeness") if name in wanted}
        if paths.sources < len(graph.nodes):
            found.sampled_sources = paths.sources
            notes.append(
                f"betweenness and closeness are estimates from {paths.sources:,} of {len(graph.nodes):,} sources"
            )
    check()
    if "pagerank" in wanted:
        columns["pagerank"] = _rank(graph, ranking, notes)
    if "clustering" in wanted:
        columns["clustering"] = clustering(graph)
    if "components" in wanted:
        weak, strong = components(graph)
        columns |= {"component": weak, "strong_component": strong}
    check()
    if "communities" in wanted:
        communities = find_communities(graph)
        columns["community"] = communities.members
        found.modularity = communities.modularity
    found.notes = tuple(notes)
    return found


def _rank(graph: Graph, ranking: Ranking, notes: list[str]) -> list[float]:
    seeds = [_seed(graph, seed) for seed in ranking.seeds]
    found = settle_ranks(
        graph.uses,
        nodes=range(len(graph.nodes)),
        seeds=frozenset(seeds),
        damping=ranking.damping,
        most_rounds=ranking.max_iterations,
        tolerance=ranking.convergence,
    )
    if not found.has_settled:
        notes.append(f"PageRank had not settled after {plural(found.rounds, 'round')}: raise max_iterations")
    return [found.ranks[node] for node in range(len(graph.nodes))]


def _seed(graph: Graph, seed: str) -> int:
    """The node with this name, or the only one whose name or path ends so."""
    exact = [
        number
        for number, node in enumerate(graph.nodes)
        if seed in {node.name, node.file} and node.name == seed
    ]
    ending = [
        number
        for number, node in enumerate(graph.nodes)
        if node.name.endswith((f"/{seed}", f".{seed}", f"::{seed}"))
    ]
    chosen = exact or ending
    if len(chosen) == 1:
        return chosen[0]
    names = [node.name for node in graph.nodes]
    if chosen:
        places = ", ".join(
            f"{graph.nodes[one].file}:{graph.nodes[one].line}" for one in chosen[:_LEAST_SHOWN]
        )
        raise invalid("pagerank_seeds", f"{seed!r} is the name of {len(chosen)} nodes: {places}")
    raise invalid("pagerank_seeds", f"no node is called {seed!r}", similar=similar_names(seed, names))


def _report_form(form: GraphFormat) -> Format:
    return "detailed" if form == "graphml" else form
