"""How far the call graph agrees with one that a compiler or a real run gives.

    drift scan PROJECT
    python benchmarks/truth.py PROJECT PAIRS.jsonl [--missed 20] [--wrong 20]

A line of PAIRS is a call that is known to be made inside the project:

    {"caller": ["src/a.go", 12], "callee": ["src/b.go", 40], "name": "Parse", "line": 15}

The numbers are lines anywhere inside the two functions, `name` is the callee's (it tells apart what shares a line)
and `line` is that of the call, where it is known. A third number of a place is a byte of it, which tells more than
its line; `caller_name` tells callers on one line apart. Of a pair of the `kind` "reference", a function that is named
and not called, it is open whether it is an edge. A pair counts once, however often it is called. To call a class and
to call its constructor are the same, and so are a macro of C and what it calls; what a lambda calls, the function
around it calls. Where `callee` is null, the truth does not know what the call of that line runs, and edges that begin
there are not judged. Calls between a
function and itself are left out, as are edges and pairs of files in which the truth has none.

    recall     of the pairs, the share that is an edge of the graph
    firm       the same for edges with a confidence of at least 0.5
    precision  of the edges of functions the truth tells of, the share that is a pair: the lower bound of it,
               where the truth is a run that did not reach everything; `plain` without edges to overriders
               and to what stands in another branch of an `#if`, of which a build has one.
               In C++, lambdas, destructors, `constexpr` functions and classes without a constructor are not judged, whose calls
               a compiler works out or does not name.
               Macros and variants of enums are never judged, with `--functions` nor are classes and structs:
               to a compiler, making a struct is no call
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from drift.index import IndexReader
from drift.index.records import EdgeRecord, SymbolRecord
from drift.project import StateDir

FIRM = 0.5
CALLABLE = frozenset(
    {"function", "method", "constructor", "module", "class", "struct", "property", "interface", "enum"}
)
FUNCTIONS = frozenset({"function", "method", "constructor"})
LAMBDA = "<lambda>"
CLASSES = frozenset({"class", "struct", "interface", "enum"})
# What the compiler may work out, so that nothing of it is called; projects have it behind macros of such names too.
CONSTANT = re.compile(r"constexpr|consteval", re.IGNORECASE)
C_FILES = (".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".inc", ".inl", ".ipp", ".tpp")
SHOWN_SEED = 7


class Edge(NamedTuple):
    line: int
    confidence: float
    reason: str
    is_alternative: bool = False  # it runs if an `#if` is decided so, and another of the name if not


Pair = tuple[int, int]  # ids of the caller and the callee


class Graph:
    """The symbols and edges of the index, looked up by place."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.symbols: dict[int, SymbolRecord] = {}
        self._of_path: dict[str, list[SymbolRecord]] = {}
        self._edges: list[EdgeRecord] = []
        with IndexReader(StateDir(root).index_db) as reader, reader.snapshot():
            for stamp in reader.files.stamps():
                found = list(reader.symbols.of_file(stamp.id))
                self._of_path[stamp.path] = [symbol for symbol in found if symbol.kind in CALLABLE]
                self.symbols.update((symbol.id, symbol) for symbol in found)
            while page := reader.calls.edges(after=_last(self._edges)):
                self._edges.extend(page)

    def has_file(self, path: str) -> bool:
        return path in self._of_path

    def at(self, path: str, line: int, byte: int | None = None, *, name: str | None = None) -> int | None:
        """The innermost symbol at a place, one of that name before others."""
        if byte is None:
            around = [s for s in self._of_path.get(path, ()) if s.line <= line <= s.end_line]
        else:
            around = [
                s
                for s in self._of_path.get(path, ())
                if s.start_byte <= byte < s.end_byte or s.kind == "module"
            ]
        named = [s for s in around if name is not None and s.name == name]
        best = max(
            named or around,
            key=lambda s: (s.kind != "module", s.line, -s.end_line, s.start_byte),
            default=None,
        )
        return None if best is None else int(best.id)

    def place(self, symbol: int) -> int:
        """The class of a constructor; of all else the symbol itself."""
        found = self.symbols[symbol]
        parent = self.symbols.get(found.parent_id) if found.parent_id is not None else None
        is_making = found.kind == "constructor" and parent is not None and parent.kind in CLASSES
        return int(parent.id) if is_making and parent is not None else symbol

    def caller(self, symbol: int) -> int:
        """The function with a name that a lambda stands in; of all else the symbol itself."""
        found = self.symbols[symbol]
        while found.name == LAMBDA and found.parent_id is not None:
            found = self.symbols[found.parent_id]
        return int(found.id)

    def edges(self) -> Iterator[tuple[Pair, Edge]]:
        of_macros: dict[int, list[EdgeRecord]] = defaultdict(list)
        of_calls: dict[int, list[EdgeRecord]] = defaultdict(list)
        for edge in self._edges:
            of_calls[edge.call_id].append(edge)
            if self._is_macro(edge.caller_id):
                of_macros[edge.caller_id].append(edge)
        open_calls = {call for call, edges in of_calls.items() if self._are_alternatives(edges)}
        for edge in self._edges:
            if not self._is_macro(edge.caller_id):
                for on_way, confidence in _through_macros(edge, of_macros):
                    callee = on_way[-1].callee_id
                    if not self._is_macro(callee):
                        pair = self.caller(edge.caller_id), self.place(callee)
                        is_open = any(one.call_id in open_calls for one in on_way)
                        yield pair, Edge(edge.line, confidence, on_way[-1].reason, is_open)

    def _are_alternatives(self, edges: list[EdgeRecord]) -> bool:
        """Whether the targets of one call are definitions of one thing in C, of which a build has one."""
        found = [self.symbols[edge.callee_id] for edge in edges]
        if len(found) == 1 or not all(one.path.endswith(C_FILES) for one in found):
            return False
        has_macro = any(one.kind == "macro" for one in found)
        is_one_name = len({one.name if has_macro else one.qualname for one in found}) == 1
        return is_one_name and (has_macro or len({_taken(one) for one in found}) == 1)

    def is_unseen(self, symbol: int) -> bool:
        """Whether a call of it in C++ leaves no trace in what a compiler tells of its work."""
        found = self.symbols[symbol]
        if not found.path.endswith(C_FILES):
            return False
        if found.kind in CLASSES:
            return symbol not in self._written_classes
        return (
            found.name == LAMBDA
            or "destructor" in found.modifiers
            or CONSTANT.search(found.signature.partition("{")[0]) is not None
        )

    @cached_property
    def _written_classes(self) -> set[int | None]:
        """The classes that have a constructor of their own."""
        return {one.parent_id for one in self.symbols.values() if one.kind == "constructor"}

    def _is_macro(self, symbol: int) -> bool:
        found = self.symbols[symbol]
        return found.kind == "macro" and found.path.endswith(C_FILES)

    def tell(self, symbol: int) -> str:
        found = self.symbols[symbol]
        return f"{self.symbols[symbol].path}:{found.line} {found.qualname or '(file)'}"

    def source(self, symbol: int, line: int | None) -> str:
        if not line:
            return ""
        lines = (self.root / self.symbols[symbol].path).read_text("utf-8", errors="replace").splitlines()
        return lines[line - 1].strip()[:140] if line <= len(lines) else ""


def _taken(symbol: SymbolRecord) -> str:
    """What a function takes, by which functions of one name differ; not what it gives."""
    return "".join(symbol.signature.split()).rpartition(f"{symbol.name}(")[2]


def _through_macros(
    edge: EdgeRecord, of_macros: dict[int, list[EdgeRecord]]
) -> Iterator[tuple[tuple[EdgeRecord, ...], float]]:
    """The ways that an edge leads, to its end and past the macros on its way."""
    waiting: list[tuple[tuple[EdgeRecord, ...], float]] = [((edge,), edge.confidence)]
    seen = {edge.callee_id}
    while waiting:
        on_way, confidence = waiting.pop()
        yield on_way, confidence
        for other in of_macros.get(on_way[-1].callee_id, ()):
            if other.callee_id not in seen:
                seen.add(other.callee_id)
                waiting.append(((*on_way, other), confidence * other.confidence))


def _last(edges: list[EdgeRecord]) -> tuple[int, int, int]:
    return (edges[-1].callee_id, edges[-1].caller_id, edges[-1].call_id) if edges else (-1, -1, -1)


class Truth(NamedTuple):
    pairs: dict[Pair, int | None]  # with the line of a call
    references: set[Pair]
    unplaced: Counter[str]
    unsure: set[tuple[str, int]]  # file and line of calls of which the truth knows nothing


def read_truth(path: Path, graph: Graph) -> Truth:
    pairs: dict[Pair, int | None] = {}
    references: set[Pair] = set()
    unplaced: Counter[str] = Counter()
    unsure: set[tuple[str, int]] = set()
    for text in path.read_text("utf-8").splitlines():
        entry = json.loads(text)
        if entry["callee"] is None:
            unsure.add((entry["caller"][0], entry["line"]))
            continue
        if not (graph.has_file(entry["caller"][0]) and graph.has_file(entry["callee"][0])):
            unplaced["file not in the index"] += 1
            continue
        caller = graph.at(*entry["caller"], name=entry.get("caller_name"))
        callee = graph.at(*entry["callee"], name=entry.get("name"))
        if caller is None or callee is None:
            unplaced["no symbol at the line"] += 1
            continue
        pair = graph.caller(caller), graph.place(callee)
        if entry.get("kind") == "reference":
            references.add(pair)
        elif pair[0] != callee:
            pairs[pair] = entry.get("line") or pairs.get(pair)
    return Truth(pairs, references - pairs.keys(), unplaced, unsure)


def share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "-"


def show(title: str, graph: Graph, drawn: list[tuple[Pair, int | None, str]], count: int) -> None:
    print(f"\n{title}: {len(drawn)}")
    for (caller, callee), line, note in random.Random(SHOWN_SEED).sample(drawn, min(count, len(drawn))):
        print(
            f"- {graph.tell(caller)}\n    -> {graph.tell(callee)} {note}\n    {line or ''} {graph.source(caller, line)}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare the call graph with a known one.")
    parser.add_argument("project", type=Path)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--missed", type=int, default=0, help="how many missed pairs to show")
    parser.add_argument("--wrong", type=int, default=0, help="how many unconfirmed edges to show")
    parser.add_argument("--functions", action="store_true", help="judge edges to functions and methods only")
    arguments = parser.parse_args()
    graph = Graph(arguments.project.resolve())
    truth = read_truth(arguments.pairs, graph)
    edges: dict[Pair, list[Edge]] = defaultdict(list)
    for pair, edge in graph.edges():
        edges[pair].append(edge)
    callers = {caller for caller, _ in truth.pairs}
    reached = {graph.symbols[callee].path for _, callee in truth.pairs}
    judged_kinds = FUNCTIONS if arguments.functions else CALLABLE
    judged = {
        pair: found
        for pair, found in edges.items()
        if pair[0] in callers
        and pair[0] != pair[1]
        and pair not in truth.references
        and graph.symbols[pair[1]].path in reached
        and graph.symbols[pair[1]].kind in judged_kinds
        if pair in truth.pairs
        or (
            not graph.is_unseen(pair[1])
            and all((graph.symbols[pair[0]].path, edge.line) not in truth.unsure for edge in found)
        )
    }
    plain = {
        pair
        for pair, found in judged.items()
        if any(edge.reason != "override" and not edge.is_alternative for edge in found)
    }
    found = [pair for pair in truth.pairs if pair in edges]
    firm = [pair for pair in found if any(edge.confidence >= FIRM for edge in edges[pair])]
    right = truth.pairs.keys()
    print(
        "| pairs | recall | firm | edges judged | precision | plain |\n| --- | --- | --- | --- | --- | --- |"
    )
    print(
        f"| {len(truth.pairs)} | {share(len(found), len(truth.pairs))} | {share(len(firm), len(truth.pairs))} "
        f"| {len(judged)} | {share(len(judged.keys() & right), len(judged))} | {share(len(plain & right), len(plain))} |"
    )
    for why, count in truth.unplaced.items():
        print(f"{count} pairs left out: {why}")
    if arguments.missed:
        missed = [(pair, line, "") for pair, line in truth.pairs.items() if pair not in edges]
        show("Missed", graph, missed, arguments.missed)
    if arguments.wrong:
        unconfirmed = [(p, judged[p][0].line, f"[{judged[p][0].reason}]") for p in plain if p not in right]
        show("Not in the truth", graph, unconfirmed, arguments.wrong)


if __name__ == "__main__":
    main()
