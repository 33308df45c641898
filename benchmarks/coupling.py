"""Are dependencies between modules what other tools say they are? Python packages against grimp, figures against networkx.

Usage: python benchmarks/coupling.py PROJECT PACKAGE [PROJECT PACKAGE ...]
Each project is scanned (or brought up to date); the package is one that lies at its root or in its `src`.
"""

import sys
import time
from pathlib import Path

import grimp
import networkx as nx

from drift.analyses.modules.coupling import Coupling
from drift.analyses.modules.cycles import find_groups
from drift.analyses.modules.graph import module_graph
from drift.index import IndexReader
from drift.scan import scan


def named(path: str, source: str) -> str:
    inner = path.removeprefix(source).removesuffix(".py").removesuffix("/__init__")
    return inner.replace("/", ".")


def compare(root: Path, package: str) -> None:
    source = next(place for place in ("src/", "") if (root / place / package).is_dir())
    scan(root)
    sys.path.insert(0, str(root / source))
    theirs = grimp.build_graph(package, exclude_type_checking_imports=True, cache_dir=None)
    sys.path.pop(0)
    expected = {
        (one, other) for one in theirs.modules for other in theirs.find_modules_directly_imported_by(one)
    }
    with IndexReader(root / ".drift" / "drift.db") as reader:
        began = time.process_time()
        graph = module_graph(reader)
        took = time.process_time() - began
        inside = f"{source}{package}/"
        found = {
            (named(one, source), named(other, source))
            for one, other in graph.edges
            if one.startswith(inside) and other.startswith(inside)
        }
        groups = {frozenset(group) for group in find_groups(graph)}
        measures = Coupling(reader, "file").measures
    both = len(found & expected)
    print(f"{root.name}: {len(expected)} dependencies, recall {both / len(expected):.4f}, precision {both / len(found):.4f}, "
          f"read in {took:.2f} CPU-s")  # fmt: skip
    plain = nx.DiGraph(list(graph.edges))
    plain.add_nodes_from(graph.members)
    strong = {frozenset(group) for group in nx.strongly_connected_components(plain) if len(group) > 1}
    equal = all(
        (plain.in_degree(one.module), plain.out_degree(one.module)) == (one.ca, one.ce)
        for one in measures.values()
    )
    print(
        f"  {len(groups)} cycles; as networkx finds them: {groups == strong}; Ca and Ce as its degrees: {equal}"
    )
    theirs_strong = nx.strongly_connected_components(nx.DiGraph(list(expected)))
    sizes = sorted((len(group) for group in theirs_strong if len(group) > 1), reverse=True)
    ours_strong = nx.strongly_connected_components(nx.DiGraph(list(found)))
    print(f"  sizes of cycles by grimp {sizes[:8]}, by us "
          f"{sorted((len(group) for group in ours_strong if len(group) > 1), reverse=True)[:8]}")  # fmt: skip


def main() -> None:
    for root, package in zip(sys.argv[1::2], sys.argv[2::2], strict=True):
        compare(Path(root).resolve(), package)


if __name__ == "__main__":
    main()
