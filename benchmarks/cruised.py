"""Edges and cycles between the files of a TypeScript or JavaScript project beside those of dependency-cruiser.

    drift scan PROJECT
    depcruise --no-config --ts-config tsconfig.json --output-type json --include-only "^src" src > LIST
    python benchmarks/cruised.py PROJECT LIST [--under DIRECTORY]

DIRECTORY is where depcruise ran. Prints how many edges both have, those that only one has, and whether the groups of
files that depend on each other in a circle are the same.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from pathlib import Path

import networkx as nx

from drift.analyses.modules.graph import module_graph
from drift.index import IndexReader
from drift.project import StateDir

Edges = set[tuple[str, str]]


def cruised(text: str, under: str) -> Edges:
    """The edges of dependency-cruiser between files of the project."""
    found = {
        (module["source"], dependency["resolved"])
        for module in json.loads(text)["modules"]
        for dependency in module["dependencies"]
        if not dependency["couldNotResolve"] and not dependency["coreModule"]
    }
    return {(f"{under}{source}", f"{under}{target}") for source, target in found}


def circles(edges: Iterable[tuple[str, str]]) -> set[frozenset[str]]:
    """The groups of files that reach each other."""
    graph = nx.DiGraph(edges)
    return {frozenset(group) for group in nx.strongly_connected_components(graph) if len(group) > 1}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("project", type=Path)
    parser.add_argument("list", type=Path)
    parser.add_argument("--under", default="")
    given = parser.parse_args()
    under = f"{given.under.strip('/')}/" if given.under else ""
    theirs = cruised(given.list.read_text("utf-8"), under)
    files = {path for edge in theirs for path in edge}
    with IndexReader(StateDir(given.project).index_db) as reader:
        every = set(module_graph(reader, "file", with_tests=True).edges)
    ours = {edge for edge in every if edge[0] in files and edge[1] in files}
    print(
        f"edges: {len(ours & theirs)} in both, {len(ours - theirs)} only here, {len(theirs - ours)} only there"
    )
    for name, some in (("here ", ours - theirs), ("there", theirs - ours)):
        for source, target in sorted(some)[:40]:
            print(f"  {name} {source} -> {target}")
    mine, other = circles(ours), circles(theirs)
    print(
        f"circles: {len(mine & other)} in both, {len(mine - other)} only here, {len(other - mine)} only there"
    )


if __name__ == "__main__":
    main()
