"""Questions about calls: who calls whom, directly and through others."""

from collections.abc import Iterable, Iterator
from typing import Any, Final, Literal, cast

from drift.index.ids import FileId, SymbolId, calls_of_file, file_of_symbol
from drift.index.link_words import word_text
from drift.index.records import CallRecord, EdgeRecord, Neighbour, SymbolRecord
from drift.index.rows import CallRow
from drift.index.selection import Selection, as_list
from drift.index.symbol_queries import COLUMN_COUNT, COLUMNS
from drift.index.walk import Closure, Step, find_shortest_paths, walk_levels

Direction = Literal["callers", "callees"]

# Written in Python, Java and TypeScript, PHP, C#.
WORDS_OF_PARENTS: Final = """
    (SELECT id FROM words WHERE text GLOB 'super(*).*' OR text GLOB 'super.*' OR text GLOB 'parent::*' OR text GLOB 'base.*')
"""
_WORDS: Final = frozenset({"text", "kind", "outcome", "external_name"})
_CALL_COLUMNS: Final = ", ".join(
    word_text(f"calls.{name}") if name in _WORDS else f"calls.{name}" for name in CallRow._fields
)
_CONFIDENCE: Final = "edges.confidence / 10000.0"
_REASON: Final = word_text("edges.reason")


def _neighbours(known: str, asked: str) -> str:
    return f"""
        SELECT {COLUMNS}, edges.call_id, edges.line, {_CONFIDENCE}, {_REASON} FROM edges
        CROSS JOIN symbols ON symbols.id = edges.{asked}
        JOIN files ON files.id = symbols.file_id
        WHERE edges.{known} = ? AND (edges.{asked}, edges.call_id) > (?, ?)
        ORDER BY edges.{asked}, edges.call_id LIMIT ?
    """  # noqa: S608 - our own names


def _steps(known: str, asked: str, condition: str = "") -> str:
    return f"""
        SELECT edges.{known}, edges.{asked} FROM json_each(?) AS frontier
        CROSS JOIN edges ON edges.{known} = frontier.value {condition}
    """  # noqa: S608 - our own names


_CALLERS: Final = _neighbours("callee_id", "caller_id")
_CALLEES: Final = _neighbours("caller_id", "callee_id")
# Without the condition the index alone answers; with it, the way down looks every edge up.
_ANY_STEPS: Final[dict[Direction, str]] = {
    "callers": _steps("callee_id", "caller_id"),
    "callees": _steps("caller_id", "callee_id"),
}
_SURE_STEPS: Final[dict[Direction, str]] = {
    "callers": _steps("callee_id", "caller_id", f"AND {_CONFIDENCE} >= ?"),
    "callees": _steps("caller_id", "callee_id", f"AND {_CONFIDENCE} >= ?"),
}
_CALLS_OF: Final = f"""
    SELECT {_CALL_COLUMNS} FROM calls WHERE id BETWEEN ? AND ? AND caller_id = ? ORDER BY id
"""  # noqa: S608 - our own names
_OF_OBJECTS: Final = f"""
    SELECT {_CALL_COLUMNS} FROM calls
    WHERE external_name = (SELECT id FROM words WHERE text = ?) AND text NOT IN {WORDS_OF_PARENTS} ORDER BY id LIMIT ?
"""  # noqa: S608 - our own names
_TO_EXTERNAL: Final = f"""
    SELECT {_CALL_COLUMNS} FROM calls
    WHERE external_name = (SELECT id FROM words WHERE text = ?) AND id > ? ORDER BY id LIMIT ?
"""  # noqa: S608 - our own names
_EDGES: Final = f"""
    SELECT callee_id, caller_id, call_id, line, {_CONFIDENCE}, {_REASON} FROM edges
    WHERE (callee_id, caller_id, call_id) > (?, ?, ?) ORDER BY callee_id, caller_id, call_id LIMIT ?
"""  # noqa: S608 - our own names
_OUTCOMES: Final = f"""
    SELECT {word_text("outcome")}, found FROM (SELECT outcome, count(*) AS found FROM calls GROUP BY outcome)
    ORDER BY 1
"""  # noqa: S608 - our own names
_OVERRIDERS: Final = "SELECT overrider_id FROM overrides WHERE method_id = ? ORDER BY overrider_id"
_OVERRIDES: Final = "SELECT overrider_id, method_id FROM overrides ORDER BY overrider_id, method_id"
_OVERRIDDEN: Final = "SELECT method_id FROM overrides WHERE overrider_id = ? ORDER BY method_id"
_CALLED_ELSEWHERE: Final = """
    SELECT 1 FROM calls WHERE (id < ?2 OR id > ?3) AND text IN (
        SELECT id FROM words WHERE substr(text, -length(?1)) = ?1
        AND (length(text) = length(?1) OR substr(text, -length(?1) - 1, 1) IN ('.', ':', '>', '!', '?'))
    ) LIMIT 1
"""


_WORDS_BEGINNING: Final = "SELECT text FROM words WHERE text > ? AND text < ? ORDER BY text LIMIT 2000"


class CallQueries:
    """Questions about calls."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def callers(
        self, symbol: SymbolId, *, after: tuple[int, int] = (-1, -1), limit: int = 100
    ) -> list[Neighbour]:
        """The calls of a symbol, each with the symbol it stands in; `after` is (symbol id, call id)."""
        return self._neighbours(_CALLERS, symbol, *after, limit)

    def callees(
        self, symbol: SymbolId, *, after: tuple[int, int] = (-1, -1), limit: int = 100
    ) -> list[Neighbour]:
        """The calls in a symbol that lead into the project, each with the symbol it leads to."""
        return self._neighbours(_CALLEES, symbol, *after, limit)

    def closure(
        self,
        symbols: Iterable[SymbolId],
        direction: Direction,
        *,
        max_depth: int | None = None,
        max_symbols: int = 100_000,
        min_confidence: float = 0.0,
    ) -> Closure:
        """All symbols that reach these (callers) or that these reach (callees), nearest first.

        The symbols themselves are not in it, also where they are recursive.
        """
        expand = self._expand(direction, min_confidence)
        return walk_levels(symbols, expand, max_depth=max_depth, max_symbols=max_symbols)

    def shortest_paths(
        self,
        source: SymbolId,
        target: SymbolId,
        *,
        max_depth: int = 20,
        limit: int = 10,
        min_confidence: float = 0.0,
    ) -> list[tuple[SymbolId, ...]]:
        """The shortest ways by which `source` calls `target`, each from the one to the other."""
        expand = self._expand("callees", min_confidence)
        return find_shortest_paths(source, target, expand, max_depth=max_depth, limit=limit)

    def calls_of(self, symbol: SymbolId) -> list[CallRecord]:
        """Every call that stands in a symbol, wherever it leads."""
        values = (*calls_of_file(file_of_symbol(symbol)), symbol)
        return list(map(CallRecord._make, self._selection.rows(_CALLS_OF, values)))

    def calls_to_external(self, external_name: str, *, after: int = -1, limit: int = 100) -> list[CallRecord]:
        """The calls of something outside the project, from the one after `after`."""
        rows = self._selection.rows(_TO_EXTERNAL, (external_name, after, limit))
        return list(map(CallRecord._make, rows))

    def calls_to_method(self, external_name: str, *, limit: int = 100) -> list[CallRecord]:
        """The calls of a method outside the project on an object: what `super` calls is the parent's and no child's."""
        return list(map(CallRecord._make, self._selection.rows(_OF_OBJECTS, (external_name, limit))))

    def edges(self, *, after: tuple[int, int, int] = (-1, -1, -1), limit: int = 10_000) -> list[EdgeRecord]:
        """All edges in the order of (callee, caller, call), a page at a time."""
        return list(map(EdgeRecord._make, self._selection.rows(_EDGES, (*after, limit))))

    def is_called_elsewhere(self, name: str, file: FileId) -> bool:
        """Whether another file calls something of this name, as far as calls say by what name. Goes through all of them."""
        return self._selection.row(_CALLED_ELSEWHERE, (name, *calls_of_file(file))) is not None

    def texts_beginning(self, text: str) -> list[str]:
        """What is called, or named otherwise by links, in words that begin so."""
        return [found for (found,) in self._selection.rows(_WORDS_BEGINNING, (text, f"{text}\U0010ffff"))]

    def overriders(self, method: SymbolId) -> list[SymbolId]:
        """The methods that may run in the place of this one."""
        return [found for (found,) in self._selection.rows(_OVERRIDERS, (method,))]

    def overrides(self) -> Iterator[tuple[SymbolId, SymbolId]]:
        """Every method that may run in the place of another, with that one."""
        return ((SymbolId(one), SymbolId(other)) for one, other in self._selection.each(_OVERRIDES))

    def overridden(self, method: SymbolId) -> list[SymbolId]:
        """The methods in whose place this one may run."""
        return [found for (found,) in self._selection.rows(_OVERRIDDEN, (method,))]

    def outcome_counts(self) -> dict[str, int]:
        """How many calls there are of each outcome. Reads the whole table: some 50 ms for 200,000 calls."""
        return dict(self._selection.rows(_OUTCOMES))

    def _expand(self, direction: Direction, min_confidence: float) -> Step:
        def expand(frontier: Iterable[SymbolId]) -> list[tuple[SymbolId, SymbolId]]:
            wanted = as_list(frontier)
            if min_confidence <= 0:
                return self._pairs(_ANY_STEPS[direction], wanted)
            return self._pairs(_SURE_STEPS[direction], wanted, min_confidence)

        return expand

    def _pairs(self, query: str, *values: Any) -> list[tuple[SymbolId, SymbolId]]:
        return cast("list[tuple[SymbolId, SymbolId]]", self._selection.rows(query, values))

    def _neighbours(self, query: str, *values: Any) -> list[Neighbour]:
        rows = self._selection.rows(query, values)
        return [Neighbour(SymbolRecord._make(row[:COLUMN_COUNT]), *row[COLUMN_COUNT:]) for row in rows]
