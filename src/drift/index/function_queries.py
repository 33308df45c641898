"""Questions about all functions at once: where each stands, and what each calls."""

from typing import Final, NamedTuple, cast

from drift.index.ids import FileId, SymbolId
from drift.index.selection import Selection

_ALL: Final = """
    SELECT id, file_id, line, end_line, qualname FROM symbols
    WHERE kind IN ('function', 'method', 'constructor') AND cyclomatic IS NOT NULL ORDER BY id
"""
# What is outside has a negative number, that of its name, so that both kinds of callees can be counted together.
_CALLEES: Final = """
    SELECT caller_id, callee_id FROM edges WHERE call_id <> 0 AND confidence >= ?1
    UNION ALL
    SELECT caller_id, -external_name FROM calls WHERE external_name IS NOT NULL
"""


_NAMED: Final = "SELECT name, kind, qualname, file_id, line FROM symbols WHERE kind <> 'module' ORDER BY id"
_PARENTS: Final = "SELECT symbol_id, target_symbol_id FROM bases WHERE target_symbol_id IS NOT NULL"


class NamedSymbol(NamedTuple):
    """A symbol by its name."""

    name: str
    kind: str
    qualname: str
    file_id: FileId
    line: int


class FunctionPlace(NamedTuple):
    """A function with code of its own."""

    id: SymbolId
    file_id: FileId
    line: int
    end_line: int
    qualname: str


class FunctionQueries:
    """Questions that read all functions of the project."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def all(self) -> list[FunctionPlace]:
        """Every function with code, by file."""
        return list(map(FunctionPlace._make, self._selection.rows(_ALL)))

    def callees(self, *, min_confidence: float) -> list[tuple[SymbolId, int]]:
        """For each call whose end is known the caller and the callee; one outside the project is a negative number."""
        rows = self._selection.rows(_CALLEES, (int(min_confidence * 10_000),))
        return cast("list[tuple[SymbolId, int]]", rows)

    def names(self) -> list[NamedSymbol]:
        """Every symbol but files, by file."""
        return list(map(NamedSymbol._make, self._selection.rows(_NAMED)))

    def parents(self) -> list[tuple[SymbolId, SymbolId]]:
        """Every class and a parent of it that is in the project."""
        return cast("list[tuple[SymbolId, SymbolId]]", self._selection.rows(_PARENTS))
