"""Who runs whom in one state of an index: calls, functions passed on, and runs that no call in the text shows."""

import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from drift.analyses.running.clients import client_runs
from drift.analyses.running.edges import Run
from drift.analyses.running.fixtures import fixture_runs
from drift.analyses.running.index_cache import PerState
from drift.analyses.running.names import name_runs
from drift.analyses.running.outside import outside_runs
from drift.index.ids import SymbolId, file_symbol, is_file

if TYPE_CHECKING:
    from drift.index import IndexReader

Neighbours = tuple[tuple[SymbolId, float], ...]
"""Symbols next to one, each with how surely it runs it or is run by it."""

LEAST_CONFIDENCE: Final = 0.3
"""Of a whole way: below, the one more likely does not run the other."""
_AT_IMPORT: Final = 0.9  # a file that imports another at its top runs its top
_LATE_IMPORT: Final = 0.25  # so does a function only when it is the first


def import_runs(reader: "IndexReader") -> Iterator[Run]:
    """Which files and functions run the top of which files by importing them."""
    for importer, target in reader.running.imported():
        yield Run(importer, file_symbol(target), _AT_IMPORT if is_file(importer) else _LATE_IMPORT)


_SOURCES: Final[tuple[Callable[["IndexReader"], Iterator[Run]], ...]] = (
    fixture_runs,
    outside_runs,
    import_runs,
    client_runs,
    name_runs,
)


class RunGraph:
    """Who runs whom, read as far as anyone walked. Threads may share it."""

    def __init__(self, reader: "IndexReader") -> None:
        self._lock = threading.Lock()
        self._unwritten_users: dict[SymbolId, dict[SymbolId, float]] = defaultdict(dict)
        self._unwritten_used: dict[SymbolId, dict[SymbolId, float]] = defaultdict(dict)
        for source in _SOURCES:
            for user, used, confidence in source(reader):
                for table, key, other in (
                    (self._unwritten_users, used, user),
                    (self._unwritten_used, user, used),
                ):
                    table[key][other] = max(confidence, table[key].get(other, 0.0))
        self.users_of: Final[dict[SymbolId, Neighbours]] = {}
        self.used_by: Final[dict[SymbolId, Neighbours]] = {}

    def read_users(self, reader: "IndexReader", symbols: Iterable[SymbolId]) -> Mapping[SymbolId, Neighbours]:
        """Make known who runs these symbols, and give all that is known."""
        with self._lock:
            self._read(self.users_of, self._unwritten_users, symbols, reader.testing.users)
        return self.users_of

    def read_used(self, reader: "IndexReader", symbols: Iterable[SymbolId]) -> Mapping[SymbolId, Neighbours]:
        """Make known what these symbols run, and give all that is known."""
        with self._lock:
            self._read(self.used_by, self._unwritten_used, symbols, reader.testing.used)
        return self.used_by

    @staticmethod
    def _read(
        known: dict[SymbolId, Neighbours],
        unwritten: Mapping[SymbolId, dict[SymbolId, float]],
        symbols: Iterable[SymbolId],
        ask: Callable[[Iterable[SymbolId]], list[tuple[SymbolId, SymbolId, float]]],
    ) -> None:
        wanted = sorted(each for each in symbols if each not in known)
        if not wanted:
            return
        found = {each: dict(unwritten.get(each, {})) for each in wanted}
        for one, other, confidence in ask(wanted):
            near = found[one]
            near[other] = max(confidence, near.get(other, 0.0))
        known.update((symbol, tuple(near.items())) for symbol, near in found.items())


_graphs: Final = PerState[RunGraph]()


def run_graph(reader: "IndexReader") -> RunGraph:
    """The graph of the state that the reader sees."""
    return _graphs.get(reader, lambda: RunGraph(reader))
