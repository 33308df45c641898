"""Which symbols the rest leans on: by how many call them, and by how important those are."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, cast

from drift.analyses.graph_rows import shown_name
from drift.index import IndexReader
from drift.index.ids import SymbolId
from drift.kernel.ranking import Sort


@dataclass(frozen=True, slots=True)
class CentralRow:
    """A symbol others lean on. `rank` is its PageRank times the number of symbols: 1 is average."""

    symbol: str
    kind: str
    file: str
    line: int
    callers: int
    rank: float


MIN_CONFIDENCE: Final = 0.5
_DAMPING: Final = 0.85
_MOST_ROUNDS: Final = 100
_TOLERANCE: Final = 1e-8


class Central(NamedTuple):
    """A symbol, how many others call it, and its share of the weight of all."""

    symbol_id: SymbolId
    callers: int
    rank: float
    of: int  # symbols that call or are called


def find_central(reader: IndexReader, *, with_tests: bool = False) -> list[Central]:
    """All symbols that are called, the highest rank first."""
    pairs = reader.dependencies.call_pairs(min_confidence=MIN_CONFIDENCE, with_tests=with_tests)
    callers: dict[SymbolId, int] = defaultdict(int)
    for _, callee in pairs:
        callers[callee] += 1
    ranks = rank_pages(pairs)
    found = [Central(symbol, count, ranks[symbol], len(ranks)) for symbol, count in callers.items()]
    return sorted(found, key=lambda one: (-one.rank, one.symbol_id))


class PageRanks(NamedTuple):
    """The ranks of all nodes, which sum up to 1, and whether they had settled when the rounds were over."""

    ranks: dict[int, float]
    rounds: int
    has_settled: bool


def rank_pages(pairs: Iterable[tuple[SymbolId, SymbolId]]) -> dict[SymbolId, float]:
    """PageRank of a graph given as pairs (source, target), each once; the ranks sum up to 1."""
    return cast("dict[SymbolId, float]", settle_ranks(pairs).ranks)


def settle_ranks(
    pairs: Iterable[tuple[int, int]],
    *,
    nodes: Iterable[int] = (),
    seeds: Collection[int] = (),
    damping: float = _DAMPING,
    most_rounds: int = _MOST_ROUNDS,
    tolerance: float = _TOLERANCE,
) -> PageRanks:
    """PageRank by power iteration; with seeds personalised: who lets go of the links begins again at one of them."""
    targets: dict[int, list[int]] = defaultdict(list)
    for source, target in pairs:
        targets[source].append(target)
    every = sorted({*nodes, *targets, *(each for found in targets.values() for each in found)})
    if not every:
        return PageRanks({}, 0, has_settled=True)
    places = {node: place for place, node in enumerate(every)}
    outgoing = [
        (places[source], [places[each] for each in found], 1 / len(found))
        for source, found in targets.items()
    ]
    ends = [places[node] for node in every if node not in targets]
    begin = [1 / len(every)] * len(every)
    if seeds:
        begin = [1 / len(seeds) if node in seeds else 0.0 for node in every]
    ranks = [1 / len(every)] * len(every)
    for rounds in range(1, most_rounds + 1):
        # What ends nowhere is given to where all begins, or it would drain the whole.
        given_back = 1 - damping + damping * sum(ranks[end] for end in ends)
        following = [given_back * share for share in begin]
        for place, ahead, part in outgoing:
            given = damping * ranks[place] * part
            for each in ahead:
                following[each] += given
        change = sum(abs(new - old) for new, old in zip(following, ranks, strict=True))
        ranks = following
        if change < tolerance * len(every):
            return PageRanks(dict(zip(every, ranks, strict=True)), rounds, has_settled=True)
    return PageRanks(dict(zip(every, ranks, strict=True)), most_rounds, has_settled=False)


CENTRAL_SORTS: Final[Mapping[str, Sort[Central]]] = {
    "rank": Sort(lambda one: (-one.rank, one.symbol_id), "desc"),
    "callers": Sort(lambda one: (-one.callers,), "desc"),
}


def central_rows(reader: IndexReader, shown: Iterable[Central]) -> tuple[CentralRow, ...]:
    """Some of the central symbols as an answer shows them."""
    chosen = tuple(shown)
    known = {one.id: one for one in reader.symbols.many(one.symbol_id for one in chosen)}
    symbols = (known[one.symbol_id] for one in chosen)
    return tuple(
        CentralRow(
            shown_name(symbol),
            symbol.kind,
            symbol.path,
            symbol.line,
            one.callers,
            round(one.rank * one.of, 1),
        )
        for one, symbol in zip(chosen, symbols, strict=True)
    )
