"""Questions about dependencies between files, and about the whole graph of calls at once."""

from collections.abc import Iterator
from typing import Final, NamedTuple, cast

from drift.index.ids import SymbolId
from drift.index.selection import Selection, Value

_BETWEEN_FILES: Final = """
    SELECT source.path, source.package, target.path, target.package, found.line, found.kind, found.times
    FROM (
        SELECT imports.symbol_id >> 16 AS source_id, imports.target_file_id AS target_id,
            min(imports.line) AS line, 'import' AS kind, count(*) AS times
        FROM imports WHERE imports.target_file_id IS NOT NULL AND NOT imports.is_type_only
        GROUP BY 1, 2
        UNION ALL
        SELECT edges.caller_id >> 16, edges.callee_id >> 16, min(edges.line), 'call', count(*)
        FROM edges WHERE edges.confidence >= :confidence GROUP BY 1, 2
    ) AS found
    JOIN files AS source ON source.id = found.source_id
    JOIN files AS target ON target.id = found.target_id
    WHERE found.source_id <> found.target_id
        AND (:tests OR (source.role <> 'test' AND target.role <> 'test'))
    ORDER BY source.path, target.path, found.kind DESC
"""
_PAIRS: Final = """
    SELECT DISTINCT edges.caller_id, edges.callee_id FROM edges
    JOIN files ON files.id = edges.caller_id >> 16
    WHERE edges.confidence >= ? AND (? OR files.role <> 'test') AND edges.caller_id <> edges.callee_id
"""


class FileDependency(NamedTuple):
    """One file using another: how often, and the first place where it does."""

    path: str
    package: str | None
    target_path: str
    target_package: str | None
    line: int
    kind: str
    uses: int


class DependencyQueries:
    """Questions that read all links of the project."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def between_files(self, *, min_confidence: float, with_tests: bool) -> Iterator[FileDependency]:
        """Every file that imports or calls another; imports before calls."""
        values: dict[str, Value] = {"confidence": int(min_confidence * 10_000), "tests": with_tests}
        return map(FileDependency._make, self._selection.rows(_BETWEEN_FILES, values))

    def call_pairs(self, *, min_confidence: float, with_tests: bool) -> list[tuple[SymbolId, SymbolId]]:
        """Every pair (caller, callee), each once; without tests none that is called from one."""
        rows = self._selection.rows(_PAIRS, (int(min_confidence * 10_000), with_tests))
        return cast("list[tuple[SymbolId, SymbolId]]", rows)
