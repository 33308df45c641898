"""A part of the call graph as a mermaid flowchart, small enough to be read."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from drift.index import IndexReader
from drift.index.ids import SymbolId, file_of_symbol
from drift.index.records import SymbolRecord


@dataclass(frozen=True, slots=True)
class DrawingData:
    """A mermaid flowchart, and how many symbols there was no room for."""

    mermaid: str
    nodes: int
    edges: int
    left_out: int


_ESCAPES: Final = str.maketrans(
    {'"': "#quot;", "<": "#lt;", ">": "#gt;", "&": "#amp;", "\n": " ", "`": "'", "#": "#35;"}
)
_MOST_LABEL: Final = 80


def draw_neighbourhood(
    reader: IndexReader, centre: SymbolRecord, starts: Iterable[SymbolId], *, max_depth: int, most_nodes: int
) -> DrawingData:
    """The symbols around one, as many of the nearest as there is room for, and the calls between them."""
    chosen = list(dict.fromkeys([centre.id, *starts]))
    up = reader.calls.closure(chosen, "callers", max_depth=max_depth).reached
    down = reader.calls.closure(chosen, "callees", max_depth=max_depth).reached
    # Near ones first, and of the same distance callers and callees in turn, so that neither side is lost.
    # Tests come last: a drawing shows how the product hangs together.
    files = {file_of_symbol(one.symbol_id) for one in (*up, *down)}
    tests = {one.id for one in reader.graph.file_places(files) if one.role == "test"}
    ranked = {
        (file_of_symbol(one.symbol_id) in tests, one.depth, place, one.symbol_id)
        for side in (up, down)
        for place, one in enumerate(side)
    }
    around = list(dict.fromkeys([*chosen, *(symbol for *_, symbol in sorted(ranked))]))
    return draw_symbols(
        reader, around[:most_nodes], centre=centre.id, left_out=max(0, len(around) - most_nodes)
    )


def draw_symbols(
    reader: IndexReader, symbols: Iterable[SymbolId], *, centre: SymbolId | None = None, left_out: int = 0
) -> DrawingData:
    """These symbols, by file, and all calls between them; dotted where they are unsure."""
    known = {one.id: one for one in reader.symbols.many(dict.fromkeys(symbols))}
    numbers = {symbol: f"n{place}" for place, symbol in enumerate(known)}
    lines = ["flowchart LR"]
    files: dict[str, list[SymbolRecord]] = defaultdict(list)
    for one in known.values():
        files[one.path].append(one)
    for place, (path, inside) in enumerate(files.items()):
        lines.append(f'  subgraph f{place}["{_label(path)}"]')
        lines += [f'    {numbers[one.id]}["{_label(_name(one))}"]' for one in inside]
        lines.append("  end")
    edges = _edges(reader, known)
    lines += [
        f"  {numbers[source]} {'-->' if confidence >= 0.5 else '-.->'} {numbers[target]}"  # noqa: PLR2004 - even odds
        for (source, target), confidence in edges.items()
    ]
    if centre in numbers:
        lines.append(f"  style {numbers[centre]} stroke-width:3px")
    return DrawingData("\n".join(lines), len(known), len(edges), left_out)


def _edges(
    reader: IndexReader, known: dict[SymbolId, SymbolRecord]
) -> dict[tuple[SymbolId, SymbolId], float]:
    found: dict[tuple[SymbolId, SymbolId], float] = {}
    for edge in reader.graph.edges_of(known):
        if edge.callee_id in known:
            pair = edge.caller_id, edge.callee_id
            found[pair] = max(edge.confidence, found.get(pair, 0.0))
    return found


def _name(symbol: SymbolRecord) -> str:
    return "(file)" if symbol.kind == "module" else symbol.qualname


def _label(text: str) -> str:
    short = text if len(text) <= _MOST_LABEL else f"…{text[-_MOST_LABEL:]}"
    return short.translate(_ESCAPES)
