"""Code of Rust that is compiled for tests alone, and stands beside what it tests."""

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from drift.index.ids import FileId, SymbolId, file_of_symbol

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.profile_queries import Mark


class CompiledTests:
    """The lines below `#[cfg(test)]` and `#[test]`."""

    def __init__(self, reader: "IndexReader", files: Iterable[FileId]) -> None:
        marked = {one.symbol_id for one in reader.profiles.marks(files) if _is_of_test(one)}
        self._spans: dict[FileId, list[tuple[int, int]]] = defaultdict(list)
        for symbol in reader.symbols.many(marked):
            self._spans[file_of_symbol(symbol.id)].append((symbol.line, symbol.end_line))

    def has(self, symbol: SymbolId, line: int) -> bool:
        """Whether a line of the symbol's file is one of them."""
        spans = self._spans.get(file_of_symbol(symbol), ())
        return any(first <= line <= last for first, last in spans)


def _is_of_test(mark: "Mark") -> bool:
    return mark.name.rpartition("::")[2] == "test" or (mark.name == "cfg" and "test" in mark.text)
