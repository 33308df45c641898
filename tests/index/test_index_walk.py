"""Closures and paths of the reader against a plain graph in Python."""

import tempfile
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from index_samples import LAYERS, sid

from drift.index import IndexReader, IndexWriter
from drift.index.ids import FileId, call_id
from drift.index.rows import EdgeRow, FileRow, FileRows, LinkRows, SymbolRow

NODES = range(8)
graphs = st.dictionaries(
    st.tuples(st.sampled_from(NODES), st.sampled_from(NODES)), st.sampled_from([0.3, 0.9]), max_size=24
)


def node(number: int) -> int:
    return sid(1 + number % 2, number)


def write_graph(path: Path, graph: dict[tuple[int, int], float]) -> None:
    with IndexWriter(path) as writer, writer.rebuild(LAYERS) as transaction:
        for file in (1, 2):
            owned = [number for number in NODES if 1 + number % 2 == file]
            symbols = tuple(
                SymbolRow(node(number), None, "function", f"f{number}", f"f{number}", 1, 0, 1, 0, 1)
                for number in owned
            )
            transaction.add_file(
                FileRows(FileRow(FileId(file), f"{file}.py", "python", "source", 1, 1, ""), symbols)
            )
            edges = tuple(
                EdgeRow(node(callee), node(caller), call_id(FileId(file), place), place, confidence, "test")
                for place, ((caller, callee), confidence) in enumerate(graph.items())
                if caller in owned
            )
            transaction.set_links(LinkRows(FileId(file), edges=edges))


@pytest.fixture(scope="module")
def directory():
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def expected_depths(graph, start, *, is_up, max_depth, min_confidence) -> dict[int, int]:
    steps = defaultdict(set)
    for (caller, callee), confidence in graph.items():
        if confidence >= min_confidence:
            steps[callee if is_up else caller].add(caller if is_up else callee)
    depths, frontier, depth = {start: 0}, {start}, 0
    while frontier and (max_depth is None or depth < max_depth):
        depth += 1
        frontier = {found for each in frontier for found in steps[each]} - depths.keys()
        depths |= dict.fromkeys(frontier, depth)
    return {node(number): depth for number, depth in depths.items() if number != start}


@settings(max_examples=60)
@given(
    graph=graphs,
    start=st.sampled_from(NODES),
    direction=st.sampled_from(["callers", "callees"]),
    max_depth=st.none() | st.integers(0, 4),
    min_confidence=st.sampled_from([0.0, 0.5]),
)
def test_a_closure_has_every_symbol_at_its_least_depth(
    directory, graph, start, direction, max_depth, min_confidence
):
    path = directory / "closure.db"
    write_graph(path, graph)

    with IndexReader(path) as reader:
        closure = reader.calls.closure(
            [node(start)], direction, max_depth=max_depth, min_confidence=min_confidence
        )

    is_up = direction == "callers"
    depths = expected_depths(graph, start, is_up=is_up, max_depth=max_depth, min_confidence=min_confidence)
    assert {each.symbol_id: each.depth for each in closure.reached} == depths
    assert not closure.is_cut
    steps = {(node(caller), node(callee)) for caller, callee in graph}
    for each in closure.reached:
        way = closure.path_to(each.symbol_id)
        assert len(way) == each.depth + 1
        ordered = tuple(reversed(way)) if is_up else way
        assert way[0] == node(start)
        assert set(pairwise(ordered)) <= steps


def expected_paths(graph, source, target) -> set[tuple[int, ...]]:
    paths = {(source,)}
    for _ in NODES:
        found = {path for path in paths if path[-1] == target}
        if found:
            return {tuple(node(number) for number in path) for path in found}
        paths = {(*path, callee) for path in paths for caller, callee in graph if caller == path[-1]}
        paths = {path for path in paths if len(set(path)) == len(path)}
    return set()


@settings(max_examples=60)
@given(graph=graphs, source=st.sampled_from(NODES), target=st.sampled_from(NODES))
def test_all_shortest_paths_are_found_and_no_other(directory, graph, source, target):
    path = directory / "paths.db"
    write_graph(path, graph)

    with IndexReader(path) as reader:
        found = reader.calls.shortest_paths(node(source), node(target), limit=1000)
        some = reader.calls.shortest_paths(node(source), node(target), limit=2)

    assert set(found) == expected_paths(graph, source, target)
    assert len(found) == len(set(found))
    assert some == found[:2]


def test_a_walk_that_finds_too_much_says_that_it_was_cut(directory):
    path = directory / "cut.db"
    write_graph(path, {(0, callee): 0.9 for callee in NODES if callee})

    with IndexReader(path) as reader:
        closure = reader.calls.closure([node(0)], "callees", max_symbols=3)
        exact = reader.calls.closure([node(0)], "callees", max_symbols=7)

    assert (len(closure.reached), closure.is_cut) == (3, True)
    assert (len(exact.reached), exact.is_cut) == (7, False)


def test_a_path_longer_than_allowed_is_not_looked_for(directory):
    path = directory / "long.db"
    write_graph(path, {(number, number + 1): 0.9 for number in range(7)})

    with IndexReader(path) as reader:
        assert reader.calls.shortest_paths(node(0), node(7), max_depth=6) == []
        assert len(reader.calls.shortest_paths(node(0), node(7), max_depth=7)[0]) == 8
