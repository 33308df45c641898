"""Cycles, ranks, diffs, mentions and names of packages: what needs no index."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.analyses.centrality import rank_pages
from drift.analyses.changes import FileChange, parse_diff
from drift.analyses.dead_code.mentions import find_mentions
from drift.analyses.modules.components import shortest_cycle, strong_components
from drift.analyses.reachability import external_package

GRAPHS = st.dictionaries(
    st.integers(0, 12), st.lists(st.integers(0, 12), max_size=5, unique=True), max_size=13
)


def reachable(graph, start):
    seen, pending = set(), list(graph.get(start, ()))
    while pending:
        node = pending.pop()
        if node not in seen:
            seen.add(node)
            pending.extend(graph.get(node, ()))
    return seen


@given(GRAPHS)
def test_components_are_the_nodes_that_reach_each_other(graph):
    found = {frozenset(group) for group in strong_components(graph)}

    nodes = {*graph, *(node for targets in graph.values() for node in targets)}
    reach = {node: reachable(graph, node) for node in nodes}
    expected = {
        frozenset({node, *(other for other in reach[node] if node in reach[other])}) for node in nodes
    }
    assert found == expected


def test_a_chain_longer_than_the_stack_is_walked():
    chain = {node: [node + 1] for node in range(50_000)} | {50_000: [0]}

    (group,) = strong_components(chain)

    assert len(group) == 50_001


@given(GRAPHS)
def test_a_shortest_way_around_closes_and_stays_in_its_group(graph):
    for group in strong_components(graph):
        if len(group) == 1:
            continue
        way = shortest_cycle(group, {node: [t for t in graph.get(node, ()) if t != node] for node in group})

        assert set(way) <= set(group)
        assert len(set(way)) == len(way) >= 2
        assert all(after in graph[before] for before, after in zip(way, [*way[1:], way[0]], strict=True))


@given(st.sets(st.tuples(st.integers(0, 15), st.integers(0, 15)), min_size=1))
def test_ranks_are_shares_of_one(pairs):
    ranks = rank_pages(pairs)

    assert sum(ranks.values()) == pytest.approx(1)
    assert min(ranks.values()) > 0


def test_ranks_are_those_of_the_known_example():
    # From networkx.pagerank on the same graph, with its defaults.
    ranks = rank_pages([(1, 2), (1, 3), (2, 3), (3, 1), (4, 3)])

    assert ranks == pytest.approx({1: 0.372526, 2: 0.195824, 3: 0.394149, 4: 0.0375}, abs=1e-4)


def test_a_diff_is_read_into_files_and_their_new_lines():
    text = (
        "diff --git a/one.py b/one.py\n--- a/one.py\n+++ b/one.py\n@@ -3 +3,2 @@ def f():\n-old\n+new\n+more\n"
        "@@ -9,2 +11,0 @@\n-gone\n--- also gone\n"
        "diff --git a/two.py b/two.py\ndeleted file mode 100644\n--- a/two.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
        'diff --git "a/\\303\\274.py" "b/\\303\\274.py"\n--- "a/\\303\\274.py"\n+++ "b/\\303\\274.py"\n@@ -1 +1 @@\n-a\n+b\n'
    )

    assert parse_diff(text) == [
        FileChange("one.py", ((3, 4), (11, 12)), added=((3, 4),), removed=("old", "gone", "-- also gone")),
        FileChange("two.py", (), is_deleted=True, removed=("x",)),
        FileChange("ü.py", ((1, 1),), added=((1, 1),), removed=("a",)),
    ]


@given(st.text(alphabet='+-@ \n\\"ab/12,', max_size=300))
def test_any_text_can_be_taken_for_a_diff(text):
    for change in parse_diff(f"diff --git a/x b/x\n{text}"):
        assert all(first <= last for first, last in change.ranges)


def test_mentions_are_whole_words_with_their_lines():
    texts = [("a.py", b"total = 1\nsubtotal = total_of(total)\n"), ("b.py", b"nothing\n")]

    found = find_mentions({"total": (), "absent": (), "not a name": ()}, texts)

    assert [(one.path, one.line, one.offset) for one in found["total"]] == [("a.py", 1, 0), ("a.py", 2, 30)]
    assert found["absent"] == []
    assert "not a name" not in found


def test_a_file_of_interest_is_looked_at_after_many_others():
    texts = [(f"{number}.py", b"total " * 20) for number in range(9)] + [("home.py", b"total")]

    assert find_mentions({"total": {"home.py"}}, texts)["total"][-1].path == "home.py"


@pytest.mark.parametrize(
    ("name", "package"),
    [
        ("os.path.join", "os"),
        ("github.com/a/b/assert.Equal", "github.com/a/b/assert"),
        ("@nestjs/common.Get", "@nestjs/common"),
        ("unknown.thing", "unknown"),
        ("std::fs::read", "std"),
        ("plain", "plain"),
        ("", ""),
    ],
)
def test_the_package_of_a_name_is_the_longest_that_is_imported(name, package):
    known = {"os", "github.com/a/b/assert", "@nestjs/common", "std"}

    assert external_package(name, known) == package
