"""A directed graph of files or symbols, nodes as numbers in the order of their names."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.ids import SymbolId

MIN_CONFIDENCE: Final = 0.5


class Node(NamedTuple):
    """What a node stands for: a file, or a symbol at a line of one."""

    name: str
    file: str
    line: int = 1
    kind: str = "file"


class Graph:
    """Nodes, and edges between their numbers, each once and none from a node to itself, with how often it is used."""

    def __init__(self, nodes: Iterable[Node], uses: Mapping[tuple[int, int], int]) -> None:
        self.nodes = tuple(nodes)
        self.uses = dict(sorted((edge, count) for edge, count in uses.items() if edge[0] != edge[1]))

    @cached_property
    def targets(self) -> list[list[int]]:
        """Of each node those that it leads to."""
        found: list[list[int]] = [[] for _ in self.nodes]
        for source, target in self.uses:
            found[source].append(target)
        return found

    @cached_property
    def sources(self) -> list[list[int]]:
        """Of each node those that lead to it."""
        found: list[list[int]] = [[] for _ in self.nodes]
        for source, target in self.uses:
            found[target].append(source)
        return found

    @cached_property
    def neighbours(self) -> list[set[int]]:
        """Of each node those at the other ends of its edges, whichever way they go."""
        return [set(ahead) | set(behind) for ahead, behind in zip(self.targets, self.sources, strict=True)]


def file_graph(
    reader: "IndexReader", paths: frozenset[str], *, kinds: frozenset[str] = frozenset({"import", "call"})
) -> Graph:
    """The files, and which imports or calls which."""
    names = sorted(paths)
    numbers = {name: number for number, name in enumerate(names)}
    uses: dict[tuple[int, int], int] = {}
    for one in reader.dependencies.between_files(min_confidence=MIN_CONFIDENCE, with_tests=True):
        if one.kind in kinds and one.path in numbers and one.target_path in numbers:
            edge = numbers[one.path], numbers[one.target_path]
            uses[edge] = uses.get(edge, 0) + one.uses
    return Graph((Node(name, name) for name in names), uses)


def symbol_graph(reader: "IndexReader", paths: frozenset[str]) -> Graph:
    """The symbols of the files that call or are called, and who calls whom."""
    pairs = reader.dependencies.call_pairs(min_confidence=MIN_CONFIDENCE, with_tests=True)
    wanted: set[SymbolId] = {one for pair in pairs for one in pair}
    symbols = [one for one in reader.symbols.many(wanted) if one.path in paths]
    symbols.sort(key=lambda one: (one.path, one.line, one.id))
    numbers = {one.id: number for number, one in enumerate(symbols)}
    nodes = (Node(one.qualname, one.path, one.line, one.kind) for one in symbols)
    inside = (pair for pair in pairs if pair[0] in numbers and pair[1] in numbers)
    return Graph(nodes, dict.fromkeys(((numbers[one], numbers[other]) for one, other in inside), 1))
