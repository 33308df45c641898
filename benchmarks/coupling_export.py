"""Coupling recomputed from `drift export uses` with networkx, beside what `drift_coupling` says.

    drift scan PROJECT
    python benchmarks/coupling_export.py PROJECT...

What is written here is what docs/coupling.md says, and shares nothing with the analysis: from the exported uses it makes the
graph of files and that of folders, counts Ca and Ce as degrees, computes instability, abstractness and distance, finds
the strongly connected components, and tries every order of the members of components of up to seven for the cheapest cut.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import networkx as nx

from drift.analyses.modules.coupling import Coupling
from drift.index import IndexReader
from drift.project import StateDir

_MOST_TRIED = 7
_ROLES = {"source", "config"}
# Where a name must be imported to be seen; elsewhere any use makes one file depend on another.
_IMPORTING = {"python", "typescript", "javascript", "cpp", "ruby", "xaml", "wpf"}
_TYPES = {"class", "interface", "trait", "struct", "enum", "type"}
_ABSTRACT = {"interface", "trait", "type"}

Measured = dict[str, tuple[int, int, float | None, float | None, float | None]]


class Exported:
    """The graph of files that the export tells of."""

    def __init__(self, root: Path) -> None:
        command = [sys.executable, "-m", "drift", "export", "uses", str(root)]
        told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        rows: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
        for line in told.splitlines():
            row = json.loads(line)
            rows[row["type"]].append(row)
        language = {one["file"]: one["language"] for one in rows["file"] if one["role"] in _ROLES}
        names: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        imported = set()
        for one in rows["use"]:
            ends = one["file"], one["target"]
            if one["isTypeOnly"] or not set(ends) <= language.keys():
                continue
            names[ends].add(one["name"] or "*")
            if one["isImport"]:
                imported.add(ends)
        self.files = set(language)
        self.names = {
            ends: (found - {"*"} or {"*"})
            for ends, found in names.items()
            if ends in imported or language[ends[0]] not in _IMPORTING
        }
        self.offers: defaultdict[str, list[bool]] = defaultdict(list)
        for one in rows["offer"]:
            if one["file"] in language and one["visibility"] != "private":
                is_abstract = one["kind"] in _ABSTRACT or "abstract" in one["modifiers"]
                self.offers[one["file"]].append(is_abstract and one["kind"] in _TYPES)


def graph_of(exported: Exported, level: str) -> tuple[nx.DiGraph, dict[str, list[bool]]]:
    """The graph of a level, each edge with the number of names, and what its modules offer."""
    module = (lambda path: path) if level == "file" else (lambda path: str(Path(path).parent))
    names: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for (source, target), found in exported.names.items():
        if module(source) != module(target):
            told = found if level == "file" else {f"{target}:*" if one == "*" else one for one in found}
            names[module(source), module(target)] |= told
    graph = nx.DiGraph()
    graph.add_nodes_from(map(module, exported.files))
    for ends, found in names.items():
        graph.add_edge(*ends, weight=len(found))
    offers: defaultdict[str, list[bool]] = defaultdict(list)
    for path, offered in exported.offers.items():
        offers[module(path)] += offered
    return graph, offers


def measured(graph: nx.DiGraph, offers: dict[str, list[bool]]) -> Measured:
    found: Measured = {}
    for one in graph:
        ca, ce = graph.in_degree(one), graph.out_degree(one)
        instability = ce / (ca + ce) if ca + ce else None
        offered = offers.get(one)
        abstractness = sum(offered) / len(offered) if offered else None
        is_known = instability is not None and abstractness is not None
        distance = abs(abstractness + instability - 1) if is_known else None
        found[one] = (ca, ce, *(None if each is None else round(each, 3) for each in (instability, abstractness, distance)))  # fmt: skip
    return found


def cheapest(graph: nx.DiGraph) -> int:
    """The least weight that goes backwards in any order of the modules."""
    edges = [(source, target, data["weight"]) for source, target, data in graph.edges(data=True)]
    return min(
        sum(weight for source, target, weight in edges if order.index(source) > order.index(target))
        for order in permutations(graph)
    )


def compare(root: Path) -> Iterator[str]:
    exported = Exported(root)
    with IndexReader(StateDir(root).index_db) as reader:
        for level in ("file", "folder"):
            graph, offers = graph_of(exported, level)
            told = Coupling(reader, level)
            mine = measured(graph, offers)
            theirs = {
                one.module: (one.ca, one.ce, one.instability, one.abstractness, one.distance)
                for one in told.measures.values()
            }
            differing = [one for one in mine.keys() | theirs.keys() if mine.get(one) != theirs.get(one)]
            groups = {frozenset(each) for each in nx.strongly_connected_components(graph) if len(each) > 1}
            is_same = groups == {frozenset(each) for each in told.groups}
            small = [one for one in told.cycles if len(one.members) <= _MOST_TRIED]
            wrong = [one for one in small if cheapest(graph.subgraph(one.members)) != one.names]
            yield (
                f"| {root.name} | {level} | {len(graph)} | {graph.number_of_edges()} | {len(differing)} | "
                f"{len(groups)} | {'yes' if is_same else 'no'} | {len(small)} | {len(wrong)} |"
            )
            for one in sorted(differing)[:5]:
                print(f"  {one}: {mine.get(one)} here, {theirs.get(one)} there", file=sys.stderr)


def main() -> None:
    print(
        "| project | level | modules | edges | measures that differ | cycles | the same | cuts tried | dearer |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for path in sys.argv[1:]:
        for row in compare(Path(path).resolve()):
            print(row, flush=True)


if __name__ == "__main__":
    main()
