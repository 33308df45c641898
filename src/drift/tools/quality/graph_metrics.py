"""Measures of the graphs of files and symbols."""

from functools import partial
from typing import Annotated

from drift.index import Layer
from drift.kernel.answer import Answer
from drift.quality.graph_metrics import GraphFormat, GraphMetricsData, Level, Metric, Ranking, measure_graph
from drift.quality.scope import choose_scope
from drift.registry import WHOLE_PROJECT, Call, KnownPath, MustExist, Page, Range, Tier, tool
from drift.registry.indexes import opened_index
from drift.tools.quality.answering import text_tokens, told_answer

_SORTS = ("pagerank", "betweenness", "degree", "closeness", "clustering", "name")


@tool(
    category="quality",
    title="Graph metrics",
    tokens=(300, 3000),
    tier=Tier.EXPENSIVE,
    needs=Layer.CALLS,
    is_method=True,
    is_long=True,
    examples=({}, {"metrics": ["pagerank"], "pagerank_seeds": ["shop/pricing.py"]}, {"level": "symbol"}),
)
def analyze_graph_metrics(
    call: Call,
    project_path: Annotated[KnownPath, MustExist(), "Folder or file; default: all"] = WHOLE_PROJECT,
    *,
    metrics: Annotated[tuple[Metric, ...], "centrality: degree, betweenness, closeness"] = ("all",),
    pagerank_seeds: Annotated[tuple[str, ...], "Personalise: names of files or symbols"] = (),
    damping: Annotated[float, Range(0, 1)] = 0.85,
    max_iterations: Annotated[int, Range(1, 1000), "Of PageRank"] = 100,
    convergence: Annotated[float, Range(1e-12, 1), "Of PageRank, by node"] = 1e-6,
    level: Annotated[Level, "What nodes are"] = "file",
    graphml: Annotated[bool, "The same as format=graphml"] = False,
    format: Annotated[GraphFormat, "graphml: the whole graph"] = "detailed",  # noqa: A002 - the name on the wire
    include: Annotated[tuple[str, ...], "Only paths that match"] = (),
    exclude: Annotated[tuple[str, ...], "No paths that match"] = (),
    top_k: Annotated[int, Range(1, 10_000), "Nodes at most"] = 20,
    min_centrality: Annotated[float, Range(0, 2), "Least degree centrality"] = 0.0,
    page: Page = Page(limit=20, sorts=_SORTS),
) -> Answer[GraphMetricsData]:
    """Degree, betweenness, closeness, PageRank, clustering, components and communities of files or symbols; GraphML."""
    form: GraphFormat = "graphml" if graphml else format
    ranking = Ranking(pagerank_seeds, damping, max_iterations, convergence)
    with opened_index(call) as reader:
        scope = choose_scope(reader, project_path, include=include, exclude=exclude)
        found = measure_graph(
            reader, scope, metrics=metrics, level=level, ranking=ranking, check=call.check_cancelled
        )
    ranked = found.ranked(top_k=top_k, min_centrality=min_centrality)
    data = partial(found.data, form, max_tokens=text_tokens(call), ranked=ranked.rows)
    return told_answer(call, page, ranked, data, summary=found.summary, form=form, warnings=found.notes)
