"""How near to the product a file stands: lists show the product first, then its tests, then what only shows it."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from drift.index import IndexReader
from drift.index.ids import FileId, SymbolId, file_of_symbol
from drift.index.walk import Reached
from drift.kernel.ranking import Ranked, Sort

Place = tuple[int, str]
"""A file's rank and path: in this order lists of places are read."""

# Folders of code that shows or measures the product.
_SHOWING: Final = re.compile(
    r"(?:^|/)_?(?:examples?|samples?|demos?|integration|benchmarks?|benches|bench|fixtures|testdata|docs_src)/",
    re.IGNORECASE,
)
_BESIDE_PRODUCT: Final = frozenset({"generated", "vendored", "doc"})
_SHOWING_RANK: Final = 2


def is_showing(path: str) -> bool:
    """Whether a file stands in a folder of examples, demonstrations or measurements."""
    return _SHOWING.search(path) is not None


def rank_place(path: str, role: str, *, is_test: bool = False) -> int:
    """0 for the product, 1 for tests, 2 for what shows it, is generated or is others' code, 3 for the tests of that.

    Tests of examples rank behind examples: a project that is a sample has `samples` in all of its paths.
    """
    beside = _SHOWING_RANK if role in _BESIDE_PRODUCT or is_showing(path) else 0
    return beside + (is_test or role == "test")


def place_symbols(reader: IndexReader, symbols: Iterable[SymbolId]) -> dict[SymbolId, Place]:
    """The rank and path of the file of each symbol; a test among the product ranks as a test."""
    wanted = list(symbols)
    if not wanted:
        return {}
    files: dict[FileId, tuple[str, str]] = {
        one.id: (one.path, one.role)
        for one in reader.graph.file_places({file_of_symbol(symbol) for symbol in wanted})
    }
    tests = reader.graph.in_tests(wanted)
    return {
        symbol: (rank_place(path, role, is_test=symbol in tests), path)
        for symbol in wanted
        for path, role in (files[file_of_symbol(symbol)],)
    }


def order_reached(
    reader: IndexReader, reached: Iterable[Reached]
) -> Callable[[Reached], tuple[int, int, str, int]]:
    """The key by which to sort what a walk came to: nearest first, of one depth the product first, then by place."""
    places = place_symbols(reader, (one.symbol_id for one in reached))
    return lambda one: (one.depth, *places[one.symbol_id], one.symbol_id)


REACHED_SORTS: Final = ("depth", "file")


def rank_reached(reader: IndexReader, reached: Sequence[Reached]) -> Ranked[Reached]:
    """What a walk came to: nearest first, product before tests before examples, or by place."""
    nearest = order_reached(reader, reached)
    by_file: Sort[Reached] = Sort(lambda one: nearest(one)[2:])
    return Ranked(reached, dict(zip(REACHED_SORTS, (Sort(nearest), by_file), strict=True)))
