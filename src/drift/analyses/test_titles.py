"""What tests are called: by their own name, or in the words of the framework where a test is a nameless function."""

from collections.abc import Iterable

from drift.index import IndexReader
from drift.index.ids import SymbolId
from drift.index.records import SymbolRecord


def find_test_titles(reader: IndexReader, symbols: Iterable[SymbolRecord]) -> dict[SymbolId, str]:
    """Those of the symbols that are tests, each as `Cart > rounds up` or `CartTest.roundsUp`."""
    known = {one.id: one for one in symbols}
    told = reader.graph.test_titles(known)
    return {
        each: title if known[each].name.startswith("<") else known[each].qualname
        for each, title in told.items()
    }
