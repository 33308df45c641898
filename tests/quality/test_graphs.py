"""Measures of graphs, beside networkx on graphs of all shapes."""

import io
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drift.analyses.centrality import settle_ranks
from drift.index import IndexReader
from drift.kernel.errors import DriftError
from drift.project import StateDir
from drift.quality.graph_metrics import Ranking, measure_graph
from drift.quality.graphs import (
    Graph,
    Node,
    clustering,
    components,
    degrees,
    density,
    find_communities,
    measure_paths,
    modularity,
    write_graphml,
)
from drift.quality.scope import choose_scope

EDGES = st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=45)


def graph_of(edges, count=12):
    return Graph((Node(f"n{one}", f"n{one}.py") for one in range(count)), dict.fromkeys(edges, 1))


def test_a_small_graph_has_the_measures_that_networkx_gives():
    # A chain of three with a triangle at its end, and one node alone.
    graph = graph_of([(0, 1), (1, 2), (2, 3), (3, 4), (4, 2)], count=6)

    paths = measure_paths(graph)
    assert paths.betweenness == pytest.approx([0, 0.15, 0.25, 0.15, 0.05, 0])
    assert paths.closeness == pytest.approx([0, 0.2, 8 / 15, 0.4, 0.32, 0])
    assert degrees(graph) == pytest.approx([0.2, 0.4, 0.6, 0.4, 0.4, 0])
    assert clustering(graph) == pytest.approx([0, 0, 1 / 3, 1, 1, 0])
    assert components(graph).weak == [0, 0, 0, 0, 0, 1]
    assert components(graph).strong == [1, 2, 0, 0, 0, 3]


@given(EDGES)
@settings(max_examples=40)
def test_every_measure_is_that_of_networkx(edges):
    networkx = pytest.importorskip("networkx")
    graph = graph_of(edges)
    other = networkx.DiGraph(edge for edge in edges if edge[0] != edge[1])
    other.add_nodes_from(range(12))
    undirected = other.to_undirected()

    paths = measure_paths(graph)
    wanted = {
        "degree": (degrees(graph), networkx.degree_centrality(other)),
        "betweenness": (paths.betweenness, networkx.betweenness_centrality(other)),
        "closeness": (paths.closeness, networkx.closeness_centrality(other)),
        "clustering": (clustering(graph), networkx.clustering(undirected)),
    }
    for name, (ours, theirs) in wanted.items():
        assert ours == pytest.approx([theirs[one] for one in range(12)], abs=1e-6), name
    assert density(graph) == pytest.approx(networkx.density(other), abs=1e-6)
    weak, strong = components(graph)
    assert len(set(weak)) == networkx.number_weakly_connected_components(other)
    assert {frozenset(one for one in range(12) if strong[one] == each) for each in set(strong)} == set(
        map(frozenset, networkx.strongly_connected_components(other))
    )


@given(EDGES, st.sets(st.integers(0, 11), max_size=3), st.sampled_from([0.5, 0.85]))
@settings(max_examples=30)
def test_ranks_are_those_of_networkx_with_seeds_and_without(edges, seeds, damping):
    networkx = pytest.importorskip("networkx")
    pages = pytest.importorskip(
        "networkx.algorithms.link_analysis.pagerank_alg"
    )  # the way that needs no scipy
    graph = graph_of(edges)
    other = networkx.DiGraph(list(graph.uses))
    other.add_nodes_from(range(12))

    ours = settle_ranks(
        graph.uses, nodes=range(12), seeds=seeds, damping=damping, most_rounds=1000, tolerance=1e-12
    )

    personal = dict.fromkeys(seeds, 1) if seeds else None
    theirs = pages._pagerank_python(other, alpha=damping, personalization=personal, max_iter=1000, tol=1e-12)
    assert ours.has_settled
    assert [ours.ranks[one] for one in range(12)] == pytest.approx(
        [theirs[one] for one in range(12)], abs=1e-6
    )


@given(EDGES)
@settings(max_examples=30)
def test_communities_are_as_good_as_networkx_finds_and_their_modularity_is_the_same(edges):
    networkx = pytest.importorskip("networkx")
    graph = graph_of(edges)
    found = find_communities(graph)
    if not graph.uses:
        assert found.modularity == 0
        return
    other = networkx.Graph(list(graph.uses))
    other.add_nodes_from(range(12))
    groups = [{one for one in range(12) if found.members[one] == each} for each in set(found.members)]

    assert found.modularity == pytest.approx(networkx.community.modularity(other, groups), abs=1e-6)
    best = networkx.community.modularity(other, networkx.community.louvain_communities(other, seed=1))
    assert found.modularity >= best - 0.08
    assert found == find_communities(graph), "the order is the same every time"


def test_two_groups_with_one_bridge_are_two_communities():
    inside = [(one, other) for one in range(5) for other in range(one)]
    edges = [*inside, *((one + 5, other + 5) for one, other in inside), (0, 5)]
    found = find_communities(graph_of(edges, count=10))

    assert found.members == [0] * 5 + [1] * 5
    assert found.modularity == pytest.approx(modularity(graph_of(edges, count=10), found.members))


def test_a_sample_of_sources_says_so_and_comes_near():
    chance = random.Random(3)
    graph = graph_of([(chance.randrange(300), chance.randrange(300)) for _ in range(1500)], count=300)
    whole = measure_paths(graph)

    sample = measure_paths(graph, most_steps=100 * (300 + len(graph.uses)))

    assert whole.sources == 300
    assert sample.sources == 100
    best = max(range(300), key=whole.betweenness.__getitem__)
    assert sample.betweenness[best] == pytest.approx(whole.betweenness[best], rel=0.5)
    assert sum(sample.closeness) == pytest.approx(sum(whole.closeness), rel=0.1)


def test_graphml_loads_in_networkx_with_names_that_would_break_it():
    networkx = pytest.importorskip("networkx")
    graph = Graph([Node('a<"&>.py\x00', "a.py", 3, "method"), Node("b.py", "b.py")], {(0, 1): 4})

    loaded = networkx.read_graphml(io.BytesIO(write_graphml(graph, {"pagerank": [0.25, 0.75]}).encode()))

    assert loaded.nodes["n0"] == {
        "name": 'a<"&>.py\ufffd',
        "file": "a.py",
        "line": 3,
        "kind": "method",
        "pagerank": 0.25,
    }
    assert dict(loaded.edges) == {("n0", "n1"): {"uses": 4}}


@pytest.fixture
def shop(example_shop):
    with IndexReader(StateDir(example_shop).index_db) as reader:
        yield reader


def test_files_and_symbols_of_a_project_are_measured(shop):
    scope = choose_scope(shop)
    files = measure_graph(shop, scope)
    symbols = measure_graph(shop, scope, level="symbol", metrics=("pagerank", "components"))

    ranked = files.ranked(top_k=3, min_centrality=0)
    data = files.data("detailed", ranked.rows, max_tokens=1000, ranked=ranked.rows)
    assert data.nodes == len(scope.files)
    assert len(data.top_nodes) == 3
    assert data.top_nodes[0].pagerank == max(round(one, 9) for one in files.columns["pagerank"])
    assert data.sampled_sources is None
    assert data.largest_communities[0].size >= 1
    assert symbols.columns.keys() == {"pagerank", "component", "strong_component"}
    assert len(symbols.graph.nodes) > len(files.graph.nodes)
    assert files.data("graphml", (), max_tokens=1, ranked=()).document.startswith("<?xml")
    assert "pagerank" in files.data("csv", (), max_tokens=5000, ranked=ranked.rows).document


def test_a_seed_nobody_is_called_is_refused_and_one_that_is_draws_rank(shop):
    scope = choose_scope(shop)
    name = measure_graph(shop, scope).graph.nodes[0].name
    plain, seeded = (
        measure_graph(shop, scope, metrics=("pagerank",), ranking=Ranking(seeds)).columns["pagerank"]
        for seeds in ((), (name,))
    )

    assert seeded[0] > plain[0]
    with pytest.raises(DriftError, match="no node is called"):
        measure_graph(shop, scope, metrics=("pagerank",), ranking=Ranking(("nowhere.zz",)))


def test_ranks_that_have_not_settled_are_said_to_be(shop):
    found = measure_graph(
        shop, choose_scope(shop), metrics=("pagerank",), ranking=Ranking(max_iterations=1, convergence=1e-12)
    )

    assert any("not settled after 1 round" in note for note in found.notes)
