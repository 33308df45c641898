"""How much of the PyCG micro-benchmark is in the call graph, edge by edge.

    git clone https://github.com/vitsalis/PyCG
    python benchmarks/pycg.py PyCG/micro-benchmark/snippets --misses

Each snippet is a small project with the calls that its code makes (`callgraph.json`). Compared are the calls between
functions of a snippet. Calls of built-in functions and of packages outside are not: they are no edges here.
Statements that a run of the snippet refutes are not judged. With `--least .97 .985` it fails below that precision and
recall, as CI has it, which takes the snippets from the package's source distribution.
Our own cases of these kinds, which tests run, are in `tests/projects/python_calls`.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from drift.languages.facts import FileFacts
from drift.languages.python import extract
from drift.scan.link import FileLinks, MemorySources, Place
from drift.scan.link.link import link

Edge = tuple[str, str]

REFUTED: dict[str, set[Edge]] = {
    # `map` takes the function first: what is written there raises, and calls nothing.
    "builtins/map": {
        ("main", "main.func"),
        ("main", "main.func2"),
        ("main", "main.func3"),
        ("main", "main.func3.func"),
    },
    # The upper decorator's function is called, and calls the lower one's.
    "decorators/nested_decorators": {("main", "main.func")},
    # `self` is an object of the class below, whose method it is.
    "mro/self_assignment": {("main", "main.B.func")},
}


def name_of(facts: dict[str, FileFacts], place: Place) -> str:
    module = place.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    symbols, names, number = facts[place.path].symbols, [], place.symbol
    while number:
        symbol = symbols[number]
        names.append(lambda_name(facts[place.path], number) if symbol.name == "<lambda>" else symbol.name)
        number = symbol.parent
    return ".".join([module, *reversed(names)])


def lambda_name(facts: FileFacts, number: int) -> str:
    """Lambdas are counted in the order of the text, in each function anew."""
    parent = facts.symbols[number].parent
    alike = [at for at, one in enumerate(facts.symbols) if one.parent == parent and one.name == "<lambda>"]
    return f"<lambda{alike.index(number) + 1}>"


def found_edges(facts: dict[str, FileFacts], links: dict[str, FileLinks]) -> set[Edge]:
    found = set()
    for path, linked in links.items():
        calls = zip((call.scope for call in facts[path].calls), linked.calls, strict=True)
        implicit = ((facts[path].accesses[number].scope, said) for number, said in linked.implicit)
        for scope, said in (*calls, *implicit):
            for target in said.targets:
                if facts[target.place.path].symbols[target.place.symbol].kind != "class":
                    found.add((name_of(facts, Place(path, scope)), name_of(facts, target.place)))
    return found


def stated_edges(facts: dict[str, FileFacts], stated: dict[str, list[str]]) -> set[Edge]:
    known = {
        name_of(facts, Place(path, number)) for path in facts for number in range(len(facts[path].symbols))
    }
    return {(start, end) for start, ends in stated.items() for end in ends if start in known and end in known}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("snippets", type=Path)
    parser.add_argument("--misses", action="store_true", help="show what is missed and what is too much")
    parser.add_argument("--least", nargs=2, type=float, default=(0.0, 0.0), metavar=("PRECISION", "RECALL"))
    options = parser.parse_args()
    right = found_count = stated_count = 0
    for graph in sorted(options.snippets.rglob("callgraph.json")):
        folder = graph.parent
        paths = sorted(folder.rglob("*.py"))
        facts = {
            path.relative_to(folder).as_posix(): extract(
                path.read_bytes(), path.relative_to(folder).as_posix()
            )
            for path in paths
        }
        refuted = REFUTED.get(folder.relative_to(options.snippets).as_posix(), set())
        found = found_edges(facts, link(MemorySources(facts, {}))) - refuted
        stated = stated_edges(facts, json.loads(graph.read_text(encoding="utf-8"))) - refuted
        right += len(found & stated)
        found_count += len(found)
        stated_count += len(stated)
        if options.misses and found != stated:
            print(folder.relative_to(options.snippets))
            for edge in sorted(stated - found):
                print("   missed", " -> ".join(edge))
            for edge in sorted(found - stated):
                print("   extra ", " -> ".join(edge))
    if not stated_count:
        sys.exit(f"there are no snippets in {options.snippets}")
    precision, recall = right / max(found_count, 1), right / stated_count
    print(f"precision {precision:.3f} of {found_count}, recall {recall:.3f} of {stated_count}")
    sys.exit(precision < options.least[0] or recall < options.least[1])


if __name__ == "__main__":
    main()
